//! False alarms: how grave they look, and which rules raised them (papers/skillgate.txt, RQ4 and Table V).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::set;
use crate::eval::corpus::Expected;
use crate::eval::metrics::Share;
use crate::eval::unit::Unit;
use crate::gate::Action;
use crate::gate::rules::Severity;

/// How many rules are listed.
const RULES: usize = 20;

/// What honest units were kept back for.
#[derive(Debug, Serialize)]
pub struct Alarms {
    /// By set, those about security apart.
    pub sets: Vec<SetAlarms>,
    /// By category of the rules that hit, the most frequent first.
    pub categories: Vec<Culprit>,
    /// By rule, the 20 most frequent first.
    pub rules: Vec<Culprit>,
}

/// The false alarms of one set.
#[derive(Debug, Serialize)]
pub struct SetAlarms {
    /// The corpus.
    pub set: String,
    /// `skills` or `messages`.
    pub kind: &'static str,
    /// About security.
    pub security_themed: bool,
    /// Benign units that are kept back.
    pub flagged: Share,
    /// How grave the gravest rule is that hit in them, in falling order: critical, high, medium, low, info.
    pub by_severity: [usize; 5],
    /// Kept back though no rule hit: for what was not read.
    pub unread: usize,
    /// Kept back where the gravest rule is high or critical.
    pub block_grade: Share,
    /// Blocked, not quarantined.
    pub blocked: Share,
}

/// A rule or category, and how many false alarms it had a part in.
#[derive(Debug, Serialize)]
pub struct Culprit {
    /// The rule's id, or the category.
    pub name: String,
    /// False alarms in which it hit.
    pub hit: usize,
    /// Those among them whose verdict names it as a reason.
    pub relied_on: usize,
    /// All benign units in which it hit.
    pub benign: usize,
    /// All malicious units in which it hit.
    pub malicious: usize,
}

impl Alarms {
    /// The false alarms among these units.
    pub(super) fn of(units: &[Unit<'_>]) -> Self {
        let benign = || units.iter().filter(|unit| unit.case.expected == Expected::Benign);
        let keys: BTreeSet<_> = benign().map(|unit| (set(unit), unit.case.security_themed)).collect();
        let sets = keys.into_iter().map(|((name, kind), security_themed)| {
            let here = benign()
                .filter(|unit| (set(unit), unit.case.security_themed) == ((name, kind), security_themed));
            SetAlarms::of(name, kind, security_themed, &here.collect::<Vec<_>>())
        });
        let mut rules = culprits(units, |unit| {
            let relied = |id: &str| unit.relied_on.iter().any(|rule| rule.as_str() == id);
            unit.findings.rules().iter().map(|rule| (rule.to_string(), relied(rule.as_str()))).collect()
        });
        rules.truncate(RULES);
        let categories = culprits(units, |unit| {
            let mut named: BTreeMap<String, bool> = BTreeMap::new();
            for hit in &unit.findings.hits {
                *named.entry(hit.category.clone()).or_default() |= unit.relied_on.contains(&hit.rule);
            }
            named
        });
        Self { sets: sets.collect(), categories, rules }
    }
}

impl SetAlarms {
    fn of(name: &str, kind: &'static str, security_themed: bool, benign: &[&Unit<'_>]) -> Self {
        let mut by_severity = [0; 5];
        let mut unread = 0;
        for unit in benign.iter().filter(|unit| unit.is_flagged()) {
            match unit.severity() {
                Some(severity) => by_severity[nth(severity)] += 1,
                None => unread += 1,
            }
        }
        let is_grave = |unit: &Unit<'_>| unit.is_flagged() && unit.severity() >= Some(Severity::High);
        Self {
            set: name.to_owned(),
            kind,
            security_themed,
            flagged: Share::among(benign, |unit| unit.is_flagged()),
            by_severity,
            unread,
            block_grade: Share::among(benign, |unit| is_grave(unit)),
            blocked: Share::among(benign, |unit| unit.decision.would_be == Action::Block),
        }
    }
}

const fn nth(severity: Severity) -> usize {
    match severity {
        Severity::Critical => 0,
        Severity::High => 1,
        Severity::Medium => 2,
        Severity::Low => 3,
        Severity::Info => 4,
    }
}

/// What hit in false alarms, each name with whether the verdict relies on it.
fn culprits(units: &[Unit<'_>], hits: impl Fn(&Unit<'_>) -> BTreeMap<String, bool>) -> Vec<Culprit> {
    let mut found: BTreeMap<String, Culprit> = BTreeMap::new();
    for unit in units.iter().filter(|unit| unit.case.expected != Expected::Apart) {
        let is_alarm = !unit.is_malicious() && unit.is_flagged();
        for (name, is_relied_on) in hits(unit) {
            let entry = found.entry(name.clone());
            let culprit = entry.or_insert(Culprit { name, hit: 0, relied_on: 0, benign: 0, malicious: 0 });
            culprit.hit += usize::from(is_alarm);
            culprit.relied_on += usize::from(is_alarm && is_relied_on);
            *(if unit.is_malicious() { &mut culprit.malicious } else { &mut culprit.benign }) += 1;
        }
    }
    let mut found: Vec<Culprit> = found.into_values().filter(|culprit| culprit.hit > 0).collect();
    found.sort_by(|a, b| b.relied_on.cmp(&a.relied_on).then(b.hit.cmp(&a.hit)).then(a.name.cmp(&b.name)));
    found
}
