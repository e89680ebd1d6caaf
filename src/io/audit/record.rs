//! What a line says. The field names are permanent; `schema` rises when their meaning changes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::base::{Digest, Unread};
use crate::gate::decision::Floor;
use crate::gate::embedded::Excuse;
use crate::gate::evidence::DroppedWindow;
use crate::gate::findings::Finding;
use crate::gate::rules::{RuleId, Severity};
use crate::gate::{Action, Kind, Label, Origin, Verdict, ViewKind, Window};

/// The version of the line format.
pub const SCHEMA: u32 = 1;

/// One line's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Entry {
    /// What was decided about one document.
    Decision(Box<DecisionRecord>),
    /// Anything else that changes what decisions mean.
    Event(Box<Event>),
}

/// A decision with every input the policy read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The decision's id; a quarantine entry bears the same.
    pub id: String,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Agent, server, method, target, source.
    #[serde(flatten)]
    pub origin: Origin,
    /// What kind of unit it was.
    pub kind: Kind,
    /// The unit's name. The author's word.
    pub name: String,
    /// The digest of everything that would be forwarded.
    pub digest: Digest,
    /// Its size in bytes.
    pub bytes: u64,
    /// The hits, at most 200.
    pub hits: Vec<HitRecord>,
    /// How many hits there were.
    pub hits_total: usize,
    /// What the policy read of the hits: rule, category and severity, each once.
    pub findings: Vec<Finding>,
    /// The windows as the judge got them, redacted.
    pub windows: Vec<Window>,
    /// The windows that did not fit.
    pub windows_dropped: Vec<DroppedWindow>,
    /// What was not read.
    pub unread: Vec<Unread>,
    /// The label.
    pub label: Label,
    /// The judge's confidence in it.
    pub confidence: f64,
    /// Malicious likelihood, 0 to 1.
    pub score: f64,
    /// The judge's reasons. May hold the author's words.
    pub rationale: String,
    /// Who judged: `none`, `embedded`, `openai`, …
    pub judge: String,
    /// The judge's version or model.
    pub judge_version: String,
    /// True where the embedded judge stood in for another.
    pub degraded: bool,
    /// Why a judge did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The embedded judge's verdict over all hits, where another judge did not see all windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_all_hits: Option<Verdict>,
    /// Tokens of the judge's call.
    pub tokens: Tokens,
    /// True where the verdict came from the cache.
    pub cached: bool,
    /// What was done.
    pub action: Action,
    /// What would have been done in `enforce` mode, where the mode is `monitor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_be: Option<Action>,
    /// The policy line that decided, `policy.toml:12 verdict.malicious` or `default verdict.safe`.
    pub policy_line: String,
    /// Every policy line that had a say, in our words.
    pub reasons: Vec<String>,
    /// What made the action harsher than verdict and overrides did.
    pub floors: Vec<Floor>,
    /// The policy's digest.
    pub policy: Digest,
    /// The rule set's digest.
    pub ruleset: Digest,
    /// The quarantine entry that holds the content, where it was held back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<String>,
    /// The quarantine entry whose release by a person applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// Microseconds by stage.
    pub elapsed_us: Elapsed,
}

/// One hit in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HitRecord {
    /// The rule.
    pub rule: RuleId,
    /// Its severity here.
    pub severity: Severity,
    /// Its category.
    pub category: String,
    /// The rule's author, where it is not ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The file or field.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The view it was found in.
    pub view: ViewKind,
    /// What makes it mere talk; nothing where it is done or ordered, or where no facts were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<Excuse>,
}

/// Tokens of a judge's call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Sent.
    pub input: u64,
    /// Received.
    pub output: u64,
}

/// Microseconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elapsed {
    /// Views, hits, windows.
    pub assess: u64,
    /// The judge.
    pub judge: u64,
    /// From receipt to decision.
    pub total: u64,
}

/// Something that happened beside decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// `start`, `stop`, `policy_loaded`, `policy_loosened`, `policy_refused`, `released`, `rejected`, `purged`,
    /// `baseline_written`, `audit_torn_line`, `audit_gap`, `audit_head_recovered`, `panic`, `refused`, `passed`.
    pub event: String,
    /// What it was about: a quarantine id, a file, a version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Who did it: the user's name, `daemon` or `bridge`.
    pub who: String,
    /// Why, in the person's words, or what exactly happened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The digest it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The message it is about: agent, server, side, method, target, source.
    #[serde(flatten)]
    pub origin: Origin,
    /// The message's size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// When it happened, where it was told later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

impl Event {
    /// An event of the daemon's own.
    pub fn by_daemon(event: &str, subject: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            event: event.to_owned(),
            subject: subject.into(),
            who: "daemon".to_owned(),
            why: why.into(),
            digest: None,
            session: None,
            origin: Origin::default(),
            bytes: None,
            at: None,
        }
    }
}
