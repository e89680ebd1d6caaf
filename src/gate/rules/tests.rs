//! Rules for the tests of this room.

use super::Rule;
use super::load::{Care, load};

/// A complete rule around the lines under test.
pub(in crate::gate) fn rule_text(lines: &str) -> String {
    let own = |key: &str, value: &str| {
        if lines.lines().any(|line| line.starts_with(key)) {
            String::new()
        } else {
            format!("{key} = {value}\n")
        }
    };
    let fields = [
        ("id", "\"EXFIL-001\""),
        ("title", "\"t\""),
        ("description", "\"d\""),
        ("remediation", "\"r\""),
        ("category", "\"exfiltration\""),
        ("severity", "\"high\""),
        ("confidence", "\"low\""),
    ];
    let fields: String = fields.iter().map(|(key, value)| own(key, value)).collect();
    format!("[[rule]]\n{fields}{lines}\n[rule.source]\nkind = \"own\"\n")
}

/// The rule of these lines.
#[track_caller]
pub(in crate::gate) fn rule(lines: &str) -> Rule {
    let mut faults = Vec::new();
    let mut rules = load("t.toml", &rule_text(lines), Care::Strict, &mut faults);
    assert!(faults.is_empty(), "{faults:?}");
    rules.remove(0)
}
