//! What is done with a document: the end of the line (papers/skillgate.txt III-D).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The four actions, mildest first, so that the harsher of two is their maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Forward byte for byte.
    Allow,
    /// Forward, marked.
    Warn,
    /// Keep it back for a person to review.
    Quarantine,
    /// Refuse it.
    Block,
}

impl Action {
    /// The name in policy, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Quarantine => "quarantine",
            Self::Block => "block",
        }
    }

    /// True where the agent gets the content.
    pub const fn forwards(self) -> bool {
        matches!(self, Self::Allow | Self::Warn)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
