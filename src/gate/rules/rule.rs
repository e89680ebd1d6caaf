//! The identity and weight of a rule.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How bad it is when the rule's finding is real, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Untidy.
    Low,
    /// Harmful in the wrong hands.
    Medium,
    /// Harmful.
    High,
    /// Harmful at once and hard to undo.
    Critical,
}

impl Severity {
    /// All severities, mildest first.
    pub const ALL: [Self; 5] = [Self::Info, Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The next milder one; the mildest stays.
    pub const fn milder(self) -> Self {
        match self {
            Self::Critical => Self::High,
            Self::High => Self::Medium,
            Self::Medium => Self::Low,
            Self::Low | Self::Info => Self::Info,
        }
    }

    /// The name in rules, policy, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A permanent rule id: a family prefix of capitals and digits that starts with a capital, a hyphen, three digits or more
/// (`EXFIL-012`, `C2-001`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RuleId(String);

/// Why a text is no rule id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "`{0}` is no rule id: it takes a family in capitals, a hyphen and at least three digits, such as `EXFIL-012`"
)]
pub struct RuleIdError(String);

impl RuleId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The family prefix (`EXFIL`).
    pub fn family(&self) -> &str {
        self.0.split_once('-').map_or(&self.0, |(family, _)| family)
    }
}

impl FromStr for RuleId {
    type Err = RuleIdError;

    fn from_str(text: &str) -> Result<Self, RuleIdError> {
        let well_formed = text.split_once('-').is_some_and(|(family, number)| {
            family.starts_with(|first: char| first.is_ascii_uppercase())
                && family.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
                && number.len() >= 3
                && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if well_formed { Ok(Self(text.to_owned())) } else { Err(RuleIdError(text.to_owned())) }
    }
}

impl TryFrom<String> for RuleId {
    type Error = RuleIdError;

    fn try_from(text: String) -> Result<Self, RuleIdError> {
        text.parse()
    }
}

impl From<RuleId> for String {
    fn from(id: RuleId) -> Self {
        id.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::RuleId;

    #[test]
    fn ids_have_one_form() {
        assert_eq!("EXFIL-012".parse::<RuleId>().unwrap().family(), "EXFIL");
        assert_eq!("C2-001".parse::<RuleId>().unwrap().family(), "C2");
        for bad in ["", "EXFIL", "exfil-012", "EXFIL-12", "EXFIL-0a2", "-012", "2C-001"] {
            assert!(bad.parse::<RuleId>().is_err(), "{bad}");
        }
    }
}
