//! A rule that is ready to run: its patterns, and what a match of it is.
//!
//! - `any`: every match of every pattern.
//! - `all`: the pivot is the first pattern whose every match holds an anchor (the first of all in an anchorless rule).
//!   There is a hit where each other pattern has a match that begins near a match of the pivot; the hit covers the
//!   pivot and the nearest of each.
//!
//! Of hits that overlap only the first stays. A hit covers whole characters. "Line" and "block" go no further than
//! [`FAR`] bytes to either side, so that one endless line is not one place.
//!
//! The result depends on the text alone, never on the windows: they are where matches can lie, by proof.

use std::ops::Range;

use super::definition::{Detection, Rule, UnlessPlace, Within};
use super::lazy::{LazyPattern, Searched};
use super::literals;
use super::nearby::Walk;
use super::pattern::{PatternFault, Reach};
use super::stretch::{self, Windows};
use crate::base::Span;

/// How far a line or block is followed from a match, in bytes.
const FAR: usize = 2000;

/// A rule whose patterns are read; each is compiled when a text first holds what it needs.
#[derive(Debug)]
pub(super) struct Program {
    detection: Detector,
    reach: Reach,
    unless: Vec<(LazyPattern, UnlessPlace)>,
}

#[derive(Debug)]
enum Detector {
    Any(Vec<LazyPattern>),
    All {
        pivot: LazyPattern,
        /// Each with the length of its longest match.
        others: Vec<(LazyPattern, Option<usize>)>,
        within: Within,
    },
}

impl Program {
    /// Reads all patterns of a rule.
    pub(super) fn read(rule: &Rule) -> Result<Self, PatternFault> {
        let mut unless = Vec::with_capacity(rule.unless.len());
        for accident in &rule.unless {
            unless.push((LazyPattern::read(&accident.regex)?.0, accident.place));
        }
        let (detection, reach) = match &rule.detection {
            Detection::Any(patterns) => read_any(patterns)?,
            Detection::All { patterns, within } => read_all(patterns, *within, &rule.anchors)?,
            Detection::Detector(_) => (Detector::Any(Vec::new()), Reach::NONE),
        };
        Ok(Self { detection, reach, unless })
    }

    /// Compiles all patterns now; fails where one cannot be.
    pub(super) fn compile(&self) -> Result<(), PatternFault> {
        let detection: Vec<&LazyPattern> = match &self.detection {
            Detector::Any(patterns) => patterns.iter().collect(),
            Detector::All { pivot, others, .. } => {
                std::iter::once(pivot).chain(others.iter().map(|(other, _)| other)).collect()
            }
        };
        let unless = self.unless.iter().map(|(pattern, _)| pattern);
        detection.into_iter().chain(unless).try_for_each(LazyPattern::compile)
    }

    /// How far from an anchor the windows must reach.
    pub(super) const fn reach(&self) -> Reach {
        self.reach
    }

    /// False where the rule has no hit in the text, as far as is known without searching it.
    pub(super) fn may_hit(&self, text: &Searched<'_>) -> bool {
        match &self.detection {
            Detector::Any(patterns) => patterns.iter().any(|pattern| pattern.may_match(text)),
            Detector::All { pivot, others, .. } => {
                pivot.may_match(text) && others.iter().all(|(other, _)| other.may_match(text))
            }
        }
    }

    /// The hits in the windows of a text, in order, none overlapping another.
    pub(super) fn find(&self, text: &Searched<'_>, windows: &Windows) -> Vec<Span> {
        match &self.detection {
            Detector::Any(patterns) => {
                let mut hits = Vec::new();
                for pattern in patterns {
                    hits.extend(matches(pattern, text, windows));
                }
                if patterns.len() > 1 {
                    hits.sort_unstable_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end)));
                }
                without_overlaps(hits)
            }
            Detector::All { pivot, others, within } => {
                let whole = 0..text.raw.len();
                let is_near = |window: &Range<usize>| pivot.can_match(text, window);
                let has_all = || others.iter().all(|(other, _)| other.can_match(text, &whole));
                if !windows.ranges().iter().any(is_near) || !has_all() {
                    return Vec::new();
                }
                let mut walks: Vec<_> =
                    others.iter().map(|(other, longest)| Walk::new(other, *longest)).collect();
                let together = |hit: Span| {
                    let place = near(text.raw, hit, *within);
                    let mut found = walks.iter_mut().map(|walk| walk.nearest(text.raw, hit, &place));
                    found.try_fold(hit, |all, other| Some(all.join(other?)))
                };
                let hits = matches(pivot, text, windows).filter_map(together);
                without_overlaps(hits)
            }
        }
    }

    /// True where an `unless` of the rule matches, so that the hit weighs one step less.
    pub(super) fn is_accident(&self, text: &str, hit: Span) -> bool {
        self.unless.iter().any(|(pattern, place)| {
            let range = match place {
                UnlessPlace::Match => hit.start..hit.end,
                UnlessPlace::Line => near(text, hit, Within::Line),
                UnlessPlace::Block => near(text, hit, Within::Block),
            };
            pattern.find(text, range).is_some()
        })
    }
}

