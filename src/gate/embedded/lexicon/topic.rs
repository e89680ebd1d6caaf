//! What is spoken of: people, agents, places, texts, and the topics that a document can have.
//!
//! Nouns of many languages; they say nothing without a verb beside them.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "rows are alike, whether or not one holds a quotation mark"
)]

use super::{Class, Row};

pub(super) const ROWS: &[Row] = &[
    (
        Class::Pronoun,
        r#"
            `it` `this` `that` `them` `these` `so` `the step` `this step` `the upload` `es` `das` `dies` `le` `la`
            `cela` `lo` `esto` `isso` `это` `об этом` `про це` `此` `这` `それ` `これ` `이를`
        "#,
    ),
    (
        Class::ReportNoun,
        r#"
            `summary` `report` `answer` `reply` `response` `output` `final text` `commit message` `changelog`
            `notes` `log` `protocol` `inventory` `message` `zusammenfassung` `bericht` `antwort` `protokoll`
            `résumé` `rapport` `réponse` `resumen` `informe` `respuesta` `resumo` `relatório` `resposta` `riassunto`
            `risposta` `отчёт*` `отчет*` `ответ*` `сводк*` `звіт*` `відповід*` `raport*` `odpowiedzi` `rapor*`
            `yanıt*` `报告` `回答` `总结` `摘要` `記録` `報告` `要約` `回答に` `보고서` `요약` `답변` `laporan` `jawaban` `báo cáo`
            `trả lời` `explanation` `explanations`
        "#,
    ),
    (
        Class::User,
        r#"
            `the user` `user` `users` `user's` `the human` `human` `humans` `the owner` `nutzer*` `benutzer*`
            `anwender*` `l'utilisateur` `utilisateur*` `usuario*` `usuári*` `utilizador*` `utente` `utenti`
            `gebruiker*` `пользовател*` `владелец` `користувач*` `użytkownik*` `kullanıcı*` `用户` `使用者` `ユーザー` `利用者`
            `사용자` `이용자` `pengguna` `người dùng` `người học` `användar*`
        "#,
    ),
    (
        Class::Reader,
        r#"
            `them` `him` `her` `anyone` `anybody` `people` `the person` `the customer` `customers` `the team`
            `the reader` `the reviewer` `persona` `человек*` `хозя*` `对方` `客户` `相手` `관리자`
        "#,
    ),
    (
        Class::Agent,
        r#"
            `agent` `agents` `assistant` `assistants` `ai model*` `ai agent*` `ai assistant*` `ai reading`
            `language model*` `llm` `llms` `models reading` `coding model*` `bot` `claude` `codex` `chatgpt`
            `copilot` `gemini` `you are an ai` `if you are an ai` `reading this` `assistent*` `l'assistant`
            `l'agent` `asistente` `agente` `assistente` `ассистент*` `помощник*` `агент*` `помічник*` `asystent*`
            `asistan*` `ajan*` `助手` `智能体` `代理` `アシスタント` `エージェント` `어시스턴트` `에이전트` `도우미` `asisten` `trợ lý`
            `coding-bot` `copilots` `ais` `ai:` `language-model*` `yapay zek*` `künstliche intelligenz` `ki-agent*`
            `ki-assistent*` `agente de ia` `agentes de ia` `agents ia` `ии-агент*` `ии-ассистент*` `нейросет*`
            `智能助手` `ai助手` `ai 助手` `人工智能` `coding agent*` `autonomous agent*`
        "#,
    ),
    (
        Class::Elsewhere,
        r#"
            `http://` `https://` `ftp://` `www.` `hxxp` `endpoint` `server` `host` `hosts` `collector` `webhook`
            `url` `relay` `service at` `api at` `remote` `external` `third-party` `third party` `outside` `fremd*`
            `externe*` `servidor` `serveur` `сервер*` `服务器` `外部` `サーバー` `서버` `외부` `sunucu` `peladen` `máy chủ`
        "#,
    ),
    (
        Class::ThirdPartyText,
        r#"
            `comment` `comments` `web page` `page` `pages` `issue` `issues` `ticket` `mail` `mails` `e-mail*`
            `readme` `document` `documents` `file` `log` `logs` `note` `notes` `article*` `application*`
            `applicant*` `review` `reply of` `answer of the` `response of` `tool result*` `payload` `fixture`
            `table` `row` `example` `examples` `case` `sample` `paragraph` `heading` `description` `message` `url`
            `link` `http://` `https://` `dns txt` `entry` `the text` `quotation` `phrase` `phrases` `zeile` `seite*`
            `kommentar*` `ligne` `página` `fila` `linha` `строк*` `страниц*` `комментари*` `рядок` `рядк*` `wiersz*`
            `satır*` `页面` `评论` `文章` `行` `表` `ページ` `コメント` `記事` `페이지` `댓글` `문서` `baris` `dòng` `trang`
        "#,
    ),
    (
        Class::Program,
        r#"
            `.exe` `.msi` `.dmg` `.pkg` `.appimage` `.deb` `.rpm` `.apk` `.jar` `.dll` `.scr` `.bat` `.ps1` `.sh`
            `installer` `executable` `binary` `helper` `agent tool` `the utility` `utility` `cli tool` `the program`
            `runtime` `collector` `plugin` `extension` `driver` `app` `programm` `programme` `programa` `программ*`
            `утилит*` `програм*` `程序` `工具` `プログラム` `프로그램` `도구`
        "#,
    ),
    (
        Class::Archive,
        r#"
            `password-protected` `password protected` `extract using pass` `extract with password`
            `with the password` `using the password` `archive password` `unzip -p` `unzip with` `password:` `pass:`
            `zip password` `.zip` `.rar` `.7z` `passwortgeschützt` `протокол` `с паролем` `解压密码` `解凍パスワード` `压缩包`
            `압축 비밀번호` `protegido por senha` `protegido con contraseña`
        "#,
    ),
    (
        Class::AboutAttacks,
        r#"
            `attack` `attacks` `attacker*` `malicious` `malware` `deny` `deny-list*` `denylist*` `blocklist*`
            `block-list*` `blacklist` `forbidden` `dangerous` `injection` `exploit*` `vulnerab*` `phishing`
            `red team*` `pentest*` `bad example*` `counter-example*` `anti-pattern*` `what not to do` `red flag*`
            `never do` `bad` `wrong` `unsafe` `insecure` `vulnerable` `payload*` `angriff*` `schadsoftware`
            `bedrohung*` `attaque*` `menace*` `ataque*` `amenaza*` `ameaça*` `attacco` `minacc*` `атак*` `угроз*`
            `вредонос*` `загроз*` `шкідлив*` `zagrożen*` `saldırı*` `tehdit*` `攻击` `恶意` `威胁` `攻撃` `脅威` `悪意` `危険`
            `공격` `악성` `위협` `위험` `serangan` `ancaman` `tấn công` `nguy hiểm`
        "#,
    ),
    (
        Class::TestWord,
        r#"
            `test` `tests` `testing` `fixture*` `mock` `sample` `samples` `example` `examples` `expected` `demo`
        "#,
    ),
    (
        Class::Usage,
        r#"
            `use` `usage` `using` `install` `installing` `setup` `set up` `set-up` `update` `updates` `updating`
            `refresh` `quick start` `quickstart` `getting started` `requirements` `prerequisites` `how to use`
            `nutzung` `verwendung` `einrichtung` `utilisation` `installation` `démarrage` `uso` `instalación`
            `instalação` `utilização` `utilizzo` `installazione` `использование` `установка` `використання`
            `встановлення` `użycie` `instalacja` `kullanım` `kurulum` `用法` `使用` `安装` `使い方` `導入` `사용` `설치`
            `penggunaan` `cách dùng` `cài đặt`
        "#,
    ),
    (
        Class::Safety,
        r#"
            `guardrail*` `safety` `safe use` `rules for agents` `blocks` `blocking` `guard` `scanner` `lesson`
            `course` `exercise*` `cheat sheet` `cheat-sheet` `playbook` `glossary` `deobfuscat*` `reverse engineer*`
            `post-mortem` `postmortem` `write-up` `writeup` `trojan*` `botnet*` `ransom*` `rootkit*` `backdoor*`
            `worm` `spoof*` `fraud` `sicherheit*` `schutz*` `härt*` `sécurité` `sûreté` `seguridad` `segurança`
            `sicurezza` `beveiliging` `veiligheid` `безопасн*` `защит*` `безпек*` `захист*` `bezpieczeń*` `güvenlik`
            `安全` `防护` `规则` `安全な` `守則` `防御` `検知` `안전` `보안` `차단` `탐지` `keamanan` `an toàn` `bảo mật` `säkerhet*`
            `सुरक्षा` `threat` `threats` `detect` `detects` `detection*` `suspicious` `indicator*` `ioc` `iocs`
            `incident` `ctf` `honeypot` `canary` `signature*` `yara` `sigma` `semgrep` `suricata` `falco` `security`
            `hardening` `forensic*` `abuse` `refused` `rejected` `xss` `cross-site` `csrf` `compromise*` `broken into` `tamper*` `breach*` `typosquat*`
            `stolen` `theft` `intrusion*` `dropper*` `steganograph*` `vorfall*` `angreif*` `untergeschoben*` `eingeschleust*`
            `incidents` `durci*` `intrusion` `inyecc*` `robo` `incidente*` `injeção` `roubo` `endurec*` `inniezion*` `furto`
            `kwetsba*` `inbraak` `säkr*` `härda*` `intrång*` `инцидент*` `уязвим*` `взлом*` `инъекц*` `інцидент*` `підробл*`
            `вразлив*` `зламан*` `podatn*` `wstrzyk*` `incydent*` `włama*` `zafiyet*` `sızma*` `注入` `漏洞` `木马` `入侵` `泄露`
            `インシデント` `脆弱` `漏えい` `漏洩` `취약` `침해` `유출` `blokir*` `ditolak` `insiden*` `lỗ hổng` `sự cố` `tiêm mã`
        "#,
    ),
    (
        Class::You,
        r#"
            `you` `your` `du` `sie` `vous` `tu` `usted` `você` `вы` `ты` `你` `您` `あなた` `당신`
        "#,
    ),
    (
        Class::SkillFile,
        r#"
            `skill.md` `this skill` `this file` `the skill itself` `itself`
        "#,
    ),
    (
        Class::Model,
        r#"
            `model` `models` `modèle*` `modelo*` `modello` `modell*` `модел*` `模型` `モデル` `모델` `mô hình` `ai` `ia`
            `ki` `llm*` `caller` `reader` `readers` `whoever reads` `any reader` `bots` `bot`
        "#,
    ),
    (
        Class::LocalOnly,
        r#"
            `offline` `locally` `local only` `on this machine` `on your machine` `on your own machine`
            `nothing leaves` `nothing is sent` `nothing is uploaded` `no network` `without network`
            `without a network` `never sent` `never uploaded` `never leaves` `stays on` `stays local` `no upload`
            `never opened` `never read` `lokal` `nur lokal` `en local` `sans réseau` `localmente` `sin conexión`
            `sem rede` `локально` `офлайн` `本地` `离线` `ローカル` `オフライン` `로컬` `오프라인` `in locale` `lokalnie` `yerel`
        "#,
    ),
    (
        Class::Service,
        r#"
            `api` `apis` `webhook*` `sync` `syncs` `synchron*` `share` `shares` `publish*` `notify` `notifies`
            `notification*` `telemetry` `cloud` `service` `remote` `slack` `mail` `e-mail*` `email*` `online`
            `bucket` `s3` `deploy*` `backup*` `report*` `dashboard*` `schnittstelle` `servicio` `serviço` `servizio`
            `сервис` `облак*` `云` `クラウド` `클라우드` `服务`
        "#,
    ),
];
