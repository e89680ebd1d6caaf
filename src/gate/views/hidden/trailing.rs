//! Spaces and tabs at line ends as bits.
//!
//! Two spaces at a line end are a line break in Markdown, and editors leave single ones behind; text needs
//! both kinds, in rows of eight, or many of them over the whole source.

use memchr::memmem;

use super::bits;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::unfold::{Found, Groups, Source};

/// The fewest symbols that are text.
const SHORTEST: usize = 24;

/// The text that trailing spaces and tabs spell.
pub(super) fn decode(source: &Source<'_>) -> Vec<Found> {
    let mut groups = Groups::default();
    let (tails, span) = tails(source.text);
    if let Some(text) = read(&tails).filter(|_| source.is_new(span)) {
        groups.add(span, &text, vec![Layer::TrailingSpace]);
    }
    groups.finish(ViewKind::Hidden)
}

/// All symbols in a row, or a byte at the end of each line.
fn read(tails: &[Vec<u8>]) -> Option<String> {
    let all = tails.concat();
    let bytes: Vec<u8> = tails
        .iter()
        .filter(|tail| tail.len() >= 8)
        .flat_map(|tail| &tail[tail.len() - 8..])
        .copied()
        .collect();
    [all, bytes].iter().filter(|symbols| symbols.len() >= SHORTEST).find_map(|symbols| bits::read(symbols))
}

/// The spaces (0) and tabs (1) at line ends, and the stretch of the lines that have them; nothing where no tab is.
fn tails(text: &str) -> (Vec<Vec<u8>>, Span) {
    let mut tails = Vec::new();
    let mut span: Option<Span> = None;
    let mut end = 0;
    let ends: [&[u8]; 3] = [b"\t\n", b"\t \n", b"\t\r\n"];
    let has_tabs = ends.iter().any(|end| memmem::find(text.as_bytes(), end).is_some());
    for line in text.split_inclusive('\n').take_while(|_| has_tabs) {
        let start = end;
        end += line.len();
        let shown = line.trim_end_matches(['\n', '\r']);
        let kept = shown.trim_end_matches([' ', '\t']).len();
        if kept < shown.len() {
            tails.push(shown.as_bytes()[kept..].iter().map(|byte| u8::from(*byte == b'\t')).collect());
            let here = Span::new(start + kept, start + shown.len());
            span = Some(span.map_or(here, |span| span.join(here)));
        }
    }
    (tails, span.unwrap_or_default())
}
