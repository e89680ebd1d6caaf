//! How many rules there are of each kind, beside the counts of the paper (papers/skillgate.txt III-B).
//!
//! Pure counting. A rule counts once for its category and severity, and once for each view and language that it names.

use std::collections::BTreeMap;

use super::definition::{Rule, Source};
use super::{Category, RuleSet, Severity};

/// The paper's rules from ATT&CK by category. It gives one number for the small ones together.
pub const PAPER: &[(&[&str], usize)] = &[
    (&["defense-evasion"], 62),
    (&["execution"], 56),
    (&["risky-commands"], 56),
    (&["credential-access"], 44),
    (&["persistence"], 38),
    (&["impact"], 33),
    (&["obfuscation"], 27),
    (&["exfiltration"], 27),
    (&["discovery"], 23),
    (&["command-and-control"], 21),
    (&["privilege-escalation"], 17),
    (&["collection"], 8),
    (&["initial-access", "lateral-movement", "reconnaissance", "resource-development"], 16),
];

/// The paper's rules from Sigma.
pub const PAPER_SIGMA: usize = 102;

/// Rules of one category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By severity, mildest first.
    pub severities: [usize; Severity::ALL.len()],
    /// Those imported from Sigma.
    pub sigma: usize,
}

impl Counts {
    /// All of them.
    pub fn all(&self) -> usize {
        self.severities.iter().sum()
    }

    /// Those that are no imports.
    pub fn own(&self) -> usize {
        self.all() - self.sigma
    }

    fn add(&mut self, rule: &Rule) {
        self.severities[rule.severity as usize] += 1;
        self.sigma += usize::from(matches!(rule.source, Source::Sigma { .. }));
    }
}

/// The counts of a set.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// By category; those without rules are absent.
    pub categories: BTreeMap<Category, Counts>,
    /// Of the whole set.
    pub total: Counts,
    /// How many rules look for words of each language, by its code; English is not told.
    pub languages: BTreeMap<String, usize>,
    /// How many rules look into each view, by its name.
    pub views: BTreeMap<&'static str, usize>,
    /// Patterns of all rules.
    pub patterns: usize,
    /// Anchors of all rules.
    pub anchors: usize,
}

impl Stats {
    /// Counts.
    pub fn of(rules: &RuleSet) -> Self {
        let mut stats = Self::default();
        for rule in rules.iter() {
            stats.total.add(rule);
            stats.categories.entry(rule.category).or_default().add(rule);
            stats.patterns += rule.detection.patterns().len();
            stats.anchors += rule.anchors.len();
            for language in &rule.languages {
                *stats.languages.entry(language.clone()).or_default() += 1;
            }
            for view in &rule.views {
                *stats.views.entry(view.name()).or_default() += 1;
            }
        }
        stats
    }

    /// Own rules of these categories together.
    pub fn own_of(&self, categories: &[&str]) -> usize {
        let counted = self.categories.iter().filter(|(category, _)| categories.contains(&category.name()));
        counted.map(|(_, counts)| counts.own()).sum()
    }
}

/// The paper's number for a category, and whether it is of several categories together.
pub fn paper(category: Category) -> Option<(usize, bool)> {
    let group = PAPER.iter().find(|(names, _)| names.contains(&category.name()));
    group.map(|(names, count)| (*count, names.len() > 1))
}

#[cfg(test)]
mod tests {
    use super::{PAPER, PAPER_SIGMA, Stats};
    use crate::gate::rules::{Category, RuleSet};

    #[test]
    fn the_paper_has_530_rules_in_known_categories() {
        assert_eq!(PAPER.iter().map(|(_, count)| count).sum::<usize>() + PAPER_SIGMA, 530);
        assert!(PAPER.iter().flat_map(|(names, _)| *names).all(|name| Category::named(name).is_some()));
    }

    #[test]
    fn the_compiled_in_rules_reach_the_paper_in_every_category() {
        let stats = Stats::of(RuleSet::builtin());
        for (names, count) in PAPER {
            assert!(stats.own_of(names) >= *count, "{names:?}: {} of {count}", stats.own_of(names));
        }
        assert!(stats.total.sigma >= PAPER_SIGMA, "{} of {PAPER_SIGMA}", stats.total.sigma);
    }
}
