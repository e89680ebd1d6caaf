//! A document as if the lines were empty whose hits somebody suppressed.
//!
//! The facts that a judge gets are read off the text and not off the hits, so that leaving out a hit alone would leave
//! what it was about. Lines that hold a hit that counts stay. Offsets and line numbers stay what they were.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::Span;
use crate::gate::{Document, Hit, Part};

/// The document without the lines of the suppressed hits, as far as no other hit needs them.
pub(super) fn without_lines(document: &Document, suppressed: &[Hit], counting: &[Hit]) -> Document {
    let mut read = document.clone();
    for (index, part) in read.parts.iter_mut().enumerate() {
        let of_part = |hits: &[Hit]| -> Vec<Span> {
            merged(hits.iter().filter(|hit| hit.part == index).map(|hit| lines(part, hit.span)).collect())
        };
        let (gone, kept) = (of_part(suppressed), of_part(counting));
        if let Cow::Owned(text) = blanked(&part.text, &gone, &kept) {
            part.text = Arc::from(text);
        }
    }
    read
}

/// The whole lines that a span touches.
fn lines(part: &Part, span: Span) -> Span {
    let Span { start, end } = span.on_boundaries(&part.text);
    let from = part.text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = part.text[end..].find('\n').map_or(part.text.len(), |at| end + at);
    Span::new(from, to)
}

/// The same bytes in spans that are in order and do not overlap.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| span.start);
    spans.dedup_by(|next, kept| {
        let joins = next.start <= kept.end;
        kept.end = if joins { kept.end.max(next.end) } else { kept.end };
        joins
    });
    spans
}

/// The text with blanks in the bytes of `gone`, but for those of `kept`; both are merged.
fn blanked<'t>(text: &'t str, gone: &[Span], kept: &[Span]) -> Cow<'t, str> {
    if gone.is_empty() {
        return Cow::Borrowed(text);
    }
    let within = |spans: &[Span], at: usize| {
        let next = spans.partition_point(|span| span.end <= at);
        spans.get(next).is_some_and(|span| span.start <= at)
    };
    let mut blanked = String::with_capacity(text.len());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if within(gone, at) && !within(kept, at) {
            let content = line.trim_end_matches('\n');
            blanked.extend(std::iter::repeat_n(' ', content.len()));
            blanked.push_str(&line[content.len()..]);
        } else {
            blanked.push_str(line);
        }
        at += line.len();
    }
    Cow::Owned(blanked)
}

#[cfg(test)]
mod tests {
    use super::{blanked, merged};
    use crate::base::Span;

    #[test]
    fn lines_are_emptied_and_keep_their_length() {
        let text = "one\ntwö\nthree\nfour";
        assert_eq!(blanked(text, &[Span::new(4, 8)], &[]), "one\n    \nthree\nfour");
        assert_eq!(blanked(text, &[Span::new(0, 14)], &[Span::new(4, 8)]), "   \ntwö\n     \nfour");
        assert_eq!(blanked(text, &[], &[]), text);
    }

    #[test]
    fn spans_are_merged() {
        let spans = vec![Span::new(8, 9), Span::new(0, 3), Span::new(2, 5)];
        assert_eq!(merged(spans), [Span::new(0, 5), Span::new(8, 9)]);
    }
}