fn read_any(patterns: &[String]) -> Result<(Detector, Reach), PatternFault> {
    let mut ready = Vec::with_capacity(patterns.len());
    let mut reach = Reach::NONE;
    for pattern in patterns {
        let (pattern, tree) = LazyPattern::read(pattern)?;
        reach = reach.or(Reach::of(&tree));
        ready.push(pattern);
    }
    Ok((Detector::Any(ready), reach))
}

fn read_all(
    patterns: &[String],
    within: Within,
    anchors: &[String],
) -> Result<(Detector, Reach), PatternFault> {
    let anchors = literals::lower_cased(anchors);
    let mut others = Vec::with_capacity(patterns.len());
    let mut pivot = None;
    let mut reach = Reach::NONE;
    for (index, pattern) in patterns.iter().enumerate() {
        let (pattern, tree) = LazyPattern::read(pattern)?;
        if pivot.is_none() && literals::every_match_holds(&tree, &anchors) {
            pivot = Some(index);
            reach = Reach::of(&tree);
        }
        others.push((pattern, Reach::of(&tree).bytes));
    }
    // Patterns without a pivot are searched in the whole text, where the reach plays no part.
    let (pivot, _) = others.remove(pivot.unwrap_or(0));
    Ok((Detector::All { pivot, others, within }, reach))
}

fn matches<'a>(
    pattern: &'a LazyPattern,
    text: &'a Searched<'_>,
    windows: &'a Windows,
) -> impl Iterator<Item = Span> + 'a {
    // A pattern that the text rules out is asked about none of the windows.
    let ranges = if pattern.may_match(text) { windows.ranges() } else { &[] };
    let possible = ranges.iter().filter(|window| pattern.can_match(text, window));
    let all = possible.flat_map(|window| pattern.find_all(text.raw, window.clone()));
    all.map(|hit| whole_characters(text.raw, hit))
}

/// Patterns run on bytes and may end inside a character.
pub(super) fn whole_characters(text: &str, hit: Span) -> Span {
    let (mut start, mut end) = (hit.start, hit.end);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end)
}

pub(super) fn without_overlaps(hits: impl IntoIterator<Item = Span>) -> Vec<Span> {
    let mut kept: Vec<Span> = Vec::new();
    for hit in hits {
        if kept.last().is_none_or(|last| last.end <= hit.start) {
            kept.push(hit);
        }
    }
    kept
}

/// The place around a match in which the other patterns must begin.
pub(super) fn near(text: &str, hit: Span, within: Within) -> Range<usize> {
    let around = match within {
        Within::Characters(characters) => {
            return stretch::characters_around(text, &(hit.start..hit.end), characters);
        }
        Within::Line => stretch::logical_line,
        Within::Block => stretch::block,
    };
    let far = Span::new(hit.start.saturating_sub(FAR), hit.end.saturating_add(FAR)).on_boundaries(text);
    let place = around(&text[far.start..far.end], hit.start - far.start);
    far.start + place.start..(far.start + place.end).max(hit.end)
}

#[cfg(test)]
mod tests {
    use super::{FAR, Program, Searched};
    use crate::gate::rules::stretch::Windows;
    use crate::gate::rules::tests::rule;

    #[track_caller]
    fn check(rule_text: &str, text: &str, expected: &[&str]) {
        let program = Program::read(&rule(rule_text)).unwrap();
        let hits = program.find(&Searched::new(text), &Windows::whole(text));
        let hits: Vec<_> = hits.into_iter().map(|hit| hit.of(text).unwrap()).collect();
        assert_eq!(hits, expected, "{rule_text} on {text:?}");
    }

    #[test]
    fn any_takes_every_match_of_every_pattern_but_no_overlap() {
        check("anchors = ['a']\nany = ['ab', 'abc', 'ca']", "abca ab", &["abc", "ab"]);
    }

    #[test]
    fn all_needs_every_pattern_near_the_pivot() {
        let near = "anchors = ['send']\nall = ['key', 'send']\nwithin = 5";
        check(near, "send 1234key", &["send 1234key"]);
        check(near, "send 12345key", &[]);
        check(near, "key send", &["key send"]);
        check(near, "send it", &[]);
        let line = "anchors = ['send']\nall = ['key', 'send']\nwithin = 'line'";
        check(line, "send\nkey", &[]);
        check(line, "send \\\nkey send", &["send \\\nkey"]);
        check(line, &format!("send{}key", " ".repeat(FAR + 1)), &[]);
        let block = "anchors = ['send']\nall = ['key', 'send']\nwithin = 'block'";
        check(block, "send\nkey\n\nsend\n\nkey", &["send\nkey"]);
    }

    #[test]
    fn hits_cover_whole_characters() {
        check("anchors = ['ab']\nany = ['ab.']", "abé", &["abé"]);
    }
}
