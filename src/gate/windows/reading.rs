//! What is found out once about each part that windows are cut from: its lines and its secrets.

use crate::base::{LineIndex, Span};
use crate::gate::redact::{self, Redaction};
use crate::gate::{Document, Hit};

/// A document with the lines and secrets of the parts that are shown.
pub(in crate::gate) struct Reading<'d> {
    pub(in crate::gate) document: &'d Document,
    parts: Vec<Option<PartReading>>,
}

struct PartReading {
    lines: LineIndex,
    secrets: Vec<Redaction>,
}

impl<'d> Reading<'d> {
    /// Reads the parts that have hits.
    pub(in crate::gate) fn of(document: &'d Document, hits: &[Hit]) -> Self {
        let mut shown = vec![false; document.parts.len()];
        for hit in hits {
            if let Some(shown) = shown.get_mut(hit.part) {
                *shown = true;
            }
        }
        Self::of_parts(document, shown)
    }

    /// Reads all parts.
    pub(in crate::gate) fn whole(document: &'d Document) -> Self {
        Self::of_parts(document, vec![true; document.parts.len()])
    }

    fn of_parts(document: &'d Document, shown: Vec<bool>) -> Self {
        let parts = document.parts.iter().zip(shown).map(|(part, shown)| {
            shown
                .then(|| PartReading { lines: LineIndex::new(&part.text), secrets: redact::find(&part.text) })
        });
        Self { document, parts: parts.collect() }
    }

    /// The part's text; empty where there is no such part.
    pub(in crate::gate) fn text(&self, part: usize) -> &'d str {
        self.document.parts.get(part).map_or("", |part| &*part.text)
    }

    /// The part's path; empty where there is no such part.
    pub(in crate::gate) fn file(&self, part: usize) -> String {
        self.document.parts.get(part).map_or_else(String::new, |part| part.path.clone())
    }

    /// The line of a byte, from 1.
    pub(in crate::gate) fn line(&self, part: usize, offset: usize) -> usize {
        self.reading(part).map_or(1, |reading| reading.lines.line(offset))
    }

    /// A stretch of a part without its secrets.
    pub(in crate::gate) fn redacted(&self, part: usize, span: Span) -> String {
        redact::within(self.text(part), span, self.reading(part).map_or(&[], |reading| &reading.secrets))
    }

    /// True where a secret shares text with the span.
    pub(in crate::gate) fn has_secret(&self, part: usize, span: Span) -> bool {
        self.reading(part).is_some_and(|reading| !redact::overlapping(span, &reading.secrets).is_empty())
    }

    fn reading(&self, part: usize) -> Option<&PartReading> {
        self.parts.get(part)?.as_ref()
    }
}
