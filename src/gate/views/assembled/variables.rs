//! Words made of variables that hold parts of them: `a=cu; b=rl; $a$b`, `x=ba; ${x}sh`.
//!
//! A line is rewritten only where a variable that holds letters touches another letter or variable, which everyday scripts do
//! with paths and versions but hardly with words. Then all variables of the line that the text sets are filled in.

use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memrchr};

use crate::base::Span;

/// The longest value that is filled in, and the longest part of a word.
const LONGEST_VALUE: usize = 120;
const LONGEST_PART: usize = 12;

/// The most variables of a text that are kept.
const MOST: usize = 64;

/// A variable where it is used.
struct Use<'t> {
    span: Span,
    value: &'t str,
}

/// The places of variables in lines with a word made of them, with their values.
pub(super) fn values(text: &str) -> Vec<(Span, &str)> {
    let set = assigned(text);
    if set.is_empty() {
        return Vec::new();
    }
    let uses: Vec<Use<'_>> =
        memchr_iter(b'$', text.as_bytes()).filter_map(|at| used(text, at, &set)).collect();
    let mut filled = Vec::new();
    for line in uses
        .chunk_by(|left, right| memchr(b'\n', &text.as_bytes()[left.span.end..right.span.start]).is_none())
    {
        if line.iter().any(|used| makes_a_word(text, used)) {
            filled.extend(line.iter().map(|used| (used.span, used.value)));
        }
    }
    filled
}

/// The variables that a text sets to plain values, the first value of each.
fn assigned(text: &str) -> HashMap<&str, &str> {
    let mut set = HashMap::new();
    for at in memchr_iter(b'=', text.as_bytes()) {
        let before = &text.as_bytes()[..at];
        let len = before.iter().rev().take(32).take_while(|byte| is_name(**byte)).count();
        let Some(name) = text.get(at - len..at).filter(|name| !name.is_empty()) else { continue };
        let starts = before[..at - len]
            .last()
            .is_none_or(|byte| matches!(byte, b'\n' | b';' | b' ' | b'\t' | b'&' | b'(' | b'`'));
        if let Some(value) = value(&text[at + 1..]).filter(|_| starts && set.len() < MOST) {
            set.entry(name).or_insert(value);
        }
    }
    set
}

/// The plain value that a text starts with.
fn value(rest: &str) -> Option<&str> {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let body = rest.get(usize::from(quote.is_some())..)?;
    let end = match quote {
        Some(quote) => body.find([quote, '\n'])?,
        None => body.find(|c: char| c.is_whitespace() || ";&|`()\"'<>".contains(c)).unwrap_or(body.len()),
    };
    let value = body.get(..end)?;
    (!value.is_empty() && value.len() <= LONGEST_VALUE && !value.contains(['$', '`'])).then_some(value)
}

/// The known variable that is used at a dollar sign.
fn used<'t>(text: &str, at: usize, set: &HashMap<&'t str, &'t str>) -> Option<Use<'t>> {
    let rest = &text[at + 1..];
    let braced = rest.strip_prefix('{');
    let body = braced.unwrap_or(rest);
    let len = body.bytes().take(32).take_while(|byte| is_name(*byte)).count();
    let closes = braced.is_none() || body[len..].starts_with('}');
    let value = set.get(&body[..len]).filter(|_| closes)?;
    let end = at + 1 + len + if braced.is_some() { 2 } else { 0 };
    Some(Use { span: Span::new(at, end), value })
}

/// True where the variable holds letters and touches a letter or another variable.
fn makes_a_word(text: &str, used: &Use<'_>) -> bool {
    let part = used.value.len() <= LONGEST_PART && used.value.bytes().all(|byte| byte.is_ascii_lowercase());
    let before = &text.as_bytes()[..used.span.start];
    let letter_before = before.last().is_some_and(u8::is_ascii_lowercase) && !is_in_variable(before);
    let after = text.as_bytes().get(used.span.end);
    part && (letter_before || after.is_some_and(|byte| byte.is_ascii_lowercase() || *byte == b'$'))
}

/// True where a text ends inside the name of a variable, which then touches the next one and is judged by itself.
fn is_in_variable(before: &[u8]) -> bool {
    memrchr(b'$', &before[before.len().saturating_sub(32)..])
        .map(|nth| nth + before.len().saturating_sub(32))
        .is_some_and(|at| before[at + 1..].iter().all(|byte| is_name(*byte)))
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::values;

    fn filled(text: &str) -> Vec<&str> {
        values(text).into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn parts_of_words_are_filled_in() {
        assert_eq!(filled("a=cu;b=rl;c=sh;$a$b -s https://page.example/s|ba$c"), ["cu", "rl", "sh"]);
        assert_eq!(filled("x=ba\nu='https://page.example'\n${x}sh <(w $u)"), ["ba", "https://page.example"]);
    }

    #[test]
    fn everyday_variables_stay() {
        for text in ["dir=/tmp\ncd $dir/x", "v=1.2\ntag v$v", "name=web\necho \"$name: $x\"", "a=b\nprice $5"]
        {
            assert!(filled(text).is_empty(), "{text}");
        }
    }
}
