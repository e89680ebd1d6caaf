//! What the sentence around a hit says of it: denied, ordered, addressed to the agent, reported.
//!
//! A denial counts only where the hit itself is what is forbidden. "Never mention this to the user" forbids
//! the mention and not what is to be kept silent; "do not hesitate to", "if it does not exist, run" and "not
//! X but Y" forbid nothing that follows. In doubt nothing is denied: the facts here make an attack look like
//! a warning, so they must not come cheap.

use super::Context;
use super::vocabulary::{Meaning, Word, words};

/// A sentence with a hit in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'t> {
    pub(super) before: &'t str,
    pub(super) hit: &'t str,
    pub(super) after: &'t str,
}

/// A stretch of a sentence in lower case, with its words.
struct Stretch {
    text: String,
    words: Vec<Word>,
}

impl Stretch {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase().replace('’', "'");
        Self { words: words(&text), text }
    }

    fn has(&self, meaning: Meaning) -> bool {
        self.words.iter().any(|word| word.means(meaning))
    }

    /// The words from the nth on.
    fn tail(&self, nth: usize) -> &[Word] {
        &self.words[nth.min(self.words.len())..]
    }
}

/// Reads one sentence: the facts that it gives, and no others.
pub(super) fn read(sentence: Sentence<'_>) -> Context {
    let [before, hit, after] = [sentence.before, sentence.hit, sentence.after].map(Stretch::of);
    let all = [&before, &hit, &after];
    let negated = is_denied_before(&before, &hit, &after) || is_denied_after(&after);
    let imperative = !negated && is_order(&before, &hit);
    Context {
        negated,
        imperative,
        to_agent: all.iter().any(|stretch| stretch.has(Meaning::Agent)),
        // "Remove it, then say how much was freed" reports nothing.
        reported: before.has(Meaning::Report) || (!imperative && after.has(Meaning::Report)),
        ..Context::default()
    }
}

/// True where a sentence that leads to a list, a table or code denies what follows.
pub(super) fn denies_what_follows(lead: &str) -> bool {
    let lead = Stretch::of(lead);
    let nothing = Stretch { text: String::new(), words: Vec::new() };
    is_denied_before(&lead, &nothing, &nothing)
}

/// True where a text, such as a heading, has a word that can mean this.
pub(super) fn speaks_of(text: &str, meaning: Meaning) -> bool {
    Stretch::of(text).has(meaning)
}

/// True where the last denial before the hit governs it.
fn is_denied_before(before: &Stretch, hit: &Stretch, after: &Stretch) -> bool {
    let denies = |word: &Word| {
        word.means(Meaning::Negator) || word.means(Meaning::Refusal) || word.means(Meaning::Denied)
    };
    let Some(nth) = before.words.iter().rposition(|word| denies(word) && !is_noun(before, *word)) else {
        return false;
    };
    let denial = before.words[nth];
    let between = before.tail(nth + 1);
    let is_double = is_double_denial(before, nth);
    let is_condition = !denial.means(Meaning::Negator)
        && !denial.means(Meaning::Refusal)
        && between.iter().any(|word| word.means(Meaning::Order));
    !is_double
        && !is_condition
        && !is_over(before, denial, between)
        && !is_silence(between.iter().chain(hit.words.first()), [hit, after], between)
}

