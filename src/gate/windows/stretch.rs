//! From hits to stretches: where windows lie, before anything is chosen or shown.

use crate::base::Span;
use crate::gate::{Document, Hit, ViewKind};

/// A stretch of one part with the hits that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) part: usize,
    pub(super) span: Span,
    /// Indices of hits, in order of position.
    pub(super) hits: Vec<usize>,
    /// The middle of long encoded runs: the decoded text is shown instead. In order, none overlapping another.
    pub(super) elided: Vec<Span>,
}

/// An encoded run of more characters is elided but for its ends, which show what is done with it.
const LONG_RUN: usize = 400;
/// Characters that stay of each end.
const RUN_END: usize = 100;

/// The stretches around hits, in order of part and position; `cw` is in characters. Linear in the text: between two hits
/// each character is counted once.
pub(super) fn around(document: &Document, hits: &[Hit], cw: usize) -> Vec<Stretch> {
    let mut order: Vec<usize> = (0..hits.len()).filter(|at| hits[*at].part < document.parts.len()).collect();
    order.sort_by_key(|at| (hits[*at].part, hits[*at].span, *at));
    // Both sides reach `cw` into the gap, and a quarter of it may be left between them.
    let near = 2 * cw + cw / 4;
    let mut stretches: Vec<Stretch> = Vec::new();
    for at in order {
        let hit = &hits[at];
        let text = &document.parts[hit.part].text;
        let span = hit.span.on_boundaries(text);
        match stretches.last_mut() {
            Some(last) if last.part == hit.part && is_near(text, last.span.end, span.start, near) => {
                last.span = last.span.join(span);
                last.hits.push(at);
            }
            _ => stretches.push(Stretch { part: hit.part, span, hits: vec![at], elided: Vec::new() }),
        }
    }
    for stretch in &mut stretches {
        let text = &document.parts[stretch.part].text;
        stretch.span = widened(text, stretch.span, cw, cw);
        stretch.elided = elided(text, hits, &stretch.hits);
    }
    stretches
}

/// All of a part.
pub(super) fn whole(document: &Document, part: usize) -> Stretch {
    let end = document.parts.get(part).map_or(0, |part| part.text.len());
    Stretch { part, span: Span::new(0, end), hits: Vec::new(), elided: Vec::new() }
}

/// The insides of long runs that only a decoder found something in.
fn elided(text: &str, hits: &[Hit], among: &[usize]) -> Vec<Span> {
    let spans = |is_run: fn(ViewKind) -> bool| {
        let of_kind = among.iter().map(|at| &hits[*at]).filter(move |hit| is_run(hit.view));
        joined(of_kind.map(|hit| hit.span.on_boundaries(text)))
    };
    let seen = spans(|view| view != ViewKind::Decoded);
    let runs = spans(|view| view == ViewKind::Decoded).into_iter().filter_map(|run| inside(text, run));
    let is_seen = |run: &Span| {
        let at = seen.partition_point(|other| other.end <= run.start);
        seen.get(at).is_some_and(|other| other.overlaps(*run))
    };
    runs.filter(|run| !is_seen(run)).collect()
}

/// Spans in order of their start as disjoint ones.
fn joined(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    spans.fold(Vec::new(), |mut joined: Vec<Span>, span| {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => *last = last.join(span),
            _ => joined.push(span),
        }
        joined
    })
}

/// A long run without its ends.
fn inside(text: &str, run: Span) -> Option<Span> {
    let run_text = run.of(text)?;
    run_text.char_indices().nth(LONG_RUN)?;
    let (last, _) = run_text.char_indices().rev().nth(RUN_END - 1)?;
    Some(Span::new(run.start + advanced(run_text, RUN_END), run.start + last))
}

/// The span with so many characters more at its start and at its end, as far as the text goes.
pub(super) fn widened(text: &str, span: Span, before: usize, after: usize) -> Span {
    let start = match before.checked_sub(1) {
        None => span.start,
        Some(last) => text[..span.start].char_indices().rev().nth(last).map_or(0, |(at, _)| at),
    };
    Span::new(start, span.end + advanced(&text[span.end..], after))
}

/// The byte after so many characters, or the text's end.
pub(super) fn advanced(text: &str, characters: usize) -> usize {
    text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
}

fn is_near(text: &str, end: usize, start: usize, characters: usize) -> bool {
    let Some(gap) = text.get(end..start) else { return true };
    gap.len() <= characters || gap.chars().nth(characters).is_none()
}
