//! Groups: malicious units of one origin, and the benign ones that they are measured against.
//!
//! A group is of one set, of skills or of messages, and its malicious units are of one provenance. They are measured against
//! the benign units of the same provenance, and where the set has none, against all its benign units of that kind. Benign
//! units about security are counted apart (see [`super::breakdown`]): whether they belong is what people argue about.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::set;
use crate::eval::corpus::Expected;
use crate::eval::metrics::{Estimate, Figures, Share};
use crate::eval::unit::{self, Unit, View};

/// Which units are measured together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The corpus.
    pub set: String,
    /// `skills` or `messages`.
    pub kind: &'static str,
    /// Where the malicious units are from; where there are none, the benign ones.
    pub provenance: String,
    /// Where the benign units are from; empty where there are none.
    pub benign_provenance: String,
    /// The numbers of its units.
    pub members: Vec<usize>,
}

/// Its figures.
#[derive(Clone, Debug, Serialize)]
pub struct GroupFigures {
    /// The corpus.
    pub set: String,
    /// `skills` or `messages`.
    pub kind: &'static str,
    /// Where the malicious units are from.
    pub provenance: String,
    /// Where the benign units are from.
    pub benign_provenance: String,
    /// The malicious units.
    pub malicious: Side,
    /// The benign units.
    pub benign: Side,
    /// The figures.
    pub figures: Figures<Estimate>,
}

/// One side of a group.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Side {
    /// How many families its units are of.
    pub families: usize,
    /// How many are kept back.
    pub flagged: Share,
    /// How many pass with a warning.
    pub warned: Share,
}

impl Group {
    /// Its name, for people.
    pub fn name(&self) -> String {
        name(&self.set, self.kind, &self.provenance)
    }
}

impl GroupFigures {
    /// Measures a group.
    pub fn of(group: Group, units: &[Unit<'_>]) -> Self {
        let figures = unit::sample(units, &group.members, View::of_gate).estimates();
        let side = |is_malicious: bool| {
            let of_side = || group.members.iter().map(|at| &units[*at]);
            let of_side = || of_side().filter(move |unit| unit.is_malicious() == is_malicious);
            let families: BTreeSet<&str> = of_side().map(|unit| unit.case.family.as_str()).collect();
            Side {
                families: families.len(),
                flagged: Share::among(of_side(), Unit::is_flagged),
                warned: Share::among(of_side(), Unit::is_warned),
            }
        };
        let (malicious, benign) = (side(true), side(false));
        let Group { set, kind, provenance, benign_provenance, .. } = group;
        Self { set, kind, provenance, benign_provenance, malicious, benign, figures }
    }

    /// Its name, for people.
    pub fn name(&self) -> String {
        name(&self.set, self.kind, &self.provenance)
    }
}

fn name(set: &str, kind: &str, provenance: &str) -> String {
    format!("{set}, {kind}, {provenance}")
}

/// The groups of these units, in order of set, kind and provenance.
pub fn groups(units: &[Unit<'_>]) -> Vec<Group> {
    let mut malicious: BTreeMap<(&str, &'static str, &str), Vec<usize>> = BTreeMap::new();
    let mut benign: BTreeMap<(&str, &'static str), BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let ((name, kind), provenance) = (set(unit), unit.case.provenance.as_str());
        match unit.case.expected {
            Expected::Malicious => malicious.entry((name, kind, provenance)).or_default().push(at),
            Expected::Benign if !unit.case.security_themed => {
                benign.entry((name, kind)).or_default().entry(provenance).or_default().push(at);
            }
            Expected::Benign | Expected::Apart => {}
        }
    }
    let measured: BTreeSet<(&str, &'static str)> =
        malicious.keys().map(|(name, kind, _)| (*name, *kind)).collect();
    let alone = benign.iter().filter(|(key, _)| !measured.contains(*key));
    let alone =
        alone.flat_map(|((name, kind), by)| by.keys().map(|from| ((*name, *kind, *from), Vec::new())));
    let alone: Vec<_> = alone.collect();
    malicious.extend(alone);
    malicious.into_iter().map(|(key, members)| group(key, members, &benign)).collect()
}

fn group(
    (set, kind, provenance): (&str, &'static str, &str),
    mut members: Vec<usize>,
    benign: &BTreeMap<(&str, &'static str), BTreeMap<&str, Vec<usize>>>,
) -> Group {
    let of_set = benign.iter().find(|((name, of), _)| (*name, *of) == (set, kind)).map(|(_, by)| by);
    let same = of_set.and_then(|by| by.get(provenance));
    let (from, chosen): (String, Vec<usize>) = match (same, of_set) {
        (Some(same), _) => (provenance.to_owned(), same.clone()),
        (None, Some(by)) => {
            (by.keys().copied().collect::<Vec<_>>().join(" and "), by.values().flatten().copied().collect())
        }
        (None, None) => (String::new(), Vec::new()),
    };
    members.extend(chosen);
    Group { set: set.to_owned(), kind, provenance: provenance.to_owned(), benign_provenance: from, members }
}
