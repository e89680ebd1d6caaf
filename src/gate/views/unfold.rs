//! Text inside text: decodes what a part carries, and again what that carries.
//!
//! Each step looks at one text and gives the texts that it carries; these are looked at in turn. What a step
//! has seen in an outer text it does not report again from an inner one. Depth and total are bounded, and
//! where a bound stops the work the last view says so, so that coverage stays honest.

use std::borrow::Cow;

use super::hints::Hints;
use super::map::{Map, Rewrite};
use super::{Layer, View, assembled, decoded, hidden};
use crate::base::Span;
use crate::gate::ViewKind;

/// How many times decoded text is decoded again; one layer more is shown, marked as cut, and not looked into.
const DEPTH: usize = 4;

/// What may be decoded of a part in all: this many times its size, and a little for small ones.
const FACTOR: usize = 4;
const FLOOR: usize = 64 * 1024;

/// A text to look into.
pub(super) struct Source<'t> {
    /// The text.
    pub(super) text: &'t str,
    /// What is named in it.
    pub(super) hints: Hints,
    /// How it was made of the text it came from; nothing for the part itself.
    step: Option<&'t Map>,
}

impl<'t> Source<'t> {
    /// The text of a part or of a test.
    pub(super) fn root(text: &'t str) -> Self {
        Self { text, hints: Hints::of(text), step: None }
    }

    fn inner(text: &'t str, step: &'t Map) -> Self {
        Self { text, hints: Hints::of(text), step: Some(step) }
    }

    /// False where the outer text shows the span as it is, and so was asked already.
    pub(super) fn is_new(&self, span: Span) -> bool {
        self.step.is_none_or(|step| !step.is_copy(span))
    }
}

/// A text that another one carries.
pub(super) struct Found {
    /// The view it belongs to.
    pub(super) kind: ViewKind,
    /// How it is carried, outermost layer first.
    pub(super) layers: Vec<Layer>,
    /// The text and the way back.
    pub(super) rewrite: Rewrite,
}

/// Texts that stand for whole runs of a source, those carried in one way in one text, a line break between.
#[derive(Default)]
pub(super) struct Groups(Vec<(Vec<Layer>, Rewrite)>);

impl Groups {
    /// Adds the text that a run stands for.
    pub(super) fn add(&mut self, run: Span, text: &str, layers: Vec<Layer>) {
        let nth = self.0.iter().position(|(known, _)| *known == layers).unwrap_or_else(|| {
            self.0.push((layers, Rewrite::default()));
            self.0.len() - 1
        });
        let rewrite = &mut self.0[nth].1;
        rewrite.break_line(run.start);
        rewrite.put(text, run);
    }

    /// One text for each way.
    pub(super) fn finish(self, kind: ViewKind) -> Vec<Found> {
        self.0.into_iter().map(|(layers, rewrite)| Found { kind, layers, rewrite }).collect()
    }
}

/// Adds to `views` (raw and, where there are any, normalised) all texts that these carry.
pub(super) fn unfold(views: &mut Vec<View<'_>>) {
    let mut left = views[0].text.len().saturating_mul(FACTOR).saturating_add(FLOOR);
    let mut level: Vec<(usize, Option<Map>)> =
        (0..views.len()).map(|nth| (nth, (nth > 0).then(|| views[nth].map.clone()))).collect();
    for depth in 0..=DEPTH {
        let mut next = Vec::new();
        for (nth, step) in &level {
            for found in carried(&views[*nth].text, step.as_ref()) {
                let (view, step) = inner(&views[*nth], found, &mut left, depth == DEPTH);
                next.push((views.len(), Some(step)));
                let is_last = view.cut && depth < DEPTH;
                views.push(view);
                if is_last {
                    return;
                }
            }
        }
        level = next;
    }
}

/// Everything that one text carries.
fn carried(text: &str, step: Option<&Map>) -> Vec<Found> {
    let source = step.map_or_else(|| Source::root(text), |step| Source::inner(text, step));
    let mut found = Vec::new();
    hidden::streams(&source, &mut found);
    decoded::all(&source, &mut found);
    assembled::all(&source, &mut found);
    found.retain(|found| !found.rewrite.text.trim().is_empty());
    found
}

/// The view of a text found in another view, and the step from the one to the other.
fn inner<'a>(outer: &View<'a>, found: Found, left: &mut usize, is_beyond: bool) -> (View<'a>, Map) {
    let (mut text, step) = found.rewrite.into_parts();
    let is_over = text.len() > *left;
    if is_over {
        text.truncate(Span::new(0, *left).on_boundaries(&text).end);
    }
    *left -= text.len();
    let layers = outer.layers.iter().copied().chain(found.layers).collect();
    let map = outer.map.extend(&step);
    let cut = is_over || is_beyond;
    (View { kind: found.kind, layers, text: Cow::Owned(text), map, part: outer.part, cut }, step)
}
