//! Context facts: what stands around a hit (rules.md, polarity).
//!
//! The same words are an attack in one place and a warning in another. These facts are computed once per
//! block of a part; the judge weighs them, and they never silence a hit.

mod blocks;
mod config;
mod language;
mod lexer;
mod markdown;
mod names;
mod polarity;
mod quotes;
pub mod scope;
mod sentence;
mod usage;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use blocks::Blocks;
pub use scope::{Scope, Scopes};

use serde::{Deserialize, Serialize};

/// What is known about the place of a hit. All false and empty says: plain text, nothing known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent observations, each with its own name in the audit log"
)]
pub struct Context {
    /// The hit is inside a code fence or a script.
    pub code: bool,
    /// The fence's or script's language, lower-cased; empty where none is given.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// In front matter.
    pub front_matter: bool,
    /// In a comment of code or HTML.
    pub comment: bool,
    /// Inside quotation marks, an inline code span or a block quote.
    pub quoted: bool,
    /// In a string literal of code that only names, matches or prints it.
    pub string_literal: bool,
    /// Under a heading about attacks, detection, deny-lists, threat models, indicators or tests.
    pub about_attacks: bool,
    /// Denied in the same sentence or list: "never", "do not", "block", "reject".
    pub negated: bool,
    /// In a table or list of indicators, patterns or commands to deny.
    pub listed: bool,
    /// The file is named as a test, fixture, sample, rule or signature file.
    pub test_file: bool,
    /// Ordered to be done: in the imperative mood, or by a lead such as "Run:".
    pub imperative: bool,
    /// Speaks to the agent (you, the assistant) rather than about something.
    pub to_agent: bool,
    /// Reports what somebody else did or said, in the past or as an example.
    pub reported: bool,
}
