//! Scores of weights that saw nothing of a unit: neither its family nor the units that it was made from.
//!
//! Families are dealt into parts, and each part is scored by weights that were fitted to the others. Units in which nothing
//! was found are allowed unasked; they are counted, and nothing is fitted to them. What is reported apart is scored, and
//! nothing is fitted to it either.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::{Case, Expected};
use super::fit::{Examples, Fitted};
use super::unit::Unit;
use crate::base::Digest;
use crate::gate::Policy;
use crate::gate::embedded::{EmbeddedJudge, KEPT_BACK, rule_features};

/// How many parts the families are dealt into.
const FOLDS: u32 = 10;
/// The sum of a unit in which nothing was found.
const NOTHING: f64 = -20.0;

/// Units with what the embedded judge's model could weigh of them.
pub(super) struct Data<'a> {
    cases: Vec<&'a Case>,
    pub(super) examples: Examples,
    has_hits: Vec<bool>,
    #[cfg_attr(
        not(feature = "train"),
        allow(dead_code, reason = "only the program that writes weights names them")
    )]
    pub(super) names: Vec<String>,
}

impl<'a> Data<'a> {
    pub(super) fn new(units: &[Unit<'a>]) -> Self {
        let mut numbers = BTreeMap::new();
        for name in units.iter().flat_map(|unit| unit.traits.iter().flatten()) {
            let next = numbers.len();
            numbers.entry(name.clone()).or_insert(next);
        }
        // What no example shows keeps the weight that is expected of it.
        for name in rule_features() {
            let next = numbers.len();
            numbers.entry(name).or_insert(next);
        }
        let row = |unit: &Unit<'_>| unit.traits.iter().flatten().map(|name| numbers[name]).collect();
        let rows = units.iter().map(row).collect();
        let labels = units.iter().map(Unit::is_malicious).collect();
        let mut names = vec![String::new(); numbers.len()];
        for (name, number) in &numbers {
            names[*number].clone_from(name);
        }
        let examples = Examples { rows, labels, expected: names.iter().map(|name| expected(name)).collect() };
        let has_hits = units.iter().map(|unit| unit.traits.is_some()).collect();
        Self { cases: units.iter().map(|unit| unit.case).collect(), examples, has_hits, names }
    }

    /// What weights are fitted to.
    pub(super) fn fitted_to(&self) -> impl Iterator<Item = usize> {
        (0..self.cases.len()).filter(|at| self.has_hits[*at] && self.cases[*at].expected != Expected::Apart)
    }

    /// The sum of each unit by weights that know nothing of its family.
    pub(super) fn out_of_fold(&self) -> Vec<f64> {
        let mut sums = vec![NOTHING; self.cases.len()];
        for nth in 0..FOLDS {
            let tested: Vec<usize> =
                (0..self.cases.len()).filter(|at| fold(self.cases[*at]) == nth).collect();
            let kin = tested.iter().flat_map(|at| {
                let case = self.cases[*at];
                [Some(case.id.as_str()), case.host.as_deref()]
            });
            let kin: BTreeSet<&str> = kin.flatten().collect();
            let is_kin = |case: &Case| {
                kin.contains(case.id.as_str()) || case.host.as_deref().is_some_and(|host| kin.contains(host))
            };
            let rest = self.fitted_to().filter(|at| fold(self.cases[*at]) != nth && !is_kin(self.cases[*at]));
            let model = Fitted::to(&self.examples, &rest.collect::<Vec<_>>());
            for at in tested.into_iter().filter(|at| self.has_hits[*at]) {
                sums[at] = model.sum(&self.examples.rows[at]);
            }
        }
        sums
    }

    /// The sum that so many of the benign units from the wild exceed, or of all benign ones where none is from the wild.
    /// Nothing where there is no benign unit.
    pub(super) fn threshold(&self, sums: &[f64], share: f64) -> Option<f64> {
        let benign = || self.cases.iter().zip(sums).filter(|(case, _)| case.expected == Expected::Benign);
        let is_wild = |case: &Case| case.provenance == "in-the-wild";
        let mut chosen: Vec<f64> = benign().filter(|(case, _)| is_wild(case)).map(|(_, sum)| *sum).collect();
        if chosen.is_empty() {
            chosen = benign().map(|(_, sum)| *sum).collect();
        }
        chosen.sort_by(|a, b| b.total_cmp(a));
        let allowed = (0..chosen.len()).take_while(|nth| (*nth as f64) < share * chosen.len() as f64).count();
        chosen.get(allowed).or(chosen.last()).copied()
    }
}

/// The part that a unit's family was dealt into.
fn fold(case: &Case) -> u32 {
    let digest = Digest::of_bytes(case.family.as_bytes()).to_string();
    digest.bytes().map(u32::from).sum::<u32>() % FOLDS
}

/// What a feature is expected to weigh before any example is seen: what the severity of a live rule says.
fn expected(name: &str) -> f64 {
    match name.strip_prefix("Rule(").and_then(|rule| rule.rsplit_once(", ")) {
        Some((_, "Medium)")) => 0.4,
        Some((_, "High)")) => 0.5,
        Some((_, "Critical)")) => 0.8,
        _ if matches!(name, "Covert" | "GraveCovert" | "Unasked") => 1.0,
        _ => 0.0,
    }
}

/// The units as weights that did not see their families would have them decided, by this policy, with the bar where so
/// many of the benign units from the wild are kept back. Nothing where no unit is benign.
pub fn out_of_fold<'a>(units: &[Unit<'a>], false_alarms: f64, policy: &Policy) -> Option<Vec<Unit<'a>>> {
    let data = Data::new(units);
    let sums = data.out_of_fold();
    let threshold = data.threshold(&sums, false_alarms)?;
    let judged = |(unit, sum): (&Unit<'a>, f64)| {
        let verdict = EmbeddedJudge::verdict_of_sum(sum - threshold + KEPT_BACK);
        unit.judged_by(verdict, policy)
    };
    Some(units.iter().zip(sums).map(judged).collect())
}

