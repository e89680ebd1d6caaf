//! Runs a rule's own examples: every `match` text must give a hit of it, no `no_match` text may.
//!
//! An example is scanned as each kind of document that the rule's scope fits: instructions, a code fence, front
//! matter, a script, a comment in it, an MCP field. One hit is enough for `match`; for `no_match` one is too many.

use super::fault::RuleFault;
use super::{Rule, RuleSet};
use crate::base::Digest;
use crate::gate::context::{Scope, Scopes};
use crate::gate::{Document, Kind, Part, Role, scan};

/// Checks the examples of every rule in a set.
pub fn check(rules: &RuleSet) -> Vec<RuleFault> {
    let mut faults = Vec::new();
    for rule in rules.iter() {
        let alone = rules.only(&rule.id);
        let missed = rule.examples.matching.iter().filter(|text| !is_hit(rule, &alone, text));
        faults.extend(missed.map(|text| fault(rule, "example-missed", "does not match its example", text)));
        let hit = rule.examples.clean.iter().filter(|text| is_hit(rule, &alone, text));
        faults.extend(hit.map(|text| fault(rule, "example-hit", "matches what it must not", text)));
    }
    faults
}

fn fault(rule: &Rule, code: &'static str, what: &str, text: &str) -> RuleFault {
    RuleFault::of(rule, code, format!("{what}: {text:?}"))
}

/// Whether one of the documents that an example stands for has a hit of the rule, which is alone in its set.
pub(super) fn is_hit(rule: &Rule, alone: &RuleSet, text: &str) -> bool {
    documents(rule.scope, text)
        .any(|document| scan(&document, alone).hits.iter().any(|hit| hit.rule == rule.id))
}

/// The example as each kind of document that fits the scope.
fn documents(scope: Scopes, text: &str) -> impl Iterator<Item = Document> {
    let dress = move |scope: Scope| match scope {
        Scope::Prose => document("SKILL.md", Role::Instructions, text.to_owned()),
        Scope::Code => document("SKILL.md", Role::Instructions, format!("~~~~~~~~\n{text}\n~~~~~~~~\n")),
        Scope::Frontmatter => document(
            "SKILL.md",
            Role::Instructions,
            format!("---\ndescription: |\n  {}\n---\n", indented(text)),
        ),
        Scope::Comment => document("run.sh", Role::Script, format!("# {}\n", text.replace('\n', "\n# "))),
        Scope::Script => document("run.sh", Role::Script, text.to_owned()),
        Scope::Mcp => document("result.content[0].text", Role::Field, text.to_owned()),
    };
    // A rule without limits is tried as what an agent reads and as what it runs.
    let fitting =
        if scope == Scopes::ANY { [Scope::Prose, Scope::Script].into_iter().collect() } else { scope };
    fitting.iter().map(dress)
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

fn document(path: &str, role: Role, text: String) -> Document {
    Document {
        kind: if role == Role::Field { Kind::Mcp } else { Kind::Package },
        name: String::new(),
        description: String::new(),
        digest: Digest::of_bytes(text.as_bytes()),
        bytes: text.len() as u64,
        parts: vec![Part { path: path.to_owned(), role, text: text.into() }],
        unread: Vec::new(),
        anomalies: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::gate::rules::RuleSet;
    use crate::gate::rules::tests::rule_text;

    #[test]
    fn wrong_examples_are_named() {
        let text =
            rule_text("any = ['curl']\nexamples = { match = ['curl', 'wget'], no_match = ['a', 'xcurl'] }");
        let faults = check(&RuleSet::from_sources([("t.toml", text.as_str())]).unwrap());
        let shown: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "t.toml:1:1: EXFIL-001: does not match its example: \"wget\"",
                "t.toml:1:1: EXFIL-001: matches what it must not: \"xcurl\""
            ]
        );
    }
}
