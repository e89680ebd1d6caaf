//! The other patterns of an `all` rule: which of their matches begin near a match of the pivot.
//!
//! The matches of each are walked through once, from the first place on, while the places move forward; so the work is
//! linear in the text however many places overlap. A match follows the one before it, as in any search for all
//! matches; where a place begins beyond the last one looked at, the walk goes on from the place's start.

use std::collections::VecDeque;
use std::ops::Range;

use super::lazy::LazyPattern;
use super::program::whole_characters;
use crate::base::Span;

/// A walk through the matches of one pattern.
pub(super) struct Walk<'a> {
    pattern: &'a LazyPattern,
    /// The longest match in bytes, where there is a bound.
    longest: Option<usize>,
    /// Matches that begin in the last place, in order.
    near: VecDeque<Span>,
    /// A match that was found beyond the last place.
    ahead: Option<Span>,
    /// Where the search goes on.
    from: usize,
}

impl<'a> Walk<'a> {
    /// A walk that has not begun.
    pub(super) const fn new(pattern: &'a LazyPattern, longest: Option<usize>) -> Self {
        Self { pattern, longest, near: VecDeque::new(), ahead: None, from: 0 }
    }

    /// The match nearest to `pivot` of those that begin in `place`. Starts of places never go back.
    pub(super) fn nearest(&mut self, text: &str, pivot: Span, place: &Range<usize>) -> Option<Span> {
        self.move_to(text, place);
        let after = self.near.partition_point(|found| found.start <= pivot.start);
        let before = after.checked_sub(1).and_then(|last| self.near.get(last));
        let gap =
            |found: &&Span| found.start.saturating_sub(pivot.end) + pivot.start.saturating_sub(found.end);
        let nearest = before.into_iter().chain(self.near.get(after)).min_by_key(gap)?;
        Some(whole_characters(text, *nearest))
    }

    fn move_to(&mut self, text: &str, place: &Range<usize>) {
        while self.near.front().is_some_and(|found| found.start < place.start) {
            self.near.pop_front();
        }
        self.ahead = self.ahead.filter(|found| found.start >= place.start);
        self.from = self.from.max(place.start);
        while let Some(found) = self.ahead.take().or_else(|| self.search(text, place.end)) {
            if found.start > place.end {
                self.ahead = Some(found);
                return;
            }
            self.near.push_back(found);
            self.from = self.from.max(found.end);
        }
    }

    /// The next match, where one begins no further than `last`. Of a pattern without a bound it may be one beyond.
    fn search(&mut self, text: &str, last: usize) -> Option<Span> {
        if self.from > last {
            return None;
        }
        let end = self.longest.map_or(text.len(), |longest| text.len().min(last.saturating_add(longest)));
        let found = self.pattern.find(text, self.from..end);
        // What begins beyond may be cut off by the end of the search.
        let found = found.filter(|found| found.start <= last || self.longest.is_none());
        self.from = found.map_or(last + 1, |found| found.start);
        found
    }
}
