//! Words that are spelled so that only a reader's eye puts them together: letters set apart, digits for letters, markup in
//! the middle of a word.
//!
//! All of it is undone where it stands, in the same lines, so that a line with several of these tricks is read as a whole.

mod apart;
mod digits;
mod markup;

use super::super::in_place::InPlace;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::unfold::{Found, Source};

/// What to put in the place of a span, and why.
type Edit<'t> = (Span, &'t str, Layer);

/// The lines with words that are spelled in such a way, in plain words.
pub(super) fn read(source: &Source<'_>) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut edits: Vec<Edit<'_>> = apart::edits(text);
    edits.extend(digits::edits(text));
    edits.extend(markup::edits(text));
    edits.sort_by_key(|(span, _, _)| *span);
    let mut lines = InPlace::new(text, ViewKind::Decoded);
    let mut from = 0;
    for (span, with, layer) in edits.into_iter().filter(|(span, _, _)| source.is_new(*span)) {
        if span.start >= from {
            lines.edit(span, with, layer);
            from = span.end;
        }
    }
    lines.finish()
}
