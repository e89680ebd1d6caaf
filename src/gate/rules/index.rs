//! One pass over a text for the anchors of all rules at once.
//!
//! Invariant: the windows it gives a rule hold every match of the rule in the text; rules whose anchors prove nothing
//! get the whole text. Nothing here runs a rule's patterns.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::set::Entry;
use super::stretch::Windows;

/// The anchors of a rule set.
#[derive(Debug)]
pub(super) struct Index {
    anchors: Option<AhoCorasick>,
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
        let anchors = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(owners.keys())
            .ok();
        Self { anchors, owners: owners.into_values().collect(), everywhere }
    }

    /// The rules that can match in the text, by number, each with its windows. A rule that is not `wanted` is no
    /// candidate.
    pub(super) fn candidates(
        &self,
        entries: &[impl AsRef<Entry>],
        text: &str,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Vec<(usize, Windows)> {
        let mut candidates = Candidates { places: vec![0; entries.len()], found: Vec::new() };
        for &rule in self.everywhere.iter().filter(|rule| wanted(entries[**rule as usize].as_ref())) {
            *candidates.windows(rule) = Windows::whole(text);
        }
        let found = self.anchors.iter().flat_map(|anchors| anchors.find_overlapping_iter(text));
        for anchor in found {
            for &rule in &self.owners[anchor.pattern().as_usize()] {
                let entry = entries[rule as usize].as_ref();
                if wanted(entry) {
                    let windows = candidates.windows(rule);
                    windows.add(text.as_bytes(), anchor.range(), entry.program().reach());
                }
            }
        }
        candidates.found.sort_unstable_by_key(|(rule, _)| *rule);
        candidates.found
    }
}

/// The rules found so far: few of many.
struct Candidates {
    /// For each rule its place among the found, counted from one; 0 where it is not there.
    places: Vec<u32>,
    found: Vec<(usize, Windows)>,
}

impl Candidates {
    /// The windows of a rule, none where it is new.
    fn windows(&mut self, rule: u32) -> &mut Windows {
        let place = &mut self.places[rule as usize];
        if *place == 0 {
            self.found.push((rule as usize, Windows::default()));
            *place = self.found.len() as u32;
        }
        &mut self.found[*place as usize - 1].1
    }
}
