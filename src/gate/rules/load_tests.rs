//! What the loader accepts and how it complains.

use super::{Care, load};
use crate::gate::rules::definition::{Detection, Within};
use crate::gate::rules::tests::{rule, rule_text};

#[track_caller]
fn check_fault(lines: &str, expected: &str) {
    let mut faults = Vec::new();
    load("t.toml", &rule_text(lines), Care::Strict, &mut faults);
    let shown: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(shown, [expected], "{lines}");
}

#[test]
fn faults_name_line_column_and_nearest_name() {
    check_fault(
        "any = ['curl']\nsevrity = 'high'",
        "t.toml:10:1: EXFIL-001: unknown key `sevrity` (did you mean `severity`?)",
    );
    check_fault(
        "severity = 'hihg'\nany = ['curl']",
        "t.toml:8:12: EXFIL-001: `hihg` is no severity (did you mean `high`?)",
    );
    check_fault(
        "category = 'exfil'\nany = ['curl']",
        "t.toml:8:12: EXFIL-001: `exfil` is no category (one of defense-evasion, execution, risky-commands, \
         credential-access, persistence, impact, obfuscation, exfiltration, discovery, command-and-control, \
         privilege-escalation, collection, initial-access, lateral-movement, reconnaissance, resource-development, \
         instruction-override, tool-poisoning, tool-shadowing, concealment, consent-bypass, agent-config, \
         endpoint-redirection, supply-chain, wallet-theft, phishing, self, structural)",
    );
    check_fault("any = ['curl(']", "t.toml:9:13: EXFIL-001: this is no pattern: unclosed group");
    check_fault("any = ['curl', 3]", "t.toml:9:16: EXFIL-001: `any` takes a list of strings, not integer");
    check_fault("title = ' '\nany = ['curl']", "t.toml:8:9: EXFIL-001: `title` is empty");
    check_fault(
        "any = ['curl']\nscope = ['proze']",
        "t.toml:10:10: EXFIL-001: `proze` is no scope (did you mean `prose`?)",
    );
    check_fault(
        "id = 'EXFIL'\nany = ['curl']",
        "t.toml:8:6: `EXFIL` is no rule id: it takes a family in capitals, a hyphen and at least three digits, such as `EXFIL-012`",
    );
    check_fault(
        "any = ['[a-z]+']",
        "t.toml:2:6: EXFIL-001: no literal of three characters stands in every match (name `anchors`, or set `anchorless = true` if there can be none)",
    );
    check_fault(
        "all = ['curl', 'wget']\nwithin = 5000",
        "t.toml:10:10: EXFIL-001: `within` takes 1 to 2000 characters, \"line\" or \"block\"",
    );
    check_fault("all = ['curl']\nwithin = 'line'", "t.toml:9:7: EXFIL-001: `all` takes 2 patterns or more");
    check_fault(
        "any = ['curl']\ndetector = 'x'",
        "t.toml:2:6: EXFIL-001: a rule has exactly one of `any`, `all` and `detector`",
    );
    check_fault(
        "any = ['[é]url']",
        "t.toml:9:10: EXFIL-001: this is no pattern: Unicode not allowed here (patterns run on bytes; write (?u:…) around a part that needs Unicode)",
    );
}

#[test]
fn every_fault_of_a_file_is_reported() {
    let mut faults = Vec::new();
    let text = rule_text("any = ['curl']\nx = 1") + &rule_text("any = ['(']\ny = 1");
    assert!(load("t.toml", &text, Care::Strict, &mut faults).is_empty());
    assert_eq!(faults.len(), 3, "{faults:?}");
}

#[test]
fn broken_toml_is_a_fault_with_a_place() {
    let mut faults = Vec::new();
    assert!(load("t.toml", "[[rule]]\nid = \n", Care::Strict, &mut faults).is_empty());
    assert_eq!(faults[0].place.line, 2);
}

#[test]
fn anchors_are_derived_where_none_are_named() {
    assert_eq!(rule("any = ['(?i)curl\\s+-d', 'wget']").anchors, ["curl", "wget"]);
    assert_eq!(rule("all = ['[a-z]+', 'wget']\nwithin = 'line'").anchors, ["wget"]);
}

#[test]
fn all_carries_its_distance() {
    let rule = rule("all = ['curl', 'wget']\nwithin = 0x20");
    assert!(matches!(rule.detection, Detection::All { within: Within::Characters(32), .. }));
}
