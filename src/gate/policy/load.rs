//! Reading a policy: the user's table over the default one, then one strict pass, then what no single key can tell.

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::error::{PolicyError, PolicyErrors};
use super::lines::Lines;
use super::{DEFAULT_TEXT, Policy};
use crate::base::Span;

pub(super) fn parse(text: &str) -> Result<Policy, PolicyErrors> {
    let fail = |lines: &Lines, error| PolicyErrors::new(PolicyError::of_toml(text, lines, &error));
    let user = DeTable::parse(text).map_err(|error| fail(&Lines::default(), error))?;
    let lines = Lines::of(text, user.get_ref());
    let mut merged = DeTable::parse(DEFAULT_TEXT).map_err(|error| fail(&Lines::default(), error))?;
    lay_over(merged.get_mut(), user.into_inner());
    // Every value of the default is valid, so an error's span is one of the user's text.
    let policy = Policy::deserialize(Deserializer::from(merged)).map_err(|error| fail(&lines, error))?;
    PolicyErrors::of(faults(&policy, text, &lines))?;
    Ok(Policy { lines, ..policy })
}

/// Puts each value of `over` in its place in `table`; tables are merged, everything else is replaced.
fn lay_over<'i>(table: &mut DeTable<'i>, over: DeTable<'i>) {
    for (key, value) in over {
        let span = value.span();
        match (table.get_mut(key.get_ref().as_ref()).map(Spanned::get_mut), value.into_inner()) {
            (Some(DeValue::Table(below)), DeValue::Table(above)) => lay_over(below, above),
            (_, value) => {
                table.remove(key.get_ref().as_ref());
                table.insert(key, Spanned::new(span, value));
            }
        }
    }
}

fn faults(policy: &Policy, text: &str, lines: &Lines) -> Vec<PolicyError> {
    let mut faults = Vec::new();
    let mut add = |key: &str, message: String, help: &str| {
        let help = Some(help.to_owned());
        let span: Option<Span> = lines.span(key);
        faults.push(PolicyError { key: Some(key.to_owned()), help, ..PolicyError::at(text, span, message) });
    };
    if let Some((key, message)) = policy.verdict.fault() {
        add(key, message, "the graver or surer the verdict, the harsher the action");
    }
    for (key, message) in policy.judge.faults() {
        add(&key, message, "see `[judge]` in the default policy");
    }
    for (at, exception) in policy.overrides.iter().enumerate() {
        for (key, message, help) in exception.faults() {
            add(&format!("override[{at}]{key}"), message, &help);
        }
    }
    faults
}
