//! What policy reads of a document: rules, severities, unread reasons, and no word of the author's.
//!
//! Two documents with equal findings and equal verdicts get the same decision. Hits that say the same are one finding.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::rules::{RuleId, Severity};
use super::{Document, Hit, Kind};
use crate::base::{Digest, Unread, UnreadReason};

/// All that a decision rests on beside the verdict and the origin; a log that holds it can be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The document's digest.
    pub digest: Digest,
    /// What kind of unit it is.
    pub kind: Kind,
    /// What was found, each once, ordered.
    pub hits: Vec<Finding>,
    /// Why content was not read, each reason once, ordered.
    pub unread: Vec<UnreadReason>,
    /// How many windows the judge does not see.
    pub windows_dropped: usize,
}

/// What policy reads of a hit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: RuleId,
    /// Its category.
    pub category: String,
    /// The severity after `unless`.
    pub severity: Severity,
}

impl Findings {
    /// The findings of a document with these hits, of which this was not read.
    pub fn of(document: &Document, hits: &[Hit], unread: &[Unread], windows_dropped: usize) -> Self {
        let distinct: BTreeSet<_> = hits.iter().map(|hit| (&hit.rule, &hit.category, hit.severity)).collect();
        let hits = distinct.into_iter().map(|(rule, category, severity)| Finding {
            rule: rule.clone(),
            category: category.clone(),
            severity,
        });
        let unread: BTreeSet<UnreadReason> = unread.iter().map(|unread| unread.reason).collect();
        Self {
            digest: document.digest,
            kind: document.kind,
            hits: hits.collect(),
            unread: unread.into_iter().collect(),
            windows_dropped,
        }
    }

    /// The rules that matched, each once, ordered.
    pub fn rules(&self) -> Vec<RuleId> {
        let rules: BTreeSet<&RuleId> = self.hits.iter().map(|hit| &hit.rule).collect();
        rules.into_iter().cloned().collect()
    }

    /// The categories of the rules that matched, each once, ordered.
    pub fn categories(&self) -> Vec<String> {
        let categories: BTreeSet<&String> = self.hits.iter().map(|hit| &hit.category).collect();
        categories.into_iter().cloned().collect()
    }
}
