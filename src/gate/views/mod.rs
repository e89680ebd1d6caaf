//! Views: the texts that a part holds besides the one it shows (gate.md 1).
//!
//! The prefilter scans every view of a part; every view keeps the way back, so that a hit always points at
//! something a person can open. The raw view borrows the part's text, and a view that would show nothing new
//! is not made. All of it is linear in the part's length: text that was decoded is decoded again, to a
//! bounded depth and a bounded total. Views know nothing of rules and nothing of what stands around a place.

mod assembled;
mod confusables;
mod controls;
mod decoded;
pub mod detectors;
mod foreign;
mod hidden;
mod hints;
mod in_place;
mod integers;
mod layer;
mod map;
mod normalised;
mod unfold;

use std::borrow::Cow;

pub use layer::Layer;
use map::{Map, Rewrite};

use super::{Part, ViewKind};
use crate::base::Span;

/// One text that a part holds.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// Which of the five views it belongs to; where layers are nested, that of the innermost.
    pub kind: ViewKind,
    /// How it is carried in the part, outermost layer first; empty in `raw` and `normalised`.
    pub layers: Vec<Layer>,
    /// What is scanned.
    pub text: Cow<'a, str>,
    map: Map,
    part: &'a str,
    cut: bool,
}

impl<'a> View<'a> {
    /// The part's text as it is.
    fn raw(part: &'a str) -> Self {
        let map = Map::identity(part.len());
        Self { kind: ViewKind::Raw, layers: Vec::new(), text: Cow::Borrowed(part), map, part, cut: false }
    }

    /// A text made of the part's.
    fn made(part: &'a str, rewrite: Rewrite, kind: ViewKind, layers: Vec<Layer>) -> Self {
        let (text, map) = rewrite.into_parts();
        Self { kind, layers, text: Cow::Owned(text), map, part, cut: false }
    }

    /// True where decoding stopped here at a bound of depth or size: what it carries in turn was not looked
    /// at.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The bytes of the part's text that a span of this view was made of, always on character boundaries.
    ///
    /// Exact where the text was copied; for decoded text it is the whole encoded run or escape.
    pub fn to_part(&self, span: Span) -> Span {
        let source = self.map.source(span);
        let start = (0..=source.start.min(self.part.len())).rev().find(|at| self.part.is_char_boundary(*at));
        let end = (source.end..self.part.len()).find(|at| self.part.is_char_boundary(*at));
        Span::new(start.unwrap_or_default(), end.unwrap_or(self.part.len()))
    }
}

/// All views of a part: raw first, normalised next, then those that show something new.
pub fn of(part: &Part) -> Vec<View<'_>> {
    let text: &str = &part.text;
    let mut views = vec![View::raw(text)];
    for rewrite in normalised::rewrites(text) {
        views.push(View::made(text, rewrite, ViewKind::Normalised, Vec::new()));
    }
    unfold::unfold(&mut views);
    views.extend(hidden::excerpts(part));
    views
}

#[cfg(test)]
mod tests;
