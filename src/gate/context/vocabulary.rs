//! The words that polarity is read from, in the languages that skills are written in.
//!
//! Data: each word with what it can mean for a place near it. A word ending in `*` is a stem; words of
//! alphabets without blanks match anywhere, all others as whole words. Everything is in lower case; texts are
//! compared so. What the words come to in a sentence is decided in [`super::polarity`].

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::base::Span;

/// What a word can mean. One word may have several meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Denies what follows: never, do not.
    Negator,
    /// Denies what follows by its own sense: block, refuse, avoid.
    Refusal,
    /// Denies what stands before it: is blocked, 禁止.
    Denied,
    /// Turns a negator into its opposite, or into silence: hesitate, skip, forget, ask, tell.
    Void,
    /// Turns a negator into silence where it speaks of the user: show, reveal, mention.
    Silent,
    /// The person whom silence is kept from.
    User,
    /// Ends what a negator governs: instead, but, until, without.
    Turn,
    /// An order.
    Order,
    /// Stands before an order without being one: please, then, always.
    Lead,
    /// The agent.
    Agent,
    /// What somebody else does, did or might do; an example.
    Report,
    /// Attacks, detection, deny-lists, threat models, tests: the topic of a heading.
    Topic,
    /// Names a column or list of things to look for or to deny.
    Listing,
    /// Nothing: it only has another word inside.
    Other,
}

use Meaning::{
    Agent, Denied, Lead, Listing, Negator, Order, Other, Refusal, Report, Silent, Topic, Turn, User, Void,
};