#[cfg(test)]
mod tests {
    use super::Data;
    use crate::eval::corpus::{Case, Corpus};
    use crate::eval::fit::{Examples, Fitted};

    /// Forty benign units without a feature; ten malicious ones that show feature 0, by family as `family` says.
    fn cases(family: impl Fn(usize) -> String) -> Corpus {
        let folder = tempfile::tempdir().unwrap();
        let line = |nth: usize| {
            let (label, source) =
                if nth < 40 { ("benign", format!("s{nth}")) } else { ("malicious", family(nth)) };
            format!(r#"{{"id":"u{nth}","dir":"d","label":"{label}","source":"{source}"}}"#)
        };
        let lines: Vec<String> = (0..50).map(line).collect();
        std::fs::write(folder.path().join("index.jsonl"), lines.join("\n")).unwrap();
        Corpus::open(folder.path()).unwrap()
    }

    fn data(cases: &[Case]) -> Data<'_> {
        let shows = |nth: usize| if nth < 40 { Vec::new() } else { vec![0] };
        let examples = Examples {
            rows: (0..50).map(shows).collect(),
            labels: (0..50).map(|nth| nth >= 40).collect(),
            expected: vec![0.0],
        };
        Data { cases: cases.iter().collect(), examples, has_hits: vec![true; 50], names: vec![String::new()] }
    }

    #[test]
    fn a_family_teaches_nothing_about_itself() {
        let mean = |sums: &[f64]| sums[40..].iter().sum::<f64>() / 10.0;
        let many = cases(|nth| format!("t{nth}"));
        let taught = mean(&data(&many.cases).out_of_fold());
        let one = cases(|_| "t".to_owned());
        let data = data(&one.cases);
        let all: Vec<usize> = data.fitted_to().collect();
        let seen = Fitted::to(&data.examples, &all).sum(&[0]);
        let unseen = mean(&data.out_of_fold());
        assert!(seen > taught && taught > -1.0 && unseen < -5.0, "{seen} {taught} {unseen}");
    }

    #[test]
    fn the_bar_lets_no_more_benign_units_over_it_than_allowed() {
        let corpus = cases(|nth| format!("t{nth}"));
        let data = data(&corpus.cases);
        let sums: Vec<f64> = (0..50_u32).map(f64::from).collect();
        let over = |share: f64| {
            let bar = data.threshold(&sums, share).unwrap();
            sums[..40].iter().filter(|sum| **sum > bar).count()
        };
        assert_eq!([over(0.0), over(0.05), over(0.1)], [0, 2, 4]);
        assert_eq!(Data { cases: Vec::new(), ..data }.threshold(&[], 0.1), None);
    }
}
