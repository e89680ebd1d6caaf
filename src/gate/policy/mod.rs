//! Policy: what a verdict leads to, as one TOML file (gate.md 5, papers/skillgate.txt III-D).
//!
//! The commented `policy.toml` at the root of the repository is compiled in and is the only place where defaults stand.
//! A user's file is laid over it key by key. Invariant: a [`Policy`] is valid as a whole, and each value knows the line it
//! came from; a file with a mistake gives errors and never the default. Nothing here finds or reads files.

mod error;
mod judge;
mod judge_faults;
mod lines;
mod lists;
mod load;
mod loosened;
mod one_of;
mod overrides;
mod screen;
mod settings;
mod unread;
mod values;
mod verdict;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::base::{Digest, DigestWriter};

pub use error::{PolicyError, PolicyErrors};
pub use judge::{JudgeBackend, JudgeChoice, JudgeChoiceError, JudgeName, JudgeSettings};
pub use lines::{PolicyFile, PolicyLine};
pub use lists::{Allowed, Denied, ListedDigest, ListedPublisher, ListedServer, NamedServer};
pub use loosened::loosened;
pub use one_of::{NamePattern, OneOf};
pub use overrides::{Fit, Override};
pub use screen::{Screen, Screened};
pub use settings::{
    Disabled, Limits, Prefilter, Quarantine, Reason, RuleSettings, VerdictCacheSettings, WindowOrder,
    WindowSettings,
};
pub use unread::{OnUnread, UnreadAction};
pub use values::PolicyValue;
pub use verdict::{Cut, Threshold, VerdictActions};

/// The default policy with a comment on every key.
pub const DEFAULT_TEXT: &str = include_str!("../../../policy.toml");

/// An effective policy: the default with a user's file over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Whether decisions are carried out.
    pub mode: Mode,
    /// What happens when no judge could answer.
    pub on_error: OnError,
    /// Who judges.
    pub judge: JudgeSettings,
    /// From label and confidence to action.
    pub verdict: VerdictActions,
    /// From unread content to action.
    pub on_unread: OnUnread,
    /// How much the judge sees.
    pub windows: WindowSettings,
    /// Whether documents without hits are judged.
    pub prefilter: Prefilter,
    /// Which rules run.
    pub rules: RuleSettings,
    /// Exceptions, in the order of the file.
    #[serde(rename = "override", default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Override>,
    /// What passes unjudged.
    pub allow: Allowed,
    /// What is always blocked.
    pub deny: Denied,
    /// Which MCP messages are screened.
    pub screen: Screen,
    /// Sizes beyond which content is not read.
    pub limits: Limits,
    /// How long a release holds.
    pub quarantine: Quarantine,
    #[serde(skip)]
    lines: lines::Lines,
}

impl Policy {
    /// The default with this file over it.
    pub fn parse(text: &str) -> Result<Self, PolicyErrors> {
        load::parse(text)
    }

    /// The default as it is compiled in.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Policy> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::parse("").expect("a test parses the default policy"))
    }

    /// The digest of all effective values: equal where two files mean the same.
    pub fn digest(&self) -> Digest {
        let values = serde_json::to_vec(self).expect("a policy holds only finite numbers and text keys");
        let mut writer = DigestWriter::new("policy");
        writer.field(&values);
        writer.finish()
    }

    /// Where the value of a key stands (`verdict.malicious.below`, `override[0]`).
    pub fn line(&self, key: &str) -> PolicyLine {
        self.lines.line(key)
    }

    /// The reason that somebody gave for an entry of a list (`override[0]`, `deny.servers[1]`); no other key has one.
    pub fn reason(&self, key: &str) -> Option<&str> {
        let (list, at) = key.strip_suffix(']')?.rsplit_once('[')?;
        let at = at.parse::<usize>().ok()?;
        let reason = match list {
            "override" => self.overrides.get(at).map(|entry| &entry.reason),
            "allow.digests" => self.allow.digests.get(at).map(|entry| &entry.reason),
            "allow.publishers" => self.allow.publishers.get(at).map(|entry| &entry.reason),
            "allow.servers" => self.allow.servers.get(at).map(|entry| &entry.reason),
            "deny.digests" => self.deny.digests.get(at).map(|entry| &entry.reason),
            "deny.publishers" => self.deny.publishers.get(at).map(|entry| &entry.reason),
            "deny.servers" => self.deny.servers.get(at).map(|entry| &entry.reason),
            _ => None,
        };
        reason.map(Reason::as_str)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::builtin().clone()
    }
}

/// Whether decisions are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// They are.
    Enforce,
    /// Everything is forwarded, and the log says what would have been done.
    Monitor,
}

/// What happens when no judge could answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The content is blocked.
    Closed,
    /// The content is forwarded with a warning.
    Open,
}
