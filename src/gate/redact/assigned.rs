//! Secrets that show by what they are assigned to: `password = "…"`, `API_TOKEN=…`, `"client_secret": "…"`.
//!
//! Around each word that names a secret at most a few hundred bytes are read, so the whole is linear.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{Redaction, plain};
use crate::base::Span;

/// Words in the names of secrets, each with what it takes for a value to be one.
const WORDS: &[(&str, Proof)] = &[
    ("password", Proof::Name),
    ("passwd", Proof::Name),
    ("passphrase", Proof::Name),
    ("passcode", Proof::Name),
    ("pwd", Proof::Name),
    ("secret", Proof::Mixed),
    ("token", Proof::Mixed),
    ("apikey", Proof::Mixed),
    ("api_key", Proof::Mixed),
    ("api-key", Proof::Mixed),
    ("access_key", Proof::Mixed),
    ("access-key", Proof::Mixed),
    ("accesskey", Proof::Mixed),
    ("private_key", Proof::Mixed),
    ("credential", Proof::Mixed),
    ("bearer", Proof::Mixed),
    ("key", Proof::Entropy),
    ("_auth", Proof::Entropy),
    ("cookie", Proof::Entropy),
    ("session", Proof::Entropy),
    ("signature", Proof::Entropy),
    ("salt", Proof::Entropy),
];

/// What shows that a value is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// The name alone: people choose passwords.
    Name,
    /// Letters and digits, 12 characters or more.
    Mixed,
    /// 20 characters or more that look drawn at random.
    Entropy,
}

/// Bytes of a name on each side of its word.
const NAME: usize = 40;
/// Characters of a value; what is longer is no password or token but data.
const VALUE: usize = 256;

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(WORDS.iter().map(|(word, _)| word))
        .expect("a test builds the finder")
});

/// Adds the values that are assigned to names of secrets.
pub(super) fn find(text: &str, found: &mut Vec<Redaction>) {
    for word in FINDER.find_iter(text) {
        let proof = WORDS[word.pattern().as_usize()].1;
        let Some(value) = value_after(text, word.end()) else { continue };
        let name = name_around(text, word.start(), value.start);
        if !name.is_ours && is_secret(&value, proof) {
            let span = Span::new(value.start, value.start + value.text.len());
            found.push(Redaction { span, kind: kind(&name, proof) });
        }
    }
}

struct Value<'t> {
    start: usize,
    text: &'t str,
    quoted: bool,
}

/// The value behind the rest of a name and an assignment sign.
fn value_after(text: &str, word_end: usize) -> Option<Value<'_>> {
    let rest = text.get(word_end..)?;
    let name = rest.bytes().take(NAME).take_while(|byte| is_name_byte(*byte)).count();
    let rest = rest.get(name..)?;
    let rest = quote(rest).and_then(|mark| rest.strip_prefix(mark)).unwrap_or(rest);
    let rest = rest.strip_prefix(']').unwrap_or(rest);
    let rest = rest.trim_start_matches([' ', '\t']);
    let rest = [":=", "=>", "=", ":"].iter().find_map(|sign| rest.strip_prefix(sign))?;
    let rest = rest.trim_start_matches([' ', '\t']);
    let start = text.len() - rest.len();
    match quote(rest) {
        Some(mark) => quoted_value(rest.get(mark.len()..)?, start + mark.len(), mark),
        None => bare_value(rest, start),
    }
}

fn quoted_value<'t>(rest: &'t str, start: usize, mark: &str) -> Option<Value<'t>> {
    let line = rest.get(..bounded(rest).find(mark)?)?;
    (!line.contains('\n')).then_some(Value { start, text: line, quoted: true })
}

fn bare_value(rest: &str, start: usize) -> Option<Value<'_>> {
    let stop = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '&');
    let end = bounded(rest).find(stop).unwrap_or(bounded(rest).len());
    let text = rest.get(..end)?.trim_end_matches(['.', ';', ')', ']', '}']);
    Some(Value { start, text, quoted: false })
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The beginning of a text, long enough to hold a value and what ends it.
fn bounded(text: &str) -> &str {
    let end = text.char_indices().nth(VALUE + 2).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// The quotation mark that a text begins with, also one inside a string of JSON.
fn quote(text: &str) -> Option<&'static str> {
    ["\\\"", "\"", "'", "`"].into_iter().find(|mark| text.starts_with(mark))
}

fn is_secret(value: &Value<'_>, proof: Proof) -> bool {
    let text = value.text;
    let length = text.chars().count();
    if length > VALUE || !plain::may_be_secret(text) || plain::is_command_or_path(text) || is_reference(value)
    {
        return false;
    }
    let letters = text.chars().any(char::is_alphabetic);
    let digits = text.chars().any(|c| c.is_ascii_digit());
    let enough = match proof {
        Proof::Name => length >= 4 && (digits || value.quoted || text.chars().any(|c| !c.is_alphanumeric())),
        Proof::Mixed => length >= 12 && letters && digits,
        Proof::Entropy => length >= 20 && letters && digits && entropy(text) >= 3.5,
    };
    enough && !plain::carries_text(text)
}

/// True where the value names another place, or a type: `os.environ[`, `config.db.password`, `{{ vault }}`, `String!`.
fn is_reference(value: &Value<'_>) -> bool {
    let text = value.text;
    let is_code = || {
        let name = text.trim_end_matches('!');
        text.contains(['[', ']'])
            || text.starts_with('!')
            || text.ends_with(':')
            || name.split('.').all(is_identifier)
    };
    (!value.quoted && is_code()) || text.contains("${") || text.contains("$(") || text.contains("{{")
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
}

/// Shannon entropy in bits a character.
fn entropy(text: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for c in text.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let length = text.chars().count() as f64;
    counts.values().map(|count| f64::from(*count) / length).map(|share| -share * share.log2()).sum()
}

struct Name<'t> {
    text: &'t str,
    /// Part of a placeholder that an earlier redaction left.
    is_ours: bool,
}

fn name_around(text: &str, word_start: usize, value_start: usize) -> Name<'_> {
    let before = text.get(..word_start).unwrap_or_default();
    let beginning = before.bytes().rev().take(NAME).take_while(|byte| is_name_byte(*byte)).count();
    let start = word_start - beginning;
    Name {
        text: text.get(start..value_start).unwrap_or_default(),
        is_ours: text.get(..start).is_some_and(|before| before.ends_with("[redacted:")),
    }
}

fn kind(name: &Name<'_>, proof: Proof) -> &'static str {
    let name = name.text.to_ascii_lowercase();
    match proof {
        Proof::Name => "password",
        _ if name.contains("aws") && name.contains("secret") => "aws-secret-key",
        Proof::Mixed => "secret",
        Proof::Entropy => "high-entropy",
    }
}
