//! Words that a shell puts together: `c"u"rl`, `w'ho'ami`, `cu\rl`, `c^url`, `cat${IFS}/etc/passwd`, `cu$@rl`.
//!
//! Signs inside a word that the shell drops are dropped where they stand. Inside quotes a backslash before a letter is an
//! escape and stays.

use memchr::{memchr_iter, memchr3_iter};

use super::literals::is_in_word;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::in_place::InPlace;
use crate::gate::views::unfold::{Found, Source};

/// The lines with words that a shell puts together.
pub(super) fn join(source: &Source<'_>, literals: &[Span]) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut edits: Vec<(Span, &str)> = Vec::new();
    for literal in literals.iter().filter(|literal| is_in_word(text, **literal)) {
        edits.push((Span::new(literal.start, literal.start + 1), ""));
        edits.push((Span::new(literal.end - 1, literal.end), ""));
    }
    edits.extend(memchr_iter(b'$', text.as_bytes()).filter_map(|at| expansion(text, at)));
    let signs = memchr3_iter(b'\\', b'^', b'`', text.as_bytes());
    edits.extend(signs.filter(|at| !is_within(literals, *at)).filter_map(|at| dropped(text, at)));
    edits.sort_by_key(|(span, _)| *span);
    let mut lines = InPlace::new(text, ViewKind::Assembled);
    for (span, with) in edits.into_iter().filter(|(span, _)| source.is_new(*span)) {
        lines.edit(span, with, Layer::Concatenation);
    }
    lines.finish()
}

/// `$@` and `$*` inside a word, and `$IFS` anywhere.
fn expansion(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let kinds =
        [("${IFS}", " "), ("$IFS$9", " "), ("$IFS", " "), ("$@", ""), ("$*", ""), ("${@}", ""), ("${*}", "")];
    let (name, with) = kinds.into_iter().find(|(name, _)| text[at..].starts_with(name))?;
    let span = Span::new(at, at + name.len());
    (with == " " || joins_letters(text, span)).then_some((span, with))
}

/// A backslash, caret or backtick before a letter inside a word, where it escapes nothing.
fn dropped(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let span = Span::new(at, at + 1);
    joins_letters(text, span).then_some((span, ""))
}

/// True where letters of a lower-case word stand on both sides.
fn joins_letters(text: &str, span: Span) -> bool {
    let bytes = text.as_bytes();
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_lowercase);
    letter(before) && letter(bytes.get(span.end))
}

fn is_within(literals: &[Span], at: usize) -> bool {
    let nth = literals.partition_point(|literal| literal.end <= at);
    literals.get(nth).is_some_and(|literal| literal.contains(at))
}
