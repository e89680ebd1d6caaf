//! Which list of a configuration file a place stands in: permissions that deny, patterns that are looked for.
//!
//! The key that owns the innermost list or map around the place, found by brackets or by indentation. Looks
//! back a bounded way and knows no format in full.

/// How far back a key is looked for, in bytes.
const REACH: usize = 4_000;

/// The key that owns a place, in lower case; empty where none is found.
pub(super) struct Owner(String);

impl Owner {
    /// A list of things to look for or to deny.
    pub(super) fn is_listed(&self) -> bool {
        self.is_denied() || LISTED.iter().any(|word| self.0.contains(word))
    }

    /// A list of things to deny.
    pub(super) fn is_denied(&self) -> bool {
        DENIED.iter().any(|word| self.0.contains(word))
    }
}

const DENIED: &[&str] =
    &["deny", "denied", "block", "forbid", "disallow", "blacklist", "reject", "prohibit", "banned"];
const LISTED: &[&str] =
    &["pattern", "signature", "indicator", "ioc", "rule", "detect", "suspicious", "malicious", "regex"];

/// The owner of a place.
pub(super) fn list_of(text: &str, at: usize, language: &str) -> Owner {
    let mut start = at.saturating_sub(REACH).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..at).unwrap_or_default();
    let key = match language {
        "yaml" => by_indentation(before),
        _ => by_brackets(before),
    };
    Owner(key.unwrap_or_default().to_ascii_lowercase())
}

/// The key before the innermost open `[` or, where there is none, before the value itself.
fn by_brackets(before: &str) -> Option<&str> {
    let mut closed = 0_usize;
    for (at, byte) in before.bytes().enumerate().rev() {
        match byte {
            b']' | b'}' => closed += 1,
            b'[' | b'{' if closed > 0 => closed -= 1,
            b'[' => return last_word(&before[..at]),
            b'{' => return None,
            _ => {}
        }
    }
    None
}

/// The last word before a list, without the `:` or `=` between.
fn last_word(before: &str) -> Option<&str> {
    let key = before.trim_end_matches([' ', '\t', '\n', '\r', ':', '=', '"', '\'']);
    key.rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'))
        .next()
        .filter(|word| !word.is_empty())
}

/// The nearest line above that is less indented and ends with a colon.
fn by_indentation(before: &str) -> Option<&str> {
    let mut lines = before.rsplit('\n');
    let first = lines.next()?;
    let indent = first.len() - first.trim_start().len();
    let own = first.trim_start().starts_with('-');
    let less = |line: &&str| {
        let width = line.len() - line.trim_start().len();
        !line.trim().is_empty()
            && (width < indent || (own && width == indent && !line.trim_start().starts_with('-')))
    };
    lines.find(less).and_then(|line| line.trim().strip_suffix(':'))
}
