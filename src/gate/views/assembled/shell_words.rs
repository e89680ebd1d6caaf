//! Words that a shell puts together: `c"u"rl`, `w'ho'ami`, `cu\rl`, `c^url`, `cat${IFS}/etc/passwd`,
//! `cu$@rl`.
//!
//! Signs inside a word that the shell drops are dropped where they stand. Prose has apostrophes in words, so
//! quotes count only in pairs within one word.

use memchr::memchr3_iter;

use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::in_place::InPlace;
use crate::gate::views::unfold::{Found, Source};

/// The longest quoted stretch within a word.
const INNER: usize = 24;

/// The lines with words that a shell puts together.
pub(super) fn join(source: &Source<'_>) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut edits: Vec<(Span, &str)> = Vec::new();
    for at in memchr3_iter(b'"', b'\'', b'$', text.as_bytes()) {
        match text.as_bytes()[at] {
            b'$' => edits.extend(expansion(text, at)),
            _ => edits.extend(quoted(text, at).into_iter().flatten()),
        }
    }
    edits.extend(memchr3_iter(b'\\', b'^', b'`', text.as_bytes()).filter_map(|at| escaped(text, at)));
    edits.sort_by_key(|(span, _)| *span);
    let mut lines = InPlace::new(text, ViewKind::Assembled);
    let mut from = 0;
    for (span, with) in edits {
        if span.start >= from && source.is_new(span) {
            lines.edit(span, with, Layer::Concatenation);
            from = span.end;
        }
    }
    lines.finish()
}

/// `$@` and `$*` inside a word, and `$IFS` anywhere.
fn expansion(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let kinds =
        [("${IFS}", " "), ("$IFS$9", " "), ("$IFS", " "), ("$@", ""), ("$*", ""), ("${@}", ""), ("${*}", "")];
    let (name, with) = kinds.into_iter().find(|(name, _)| text[at..].starts_with(name))?;
    let span = Span::new(at, at + name.len());
    (with == " " || is_in_word(text, span)).then_some((span, with))
}

/// A quoted stretch within a word: both its quotes.
fn quoted(text: &str, at: usize) -> Option<[(Span, &'static str); 2]> {
    let bytes = text.as_bytes();
    let before = *bytes.get(at.checked_sub(1)?)?;
    let inner = bytes[at + 1..].iter().take(INNER).position(|byte| !is_word(*byte))?;
    let close = at + 1 + inner;
    let is_pair = bytes[close] == bytes[at] && bytes.get(close + 1).is_some_and(|byte| is_word(*byte));
    let both = [Span::new(at, at + 1), Span::new(close, close + 1)].map(|span| (span, ""));
    (is_word(before) && is_pair).then_some(both)
}

/// A backslash, caret or backtick before a letter inside a word, where it escapes nothing.
fn escaped(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let span = Span::new(at, at + 1);
    is_in_word(text, span).then_some((span, ""))
}

/// True where letters of a lower-case word stand on both sides.
fn is_in_word(text: &str, span: Span) -> bool {
    let bytes = text.as_bytes();
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_lowercase);
    letter(before) && letter(bytes.get(span.end))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'-' | b'.')
}
