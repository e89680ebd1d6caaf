//! Words that a shell puts together: `c"u"rl`, `w'ho'ami`, `cu\rl`, `c^url`, `cat${IFS}/etc/passwd`, `cu$@rl`, a word that goes
//! on after a backslash and a line break.
//!
//! Signs inside a word that the shell drops are dropped where they stand. Inside quotes a backslash before a letter is an
//! escape and stays. Words that come out of commands, variables and wildcards are put in their place in the same lines, so
//! that a line with several of these tricks is read as a whole.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr3_iter};

use super::literals::is_in_word;
use super::{substitution, variables, wildcards};
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::in_place::InPlace;
use crate::gate::views::unfold::{Found, Source};

/// The lines with words that a shell puts together.
pub(super) fn join(source: &Source<'_>, literals: &[Span]) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut edits: Vec<(Span, Cow<'_, str>)> = Vec::new();
    for literal in literals.iter().filter(|literal| is_in_word(text, **literal)) {
        edits.push((Span::new(literal.start, literal.start + 1), "".into()));
        edits.push((Span::new(literal.end - 1, literal.end), "".into()));
    }
    edits.extend(memchr_iter(b'$', text.as_bytes()).filter_map(|at| expansion(text, at)));
    let signs = memchr3_iter(b'\\', b'^', b'`', text.as_bytes());
    edits.extend(signs.filter(|at| !is_within(literals, *at)).filter_map(|at| dropped(text, at)));
    edits.extend(substitution::words(text).into_iter().map(|(span, word)| (span, word.into())));
    edits.extend(variables::values(text).into_iter().map(|(span, value)| (span, value.into())));
    edits.extend(wildcards::places(text).into_iter().map(|(span, place)| (span, place.into())));
    // A longer edit comes first where two begin together, and goes before those inside of it.
    edits.sort_by_key(|(span, _)| (span.start, usize::MAX - span.end));
    let mut lines = InPlace::new(text, ViewKind::Assembled);
    let mut from = 0;
    for (span, with) in edits.into_iter().filter(|(span, _)| source.is_new(*span)) {
        if span.start >= from {
            lines.edit(span, &with, Layer::Concatenation);
            from = span.end;
        }
    }
    lines.finish()
}

/// `$@` and `$*` inside a word, `$IFS` and the first character of a path anywhere.
fn expansion(text: &str, at: usize) -> Option<(Span, Cow<'static, str>)> {
    let kinds = [
        ("${IFS}", " "),
        ("$IFS$9", " "),
        ("$IFS", " "),
        ("$@", ""),
        ("$*", ""),
        ("${@}", ""),
        ("${*}", ""),
        ("${HOME:0:1}", "/"),
        ("${PATH:0:1}", "/"),
        ("${PWD:0:1}", "/"),
    ];
    let (name, with) = kinds.into_iter().find(|(name, _)| text[at..].starts_with(name))?;
    let span = Span::new(at, at + name.len());
    (!with.is_empty() || joins_letters(text, span)).then_some((span, with.into()))
}

/// A backslash, caret or backtick before a letter inside a word, where it escapes nothing; a backslash with the line break
/// after it.
fn dropped(text: &str, at: usize) -> Option<(Span, Cow<'static, str>)> {
    let len =
        ["\\\r\n", "\\\n"].iter().find(|sign| text[at..].starts_with(**sign)).map_or(1, |sign| sign.len());
    let span = Span::new(at, at + len);
    joins_letters(text, span).then_some((span, "".into()))
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