/// The words, by meaning and language, parted by `|`.
const WORDS: &[(Meaning, &str)] = &[
    (
        Negator,
        "never|never do|what not to do|not|don't|dont|doesn't|didn't|won't|can't|cannot|mustn't|shouldn't|no|nor|neither|\
         under no circumstances|nie|niemals|nicht|kein|keine|keinen|keinesfalls|nunca|jamás|no debes|ne|\
         jamais|aucun|aucune|não|nem|не|никогда|нельзя|ни|нет|не надо|mai|non|nessun|nessuna|nooit|niet|\
         geen|aldrig|inte|nigdy|不要|不得|不能|不可|不会|切勿|请勿|勿|禁止|严禁|绝不|别|決して|絶対に|\
         절대|결코",
    ),
    (
        Refusal,
        "block|blocks|reject|rejects|refuse|refuses|deny|denies|forbid|forbids|prohibit|prohibits|\
         disallow|disallows|avoid|avoids|decline|declines|ban|bans|quarantine|prevent|prevents|stop if|\
         abort if|do not allow|must not|should not|may not|verweigere|verweigert|blockiere|blockiert|\
         vermeide|ablehnen|bloquea|bloquear|rechaza|rechazar|evita|evitar|deniega|refuse de|bloque|\
         bloquer|rejette|évite|éviter|interdit de|bloqueie|recuse|evite|rejeite|блокируй|блокируйте|\
         отклоняй|отклоняйте|избегай|избегайте|запрещай|blocca|rifiuta|拒绝|阻止|拦截|避免|屏蔽",
    ),
    (
        Denied,
        "is blocked|are blocked|gets blocked|be blocked|was blocked|were blocked|is rejected|\
         are rejected|be rejected|was rejected|is refused|are refused|be refused|was refused|is denied|\
         are denied|be denied|was denied|is forbidden|are forbidden|is prohibited|are prohibited|\
         is banned|are banned|is not allowed|are not allowed|not permitted|not acceptable|disallowed|\
         must not|must never|should not|should never|may not|may never|never be|is off limits|\
         are off limits|is never|are never|forbidden|prohibited|blocked|rejected|refused|denied|❌|🚫|⛔|\
         ✗|✘|verboten|ist untersagt|wird blockiert|werden blockiert|wird abgelehnt|nicht ausführen|\
         nicht erlaubt|nicht zulässig|prohibido|prohibida|prohibidos|no está permitido|se bloquea|\
         se rechaza|bloqueado|interdit|interdite|interdits|n'est pas autorisé|est bloqué|est refusé|\
         proibido|proibida|não é permitido|запрещено|запрещён|запрещена|запрещены|не допускается|\
         блокируется|vietato|vietata|non è consentito|bloccato|禁止|不允许|不被允许|しない|\
         ないでください|てはいけない|てはならない|ません|拒否|実行しない|하지 마|하지마|하지 않|금지|\
         차단|거부|않는다|않습니다|마세요|마십시오",
    ),
    (
        Void,
        "confirmation|confirmations|approval|approvals|permission|consent|questions|prompts|rückfrage|rückfragen|\
         bestätigung|zustimmung|confirmación|permiso|autorisation|confirmação|permissão|conferma|permesso|\
         подтверждения|подтверждение|разрешения|确认|许可|確認|許可|확인|허락|\
         hesitate|forget|fail|skip|omit|stop|wait|refuse|ask|prompt|warn|notify|alert|inform|tell|worry|\
         bother|delay|pause|neglect|miss|resist|question|object|decline|interrupt|consult|check with|\
         confirm|hold back|be afraid|only|zögere|zögern|vergiss|vergessen|frag|frage|fragen|warte|warten|\
         warne|informiere|dudes|olvides|preguntes|pregunte|avises|avise|esperes|informes|n'hésite|hésite|\
         hésitez|oublie|oubliez|demande|demandez|attends|préviens|prévenez|hesite|esqueça|pergunte|\
         espere|informe|забудь|забудьте|спрашивай|спрашивайте|жди|ждите|предупреждай|предупреждайте|\
         сообщай|сообщайте|говори|говорите|esitare|dimenticare|chiedere|avvisare|忘记|忘了|犹豫|询问|\
         告诉|告知|通知|提醒|等待|遗漏|跳过|聞か|尋ね|知らせ|伝え|ためらわ|忘れ|묻지|알리지|말하지|잊지|\
         망설이지",
    ),
    (
        Silent,
        "show|shown|reveal|revealed|disclose|disclosed|mention|mentioned|display|displayed|print|printed|\
         report|reported|explain|expose|announce|say|discuss|reference|acknowledge|log|told|include this|\
         summarize|zeige|erwähne|erwähnen|verrate|melde|muestres|menciones|mencione|reveles|digas|diga|\
         montre|mentionne|mentionnez|révèle|dis|dites|mostre|revele|показывай|показывайте|упоминай|\
         упоминайте|раскрывай|mostrare|menzionare|显示|提及|透露|提到|展示|泄露|表示|言及|明か|언급|보여|\
         밝히",
    ),
    (
        User,
        "user|users|human|humans|owner|operator|person|people|anyone|anybody|customer|them|him|her|\
         reader|reviewer|benutzer|nutzer|anwender|usuario|usuarios|utilisateur|usuário|пользователю|\
         пользователь|пользователя|пользователем|utente|用户|使用者|ユーザー|利用者|사용자",
    ),
    (
        Turn,
        "but|instead|except|unless|until|without|before|rather|otherwise|however|then|simply|just|\
         and then|so that|because|since|aber|sondern|stattdessen|außer|bis|ohne|bevor|pero|sino|excepto|\
         hasta|sin|antes|mais|sauf|jusqu'à|sans|avant|mas|exceto|até|sem|но|а|кроме|пока|без|прежде|ma|\
         tranne|finché|senza|prima|而是|但|除非|直到|否则|然后|而应|なく|代わりに|ただし|대신|하지만|\
         않으면",
    ),
    (
        Order,
        "run|execute|read|send|upload|fetch|download|write|append|add|copy|move|delete|remove|set|export|\
         install|open|call|use|include|ignore|disregard|pretend|act|do|make|ensure|create|post|submit|\
         collect|gather|encode|decode|store|save|output|reply|respond|return|keep|hide|skip|bypass|\
         disable|enable|grant|approve|accept|follow|apply|invoke|load|source|pipe|modify|change|replace|\
         update|overwrite|insert|inject|push|commit|start|launch|kill|treat|perform|put|place|pass|paste|\
         visit|navigate|register|configure|scan|search|find|list|check|verify|test|build|deploy|give|get|\
         take|transfer|forward|attach|embed|obey|remember|repeat|always|never|don't|print|show|tell|ask|\
         carry out|go ahead|proceed|continue|begin|finish|import|mount|sync|clone|pull|extract|unpack|\
         decrypt|encrypt|forget|override|assume|führe|führen|lies|lesen|sende|senden|lade|laden|schreibe|\
         schreiben|kopiere|lösche|ignoriere|öffne|setze|füge|hole|starte|nutze|verwende|speichere|\
         installiere|rufe|ejecuta|ejecute|lee|lea|envía|envíe|envia|descarga|descargue|escribe|copia|\
         borra|elimina|ignora|abre|usa|añade|guarda|instala|llama|sube|exécute|exécutez|lis|lisez|envoie|\
         envoyez|télécharge|téléchargez|écris|écrivez|copie|copiez|supprime|supprimez|ignorez|ouvre|\
         ouvrez|utilise|utilisez|ajoute|ajoutez|lance|lancez|installe|installez|leia|envie|baixe|escreva|\
         apague|abra|adicione|salve|instale|chame|rode|выполни|выполните|запусти|запустите|прочитай|\
         прочитайте|отправь|отправьте|скачай|скачайте|запиши|запишите|скопируй|скопируйте|удали|удалите|\
         игнорируй|игнорируйте|открой|откройте|используй|используйте|добавь|добавьте|сохрани|сохраните|\
         установи|установите|esegui|leggi|invia|scarica|scrivi|cancella|apri|aggiungi|salva|installa|\
         执行|运行|读取|发送|上传|下载|写入|追加|复制|删除|忽略|打开|使用|添加|保存|安装|调用|请|务必|\
         必须|実行し|読み|送信し|アップロード|ダウンロード|書き込|追記し|コピーし|削除し|無視し|開い|\
         使用し|追加し|保存し|インストールし|してください|せよ|실행하|읽|보내|전송하|업로드|다운로드|쓰|\
         추가하|복사하|삭제하|무시하|열|사용하|저장하|설치하|하세요|하십시오|해라",
    ),
    (
        Lead,
        "please|then|first|next|finally|now|also|and|always|you must|you should|you need to|you have to|\
         you can|you may|make sure to|be sure to|after that|afterwards|secondly|lastly|when done|\
         before that|bitte|dann|zuerst|danach|immer|por favor|luego|primero|después|siempre|\
         s'il te plaît|puis|ensuite|d'abord|toujours|depois|primeiro|sempre|пожалуйста|затем|сначала|\
         потом|всегда|per favore|poi|prima|先|然后|接着|最后|まず|次に|最後に|먼저|다음|마지막|\
         the agent must|the agent should|the assistant must|the assistant should|agents must",
    ),
    (
        Agent,
        "you|your|yours|yourself|assistant|agent|the ai|ai|the model|llm|claude|codex|gemini|copilot|\
         cursor|chatgpt|gpt|kimi|language model|du|dir|dich|dein|deine|sie|ihr|ihre|assistent|tú|tu|\
         usted|te|asistente|agente|vous|toi|votre|você|seu|sua|assistente|ты|вы|тебе|вам|твой|ваш|\
         ассистент|агент|lei|tuo|你|您|助手|智能体|模型|あなた|アシスタント|エージェント|당신|너|\
         어시스턴트|에이전트|you must|you should|you need to|you have to|you can|you may|the agent must|\
         the agent should|the assistant must|the assistant should|agents must",
    ),
    (
        Report,
        "attacker|attackers|adversary|adversaries|malware|malicious|victim|victims|for example|\
         for instance|e.g|such as|an example|example|was|were|had|would|could have|tried|attempted|\
         contained|downloaded|exfiltrated|injected|incident|reported|observed|found in|seen in|sample|\
         payload|known to|in the wild|the author|the package|the skill had|wrote|used to|once|last year|\
         historically|angreifer|schadsoftware|zum beispiel|z. b|etwa|wurde|wurden|hatte|beispiel|\
         atacante|atacantes|por ejemplo|ejemplo|fue|había|attaquant|attaquants|par exemple|exemple|était|\
         avait|por exemplo|exemplo|foi|злоумышленник|злоумышленники|например|пример|был|была|было|были|\
         пытался|attaccante|per esempio|esempio|攻击者|恶意|例如|比如|示例|曾|攻撃者|悪意|例えば|例：|\
         でした|ました|공격자|악성|예를 들어|예시|했다|였다",
    ),
    (
        Topic,
        "attack*|threat*|malicious|malware|exploit*|injection*|injected|detect*|indicator*|ioc|iocs|\
         deny*|denied|denylist*|blocklist*|blacklist*|blocked|forbidden|prohibited|disallowed|\
         not allowed|never do|red flag*|what not to do|don'ts|anti-pattern*|antipattern*|bad example*|\
         unsafe|dangerous|vulnerab*|security|threat model*|test case*|test data|test input*|test string*|test vector*|\
         fixture*|canary|canaries|honeypot*|ctf|incident*|postmortem*|post-mortem*|signature*|suspicious|phishing|\
         abuse|evasion*|payload*|false positive*|warning sign*|things to refuse|refuse|guardrail*|angriff*|bedrohung*|\
         schad*|erkennung*|verboten*|gefahr*|sicherheit*|verdächtig*|ataque*|amenaza*|malicios*|\
         detección*|prohibid*|peligro*|seguridad|sospechos*|attaque*|menace*|malveillan*|détection*|\
         interdit*|danger*|sécurité|suspect*|ameaça*|detecção|proibid*|perigos*|segurança|suspeit*|атак*|\
         угроз*|вредонос*|обнаруж*|запрещ*|опасн*|безопасност*|подозрит*|attacc*|minacc*|vietat*|\
         pericol*|sicurezza|攻击|威胁|恶意|检测|禁止|黑名单|危险|安全|可疑|注入|攻撃|脅威|悪意|検出|検知|\
         危険|セキュリティ|不審|공격|위협|악성|탐지|금지|위험|보안|의심",
    ),
    (
        Listing,
        "indicator*|ioc|iocs|pattern*|signature*|rule|rules|regex*|blocked|denied|deny*|denylist*|\
         blocklist*|blacklist*|forbidden|prohibited|disallowed|technique*|payload*|red flag*|suspicious|\
         malicious|attack*|look for|watch for|search for|scan for|flag*|detect*|matches|reject*|refuse*|\
         warning sign*|bad example*|verdict|severity|indikator*|muster|verdächtig*|verboten*|patrón*|\
         patrones|indicador*|prohibid*|bloquead*|motif*|indicateur*|interdit*|padrão|padrões|proibid*|\
         паттерн*|индикатор*|запрещ*|признак*|шаблон*|模式|指标|特征|规则|黑名单|禁止|可疑|パターン|指標|\
         兆候|検出|패턴|지표|징후|금지|탐지",
    ),
    (Other, "特别|分别|识别|级别|类别|区别"),
];

