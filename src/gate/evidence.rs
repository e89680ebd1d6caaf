//! What a judge receives: preamble, windows, hits and behaviour facts (gate.md 3 and 4).
//!
//! Secrets in windows are redacted before the Evidence exists. Everything the author wrote (name, description, windows)
//! is attacker text to whoever reads it.

use serde::{Deserialize, Serialize};

use super::context::Context;
use super::embedded::Facts;
use super::{Kind, ViewKind};
use crate::base::Span;
use crate::gate::rules::{RuleId, Severity};

/// One hit as the judge sees it: what matched and where, never the rule's conclusion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceHit {
    /// The rule.
    pub rule: RuleId,
    /// The rule's category.
    pub category: String,
    /// The severity after `unless`.
    pub severity: Severity,
    /// The view it was found in.
    pub view: ViewKind,
    /// How it was carried, outermost layer first.
    pub layers: Vec<String>,
    /// The file or field.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// Bytes of the part's text.
    pub span: Span,
    /// What matched, redacted, cut to 200 characters.
    pub matched: String,
    /// What stands around it.
    pub context: Context,
    /// True where a redaction covers some of it.
    pub redacted: bool,
}

/// A stretch of text around one or more hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The file or field.
    pub file: String,
    /// The line it starts at, from 1.
    pub line: usize,
    /// Bytes of the part's text.
    pub span: Span,
    /// The text, redacted. For hits outside `raw` the decoded text follows on lines of its own.
    pub text: String,
    /// Indices of the hits inside.
    pub hits: Vec<usize>,
}

/// A window that did not fit the budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedWindow {
    /// The file or field.
    pub file: String,
    /// The line it starts at, from 1.
    pub line: usize,
    /// Indices of the hits inside.
    pub hits: Vec<usize>,
}

/// All that a judge gets to see of one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What kind of unit it is.
    pub kind: Kind,
    /// About 700 characters: package name, path, description, metadata. The author's words.
    pub preamble: String,
    /// The unit's name. The author's word.
    pub name: String,
    /// What the unit says it does. The author's words.
    pub description: String,
    /// The method of an MCP payload, empty otherwise.
    pub method: String,
    /// The windows that fit, most telling first.
    pub windows: Vec<Window>,
    /// The windows that did not.
    pub windows_dropped: Vec<DroppedWindow>,
    /// All hits, in order of part and position.
    pub hits: Vec<EvidenceHit>,
    /// The behaviour facts of the whole document.
    pub facts: Facts,
}
