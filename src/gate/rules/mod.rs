//! Rules: what is looked for (rules.md; the files are in `rules/`).
//!
//! A rule is data: literals to find first, patterns to run only where a literal stands, and the words that explain a
//! match to a person. A rule is a gate and never a label; the judge decides what a hit means.
//!
//! In reading order: [`rule`] and [`definition`] are a rule as written, [`load`] reads files of them, [`pattern`] and
//! [`literals`] prove where matches can lie, [`index`] finds the anchors of all rules in one pass, [`program`] runs
//! one rule's patterns in the windows around them, [`set`] is what the rest of the gate sees, [`lint`] judges the
//! rules themselves,
//! [`sigma`] makes rules of Sigma's, [`stats`] counts, [`pages`] writes the reference that people read.

mod anchors;
pub mod builtin;
pub mod category;
pub mod definition;
pub mod examples;
pub mod fault;
mod fields;
mod grams;
mod index;
mod lazy;
mod lint;
mod literals;
mod load;
mod nearby;
pub mod pages;
mod pattern;
mod program;
mod redirects;
pub mod rule;
pub mod set;
pub mod sigma;
pub mod stats;
mod stretch;

pub use category::Category;
pub use definition::Rule;
pub use fault::{RuleErrors, RuleFault};
pub use rule::{RuleId, RuleIdError, Severity};
pub use set::{Disabled, RuleSet, UnknownRule};

#[cfg(test)]
mod loop_tests;
#[cfg(test)]
pub(in crate::gate) mod tests;
