//! From Sigma rules to rules that have sense in text (rules/README.md, "Sigma").
//!
//! Sigma speaks of events on a machine; a skill is text that makes such events happen. What an event's command line,
//! script or address would hold is looked for in the text. What has no meaning there (a parent process, a user, a
//! filter by path) is left out and told, and a rule of which nothing is left is refused with the reason.
//!
//! Invariants: nothing comes out of here that the loader refuses or the lint complains of, but for examples that only a
//! person can give; no example that was not run. Knows no files: texts come in, texts go out.
//!
//! In reading order: [`document`] reads the YAML, [`condition`] and [`selection`] turn it into [`branches`] of
//! [`piece`]s, [`render`] makes detections of them, [`mod@write`] makes the rule file.

mod branches;
mod condition;
mod document;
mod examples;
mod field;
mod modifiers;
mod piece;
mod render;
mod selection;
mod special;
mod write;

use branches::Branch;
use document::SigmaRule;

use super::RuleId;

/// What came of one Sigma rule.
#[derive(Clone, Debug)]
pub struct Import {
    /// The Sigma rule's title, or nothing where it could not be read.
    pub title: String,
    /// Its id.
    pub id: String,
    /// Rules, or why there are none.
    pub outcome: Outcome,
}

/// What a Sigma rule became.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Rules of ours.
    Translated(Translation),
    /// Nothing, for this reason.
    Refused(String),
}

/// Rules made of one Sigma rule.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Their ids; several where the Sigma rule has alternatives of several parts each.
    pub rules: Vec<RuleId>,
    /// The rules as a rule file.
    pub toml: String,
    /// Conditions that were left out; without any, the rule says all that the Sigma rule says.
    pub losses: Vec<String>,
    /// Examples that were derived from the selections, and hold.
    pub derived: usize,
    /// Examples that a person has to add before the lint is content.
    pub wanting: usize,
}

/// Translates every Sigma rule of a YAML text.
pub fn import(yaml: &str) -> Vec<Import> {
    match document::read(yaml) {
        Ok(rules) => rules.iter().map(one).collect(),
        Err(reason) => {
            vec![Import { title: String::new(), id: String::new(), outcome: Outcome::Refused(reason) }]
        }
    }
}

fn one(sigma: &SigmaRule) -> Import {
    let outcome = translate(sigma).map_or_else(Outcome::Refused, Outcome::Translated);
    Import { title: sigma.title.clone(), id: sigma.id.clone(), outcome }
}

fn translate(sigma: &SigmaRule) -> Result<Translation, String> {
    let mut losses = Vec::new();
    let branches = condition::branches(&sigma.detection, &mut losses)?;
    let branches: Vec<Branch> = branches.ok_or_else(|| nothing_left(&losses))?;
    let mut said = Vec::new();
    losses.retain(|loss| {
        !said.contains(loss) && {
            said.push(loss.clone());
            true
        }
    });
    write::rules(sigma, render::detections(branches, &mut losses)?, losses)
}

fn nothing_left(losses: &[String]) -> String {
    match losses.first() {
        Some(first) => format!("nothing of it has a meaning in text: {first}"),
        None => "it has no selection that must hold".to_owned(),
    }
}
