//! From a verdict to an action: the paper's table (papers/skillgate.txt III-D; MALICIOUS below the threshold is ours).
//!
//! Invariant of a loaded policy: surer of harm, or a graver label, never leads to a milder action.

use serde::{Deserialize, Serialize};

use crate::gate::{Action, Label};

/// The action for each label and confidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictActions {
    /// For SAFE, at any confidence.
    pub safe: Action,
    /// For SUSPICIOUS.
    pub suspicious: Cut,
    /// For MALICIOUS.
    pub malicious: Cut,
}

/// Two actions and the confidence between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// The confidence from which `at_least` holds.
    pub threshold: Threshold,
    /// The action at the threshold and above.
    pub at_least: Action,
    /// The action below it.
    pub below: Action,
}

impl Cut {
    const fn action(&self, confidence: f64) -> Action {
        if confidence >= self.threshold.0 { self.at_least } else { self.below }
    }
}

/// A confidence from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Threshold(f64);

impl Threshold {
    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Threshold {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&number) {
            Ok(Self(number))
        } else {
            Err(format!("a threshold lies between 0 and 1, and {number} does not"))
        }
    }
}

impl From<Threshold> for f64 {
    fn from(threshold: Threshold) -> Self {
        threshold.0
    }
}

impl VerdictActions {
    /// The action for a verdict.
    pub const fn action(&self, label: Label, confidence: f64) -> Action {
        match label {
            Label::Safe => self.safe,
            Label::Suspicious => self.suspicious.action(confidence),
            Label::Malicious => self.malicious.action(confidence),
        }
    }

    /// The policy key that gives this action.
    pub const fn key(&self, label: Label, confidence: f64) -> &'static str {
        match label {
            Label::Safe => "verdict.safe",
            Label::Suspicious if confidence >= self.suspicious.threshold.0 => "verdict.suspicious.at_least",
            Label::Suspicious => "verdict.suspicious.below",
            Label::Malicious if confidence >= self.malicious.threshold.0 => "verdict.malicious.at_least",
            Label::Malicious => "verdict.malicious.below",
        }
    }

    /// The key and the reason why the table is not monotone, where it is not.
    pub(super) fn fault(&self) -> Option<(&'static str, String)> {
        let within =
            [("verdict.suspicious.below", &self.suspicious), ("verdict.malicious.below", &self.malicious)];
        for (key, cut) in within {
            if cut.below > cut.at_least {
                return Some((
                    key,
                    format!(
                        "`{}` below the threshold is harsher than `{}` above it",
                        cut.below, cut.at_least
                    ),
                ));
            }
        }
        // Between these points nothing changes.
        [0.0, self.suspicious.threshold.0, self.malicious.threshold.0].into_iter().find_map(|confidence| {
            [(Label::Suspicious, Label::Safe), (Label::Malicious, Label::Suspicious)].into_iter().find_map(
                |(graver, milder)| {
                    let (harsh, mild) = (self.action(graver, confidence), self.action(milder, confidence));
                    (harsh < mild).then(|| {
                        let message = format!(
                            "at confidence {confidence}, {graver} leads to `{harsh}` and {milder} to `{mild}`"
                        );
                        (self.key(graver, confidence), message)
                    })
                },
            )
        })
    }
}
