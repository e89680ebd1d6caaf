//! What policy reads of a document: rules, severities, unread reasons, and no word of the author's.
//!
//! Two documents with equal findings and equal verdicts get the same decision. Hits that say the same are one finding.

use serde::{Deserialize, Serialize};

use super::rules::{RuleId, Severity};
use super::{Hit, Kind};
use crate::base::{Digest, UnreadReason};

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

impl From<&Hit> for Finding {
    fn from(hit: &Hit) -> Self {
        Self { rule: hit.rule.clone(), category: hit.category.clone(), severity: hit.severity }
    }
}
