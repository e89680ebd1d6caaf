//! What a judge sees of a stretch: its text without secrets, and what other views show of it on lines of their own.

use super::reading::Reading;
use super::stretch::{Stretch, advanced, widened};
use crate::base::Span;
use crate::gate::{Hit, ViewKind, Window, redact};

/// Characters of a window that tell what other views show, at most; and never more than half of the cap.
const SHOWN: usize = 2000;
/// Hits of a window whose other views are looked at.
const LOOKED_AT: usize = 32;
/// Characters of the line that says that a window was cut, at most.
const MARK: usize = 60;

/// A window, and the hits of its stretch that it had to leave out.
pub(super) struct Rendered {
    pub(super) window: Window,
    pub(super) characters: usize,
    pub(super) left_out: Vec<usize>,
}

/// What stays of a window that is larger than its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// The text around the most severe hit.
    Severest,
    /// The beginning.
    Beginning,
}

/// The whole stretch; one of more than `room` characters is cut and says so.
pub(super) fn render(
    reading: &Reading<'_>,
    hits: &[Hit],
    stretch: &Stretch,
    room: usize,
    keep: Keep,
) -> Rendered {
    if size(reading, stretch) <= room {
        let raw = shown_text(reading, stretch);
        let shown = other_views(hits, &stretch.hits, &raw, for_views(room));
        let rendered = finished(reading, stretch, raw + &shown, Vec::new());
        if rendered.characters <= room {
            return rendered;
        }
    }
    cut(reading, hits, stretch, room, keep)
}

/// Characters of a stretch as it is shown, before anything is redacted.
pub(super) fn size(reading: &Reading<'_>, stretch: &Stretch) -> usize {
    let text = reading.text(stretch.part);
    let elided: usize = stretch.elided.iter().map(|run| characters(text, *run)).sum();
    characters(text, stretch.span).saturating_sub(elided)
}

/// The stretch without secrets and without the insides of long encoded runs.
fn shown_text(reading: &Reading<'_>, stretch: &Stretch) -> String {
    let text = reading.text(stretch.part);
    let mut shown = String::with_capacity(stretch.span.len());
    let mut at = stretch.span.start;
    for run in &stretch.elided {
        shown.push_str(&reading.redacted(stretch.part, Span::new(at, run.start)));
        shown.extend(["[… ", &characters(text, *run).to_string(), " characters …]"]);
        at = run.end;
    }
    shown + &reading.redacted(stretch.part, Span::new(at, stretch.span.end))
}

fn characters(text: &str, span: Span) -> usize {
    span.of(text).map_or(0, |stretch| stretch.chars().count())
}

fn for_views(room: usize) -> usize {
    SHOWN.min(room / 2)
}

fn cut(reading: &Reading<'_>, hits: &[Hit], stretch: &Stretch, room: usize, keep: Keep) -> Rendered {
    let text = reading.text(stretch.part);
    let whole = characters(text, stretch.span);
    let has_views = stretch.hits.iter().any(|at| hits[*at].view != ViewKind::Raw);
    let for_views = if has_views { for_views(room) } else { 0 };
    let room = room.saturating_sub(MARK + for_views);
    let kept = most_severe(hits, &stretch.hits).filter(|_| keep == Keep::Severest);
    let span = match kept {
        Some(hit) => centred(text, stretch.span, hits[hit].span.on_boundaries(text), room),
        None => {
            Span::new(stretch.span.start, stretch.span.start + advanced(&text[stretch.span.start..], room))
        }
    };
    // A hit that lies only partly inside is not shown as a whole.
    let is_shown = |at: &usize| Some(*at) == kept || span.covers(hits[*at].span.on_boundaries(text));
    let (inside, left_out): (Vec<usize>, Vec<usize>) = stretch.hits.iter().copied().partition(is_shown);
    let mut raw = reading.redacted(stretch.part, span);
    raw.truncate(advanced(&raw, room));
    let mark = format!("[cut: {} of {whole} characters]\n", raw.chars().count());
    let shown = other_views(hits, &inside, &raw, for_views);
    let stretch = Stretch { part: stretch.part, span, hits: inside, elided: Vec::new() };
    finished(reading, &stretch, mark + &raw + &shown, left_out)
}

fn finished(reading: &Reading<'_>, stretch: &Stretch, text: String, left_out: Vec<usize>) -> Rendered {
    let characters = text.chars().count();
    let window = Window {
        file: reading.file(stretch.part),
        line: reading.line(stretch.part, stretch.span.start),
        span: stretch.span,
        text,
        hits: stretch.hits.clone(),
    };
    Rendered { window, characters, left_out }
}

/// The first of the most severe.
pub(super) fn most_severe(hits: &[Hit], among: &[usize]) -> Option<usize> {
    among.iter().copied().reduce(|best, at| if hits[at].severity > hits[best].severity { at } else { best })
}

/// `room` characters of the stretch with the hit in the middle, or the hit's beginning where it takes all the room.
fn centred(text: &str, stretch: Span, hit: Span, room: usize) -> Span {
    let length = characters(text, hit);
    if length >= room {
        return Span::new(hit.start, hit.start + advanced(&text[hit.start..], room));
    }
    let spare = room - length;
    let before = characters(text, Span::new(stretch.start, hit.start));
    let after = characters(text, Span::new(hit.end, stretch.end));
    // What one side does not need, the other gets.
    let left = before.min((spare / 2).max(spare.saturating_sub(after)));
    widened(text, hit, left, after.min(spare - left))
}

/// What other views show, and what a detector says of its hit, each on lines of its own, the most severe hits first; nothing that `raw` shows.
fn other_views(hits: &[Hit], among: &[usize], raw: &str, room: usize) -> String {
    let is_told = |hit: &&Hit| hit.view != ViewKind::Raw || !hit.excerpt.is_empty();
    let mut others: Vec<&Hit> = among.iter().map(|at| &hits[*at]).filter(is_told).collect();
    others.sort_by_key(|hit| std::cmp::Reverse(hit.severity));
    let mut shown = String::new();
    let mut left = room;
    for hit in others.into_iter().take(LOOKED_AT) {
        let excerpt = if hit.excerpt.is_empty() { &hit.matched } else { &hit.excerpt };
        let excerpt = redact::text(excerpt);
        let head = format!("\n[{}]\n", how(hit));
        let room = left.saturating_sub(head.chars().count());
        if room == 0 || raw.contains(&*excerpt) || shown.contains(&*excerpt) {
            continue;
        }
        let kept = &excerpt[..advanced(&excerpt, room)];
        shown.push_str(&head);
        shown.push_str(kept);
        left = room - kept.chars().count();
    }
    shown
}

/// `decoded: base64 > hex`, or the view's name where no layer is known.
fn how(hit: &Hit) -> String {
    if hit.view == ViewKind::Raw {
        "found".to_owned()
    } else if hit.layers.is_empty() {
        hit.view.to_string()
    } else {
        format!("{}: {}", hit.view, hit.layers.join(" > "))
    }
}
