//! String literals with an operator, or nothing, between them; lists of literals that are joined.
//!
//! `"cu" + "rl"` is taken as `"curl"` where it stands. Literals with a blank between are one string only where an expression
//! begins, since a shell takes them as two words. A comma joins only near a word for joining, with the separator that it
//! names.

use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::hints::Hint;
use crate::gate::views::in_place::InPlace;
use crate::gate::views::unfold::{Found, Source};

/// How far two literals may be apart, in bytes.
const GLUE: usize = 160;

/// How near a word for joining must be to a list.
const NEAR: usize = 400;

/// What joins two literals in some language.
const OPERATORS: &[&str] = &["+", "++", ".", "..", "<>", "||", "&", "~"];

/// The lines with literals put together.
pub(super) fn join(source: &Source<'_>, literals: &[Span]) -> impl Iterator<Item = Found> {
    let mut lines = InPlace::new(source.text, ViewKind::Assembled);
    for pair in literals.windows(2) {
        let (left, right) = (pair[0], pair[1]);
        let glue = Span::new(left.end - 1, right.start + 1);
        if let Some(separator) = separator(source, left, right).filter(|_| source.is_new(glue)) {
            lines.edit(glue, separator, Layer::Concatenation);
        }
    }
    lines.finish()
}

/// What two literals are joined with; nothing where they are not joined.
fn separator<'t>(source: &Source<'t>, left: Span, right: Span) -> Option<&'t str> {
    let between = Span::new(left.end, right.start).of(source.text).filter(|between| between.len() <= GLUE)?;
    let operator = between.trim_matches([' ', '\t', '\r', '\n', '\\']);
    let is_joined = match operator {
        "," => return named_separator(source, left.join(right)),
        // Side by side they are one word, unless one is empty and only escapes a quote.
        "" if between.is_empty() => left.len() > 2 && right.len() > 2,
        "" => begins_expression(source.text, left.start) && between.matches('\n').count() < 2,
        _ => OPERATORS.contains(&operator),
    };
    is_joined.then_some("")
}

/// True where a value may begin: after an opening bracket, an operator, or at the start of a line.
fn begins_expression(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', 'f', 'r', 'b', 'u']);
    before.is_empty() || before.ends_with(['(', '[', '{', '=', ',', ':', '+', '\n', '\\', '"', '\''])
}

/// What a list near a word for joining is joined with; nothing where there is no such word.
fn named_separator<'t>(source: &Source<'t>, span: Span) -> Option<&'t str> {
    let word = source.hints.near(Hint::Join, span, NEAR)?;
    let text = source.text;
    let before = text[..word].strip_suffix('.').and_then(|before| {
        let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
        let inner = before.strip_suffix(quote)?;
        let start = inner.char_indices().rev().take(4).find(|(_, c)| *c == quote)?.0;
        inner.get(start + 1..)
    });
    let after = || {
        let rest = text[word..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let rest = rest.trim_start_matches([' ', '(']);
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let len = rest[1..].char_indices().take(4).find(|(_, c)| *c == quote)?.0;
        rest.get(1..=len)
    };
    Some(before.or_else(after).unwrap_or(""))
}
