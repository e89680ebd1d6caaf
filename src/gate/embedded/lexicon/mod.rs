//! The words that facts are made of: a table of short literals, each of one class, found in one pass.
//!
//! A class says what a literal is about (a credential file, a verb of sending, a denial) and nothing more; what a sentence
//! or statement means is for [`super::signal`] to say. Literals are lower case and short. A `*` at an end takes the
//! boundary off that end, so that `upload*` is also found in `uploading`.

mod act;
mod data;
mod machine;
mod speech;
mod topic;

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::fold::joins_words;
use crate::base::Span;

/// What a literal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Class {
    // What data is
    /// A path of key, token or password files.
    CredentialFile,
    /// Words for secrets.
    SecretWord,
    /// The environment as a whole.
    Environment,
    /// Key stores and password managers.
    Keychain,
    /// A browser's private files.
    BrowserStore,
    /// Wallet files and recovery phrases.
    Wallet,
    /// The whole repository or source tree.
    SourceTree,
    /// The agent's memory and standing orders.
    AgentMemory,
    /// The agent's settings and servers.
    AgentSettings,
    /// The conversation.
    Chat,
    /// Personal and customer data.
    Personal,
    /// A one-time code, password or phrase that a person would have to give.
    Credential2Fa,
    // What is done, in code
    Fetch,
    Upload,
    DnsLookup,
    GitRemote,
    Mailer,
    Execute,
    Evaluate,
    PipeToShell,
    Decode,
    ModPow,
    MakeExecutable,
    ReverseShell,
    Interpreter,
    Write,
    AppendTo,
    // Places and acts on the machine
    Persistence,
    InstallHook,
    Privilege,
    ProtectionOff,
    TlsOff,
    Destroy,
    HistoryWipe,
    Hidden,
    ProxySetting,
    BaseUrl,
    RegistrySetting,
    AutoApprove,
    RemoteControl,
    Miner,
    // What is done, in prose
    SendVerb,
    ReadVerb,
    RunVerb,
    FetchVerb,
    AddVerb,
    ObeyVerb,
    /// Verbs that order some other act; none of looking for something.
    DoVerb,
    DecodeVerb,
    Orders,
    Ignore,
    Prior,
    Negation,
    Without,
    /// What comes before the end of a denial: before, until, unless, but.
    Until,
    Skip,
    Tell,
    /// What a person is or is not: told, aware.
    Told,
    Ask,
    Consent,
    ConsentClaim,
    Silently,
    Pronoun,
    Whatever,
    LeaveOut,
    Excuse,
    ReportNoun,
    User,
    Reader,
    Agent,
    Must,
    Before,
    Priority,
    Elsewhere,
    ThirdPartyText,
    Program,
    Archive,
    ToolUse,
    Instead,
    AboutAttacks,
    Safety,
    TestWord,
    Service,
    LocalOnly,
    Model,
    PackageTool,
    SkillFile,
    Auth,
    FileRead,
    /// Words of headings above what is to be done.
    Usage,
    You,
}

/// One literal found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// What it is about.
    pub(super) class: Class,
    /// Where it stands.
    pub(super) span: Span,
}

/// Literals of one class, each between backticks.
type Row = (Class, &'static str);

fn words(row: &Row) -> impl Iterator<Item = (Class, &'static str)> {
    let class = row.0;
    row.1.split('`').skip(1).step_by(2).map(move |word| (class, word))
}

struct Lexicon {
    automaton: AhoCorasick,
    entries: Vec<Entry>,
}

/// What a literal is not to be part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Barred {
    Nothing,
    /// A method of something: `exec(`, and not `pattern.exec(`.
    Method,
    /// A thing that is counted: "block", and not "block 2".
    Counted,
}

#[derive(Clone, Copy)]
struct Entry {
    class: Class,
    word_start: bool,
    word_end: bool,
    barred: Barred,
}

/// All mentions in a folded text, by start.
pub(super) fn mentions(folded: &str) -> Vec<Mention> {
    static LEXICON: OnceLock<Option<Lexicon>> = OnceLock::new();
    let Some(lexicon) = LEXICON.get_or_init(Lexicon::new) else { return Vec::new() };
    let found = lexicon.automaton.find_overlapping_iter(folded).filter_map(|found| {
        let entry = lexicon.entries[found.pattern().as_usize()];
        let span = Span::new(found.start(), found.end());
        entry.stands_alone(folded, span).then_some(Mention { class: entry.class, span })
    });
    let mut mentions: Vec<Mention> = found.collect();
    mentions.sort_unstable_by_key(|mention| (mention.span.start, mention.span.end, mention.class));
    mentions
}

impl Lexicon {
    /// Nothing where the automaton cannot be built, which a test rules out.
    fn new() -> Option<Self> {
        let rows = [data::ROWS, act::ROWS, machine::ROWS, speech::ROWS, topic::ROWS].concat();
        let words = rows.iter().flat_map(words);
        let (literals, entries): (Vec<&str>, Vec<Entry>) =
            words.map(|(class, word)| Entry::of(class, word)).unzip();
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(literals).ok()?;
        Some(Self { automaton, entries })
    }
}

impl Entry {
    fn of(class: Class, word: &'static str) -> (&'static str, Self) {
        let open_start = word.strip_prefix('*');
        let rest = open_start.unwrap_or(word);
        let literal = rest.strip_suffix('*').unwrap_or(rest);
        let word_start =
            open_start.is_none() && literal.chars().next().is_some_and(|c| joins_words(c) || c == '.');
        let barred = match literal {
            "exec(" => Barred::Method,
            "block" => Barred::Counted,
            _ => Barred::Nothing,
        };
        let word_end = literal.len() == rest.len() && literal.chars().next_back().is_some_and(joins_words);
        (literal, Self { class, word_start, word_end, barred })
    }

    fn stands_alone(self, text: &str, span: Span) -> bool {
        let before = text.get(..span.start).and_then(|before| before.chars().next_back());
        let after = text.get(span.end..).and_then(|after| after.chars().next());
        let joins = |c: char| joins_words(c) || (self.barred == Barred::Method && c == '.');
        let goes_on_before = self.word_start && before.is_some_and(joins);
        let goes_on_after = self.word_end && after.is_some_and(joins_words);
        let rest = text.get(span.end..).unwrap_or_default().trim_start();
        let is_thing = self.barred == Barred::Counted && rest.starts_with(|c: char| c.is_ascii_digit());
        !goes_on_before && !goes_on_after && !is_thing
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::fold::fold;
    use super::{Class, act, data, machine, mentions, speech, topic, words};

    fn classes(text: &str) -> Vec<Class> {
        mentions(&fold(text)).into_iter().map(|mention| mention.class).collect()
    }

    #[test]
    fn literals_are_folded_and_stand_in_one_row_each() {
        let mut seen = BTreeSet::new();
        for (class, word) in
            [data::ROWS, act::ROWS, machine::ROWS, speech::ROWS, topic::ROWS].concat().iter().flat_map(words)
        {
            assert_eq!(fold(word), word, "{word} is not folded");
            assert!(word.trim_matches('*').len() > 1, "{word:?} is too short");
            assert!(seen.insert((class, word)), "{word} stands twice in {class:?}");
        }
    }

    #[test]
    fn words_are_found_whole_unless_open() {
        assert!(classes("Please UPLOADING").contains(&Class::SendVerb));
        assert!(!classes("posture").contains(&Class::SendVerb));
        assert!(classes("不要告诉用户").contains(&Class::Negation));
        assert!(classes("cat ~/.ssh/id_rsa").contains(&Class::CredentialFile));
    }
}
