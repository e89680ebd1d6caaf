//! One pass over a text for the anchors of all rules at once.
//!
//! Invariant: the windows it gives a rule hold every match of the rule in the text; rules whose anchors prove nothing
//! get the whole text. Nothing here runs a rule's patterns. A rule is asked once whether it is wanted, at its first
//! anchor: most that an everyday word wakes cannot match, and following their anchors would be for nothing.

use super::anchors::Anchors;
use super::lazy::Searched;
use super::set::Entry;
use super::stretch::Windows;

/// The anchors of a rule set.
#[derive(Debug)]
pub(super) struct Index {
    anchors: Anchors,
    /// For each anchor, the rules that have it.
    owners: Vec<Vec<u32>>,
    /// Rules that run over every text.
    everywhere: Vec<u32>,
}

impl Index {
    /// Collects the anchors of the rules.
    pub(super) fn new(entries: &[impl AsRef<Entry>]) -> Self {
        let mut owners = std::collections::BTreeMap::<String, Vec<u32>>::new();
        let mut everywhere = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            let entry = entry.as_ref();
            if entry.runs_everywhere() {
                everywhere.push(number as u32);
                continue;
            }
            for anchor in &entry.rule.anchors {
                owners.entry(anchor.to_ascii_lowercase()).or_default().push(number as u32);
            }
        }
        let anchors = Anchors::new(owners.keys().map(String::as_bytes));
        Self { anchors, owners: owners.into_values().collect(), everywhere }
    }

    /// The rules that can match in the text, by number, each with its windows. A rule that is not `wanted` is no
    /// candidate; that is asked once for a rule and text.
    pub(super) fn candidates(
        &self,
        entries: &[impl AsRef<Entry>],
        text: &Searched<'_>,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Vec<(usize, Windows)> {
        let mut candidates = Candidates { places: vec![Place::Unasked; entries.len()], found: Vec::new() };
        let wanted = |rule: u32| wanted(entries[rule as usize].as_ref());
        for &rule in &self.everywhere {
            if let Some(windows) = candidates.windows(rule, wanted) {
                *windows = Windows::whole(text.raw);
            }
        }
        self.anchors.each(text.lowered(), |anchor, range| {
            for &rule in &self.owners[anchor] {
                if let Some(windows) = candidates.windows(rule, wanted) {
                    let reach = entries[rule as usize].as_ref().program().reach();
                    windows.add(text.raw.as_bytes(), range.clone(), reach);
                }
            }
        });
        candidates.found.sort_unstable_by_key(|(rule, _)| *rule);
        candidates.found
    }
}

/// What is known of a rule and the text so far.
#[derive(Clone, Copy)]
enum Place {
    /// None of its anchors was met.
    Unasked,
    /// It is not wanted.
    Unwanted,
    /// Its place among the found.
    Found(u32),
}

/// The rules found so far: few of many.
struct Candidates {
    places: Vec<Place>,
    found: Vec<(usize, Windows)>,
}

impl Candidates {
    /// The windows of a rule, none where it is new; nothing where it is not wanted.
    fn windows(&mut self, rule: u32, wanted: impl Fn(u32) -> bool) -> Option<&mut Windows> {
        let place = &mut self.places[rule as usize];
        if matches!(place, Place::Unasked) {
            *place = if wanted(rule) {
                self.found.push((rule as usize, Windows::default()));
                Place::Found(self.found.len() as u32 - 1)
            } else {
                Place::Unwanted
            };
        }
        match *place {
            Place::Found(at) => Some(&mut self.found[at as usize].1),
            Place::Unasked | Place::Unwanted => None,
        }
    }
}
