//! String literals with an operator, or nothing, between them; lists of literals that are joined.
//!
//! `"cu" + "rl"` is taken as `"curl"` where it stands. A comma joins only near a word for joining, with the
//! separator that it names.

use memchr::{memchr_iter, memchr2_iter};

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

/// The lines with literals put together.
pub(super) fn join(source: &Source<'_>) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut lines = InPlace::new(text, ViewKind::Assembled);
    let mut from = 0;
    for close in memchr2_iter(b'"', b'\'', text.as_bytes()) {
        if close < from {
            continue;
        }
        let Some((open, by)) = next_literal(text, close) else { continue };
        let span = Span::new(close, open + 1);
        let separator = match by {
            By::Operator => Some(""),
            By::Comma => separator(source, span),
        };
        if let Some(separator) = separator.filter(|_| source.is_new(span)) {
            lines.edit(span, separator, Layer::Concatenation);
            from = span.end;
        }
    }
    lines.finish()
}

/// What stands between two literals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Operator,
    Comma,
}

/// The quote that opens the next literal, where only glue is between.
fn next_literal(text: &str, close: usize) -> Option<(usize, By)> {
    let rest = &text.as_bytes()[close + 1..];
    let mut operator: &[u8] = b"";
    let mut at = 0;
    while let Some(byte) = rest.get(at).filter(|_| at < GLUE) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => at += 1,
            b'"' | b'\'' => {
                let open = close + 1 + at;
                let is_joined = !operator.is_empty() || is_juxtaposed(text.as_bytes(), close, open);
                let by = if operator == b"," { By::Comma } else { By::Operator };
                return is_joined.then_some((open, by));
            }
            _ if operator.is_empty() => {
                operator = operator_at(&rest[at..])?;
                at += operator.len();
            }
            _ => return None,
        }
    }
    None
}

fn operator_at(rest: &[u8]) -> Option<&[u8]> {
    let operators: [&[u8]; 9] = [b"++", b"..", b"<>", b"||", b"+", b".", b"&", b"~", b","];
    operators.into_iter().find(|operator| rest.starts_with(operator))
}

/// Two literals with no operator between: one word of a shell, or quoted alike and at most a line apart.
fn is_juxtaposed(bytes: &[u8], close: usize, open: usize) -> bool {
    if open == close + 1 {
        let before = close.checked_sub(1).and_then(|at| bytes.get(at));
        return [before, bytes.get(open + 1)].iter().all(|byte| byte.is_some_and(u8::is_ascii_alphanumeric));
    }
    bytes[close] == bytes[open] && memchr_iter(b'\n', &bytes[close..open]).count() < 2
}

/// What a list near a word for joining is joined with; nothing where there is no such word.
fn separator<'t>(source: &Source<'t>, span: Span) -> Option<&'t str> {
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
