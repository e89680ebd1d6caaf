//! Every rule file loads, passes the lint, and every rule does what its examples say.
//!
//! `SKILLGATE_RULES=exfiltration` looks only at files whose name holds that text. Files are read from `rules/`, not from the
//! build, so that the test speaks of what stands in them now.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the rule files and its environment, and fails by panicking"
)]

use std::fmt::Display;
use std::path::Path;

use skillgate::gate::rules::builtin::FILES;
use skillgate::gate::rules::{RuleSet, examples};

/// Name and text of the chosen rule files.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chosen = std::env::var("SKILLGATE_RULES").unwrap_or_default();
    let names = FILES.iter().map(|(name, _)| *name).filter(|name| name.contains(&chosen));
    names.map(|name| (name.to_owned(), std::fs::read_to_string(root.join(name)).unwrap())).collect()
}

fn rules() -> RuleSet {
    let files = files();
    RuleSet::from_sources(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
        .unwrap_or_else(|errors| panic!("rule files with faults:\n{errors}"))
}

fn listed(faults: &[impl Display]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_rule_passes_the_lint() {
    let faults = rules().lint();
    assert!(faults.is_empty(), "{} complaints:\n{}", faults.len(), listed(&faults));
}

#[test]
fn every_rule_matches_its_examples_and_nothing_else() {
    let faults = examples::check(&rules());
    assert!(faults.is_empty(), "{} wrong examples:\n{}", faults.len(), listed(&faults));
}

#[test]
fn the_compiled_in_rules_are_those_of_the_files() {
    let read = RuleSet::from_sources(FILES.iter().copied()).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(RuleSet::builtin().digest(), read.digest());
    assert_eq!(RuleSet::builtin().len(), read.len());
}
