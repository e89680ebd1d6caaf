//! Minimal pairs, which only a look at behaviour tells apart, and campaigns, which count once however many files they left.

use std::collections::BTreeMap;

use serde::Serialize;

use super::set;
use crate::eval::corpus::Expected;
use crate::eval::metrics::Share;
use crate::eval::unit::Unit;

/// The pairs of one set.
#[derive(Debug, Default, Serialize)]
pub struct Pairs {
    /// The corpus.
    pub set: String,
    /// `skills` or `messages`.
    pub kind: &'static str,
    /// All pairs of a malicious and a benign twin.
    pub pairs: usize,
    /// The malicious twin kept back, the benign one forwarded.
    pub both_right: usize,
    /// Both kept back: the gate sees the topic and not the behaviour.
    pub both_flagged: usize,
    /// Both forwarded.
    pub both_passed: usize,
    /// The benign twin kept back, the malicious one forwarded.
    pub swapped: usize,
}

/// The units of one campaign in the wild.
#[derive(Debug, Serialize)]
pub struct Campaign {
    /// Its name.
    pub campaign: String,
    /// Its units that are kept back.
    pub flagged: Share,
}

/// Whether the units that share a pair's name are flagged.
#[derive(Default)]
struct Twins {
    malicious: Vec<bool>,
    benign: Vec<bool>,
}

/// The pairs of each set that has some. What shares a pair's name and has no twin of the other kind is passed over.
pub(super) fn of_sets(units: &[Unit<'_>]) -> Vec<Pairs> {
    let mut twins: BTreeMap<(&str, &'static str, &str), Twins> = BTreeMap::new();
    for unit in units.iter().filter(|unit| unit.case.expected != Expected::Apart) {
        let Some(pair) = &unit.case.pair else { continue };
        let (name, kind) = set(unit);
        let twins = twins.entry((name, kind, pair)).or_default();
        if unit.is_malicious() { &mut twins.malicious } else { &mut twins.benign }.push(unit.is_flagged());
    }
    let mut sets: BTreeMap<(&str, &'static str), Pairs> = BTreeMap::new();
    for ((name, kind, _), Twins { malicious, benign }) in twins {
        for (malicious, benign) in malicious.into_iter().zip(benign) {
            sets.entry((name, kind)).or_default().add(malicious, benign);
        }
    }
    let named = |((set, kind), pairs): ((&str, _), Pairs)| Pairs { set: set.to_owned(), kind, ..pairs };
    sets.into_iter().map(named).collect()
}

impl Pairs {
    fn add(&mut self, malicious_is_flagged: bool, benign_is_flagged: bool) {
        self.pairs += 1;
        let count = match (malicious_is_flagged, benign_is_flagged) {
            (true, false) => &mut self.both_right,
            (true, true) => &mut self.both_flagged,
            (false, false) => &mut self.both_passed,
            (false, true) => &mut self.swapped,
        };
        *count += 1;
    }
}

/// Each campaign with how much of it is kept back.
pub(super) fn campaigns(units: &[Unit<'_>]) -> Vec<Campaign> {
    let mut campaigns: BTreeMap<&str, Share> = BTreeMap::new();
    for unit in units.iter().filter(|unit| unit.is_malicious()) {
        if let Some(campaign) = &unit.case.campaign {
            campaigns.entry(campaign).or_default().add(unit.is_flagged());
        }
    }
    let named = |(campaign, flagged): (&str, _)| Campaign { campaign: campaign.to_owned(), flagged };
    campaigns.into_iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn each_outcome_of_a_pair_is_counted_once() {
        let mut pairs = Pairs::default();
        for (malicious, benign) in [(true, false), (true, true), (false, false), (false, true), (false, true)]
        {
            pairs.add(malicious, benign);
        }
        let Pairs { both_right, both_flagged, both_passed, swapped, .. } = pairs;
        assert_eq!((pairs.pairs, both_right, both_flagged, both_passed, swapped), (5, 1, 1, 1, 2));
    }
}
