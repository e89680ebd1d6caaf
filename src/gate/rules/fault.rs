//! What is wrong with a rule file: the loader's errors and the lint's complaints have one form.

use super::definition::Place;
use super::{Rule, RuleId};
use crate::base::diagnostic::Diagnostic;
use crate::base::printable;

/// One thing wrong with a rule file, at a place that a person can open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}:{}: {}{message}{}", printable(&place.file), place.line, place.column, of_rule(rule.as_ref()), hint(help.as_ref()))]
pub struct RuleFault {
    /// A permanent kebab-case code (`unknown-key`, `unbounded-gap`, …).
    pub code: &'static str,
    /// The file, line and column.
    pub place: Place,
    /// The rule, where its id could be read.
    pub rule: Option<RuleId>,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: Option<String>,
}

impl RuleFault {
    /// A complaint about a whole rule.
    pub(super) fn of(rule: &Rule, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            place: rule.place.clone(),
            rule: Some(rule.id.clone()),
            message: message.into(),
            help: None,
        }
    }

    /// The same with advice.
    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<&RuleFault> for Diagnostic {
    fn from(fault: &RuleFault) -> Self {
        let message = format!("{}{}", of_rule(fault.rule.as_ref()), fault.message);
        let diagnostic = Self::error(fault.code, message).in_file(&*fault.place.file).at(fault.place.span);
        Self { help: fault.help.clone(), ..diagnostic }
    }
}

fn of_rule(rule: Option<&RuleId>) -> String {
    rule.map_or_else(String::new, |id| format!("{id}: "))
}

fn hint(help: Option<&String>) -> String {
    help.map_or_else(String::new, |help| format!(" ({help})"))
}

/// Why a rule set could not be made: every fault of every file, in order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", listed(.0))]
pub struct RuleErrors(pub Vec<RuleFault>);

fn listed(faults: &[RuleFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
