//! The way back from a view to the text it was made of.
//!
//! A [`Rewrite`] is text under construction: stretches copied as they are, and stretches put in the place of
//! others. Its [`Map`] keeps one piece for each stretch, so that the way back costs a binary search. A map
//! answers for any span; it does not know the texts, so whoever asks puts the answer on character boundaries.

use crate::base::Span;

/// One stretch of a rewritten text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it starts in the rewritten text.
    at: usize,
    /// What it was made of.
    source: Span,
    /// Byte for byte the source; otherwise it stands for the source as a whole.
    copied: bool,
}

/// From offsets in a rewritten text to spans of its source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Map {
    pieces: Vec<Piece>,
}

impl Map {
    /// The map of a text that is its source.
    pub(super) fn identity(len: usize) -> Self {
        Self { pieces: vec![Piece { at: 0, source: Span::new(0, len), copied: true }] }
    }

    /// What the span was made of: the smallest stretch of the source that holds all its pieces.
    pub(super) fn source(&self, span: Span) -> Span {
        let last = span.end.max(span.start + 1) - 1;
        let touched = &self.pieces[self.piece_at(span.start)..];
        touched
            .iter()
            .take_while(|piece| piece.at <= last)
            .map(|piece| piece.part(span))
            .reduce(Span::join)
            .unwrap_or(Span::new(0, 0))
    }

    /// True where the span was copied in one piece: the source shows it as it is.
    pub(super) fn is_copy(&self, span: Span) -> bool {
        self.pieces.get(self.piece_at(span.start)).is_some_and(|piece| {
            piece.copied && span.start >= piece.at && span.end <= piece.at + piece.source.len()
        })
    }

    /// The map of a text that was made of this map's text, taken on to this map's source.
    pub(super) fn extend(&self, inner: &Self) -> Self {
        let mut pieces = Vec::with_capacity(inner.pieces.len());
        for piece in &inner.pieces {
            if piece.copied {
                self.split(*piece, &mut pieces);
            } else {
                pieces.push(Piece { source: self.source(piece.source), ..*piece });
            }
        }
        Self { pieces }
    }

    /// Cuts a copied piece where the pieces of this map end.
    fn split(&self, piece: Piece, pieces: &mut Vec<Piece>) {
        for outer in &self.pieces[self.piece_at(piece.source.start)..] {
            let start = outer.at.max(piece.source.start);
            if start >= piece.source.end {
                break;
            }
            let span = Span::new(start, piece.source.end);
            let at = piece.at + (start - piece.source.start);
            pieces.push(Piece { at, source: outer.part(span), copied: outer.copied });
        }
    }

    /// The index of the piece that holds the offset; 0 where there is none before it.
    fn piece_at(&self, offset: usize) -> usize {
        self.pieces.partition_point(|piece| piece.at <= offset).saturating_sub(1)
    }
}

impl Piece {
    /// The source of that part of the span that lies in this piece.
    fn part(self, span: Span) -> Span {
        if !self.copied {
            return self.source;
        }
        let place = |offset: usize| (self.source.start + offset.saturating_sub(self.at)).min(self.source.end);
        Span::new(place(span.start), place(span.end))
    }
}

/// A text made of another one, with the way back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rewrite {
    /// The text so far.
    pub(super) text: String,
    map: Map,
}

impl Rewrite {
    /// A rewrite with room for a text of this length.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), map: Map::default() }
    }

    /// Copies a stretch of the source; a span off its boundaries copies nothing.
    pub(super) fn copy(&mut self, source: &str, span: Span) {
        let Some(text) = span.of(source).filter(|text| !text.is_empty()) else { return };
        let at = self.text.len();
        self.text.push_str(text);
        match self.map.pieces.last_mut() {
            Some(last) if last.copied && last.source.end == span.start => last.source.end = span.end,
            _ => self.map.pieces.push(Piece { at, source: span, copied: true }),
        }
    }

    /// Puts other text in the place of a stretch of the source.
    pub(super) fn put(&mut self, text: &str, source: Span) {
        if text.is_empty() {
            return;
        }
        self.map.pieces.push(Piece { at: self.text.len(), source, copied: false });
        self.text.push_str(text);
    }

    /// Starts a new line, unless nothing was written yet.
    pub(super) fn break_line(&mut self, at: usize) {
        if !self.text.is_empty() {
            self.put("\n", Span::new(at, at));
        }
    }

    /// A text with the map that goes with it.
    pub(super) fn of(text: String, map: Map) -> Self {
        Self { text, map }
    }

    /// The text and its map.
    pub(super) fn into_parts(self) -> (String, Map) {
        (self.text, self.map)
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Rewrite};
    use crate::base::Span;

    fn sample() -> (String, Map) {
        let mut rewrite = Rewrite::default();
        rewrite.copy("ab%63de", Span::new(0, 2));
        rewrite.put("c", Span::new(2, 5));
        rewrite.copy("ab%63de", Span::new(5, 7));
        rewrite.into_parts()
    }

    #[test]
    fn copied_bytes_go_back_to_themselves_and_put_text_to_its_whole_source() {
        let (text, map) = sample();
        assert_eq!(text, "abcde");
        for (view, source) in [((0, 1), (0, 1)), ((1, 4), (1, 6)), ((2, 3), (2, 5)), ((4, 9), (6, 7))] {
            assert_eq!(map.source(Span::new(view.0, view.1)), Span::new(source.0, source.1), "{view:?}");
        }
        assert!(map.is_copy(Span::new(0, 2)));
        assert!(!map.is_copy(Span::new(1, 3)));
    }

    #[test]
    fn maps_compose() {
        let (text, outer) = sample();
        let mut rewrite = Rewrite::default();
        rewrite.copy(&text, Span::new(1, 5));
        rewrite.put("!", Span::new(0, 3));
        let map = outer.extend(&rewrite.into_parts().1);
        assert_eq!(map.source(Span::new(0, 1)), Span::new(1, 2));
        assert_eq!(map.source(Span::new(1, 2)), Span::new(2, 5));
        assert_eq!(map.source(Span::new(3, 4)), Span::new(6, 7));
        assert_eq!(map.source(Span::new(4, 5)), Span::new(0, 5));
    }
}
