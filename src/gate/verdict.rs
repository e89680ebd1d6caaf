//! What a judge says (gate.md 4).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The three labels of the paper, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Label {
    /// Nothing in it works against the user.
    Safe,
    /// Something in it may.
    Suspicious,
    /// Something in it does.
    Malicious,
}

impl Label {
    /// The name in audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Suspicious => "SUSPICIOUS",
            Self::Malicious => "MALICIOUS",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A judge's answer about one Evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The label.
    pub label: Label,
    /// How sure the judge is of the label, 0 to 1, never NaN.
    pub confidence: f64,
    /// Why, in words for a person. May hold text of the document: never shown to the agent.
    pub rationale: String,
    /// Indices of the Evidence's hits that the verdict relies on.
    pub relied_on: Vec<usize>,
    /// `embedded`, `openai`, …; `none` where no judge was asked.
    pub judge: String,
    /// The judge's version, or the model's name.
    pub version: String,
    /// Tokens sent; 0 for a judge that uses none.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
}

impl Verdict {
    /// The verdict for a document without hits: SAFE, no judge asked (papers/skillgate.txt III-B).
    pub fn no_hits() -> Self {
        Self {
            label: Label::Safe,
            confidence: 1.0,
            rationale: "no rule matched".to_owned(),
            relied_on: Vec::new(),
            judge: "none".to_owned(),
            version: String::new(),
            tokens_in: 0,
            tokens_out: 0,
        }
    }

    /// Malicious likelihood, 0 to 1: the ranking score of reports and of `scan`'s `score`. Monotone in the label:
    /// SAFE lies below SUSPICIOUS lies below MALICIOUS at equal confidence.
    pub fn score(&self) -> f64 {
        match self.label {
            Label::Malicious => 0.5 + self.confidence / 2.0,
            Label::Suspicious => 0.25 + self.confidence / 4.0,
            Label::Safe if self.judge == "none" => 0.0,
            Label::Safe => (1.0 - self.confidence) / 2.0,
        }
    }
}
