//! Redaction: secrets leave a text before it leaves the process or is logged (gate.md 3).
//!
//! `AKIA…` becomes `[redacted:aws-access-key:20]`: kind and length in characters stay. Invariant: a redaction never covers
//! a command, or a URL's scheme and host, so that nobody can hide what a text does by calling it a secret; and what
//! decodes to readable text is no secret. Placeholders stay. Linear in the text. Whether a value really opens something is
//! not known here.

mod assigned;
mod formats;
mod plain;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::base::Span;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redaction {
    /// Bytes of the text.
    pub span: Span,
    /// What kind of secret it is (`aws-access-key`).
    pub kind: &'static str,
}

/// The secrets of a text, in order, none overlapping another.
pub fn find(text: &str) -> Vec<Redaction> {
    let mut found = Vec::new();
    formats::find(text, &mut found);
    assigned::find(text, &mut found);
    if found.is_empty() {
        return found;
    }
    let hosts = formats::url_hosts(text);
    found.retain(|redaction| !touches(&hosts, redaction.span));
    // The one that starts first wins, then the longer one, then the one that knows more of it: formats come first.
    found.sort_by_key(|redaction| (redaction.span.start, std::cmp::Reverse(redaction.span.end)));
    let mut end = 0;
    found.retain(|redaction| {
        let free = redaction.span.start >= end;
        if free {
            end = redaction.span.end;
        }
        free
    });
    found
}

/// The text without its secrets.
pub fn text(text: &str) -> Cow<'_, str> {
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(within(text, Span::new(0, text.len()), &found))
}

/// A stretch of a text without the secrets that were found in the text; one that lies across the edge of the stretch
/// goes as a whole.
pub fn within(text: &str, span: Span, found: &[Redaction]) -> String {
    let span = span.on_boundaries(text);
    let mut out = String::with_capacity(span.len());
    let mut at = span.start;
    for redaction in overlapping(span, found) {
        out.push_str(text.get(at..redaction.span.start).unwrap_or_default());
        let length = redaction.span.of(text).map_or(0, |secret| secret.chars().count());
        out.extend(["[redacted:", redaction.kind, ":", &length.to_string(), "]"]);
        at = redaction.span.end;
    }
    out.push_str(text.get(at..span.end).unwrap_or_default());
    out
}

/// The redactions that share text with a span; `found` is in order.
pub fn overlapping(span: Span, found: &[Redaction]) -> &[Redaction] {
    let first = found.partition_point(|redaction| redaction.span.end <= span.start);
    let past = found.partition_point(|redaction| redaction.span.start < span.end);
    found.get(first..past).unwrap_or_default()
}

/// True where the span shares text with one of `sorted`.
fn touches(sorted: &[Span], span: Span) -> bool {
    let at = sorted.partition_point(|other| other.end <= span.start);
    sorted.get(at).is_some_and(|other| other.overlaps(span))
}
