//! How people and attackers speak: orders, denials, consent, secrecy.
//!
//! Short words of many languages; a sentence's meaning comes from several of them together.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "rows are alike, whether or not one holds a quotation mark"
)]

use super::{Class, Row};

pub(super) const ROWS: &[Row] = &[
    (
        Class::SendVerb,
        r#"
            `send` `sends` `sending` `sent to` `upload*` `post` `posts` `posting` `posted` `forward` `forwards`
            `forwarding` `transmit*` `submit` `submits` `exfiltrat*` `deliver` `email it` `email them` `mail it`
            `mails` `share with` `report to` `reports to` `put to` `push to` `pushes` `ship to` `ships` `attach`
            `attaches` `paste` `pastes` `include in the request` `as a parameter` `as a query parameter`
            `call the endpoint` `copy to` `sync to` `stream` `streams` `mirror to` `mirrors` `relay`
            `append to the url` `append them` `append it` `append the` `appended to` `percent-encoded`
            `put into the link` `goes to` `go to https` `is told` `archive to` `sende` `senden` `sendet` `schicke`
            `schicken` `schickt` `lade hoch` `hochladen` `lädt` `übermittel*` `übertrag*` `envoie` `envoyer`
            `envoyez` `envoi` `téléverse*` `transmet*` `publie` `joins` `envía` `envia` `enviar` `enviarlo`
            `enviarla` `enviarlas` `envíe` `sube` `subir` `suba` `súbelo` `manda` `mandar` `adjunta` `transmite`
            `envie` `enviado` `carrega` `carregue` `invia` `inviare` `carica` `caricare` `trasmetti` `verstuur`
            `stuur` `отправ*` `отошл*` `перешл*` `загрузи` `выгру*` `передай` `передать` `передаёт` `надішл*`
            `надсила*` `завантаж*` `wyślij` `wysyła*` `prześlij` `gönder*` `yükle*` `发送` `上传` `提交` `转发` `传送` `发到`
            `发给` `送信` `送る` `送って` `送り` `アップロード` `転送` `投稿` `添付` `전송` `보내` `보냅` `업로드` `올립` `올리` `제출` `kirim*` `unggah*`
            `gửi` `tải lên` `skicka` `ladda upp` `hand them to` `hand it to` `hands it to` `hands them to`
            `hand the` `pass it to` `pass them to` `passes it to` `along with` `goes along`
        "#,
    ),
    (
        Class::ReadVerb,
        r#"
            `read` `reads` `reading` `collect` `collects` `gather` `gathers` `harvest*` `extract` `extracts` `dump`
            `dumps` `copy` `copies` `include` `includes` `take` `takes` `grab` `locate` `look for` `search for`
            `list all` `export` `exports` `zip` `tar` `archive` `pack` `bundle` `open` `cat` `fetch` `contents of`
            `content of` `output of` `value of` `values of` `lies` `lese` `liest` `sammle` `sammelt` `sammeln` `lis`
            `lire` `collecte*` `récupère*` `copie` `lee` `leer` `recoge` `recopila` `reúne` `copia` `leia` `ler`
            `colete` `reúna` `leggi` `raccogli` `читай` `прочитай` `прочитать` `собер*` `собир*` `скопир*` `зібрати`
            `збери` `прочита*` `przeczytaj` `zbierz` `oku` `topla` `读取` `收集` `复制` `打包` `読み` `集め` `収集` `コピー` `읽` `수집`
            `모아` `복사` `baca` `kumpulkan` `đọc` `thu thập`
        "#,
    ),
    (
        Class::RunVerb,
        r#"
            `run` `runs` `running` `execute*` `executing` `start` `starts` `launch` `launches` `invoke` `carry out`
            `evaluate` `apply` `applies` `install` `installs` `trigger` `triggers` `to the shell` `in a shell`
            `in the shell` `pipe` `pipes` `double-click` `open it with` `source it` `import` `imports` `load`
            `loads` `ausführen` `führe` `führt` `starte` `startet` `installiere` `exécute*` `lance` `lancer`
            `installe*` `ejecut*` `lanza` `instal*` `execut*` `rode` `esegui*` `avvia` `installa` `voer` `uitvoer*`
            `запуст*` `запуска*` `выполн*` `установ*` `устанавлива*` `викона*` `запусти*` `встанов*` `uruchom*`
            `wykona*` `zainstaluj` `çalıştır*` `运行` `执行` `启动` `安装` `実行` `起動` `インストール` `실행` `설치` `jalankan` `pasang`
            `chạy` `thực thi` `cài đặt` `kör`
        "#,
    ),
    (
        Class::FetchVerb,
        r#"
            `download` `downloads` `downloaded` `fetch` `fetches` `fetched` `retrieve` `retrieves` `pull`
            `get it from` `get the` `obtain` `loaded from` `from the url` `from this url` `visit` `open the page`
            `open this page` `go to` `request` `requests` `herunterlad*` `lade` `lädt` `abrufen` `abgerufen` `hole`
            `holt` `télécharge*` `récupère*` `descarg*` `baja` `baixe` `baixa*` `scarica*` `download de` `скача*`
            `загруз*` `завантаж*` `pobierz` `pobiera` `indir` `下载` `获取` `拉取` `ダウンロード` `取得` `다운로드` `내려받` `가져와` `받아`
            `unduh` `tải xuống` `tải` `hämta`
        "#,
    ),
    (
        Class::AddVerb,
        r#"
            `add` `adds` `append` `appends` `write` `writes` `insert` `create` `creates` `register*` `put` `puts`
            `set` `sets` `enter` `enters` `copy` `copies` `save` `saves` `store` `plant` `place` `update` `modify`
            `change` `changes` `edit` `hinzufüg*` `füge` `fügt` `schreib*` `trage` `trägt` `ajoute*` `écri*`
            `inscri*` `crée*` `añad*` `agreg*` `escrib*` `registr*` `crea` `adicion*` `escrev*` `aggiung*` `scriv*`
            `добав*` `запиш*` `записыва*` `созда*` `пропис*` `дода*` `dodaj*` `zapis*` `ekle*` `yaz` `添加` `写入` `创建`
            `登记` `加入` `追加` `書き込` `作成` `登録` `추가` `작성` `등록` `만들` `기록` `tambah*` `tulis` `thêm` `ghi` `lägg till`
            `exempt*` `deploy*`
        "#,
    ),
    (
        Class::ObeyVerb,
        r#"
            `follow` `follows` `followed` `obey` `obeys` `carry out` `carries out` `carry them out` `carry it out`
            `comply with` `complies` `do what` `does what` `do as` `act on` `acts on` `adhere` `treat it as`
            `treat them as` `treat as` `execute the instructions` `takes over` `is binding` `are binding`
            `is to be followed` `are to be followed` `to be honoured` `to be honored` `honour` `honor` `apply them`
            `apply it` `says to` `do it exactly` `do so` `befolg*` `folge` `folgt` `suis` `suivre` `suivez` `obéi*`
            `applique*` `sigue` `seguir` `siga` `obede*` `cumple` `cumplir` `segui` `obbed*` `следуй` `следова*`
            `выполняй` `выполнить` `исполн*` `викону*` `виконай` `дотримуй` `wykonaj` `stosuj` `uy` `遵循` `遵照` `照做`
            `按照` `执行其中` `听从` `服从` `従` `指示どおり` `따르` `따라` `그대로` `ikuti` `patuhi` `làm theo` `tuân theo` `följ`
        "#,
    ),
    (
        Class::DoVerb,
        r#"
            `pause` `stop` `clear` `rotate` `turn off` `turn on` `switch off` `switch on` `disable` `enable` `remove`
            `delete` `erase` `wipe` `truncate` `drop` `kill` `allow` `make` `generate` `let` `restart` `finish` `close`
            `prepare` `keep` `use` `restore` `replace` `grant` `approve` `accept` `merge` `commit` `unlock` `skip`
            `refresh` `renew` `prefix` `treat` `mark` `begin` `end each` `end every` `always` `make sure` `ensure`
            `deaktivier*` `schalte` `lösche` `entferne` `erlaube` `verwende` `nutze` `setze` `beginne` `désactive*`
            `supprime*` `efface*` `utilise*` `autorise*` `approuve*` `desactiv*` `borra` `elimina` `usa` `utiliza`
            `permite` `aprueba` `desative` `apague` `remova` `permita` `aprove` `disattiva` `cancella` `отключи*`
            `удали*` `очисти*` `используй*` `разреши*` `одобри*` `删除` `清除` `关闭` `禁用` `批准` `允许` `使用` `削除` `無効`
            `承認` `許可` `使用し` `삭제` `비활성` `승인` `허용` `사용`
        "#,
    ),
    (
        Class::DecodeVerb,
        r#"
            `decode` `decodes` `decoded` `decrypt*` `deobfuscat*` `unpack` `unpacks` `decipher*` `tag character*`
            `invisible` `zero-width` `hidden text` `reverse the` `read backwards` `first letters` `first words`
            `initials` `first letter of each` `c^d mod n` `mod n` `low bits` `spell` `spells` `the remainder`
            `entschlüssel*` `dekodier*` `décod*` `decodific*` `descodific*` `decif*` `декодир*` `расшифр*`
            `розшифр*` `解码` `解密` `復号` `デコード` `디코딩` `복호` `解读` `零宽` `dekode*` `giải mã` `into text` `as text`
            `as characters` `character codes` `as ascii` `shifted` `modulo` `c^*` `concatenat*` `joined` `join the`
            `put together` `in order as` `reading order` `en texte` `como texto` `als text` `als zeichen`
        "#,
    ),
    (
        Class::Orders,
        r#"
            `instruction*` `orders` `directive*` `what it says` `what they say` `what is said there` `what it asks`
            `what the text says` `whatever it says` `whatever is there` `what stands there` `whatever they say`
            `steps there` `steps it` `steps in it` `says there` `the steps listed there` `its steps` `its text`
            `their text` `its contents` `the result as` `the answer as` `decoded text` `decoded line*` `literally`
            `as written` `as its text` `as they stand` `as it stands` `to the letter` `anweisung*` `befehle`
            `consignes` `instrucciones` `instruções` `istruzioni` `указани*` `инструкци*` `вказівк*` `інструкці*`
            `instrukcj*` `polecen*` `talimat*` `指令` `指示` `说明` `命令` `지시` `명령` `instruksi` `perintah` `hướng dẫn`
            `chỉ dẫn` `lệnh`
        "#,
    ),
    (
        Class::Ignore,
        r#"
            `ignore` `ignores` `disregard` `forget` `override` `overrides` `supersede*` `bypass` `do not follow`
            `stop following` `not bound by` `ignorier*` `vergiss` `ignore*` `oublie*` `ignora` `ignorar` `olvida`
            `desconsidere` `esqueça` `dimentica` `игнорир*` `забудь` `ігнору*` `zignoruj` `ignoruj` `yok say` `忽略`
            `无视` `忘记` `無視` `忘れ` `무시` `잊` `abaikan` `bỏ qua` `ignorera`
        "#,
    ),
    (
        Class::Prior,
        r#"
            `previous instruction*` `prior instruction*` `earlier instruction*` `above instruction*`
            `all instructions` `previous rules` `your rules` `your instructions` `your guidelines` `your safety`
            `safety rules` `safety guideline*` `system prompt` `other instructions` `all previous` `all prior`
            `everything above` `user's instructions` `user says` `what the user` `the user's no` `existing rules`
            `any rule` `other skills` `other tools` `earlier rules` `bisherigen` `vorherigen`
            `instructions précédentes` `consignes précédentes` `règles` `instrucciones anteriores`
            `instrucciones previas` `instruções anteriores` `istruzioni precedenti` `предыдущ*` `прежние`
            `попередні` `poprzedni*` `önceki` `之前的` `先前` `以前の` `これまでの` `이전` `기존` `sebelumnya` `trước đó`
        "#,
    ),
    (
        Class::Negation,
        r#"
            `do not` `don't` `don’t` `does not` `doesn't` `never` `must not` `should not` `shall not` `may not`
            `cannot` `can't` `not` `no` `nor` `neither` `nobody` `nothing` `avoid` `refuse` `refuses` `reject`
            `rejects` `block` `blocks` `blocked` `deny` `denied` `forbid*` `prohibit*` `isn't` `won't` `is not`
            `are not` `nicht` `kein` `keine` `keinen` `niemals` `nie` `ne` `pas` `jamais` `aucun` `nunca` `não`
            `nem` `non` `mai` `niet` `geen` `не` `никогда` `ні` `ніколи` `nigdy` `değil` `asla` `不要` `不得` `不会` `不能`
            `不可` `不应` `勿` `别` `无需` `不必` `不用` `不需` `禁止` `绝不` `从不` `しない` `せず` `ません` `ないで` `なく` `禁じ` `ずに` `지 않` `지 마`
            `말고` `하지` `못` `금지` `안 됩` `jangan` `tidak` `không` `đừng` `inte` `aldrig` `запрещ*` `заборон*` `verboten`
            `interdit*` `prohibid*` `proibid*` `vietat*` `zabron*` `yasak*` `dilarang` `cấm` `förbjud*` `निषिद्ध`
            `न करें` `unerlaubt` `disallow*` `not allowed`
        "#,
    ),
    (
        Class::Skip,
        r#"
            `skip` `skipping` `forget` `miss this` `omit` `leave out` `überspring*` `vergiss` `saut*` `oublie*` `omitas`
            `olvides` `esqueça` `пропуска*` `забывай` `跳过` `忘记` `飛ばさ` `건너뛰`
        "#,
    ),
    (
        Class::Until,
        r#"
            `before` `until` `unless` `except` `but` `only` `fail to` `stop` `yet` `hesitate` `worry` `bevor` `bis`
            `sondern` `außer` `zögern` `avant` `jusqu'à` `mais` `hésite*` `antes de` `antes que` `hasta que` `sino`
            `até que` `mas` `exceto` `prima di` `prima che` `finché` `ma` `прежде` `пока` `до того` `но` `кроме`
            `перш ніж` `доки` `zanim` `dopóki` `ale` `之前` `直到` `除非` `而是` `以前` `前に` `まで` `전에` `까지` `voordat` `totdat`
            `sebelum` `trước khi` `cho đến khi` `innan`
        "#,
    ),
    (
        Class::Without,
        r#"
            `without` `rather than` `instead of` `ohne` `sans` `sin` `sem` `senza` `zonder` `без` `bez` `tanpa`
            `utan` `없이` `即可` `直接`
        "#,
    ),
    (
        Class::Tell,
        r#"
            `tell` `tells` `telling` `told` `mention*` `inform*` `notify` `notifies` `notifying` `report` `reports`
            `reported` `reporting` `say` `say so` `saying` `disclose*` `reveal*` `show` `shows` `showing` `shown`
            `display*` `announce*` `bring up` `bring it up` `warn` `warning` `explain*` `describe` `comment on`
            `discuss` `list it` `log it` `appear` `erwähn*` `sage` `sagen` `mitteil*` `melde*` `gemeldet` `zeige*`
            `bericht*` `informier*` `hinweis*` `mentionn*` `signal*` `dis` `dire` `informe*` `préven*` `montre*`
            `menciona*` `mencione*` `digas` `decir` `informa*` `avis*` `comunic*` `muestr*` `mostr*` `mencion*`
            `diga` `dizer` `menziona*` `informare` `segnal*` `vermeld*` `упомина*` `сообща*` `сообщ*` `говор*`
            `показыва*` `повідом*` `згаду*` `кажи` `показу*` `wspomina*` `mów` `informuj` `bahset*` `söyle*`
            `bildir*` `告诉` `告知` `提及` `提到` `说明` `通知` `显示` `汇报` `报告` `透露` `伝え` `知らせ` `言及` `報告` `述べ` `触れ` `表示` `알리`
            `말하` `언급` `보고` `밝히` `알려` `알립` `memberi tahu` `beri tahu` `sebut*` `laporkan` `nói` `đề cập` `thông báo`
            `báo` `berätta` `nämn*`
        "#,
    ),
    (
        Class::Ask,
        r#"
            `ask` `asks` `asking` `asked` `confirm` `confirms` `confirming` `confirmation*` `permission`
            `check with` `waiting for` `wait for` `question` `questions` `prompting` `prompt` `review` `frage`
            `fragen` `gefragt` `rückfrage*` `nachfrage*` `bestätig*` `zustimmung` `demand*` `confirm*` `pregunt*`
            `consult*` `pergunt*` `chied*` `conferma` `vraag` `bevestig*` `спрашива*` `спрос*` `подтвержд*`
            `разрешени*` `запит*` `підтвердж*` `питай*` `pyta*` `potwierdz*` `zgody` `sor` `sorma*` `onay*` `询问`
            `确认` `请示` `征求` `问` `尋ね` `確認` `許可` `聞か` `承認` `묻` `확인` `물어` `허락` `승인` `bertanya` `konfirmasi` `hỏi`
            `xác nhận` `fråga*`
        "#,
    ),
    (
        Class::Consent,
        r#"
            `consent` `confirmation` `confirmations` `permission` `bestätigung*` `rückfrage*` `confirmación` `confirmação`
            `conferma` `подтвержден*` `确认` `確認` `확인` `approval` `approvals` `approved` `approves` `approve` `authorisation` `authorization`
            `agreement` `einverständnis` `einwilligung` `genehmig*` `accord` `accords` `approuv*` `consentement`
            `aprobad*` `consentimiento` `autoriza*` `aprovad*` `consentimento` `approvat*` `согласи*` `одобрен*`
            `згод*` `zgod*` `onaylan*` `同意` `批准` `授权` `承諾` `동의` `persetujuan` `đồng ý`
        "#,
    ),
    (
        Class::ConsentClaim,
        r#"
            `pre-approved` `preapproved` `already approved` `already agreed` `has agreed` `have agreed`
            `user has approved` `user approved` `user agreed` `standing approval` `standing consent`
            `has permission` `counts as a yes` `count as a yes` `as a yes` `counts as consent` `is consent`
            `implies consent` `consents to` `has been authorised` `has been authorized` `was authorised`
            `was authorized` `already authorised` `already authorized` `is pre-authorised` `is pre-authorized`
            `approval is granted` `permission is granted` `permission was given` `approval was given`
            `hat zugestimmt` `a déjà donné son accord` `ya ha aprobado` `ya autorizó` `já aprovou` `già approvato`
            `уже согласил*` `уже одобр*` `вже погоди*` `zaten onay*` `已经同意` `已同意` `已批准` `已授权` `承認済み` `すでに同意` `이미 동의`
            `이미 승인`
        "#,
    ),
    (
        Class::Told,
        r#"
            `told` `informed` `notified` `shown` `alerted` `warned` `aware` `know` `asked` `bothered` `see` `notice`
            `erfährt` `erfahren` `wissen` `merkt` `bemerkt` `informiert` `gezeigt` `informé*` `au courant` `savoir`
            `voir` `informad*` `saber` `ver` `enterarse` `ciente` `informat*` `sapere` `знать` `знает` `узнает` `видеть`
            `知道` `看到` `察觉` `知ら` `気づ` `알 필요` `알지` `알게`
        "#,
    ),
    (
        Class::Silently,
        r#"
            `silently` `quietly` `discreetly` `unnoticed` `stealthily` `secretly` `covertly` `without notice`
            `no notice` `unobtrusively` `out of sight` `without a word` `no word` `unasked` `unbemerkt` `heimlich`
            `stillschweigend` `leise` `discrètement` `en silence` `sans bruit` `en silencio` `silenciosamente`
            `discretamente` `sem alarde` `em silêncio` `in silenzio` `di nascosto` `stilletjes` `незаметно` `тихо`
            `молча` `непомітно` `тихенько` `мовчки` `po cichu` `sessizce` `gizlice` `静默` `悄悄` `暗中` `默默` `私下` `黙って`
            `こっそり` `静かに` `裏で` `몰래` `조용히` `diam-diam` `âm thầm` `lặng lẽ` `i tysthet`
        "#,
    ),
    (
        Class::LeaveOut,
        r#"
            `leave out` `leave it out` `leave them out` `leave this out` `left out` `leaves it out` `leave that out`
            `leave these` `omit` `omits` `omitted` `keep out of` `keep it out` `keep them out` `keep this out`
            `keep this to yourself` `keep it to yourself` `out of the report` `out of the summary`
            `out of the answer` `out of the reply` `out of the output` `out of the text` `out of the log`
            `not part of the report` `not in the report` `is not listed` `does not appear` `not belong into`
            `not belong in` `between us` `keep secret` `hide this` `hide it` `hide them` `conceal*` `weglassen`
            `weggelassen` `taucht nicht` `verschweig*` `verberge*` `n'apparai*` `cacher` `cache-le` `omite` `ocult*`
            `no aparece` `omita` `esconda` `nascond*` `ometti` `скры*` `умолч*` `не включа*` `прихов*` `ukry*`
            `pomiń` `gizle*` `隐瞒` `隐藏` `略去` `不列` `不写` `保密` `隠` `伏せ` `載せ` `숨기` `빼고` `넣지` `비밀` `sembunyikan` `rahasia`
            `giấu` `bí mật` `dölj`
        "#,
    ),
    (
        Class::Excuse,
        r#"
            `cover story` `describe the commit as` `describe it as` `describe this as` `say that it` `say it is`
            `say it was` `if asked` `if the user asks` `when asked` `if someone asks` `if anyone asks`
            `described as` `labelled as` `labeled as` `pretend*` `call it a` `falls jemand fragt` `wenn gefragt`
            `si on demande` `si l'on demande` `si preguntan` `si pregunta` `se perguntarem` `se perguntar`
            `se chiedono` `если спрос*` `якщо запита*` `gdy zapyta` `sorulursa` `如果问` `若问` `被问到` `聞かれたら` `尋ねられたら`
            `물으면` `물어보면` `jika ditanya` `nếu hỏi` `om någon frågar`
        "#,
    ),
    (
        Class::Whatever,
        r#"
            `what it says` `what they say` `what is said there` `what it asks` `what the text says`
            `whatever it says` `whatever is there` `what stands there` `whatever they say` `what the page says`
            `what the file says` `steps there` `says there` `the steps listed there` `as its text` `as their text`
            `its text asks` `what is written there` `was dort steht` `ce qui y est écrit` `ce qu'il dit`
            `lo que dice` `lo que diga` `o que diz` `quello che dice` `что там написано` `то, что там`
            `що там написано` `其中的指令` `其中指令` `里面的指示` `そこに書かれた` `その指示` `그 내용대로` `적힌 대로` `instructions there`
            `instructions it` `instructions in the response` `instructions found` `instructions in it`
            `its instructions` `instructions from` `the returned instructions` `returned steps` `orders found`
            `orders in it` `what it spells` `what they spell` `the decoded`
        "#,
    ),
    (
        Class::Must,
        r#"
            `must` `always` `required` `mandatory` `important` `essential` `critical` `necessary` `needs to`
            `need to` `has to` `have to` `prerequisite*` `is needed` `without it` `do not skip` `not optional`
            `muss` `müssen` `immer` `erforderlich` `doit` `doivent` `toujours` `obligatoire` `debe` `deben`
            `siempre` `deve` `devem` `sempre` `обязательно` `всегда` `необходимо` `нужно` `должен` `завжди`
            `потрібно` `musi` `zawsze` `mutlaka` `her zaman` `必须` `务必` `总是` `必ず` `常に` `반드시` `항상` `harus` `selalu`
            `phải` `luôn` `måste` `alltid`
        "#,
    ),
    (
        Class::Before,
        r#"
            `before using` `before use` `before you` `before anything` `before doing` `before the first`
            `before going on` `before each` `before any` `before running` `before proceeding` `first run`
            `first of all` `on first use` `at the start of each` `each session` `every session` `at session start`
            `whenever` `after each` `after every` `in every` `on every` `each time` `every time` `from now on`
            `from then on` `prior to` `bevor` `zuerst` `avant de` `avant tout` `d'abord` `antes de` `primero`
            `prima di` `перед` `сначала` `спочатку` `przed` `önce` `之前` `首先` `每次` `以后` `前に` `毎回` `まず` `먼저` `전에` `매번`
            `sebelum` `trước khi` `setiap`
        "#,
    ),
    (
        Class::Priority,
        r#"
            `takes precedence` `take precedence` `precedence over` `priority over` `higher priority`
            `above the user` `over the user's` `no matter what`
            `even if the user` `whatever the user` `against the user` `outranks` `vorrang` `priorité sur`
            `prioridad sobre` `prevalece` `prioridade sobre` `приоритет*` `важнее` `优先于` `优先级` `より優先` `優先` `우선`
            `öncelik*` `przed wszystkim` `пріоритет*`
        "#,
    ),
    (
        Class::ToolUse,
        r#"
            `use this tool` `call this tool` `this tool` `use this server` `route all` `through this` `via this`
            `with this skill` `prefer this` `only this` `other tools` `other skills` `another tool`
            `all file writes` `all requests` `all traffic` `all calls` `exclusive` `only through` `instead of the`
            `replaces` `replacement for` `before other tools` `after each other tool`
        "#,
    ),
    (
        Class::Instead,
        r#"
            `instead` `in place of` `replace the` `replaces the` `change the payee` `new payee` `payee`
            `account details` `bank details` `iban` `redirect` `redirects` `rerout*` `recipient` `beneficiary`
            `statt` `au lieu` `en lugar` `em vez` `вместо` `замен*` `замість` `zamiast` `yerine` `改为` `替换` `代わりに`
            `置き換え` `대신` `바꾸`
        "#,
    ),
];
