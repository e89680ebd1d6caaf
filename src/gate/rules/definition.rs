//! A rule as it is written: plain data, read once from TOML (rules/README.md) and never changed.
//!
//! Nothing here matches anything; [`super::program`] does. Every text is the rule author's.

use std::sync::Arc;

use super::{Category, RuleId, Severity};
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::context::Scopes;

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The permanent id.
    pub id: RuleId,
    /// The thing found, in a few words.
    pub title: String,
    /// What it does and why it matters in a skill.
    pub description: String,
    /// What the author of an honest skill would change.
    pub remediation: String,
    /// The kind of harm.
    pub category: Category,
    /// The languages of the words it looks for, as short codes (`de`); none where they are English, or no words at all.
    pub languages: Vec<String>,
    /// ATT&CK technique ids (`T1048.003`).
    pub attack: Vec<String>,
    /// How bad it is when the finding is real.
    pub severity: Severity,
    /// How often it is.
    pub confidence: Confidence,
    /// Literals of which every match holds one, ASCII case-insensitive; as written, or derived from the patterns.
    pub anchors: Vec<String>,
    /// True where the patterns hold no usable literal and run over every text.
    pub anchorless: bool,
    /// How it is found.
    pub detection: Detection,
    /// Where it applies.
    pub scope: Scopes,
    /// The views it is looked for in.
    pub views: Vec<ViewKind>,
    /// What lowers its severity by one step.
    pub unless: Vec<Unless>,
    /// Pages to read.
    pub references: Vec<String>,
    /// How proven it is.
    pub status: Status,
    /// Texts that it must and must not match.
    pub examples: Examples,
    /// Who wrote it.
    pub source: Source,
    /// Where it stands.
    pub place: Place,
}

/// How a rule finds something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// A match of any of these patterns.
    Any(Vec<String>),
    /// A match of all of these patterns near each other.
    All {
        /// The patterns; the first one whose every match holds an anchor is the pivot.
        patterns: Vec<String>,
        /// How near the others must begin to the pivot.
        within: Within,
    },
    /// A detector in code reports it under this code.
    Detector(String),
}

impl Detection {
    /// The patterns; none for a detector.
    pub fn patterns(&self) -> &[String] {
        match self {
            Self::Any(patterns) | Self::All { patterns, .. } => patterns,
            Self::Detector(_) => &[],
        }
    }
}

/// How near patterns of an `all` rule must stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// At most so many characters before or after the pivot.
    Characters(usize),
    /// On the same line; lines that end with a backslash go on in the next one.
    Line,
    /// In the same run of lines that are not blank.
    Block,
}

/// The accident of a rule's own pattern: where it matches, the hit weighs one step less. It never silences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unless {
    /// The pattern of the accident.
    pub regex: String,
    /// Where it is looked for.
    pub place: UnlessPlace,
}

/// Where the pattern of an [`Unless`] is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnlessPlace {
    /// In what the rule matched.
    Match,
    /// In the line of the match.
    Line,
    /// In the run of lines around it that are not blank.
    Block,
}

/// How often a rule's finding is real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Often an accident.
    Low,
    /// More often real than not.
    Medium,
    /// Hardly ever an accident.
    High,
}

impl Confidence {
    /// The name in rules and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// How proven a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Measured on honest and hostile skills.
    Stable,
    /// New; it runs like any other.
    Experimental,
}

impl Status {
    /// The name in rules and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Experimental => "experimental",
        }
    }
}

/// What a rule must and must not match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// Texts with a hit.
    pub matching: Vec<String>,
    /// Texts without one.
    pub clean: Vec<String>,
}

/// Who wrote a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The owner of the rule folder.
    Own,
    /// Imported from a Sigma rule, whose author is named wherever a match is shown.
    Sigma {
        /// The Sigma rule's UUID.
        id: String,
        /// Its author.
        author: String,
        /// Its licence.
        licence: String,
        /// True where more than the notation was changed.
        modified: bool,
        /// True where a condition has no meaning in text and was left out.
        lossy: bool,
    },
}

/// Where a rule stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The rule file's name.
    pub file: Arc<str>,
    /// The line of its `[[rule]]`, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// Bytes of the file.
    pub span: Span,
}
