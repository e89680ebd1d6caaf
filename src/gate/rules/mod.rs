//! Rules: what is looked for (rules.md).
//!
//! A rule is data: literals to find first, patterns to run only where a literal stands, and the words that explain a
//! match to a person. A rule is a gate and never a label; the judge decides what a hit means.

pub mod rule;

pub use rule::{RuleId, RuleIdError, Severity};