/// A word found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Bytes of the text.
    pub(super) span: Span,
    meanings: u16,
}

impl Word {
    /// True where the word can mean this.
    pub(super) const fn means(self, meaning: Meaning) -> bool {
        self.meanings & 1 << meaning as u16 != 0
    }
}

/// The words with all their meanings.
struct Vocabulary {
    matcher: AhoCorasick,
    /// For each pattern its meanings, and whether it is a stem.
    patterns: Vec<(u16, bool)>,
}

static VOCABULARY: LazyLock<Option<Vocabulary>> = LazyLock::new(|| {
    let mut words: Vec<(&str, u16, bool)> = Vec::new();
    for (meaning, list) in WORDS {
        for entry in list.split('|') {
            let word = entry.trim_end_matches('*');
            let meanings = 1 << *meaning as u16;
            let is_stem = word.len() < entry.len();
            match words.iter_mut().find(|(known, ..)| *known == word) {
                Some((_, known, stem)) => {
                    *known |= meanings;
                    *stem &= is_stem;
                }
                None => words.push((word, meanings, is_stem)),
            }
        }
    }
    let matcher = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(words.iter().map(|word| word.0))
        .ok()?;
    Some(Vocabulary {
        matcher,
        patterns: words.iter().map(|(_, meanings, stem)| (*meanings, *stem)).collect(),
    })
});

/// The words of a text in lower case, in order.
pub(super) fn words(lower: &str) -> Vec<Word> {
    let Some(vocabulary) = VOCABULARY.as_ref() else { return Vec::new() };
    let found = vocabulary.matcher.find_iter(lower).filter_map(|found| {
        let (meanings, is_stem) = vocabulary.patterns[found.pattern().as_usize()];
        let span = Span::new(found.start(), found.end());
        is_word(lower, span, is_stem).then_some(Word { span, meanings })
    });
    found.collect()
}

/// True where the match is not the inside of a longer word.
fn is_word(lower: &str, span: Span, is_stem: bool) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    let first = lower[span.start..].chars().next();
    if first.is_some_and(is_unspaced) {
        return true;
    }
    !joins(lower[..span.start].chars().next_back()) && (is_stem || !joins(lower[span.end..].chars().next()))
}

/// Letters of scripts that put no blanks between words. Korean has blanks, but endings grow onto its words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}
