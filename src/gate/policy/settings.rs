//! The small tables of a policy: prefilter, windows, rules, limits, quarantine; and the reason that every exception
//! needs. Each value is checked as it is read; none knows of another.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::base::Room;
use crate::gate::rules::RuleId;

/// What the prefilter's silence means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefilter {
    /// True where documents without hits are judged too.
    pub judge_everything: bool,
}

/// Which rules run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSettings {
    /// Folders with further rule files.
    pub extra: Vec<String>,
    /// Rules that are switched off.
    pub disable: Vec<Disabled>,
}

/// A rule that is switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disabled {
    /// The rule.
    pub id: RuleId,
    /// Why.
    pub reason: Reason,
}

/// Sizes beyond which content is not read; all in bytes but the last two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// One MCP message.
    #[serde(deserialize_with = "bytes")]
    pub max_message_bytes: u64,
    /// One file.
    #[serde(deserialize_with = "bytes")]
    pub max_file_bytes: u64,
    /// All files of a unit.
    #[serde(deserialize_with = "bytes")]
    pub max_unit_bytes: u64,
    /// Files of a unit.
    #[serde(deserialize_with = "count")]
    pub max_files: u64,
    /// Folders within folders, and archives within archives.
    #[serde(deserialize_with = "depth")]
    pub max_depth: u64,
}

impl Limits {
    /// The room for what archives in a message unpack to.
    pub fn room(&self) -> Room {
        let count = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        Room {
            file_bytes: self.max_file_bytes,
            bytes: self.max_unit_bytes,
            files: count(self.max_files),
            depth: count(self.max_depth),
        }
    }
}

/// How much text a judge reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowSettings {
    /// Characters on each side of a hit.
    #[serde(deserialize_with = "cw")]
    pub cw: usize,
    /// Windows at most.
    #[serde(deserialize_with = "ms")]
    pub ms: usize,
    /// Characters of all windows together.
    #[serde(deserialize_with = "cap")]
    pub cap: usize,
    /// Which windows come first.
    pub order: WindowOrder,
}

/// Which windows come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowOrder {
    /// The most severe, then those with rules that no earlier window shows, then by position.
    Severity,
    /// By position (papers/skillgate.txt III-C).
    Paper,
}

/// How long the verdicts of judges that are asked are kept, and how many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictCacheSettings {
    /// Days until a verdict is asked for again; 0 keeps none.
    #[serde(deserialize_with = "cache_days")]
    pub days: u32,
    /// Verdicts at most, with some play; the oldest go first.
    #[serde(deserialize_with = "cache_entries")]
    pub entries: usize,
}

/// What a person's release means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quarantine {
    /// Days until a release ends.
    #[serde(deserialize_with = "days")]
    pub release_days: u32,
}

/// Why an exception was made: never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Reason(String);

impl Reason {
    /// The person's words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Reason {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.trim().is_empty() { Err("an exception needs a reason") } else { Ok(Self(text)) }
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A whole number from `least` to `most`.
pub(super) fn within<'de, D, N>(deserializer: D, least: N, most: N) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: Copy + PartialOrd + fmt::Display + TryFrom<u64>,
{
    let number = i64::deserialize(deserializer)?;
    u64::try_from(number)
        .ok()
        .and_then(|number| N::try_from(number).ok())
        .filter(|number| least <= *number && *number <= most)
        .ok_or_else(|| D::Error::custom(format!("{number} is out of range: it takes {least} to {most}")))
}

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    within(deserializer, 1024, 1 << 32)
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    within(deserializer, 1, 1_000_000)
}

fn depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    within(deserializer, 1, 256)
}

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 1, 3650)
}

fn cache_days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 0, 365)
}

fn cache_entries<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, 16, 100_000)
}

fn cw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, 0, 5000)
}

fn ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, 1, 200)
}

fn cap<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, 500, 200_000)
}
