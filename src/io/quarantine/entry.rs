//! One entry: what was kept back and what became of it.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::QuarantineError;
use crate::io::audit::DecisionRecord;

/// The id that entry, audit line and the agent's notice share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryId(String);

impl EntryId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EntryId {
    type Err = QuarantineError;

    fn from_str(text: &str) -> Result<Self, QuarantineError> {
        let plain =
            text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if plain { Ok(Self(text.to_owned())) } else { Err(QuarantineError::BadId(text.to_owned())) }
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nobody has decided.
    Pending,
    /// A person released it.
    Released,
    /// A person rejected it.
    Rejected,
}

impl Status {
    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Released => "released",
            Self::Rejected => "rejected",
        }
    }
}

/// `decision.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What became of it.
    pub status: Status,
    /// When it was kept back.
    pub time: Timestamp,
    /// The decision, as in the audit log.
    pub decision: DecisionRecord,
}
