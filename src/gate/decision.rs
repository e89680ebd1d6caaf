//! What is done with a document, and why: the end of the gate (gate.md 5, papers/skillgate.txt III-D).
//!
//! A decision names the policy line that decided and every step before it. No word of the document's author is in it,
//! nor any of a judge's: rule ids, our own words, and those of the policy.

use serde::{Deserialize, Serialize};

use super::policy::PolicyLine;
use super::{Action, Label};

/// What was decided about one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// What is done.
    pub action: Action,
    /// What is done in `enforce` mode: the same, unless the mode is `monitor`.
    pub would_be: Action,
    /// The label that counted; SUSPICIOUS where no judge answered.
    pub label: Label,
    /// The confidence in it, 0 to 1.
    pub confidence: f64,
    /// Malicious likelihood, 0 to 1.
    pub score: f64,
    /// The line that decided.
    pub line: PolicyLine,
    /// Every line that had a say, the deciding one last.
    pub steps: Vec<Step>,
    /// What made the action harsher than verdict and overrides did.
    pub floors: Vec<Floor>,
    /// What a command's exit code says of it.
    pub exit: ExitClass,
}

/// One line's say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The line.
    pub line: PolicyLine,
    /// The action from here on.
    pub action: Action,
    /// Why, in our words.
    pub why: String,
}

/// What makes an action harsher whatever verdict and overrides say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Floor {
    /// The judge did not see all windows, and the embedded judge, which weighs all hits, was harsher.
    WindowsDropped,
    /// No judge answered.
    JudgeFailed,
    /// A critical rule matched, and the judge that was asked for did not answer.
    CriticalUnjudged,
    /// Something was not read.
    Unread,
}

/// The classes of exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitClass {
    /// Allowed or warned.
    Passed,
    /// Forwarded, but something that policy cares about was not read.
    Unread,
    /// Quarantined or blocked.
    Withheld,
}

impl Decision {
    /// Why, in our words, one sentence for each step.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.why.as_str())
    }
}
