//! String literals in quotes, of any language and of none.
//!
//! A literal ends on the line it starts on. A quote after a backslash opens and closes nothing, and an apostrophe inside a word
//! is one only where its fellow stands in the same word.

use memchr::{memchr, memchr2_iter};

use crate::base::Span;

/// The longest quoted stretch within a word.
const INNER: usize = 24;

/// The literals of a text, quotes included, in order.
pub(super) fn of(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut literals = Vec::new();
    let mut from = 0;
    let mut line_end = 0;
    // Without an end on this line: no other quote of the kind has one either.
    let mut unclosed = [false; 2];
    for open in memchr2_iter(b'"', b'\'', bytes) {
        if open < from || is_escaped(bytes, open) {
            continue;
        }
        if open >= line_end {
            line_end = memchr(b'\n', &bytes[open..]).map_or(bytes.len(), |at| open + at);
            unclosed = [false; 2];
        }
        let kind = usize::from(bytes[open] == b'\'');
        let close = if is_apostrophe(bytes, open) {
            close_in_word(bytes, open)
        } else if unclosed[kind] {
            None
        } else {
            let close = close(bytes, open, line_end);
            unclosed[kind] = close.is_none();
            close
        };
        if let Some(close) = close {
            from = close + 1;
            literals.push(Span::new(open, from));
        }
    }
    literals
}

/// True where the literal stands within a word: letters on both sides, and nothing but a word in it.
pub(super) fn is_in_word(text: &str, literal: Span) -> bool {
    let bytes = text.as_bytes();
    let before = literal.start.checked_sub(1).and_then(|at| bytes.get(at));
    let sides = [before, bytes.get(literal.end)];
    let inner = &bytes[literal.start + 1..literal.end - 1];
    sides.iter().all(|side| side.is_some_and(|byte| is_word(*byte)))
        && inner.len() <= INNER
        && inner.iter().all(|byte| is_word(*byte))
}

fn close(bytes: &[u8], open: usize, line_end: usize) -> Option<usize> {
    let mut at = open + 1;
    while at < line_end {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == bytes[open] => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// The other quote of a stretch within one word.
fn close_in_word(bytes: &[u8], open: usize) -> Option<usize> {
    let inner = bytes[open + 1..].iter().take(INNER).position(|byte| !is_word(*byte))?;
    let close = open + 1 + inner;
    let goes_on = bytes.get(close + 1).is_some_and(u8::is_ascii_alphanumeric);
    (bytes[close] == b'\'' && goes_on).then_some(close)
}

fn is_apostrophe(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    bytes[at] == b'\''
        && [before, bytes.get(at + 1)].iter().all(|side| side.is_some_and(u8::is_ascii_alphabetic))
}

fn is_escaped(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take(16).take_while(|byte| **byte == b'\\').count() % 2 == 1
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::of;

    fn check(text: &str, literals: &[&str]) {
        let found: Vec<&str> = of(text).into_iter().filter_map(|span| span.of(text)).collect();
        assert_eq!(found, literals, "{text}");
    }

    #[test]
    fn literals_are_told_from_apostrophes() {
        check("a(\"b\", 'c \" d')", &["\"b\"", "'c \" d'"]);
        check("don't say \"no\"; it's the users' way", &["\"no\""]);
        check("c\"ur\"l w'ho'ami", &["\"ur\"", "'ho'"]);
        check("x = \"a\\\"b\" \\\" y", &["\"a\\\"b\""]);
        check("\"open\n'closed'", &["'closed'"]);
    }
}
