//! One place where a rule matched.
//!
//! A hit is evidence and never a label (papers/skillgate.txt III-B). Its span always points into the part that a
//! person can open, whatever view it was found in.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::context::Context;
use crate::base::Span;
use crate::gate::rules::{RuleId, Severity};

/// The view of the document in which a hit was found (gate.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewKind {
    /// The text as it is.
    Raw,
    /// NFKC, invisible characters removed, confusable letters folded.
    Normalised,
    /// Base64, hex, percent, entities and escapes decoded.
    Decoded,
    /// Tag characters, zero-width streams, HTML comments, link titles, alt texts, far-off text.
    Hidden,
    /// Text put together by code: concatenation, character lists.
    Assembled,
}

impl ViewKind {
    /// The name in rules, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Normalised => "normalised",
            Self::Decoded => "decoded",
            Self::Hidden => "hidden",
            Self::Assembled => "assembled",
        }
    }
}

impl fmt::Display for ViewKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One match of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The rule.
    pub rule: RuleId,
    /// The rule's category (`exfiltration`, `persistence`, …).
    pub category: String,
    /// The rule's severity, lowered where its `unless` matched.
    pub severity: Severity,
    /// The view it was found in.
    pub view: ViewKind,
    /// How it was carried there, outermost layer first (`["base64", "hex"]`, `["tag-characters"]`); empty in `raw`.
    pub layers: Vec<String>,
    /// Index of the part in the document.
    pub part: usize,
    /// Bytes of the part's text.
    pub span: Span,
    /// What matched, as the view shows it, cut to 200 characters.
    pub matched: String,
    /// What stands around it.
    pub context: Context,
}
