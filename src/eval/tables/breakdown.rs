//! Counts by what units are like: how many of each kind are kept back, and how many pass with a warning.

use std::collections::BTreeMap;

use serde::Serialize;

use super::kind;
use crate::eval::corpus::{Case, Expected};
use crate::eval::metrics::Share;
use crate::eval::unit::Unit;

/// Counts by one property.
#[derive(Debug, Serialize)]
pub struct Breakdown {
    /// The property.
    pub by: &'static str,
    /// One row for each value of it in each set and provenance.
    pub rows: Vec<Row>,
}

/// The units of one set and provenance with one value.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The corpus.
    pub set: String,
    /// `skills` or `messages`.
    pub kind: &'static str,
    /// Where they are from.
    pub provenance: String,
    /// The value.
    pub value: String,
    /// The malicious ones; in the table of what is reported apart, those that are.
    pub malicious: Tally,
    /// The benign ones.
    pub benign: Tally,
}

/// How many units are kept back or pass with a warning.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Tally {
    /// Quarantined or blocked.
    pub flagged: Share,
    /// Warned of.
    pub warned: Share,
}

impl Tally {
    fn add(&mut self, unit: &Unit<'_>) {
        self.flagged.add(unit.is_flagged());
        self.warned.add(unit.is_warned());
    }
}

/// What a unit is counted under; nothing where its corpus does not say.
type Property = fn(&Case) -> Option<&str>;

/// The properties that are counted by.
const PROPERTIES: [(&str, Property); 6] = [
    ("set", |case| Some(if case.security_themed { "about security" } else { "all others" })),
    ("category", |case| said(&case.category)),
    ("method", |case| said(&case.method)),
    ("carrier", |case| said(&case.carrier)),
    ("difficulty", |case| said(&case.difficulty)),
    ("language", |case| said(&case.language)),
];

fn said(value: &str) -> Option<&str> {
    (!value.is_empty()).then_some(value)
}

/// Counts of headline units by each property, without those that no unit has.
pub(super) fn all(units: &[Unit<'_>]) -> Vec<Breakdown> {
    let headline = || units.iter().filter(|unit| unit.case.expected != Expected::Apart);
    // Honest units about security have a row of their own under `set`, and are mixed with others nowhere.
    let is_apart = |unit: &&Unit<'_>| unit.case.security_themed && unit.case.expected == Expected::Benign;
    let tables = PROPERTIES.iter().map(|(by, property)| {
        breakdown(by, headline().filter(|unit| *by == "set" || !is_apart(unit)), *property)
    });
    tables.filter(|table| !table.rows.is_empty()).collect()
}

/// Counts of what is reported apart, by the index's word for it.
pub(super) fn apart(units: &[Unit<'_>]) -> Breakdown {
    let apart = units.iter().filter(|unit| unit.case.expected == Expected::Apart);
    breakdown("apart", apart, |case| Some(&case.tier))
}

fn breakdown<'u, 'a: 'u>(
    by: &'static str,
    units: impl Iterator<Item = &'u Unit<'a>>,
    property: Property,
) -> Breakdown {
    let mut rows: BTreeMap<(&str, &'static str, &str, &str), (Tally, Tally)> = BTreeMap::new();
    for unit in units {
        let Some(value) = property(unit.case) else { continue };
        let key = (unit.case.set.as_str(), kind(unit), unit.case.provenance.as_str(), value);
        let (malicious, benign) = rows.entry(key).or_default();
        if unit.case.expected == Expected::Benign { benign } else { malicious }.add(unit);
    }
    let rows = rows.into_iter().map(|((set, kind, provenance, value), (malicious, benign))| Row {
        set: set.to_owned(),
        kind,
        provenance: provenance.to_owned(),
        value: value.to_owned(),
        malicious,
        benign,
    });
    Breakdown { by, rows: rows.collect() }
}
