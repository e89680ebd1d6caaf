//! Which windows the judge gets.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::reading::Reading;
use super::render::{Keep, Rendered, most_severe, render, size};
use super::stretch::Stretch;
use crate::gate::evidence::DroppedWindow;
use crate::gate::policy::{WindowOrder, WindowSettings};
use crate::gate::rules::{RuleId, Severity};
use crate::gate::{Hit, Window};

/// The windows of these stretches that fit, and those that do not.
pub(super) fn choose(
    reading: &Reading<'_>,
    hits: &[Hit],
    stretches: Vec<Stretch>,
    settings: &WindowSettings,
) -> (Vec<Window>, Vec<DroppedWindow>) {
    match settings.order {
        WindowOrder::Severity => by_severity(reading, hits, stretches, settings),
        WindowOrder::Paper => by_position(reading, hits, stretches, settings),
    }
}

/// Windows of stretches without hits, as they come.
pub(super) fn fill(
    reading: &Reading<'_>,
    stretches: impl Iterator<Item = Stretch>,
    settings: &WindowSettings,
) -> (Vec<Window>, Vec<DroppedWindow>) {
    by_position(reading, &[], stretches.filter(|stretch| !stretch.span.is_empty()).collect(), settings)
}

/// Windows taken and left while the budget lasts.
struct Choice<'r, 'd> {
    reading: &'r Reading<'d>,
    hits: &'r [Hit],
    windows: Vec<Window>,
    dropped: Vec<(usize, DroppedWindow)>,
    room: usize,
}

impl<'r, 'd> Choice<'r, 'd> {
    fn new(reading: &'r Reading<'d>, hits: &'r [Hit], settings: &WindowSettings) -> Self {
        Self { reading, hits, windows: Vec::new(), dropped: Vec::new(), room: settings.cap }
    }

    fn take(&mut self, stretch: &Stretch, rendered: Rendered) {
        self.room = self.room.saturating_sub(rendered.characters);
        self.windows.push(rendered.window);
        let cut_off = rendered.left_out.first().map(|at| self.hits[*at].span.start);
        if let Some(start) = cut_off {
            self.leave(stretch.part, start, rendered.left_out);
        }
    }

    fn leave(&mut self, part: usize, start: usize, hits: Vec<usize>) {
        let line = self.reading.line(part, start);
        self.dropped.push((part, DroppedWindow { file: self.reading.file(part), line, hits }));
    }

    fn finish(mut self) -> (Vec<Window>, Vec<DroppedWindow>) {
        self.dropped.sort_by_key(|(part, dropped)| (*part, dropped.line));
        (self.windows, self.dropped.into_iter().map(|(_, dropped)| dropped).collect())
    }
}

/// Windows that turn out larger than they seemed, by what other views show of them, before the choice ends.
const MISFITS: usize = 20;

/// A stretch that may still be taken.
struct Candidate<'h> {
    stretch: Stretch,
    characters: usize,
    severity: Severity,
    rules: BTreeSet<&'h RuleId>,
}

fn by_severity(
    reading: &Reading<'_>,
    hits: &[Hit],
    stretches: Vec<Stretch>,
    settings: &WindowSettings,
) -> (Vec<Window>, Vec<DroppedWindow>) {
    let mut waiting: Vec<Candidate<'_>> =
        stretches.into_iter().filter_map(|stretch| candidate(reading, hits, stretch)).collect();
    let mut shown: BTreeSet<&RuleId> = BTreeSet::new();
    let mut choice = Choice::new(reading, hits, settings);
    for _ in 0..settings.ms + MISFITS {
        if choice.windows.len() == settings.ms {
            break;
        }
        let Some(next) = most_telling(&waiting, &shown, choice.room, settings.cap) else { break };
        let candidate = waiting.remove(next);
        let rendered = render(reading, hits, &candidate.stretch, settings.cap, Keep::Severest);
        if rendered.characters > choice.room {
            choice.leave(candidate.stretch.part, candidate.stretch.span.start, candidate.stretch.hits);
            continue;
        }
        shown.extend(candidate.rules);
        choice.take(&candidate.stretch, rendered);
    }
    for Candidate { stretch, .. } in waiting {
        choice.leave(stretch.part, stretch.span.start, stretch.hits);
    }
    choice.finish()
}

fn candidate<'h>(reading: &Reading<'_>, hits: &'h [Hit], stretch: Stretch) -> Option<Candidate<'h>> {
    Some(Candidate {
        characters: size(reading, &stretch),
        severity: hits[most_severe(hits, &stretch.hits)?].severity,
        rules: stretch.hits.iter().map(|at| &hits[*at].rule).collect(),
        stretch,
    })
}

/// The most severe of those that fit, then the one with the most rules not yet shown, then the first. One that is larger
/// than the whole cap is cut to it, and so needs all of it.
fn most_telling(
    waiting: &[Candidate<'_>],
    shown: &BTreeSet<&RuleId>,
    room: usize,
    cap: usize,
) -> Option<usize> {
    let fits = |candidate: &Candidate<'_>| candidate.characters.min(cap) <= room;
    let fresh = |candidate: &Candidate<'_>| candidate.rules.difference(shown).count();
    (0..waiting.len())
        .filter(|at| fits(&waiting[*at]))
        .max_by_key(|at| (waiting[*at].severity, fresh(&waiting[*at]), Reverse(*at)))
}

/// The first windows, the last of them cut where the budget ends (papers/skillgate.txt III-C).
fn by_position(
    reading: &Reading<'_>,
    hits: &[Hit],
    stretches: Vec<Stretch>,
    settings: &WindowSettings,
) -> (Vec<Window>, Vec<DroppedWindow>) {
    let mut choice = Choice::new(reading, hits, settings);
    for stretch in stretches {
        // Less than this says nothing.
        if choice.windows.len() == settings.ms || choice.room < 100 {
            choice.leave(stretch.part, stretch.span.start, stretch.hits);
        } else {
            let rendered = render(reading, hits, &stretch, choice.room, Keep::Beginning);
            choice.take(&stretch, rendered);
        }
    }
    choice.finish()
}
