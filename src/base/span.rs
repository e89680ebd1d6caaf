//! A half-open range of bytes in one file or field.
//!
//! Invariant: `start <= end`. A span does not know which file it belongs to; whoever holds it does.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Bytes `start..end` of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Makes a span; an end before the start is taken as an empty span at the start.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// True where the span covers nothing.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True where both share at least one byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// True where `offset` lies inside.
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// True where all of `other` lies inside.
    pub const fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that holds both.
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span's text, or nothing where the span is not on character boundaries of `text`.
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }

    /// The largest span inside both `self` and `text` that starts and ends between characters.
    pub fn on_boundaries(self, text: &str) -> Self {
        let mut start = self.start.min(text.len());
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let mut end = self.end.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self::new(start, end)
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn boundaries_shrink_into_characters() {
        let text = "aéz";
        assert_eq!(Span::new(0, 2).on_boundaries(text), Span::new(0, 1));
        assert_eq!(Span::new(2, 9).on_boundaries(text), Span::new(3, 4));
        assert_eq!(Span::new(2, 2).on_boundaries(text), Span::new(3, 3));
    }

    #[test]
    fn overlap_needs_a_shared_byte() {
        assert!(!Span::new(0, 2).overlaps(Span::new(2, 4)));
        assert!(Span::new(0, 3).overlaps(Span::new(2, 4)));
        assert!(!Span::new(1, 1).overlaps(Span::new(1, 1)));
    }
}
