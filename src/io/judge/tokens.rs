//! What a judge that is asked costs: o200k tokens of the whole unit, and of what is sent of it.

use serde::Serialize;

use crate::base::tokens;
use crate::gate::{Document, Evidence};

/// o200k tokens of one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Of all its texts.
    pub full: usize,
    /// Of what a judge gets: preamble and windows; 0 where none is asked.
    pub judge: usize,
}

impl Tokens {
    /// Of a document, and of what a judge is asked about it.
    pub fn of(document: &Document, asked: Option<&Evidence>) -> Self {
        let judge = asked.map_or(0, |evidence| {
            let windows: usize = evidence.windows.iter().map(|window| tokens::count(&window.text)).sum();
            tokens::count(&evidence.preamble) + windows
        });
        Self { full: Self::of_texts(document), judge }
    }

    /// Of all texts of a document.
    pub fn of_texts(document: &Document) -> usize {
        document.parts.iter().map(|part| tokens::count(&part.text)).sum()
    }
}