/// True for "block" where it is a thing and no act: "the code block", "Tag Manager Block", "Block 2".
fn is_noun(stretch: &Stretch, word: Word) -> bool {
    let is_block = matches!(&stretch.text[word.span.start..word.span.end], "block" | "blocks");
    let ahead = stretch.text[..word.span.start].trim_end();
    let last = ahead.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_numbered = stretch.text[word.span.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
    is_block && (is_numbered || (!last.is_empty() && !BEFORE_VERBS.contains(&last)))
}

/// Words after which "block" is what somebody does.
const BEFORE_VERBS: &[&str] = &[
    "to",
    "must",
    "should",
    "will",
    "can",
    "may",
    "always",
    "we",
    "you",
    "i",
    "they",
    "please",
    "then",
    "and",
    "or",
    "agent",
    "agents",
    "assistant",
    "hook",
    "hooks",
    "rule",
    "rules",
    "policy",
    "it",
    "that",
    "which",
    "who",
];

/// "Never refuse", "vergiss nicht": two denials that make none.
fn is_double_denial(before: &Stretch, nth: usize) -> bool {
    let denial = before.words[nth];
    let ahead = &before.words[nth.saturating_sub(2)..nth];
    if denial.means(Meaning::Negator) {
        let joined = |word: &Word| before.text[word.span.end..denial.span.start].trim().is_empty();
        return ahead.last().is_some_and(|word| word.means(Meaning::Void) && joined(word));
    }
    denial.means(Meaning::Refusal) && ahead.iter().any(|word| word.means(Meaning::Negator))
}

/// True where something between the denial and the hit ends what the denial governs.
fn is_over(before: &Stretch, denial: Word, between: &[Word]) -> bool {
    let gap = &before.text[denial.span.end..];
    let far = gap.chars().count() > 240;
    let turns = between.iter().any(|word| word.means(Meaning::Turn));
    // "Must not, under any load, use": what stands between the commas is said in passing.
    let in_passing = gap.starts_with(',').then(|| gap[1..].find(',')).flatten().map_or(0, |end| end + 2);
    let starts_anew =
        between.iter().filter(|word| word.span.start >= denial.span.end + in_passing).any(|word| {
            let ahead = before.text[denial.span.end + in_passing..word.span.start].trim_end();
            word.means(Meaning::Order) && ahead.ends_with([',', ';', '—', '–', '.', '，', '、', '；'])
        });
    let weak = before.text.get(denial.span.start..denial.span.end) == Some("no");
    let clause_ends = gap.contains([';', '；']) || (weak && (gap.contains(',') || gap.len() > 40));
    let is_conditional = is_condition(&before.text[..denial.span.start])
        && between.iter().any(|word| word.means(Meaning::Order));
    far || turns || starts_anew || clause_ends || is_conditional
}

/// Words that make a condition of what follows.
const CONDITIONS: &[&str] = &[
    "if",
    "when",
    "whenever",
    "once",
    "where",
    "in case",
    "wenn",
    "falls",
    "si",
    "cuando",
    "quand",
    "se",
    "quando",
    "если",
    "когда",
    "如果",
    "若",
    "当",
    "もし",
    "場合",
    "만약",
];

fn is_condition(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| CONDITIONS.contains(&word))
        || text.contains(['若', '当'])
        || text.contains("如果")
        || text.contains("もし")
}

/// True where the denial forbids to ask, to tell or to hold back, and not the hit.
fn is_silence<'w>(
    mut governed: impl Iterator<Item = &'w Word>,
    rest: [&Stretch; 2],
    between: &[Word],
) -> bool {
    let names_user = between.iter().any(|word| word.means(Meaning::User))
        || rest.iter().any(|stretch| stretch.has(Meaning::User));
    governed.any(|word| word.means(Meaning::Void) || (word.means(Meaning::Silent) && names_user))
}

/// True where a denial after the hit speaks of it.
fn is_denied_after(after: &Stretch) -> bool {
    let Some(nth) = after.words.iter().position(|word| word.means(Meaning::Denied)) else { return false };
    let denial = after.words[nth];
    let gap = &after.text[..denial.span.start];
    let turns = after.words[..nth].iter().any(|word| word.means(Meaning::Turn));
    let governed = after.tail(nth + 1).iter().take(2);
    let clause = gap.trim_start_matches([':', '：', ' ', '`', '*', '|', '"']);
    let clause_ends = clause.contains([';', '；', ':', '：']) || clause.chars().count() > 120;
    !turns && !clause_ends && !is_silence(governed, [after, after], &[])
}

/// True where the sentence, or its clause with the hit, orders.
fn is_order(before: &Stretch, hit: &Stretch) -> bool {
    let order = |stretch: &Stretch, ahead: &str| {
        stretch.words.iter().any(|word| {
            let is_unspaced = stretch.text[word.span.start..].starts_with(|c: char| c > '\u{2E80}');
            word.means(Meaning::Order)
                && (is_unspaced || starts_clause(&[ahead, &stretch.text[..word.span.start]].concat()))
        })
    };
    order(before, "") || order(hit, &before.text)
}

/// True where nothing but words that lead to an order stands since the clause began.
fn starts_clause(ahead: &str) -> bool {
    let clause = ahead.rsplit([',', ':', ';', '—', '(', '，', '：', '；', '、']).next().unwrap_or(ahead);
    let leads: Vec<Word> = words(clause).into_iter().filter(|word| word.means(Meaning::Lead)).collect();
    let mut bare = clause.to_owned();
    for lead in leads.iter().rev() {
        bare.replace_range(lead.span.start..lead.span.end, "");
    }
    !bare.contains(char::is_alphabetic)
}
