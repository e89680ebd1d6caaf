//! `skillgate rules` from outside: what it prints, and with which exit code.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes files and fails by panicking"
)]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Exit code, stdout and stderr of `skillgate rules …`.
fn rules(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::cargo_bin("skillgate").unwrap();
    let output =
        command.current_dir(folder).env("NO_COLOR", "1").arg("rules").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

const RULE: &str = r#"[[rule]]
id = "TEAM-001"
title = "Word of the team"
description = "A word that only the team's tests know."
remediation = "Take another word."
category = "execution"
severity = "high"
confidence = "low"
any = ["teamword"]
[rule.examples]
match = ["a teamword", "teamword b"]
no_match = ["team", "word"]
[rule.source]
kind = "sigma"
id = "11111111-2222-3333-4444-555555555555"
author = "A. Author"
licence = "DRL-1.1"
"#;

#[test]
fn own_rules_are_listed_shown_and_counted_with_the_compiled_in_ones() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("team.toml"), RULE).unwrap();
    let (code, out, _) = rules(&["list", "--with", "team.toml", "--json"], folder.path());
    let ids: Vec<String> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(code, 0);
    assert!(ids.len() > 1 && ids.is_sorted() && ids.contains(&"TEAM-001".to_owned()), "{ids:?}");
    let (_, shown, _) = rules(&["show", "TEAM-001", "--with", "team.toml"], folder.path());
    assert!(shown.contains("Word of the team") && shown.contains("by A. Author (DRL-1.1"), "{shown}");
    let (_, stats, _) = rules(&["stats", "--json", "--with", "team.toml"], folder.path());
    assert_eq!(serde_json::from_str::<Value>(&stats).unwrap()["rules"], ids.len());
}

#[test]
fn stats_stand_beside_the_paper_and_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let count = |arguments: &[&str]| -> Value {
        serde_json::from_str(&rules(&[&["stats", "--json"], arguments].concat(), folder.path()).1).unwrap()
    };
    fs::write(
        folder.path().join("team.toml"),
        RULE.replace("[rule.examples]", "languages = [\"xx\"]\n[rule.examples]"),
    )
    .unwrap();
    let (without, with) = (count(&[]), count(&["--with", "team.toml"]));
    let more =
        |of: &dyn Fn(&Value) -> &Value| of(&with).as_u64().unwrap() - of(&without).as_u64().unwrap_or(0);
    assert_eq!(more(&|stats| &stats["sources"]["sigma"]), 1);
    assert_eq!(more(&|stats| &stats["sources"]["own"]), 0);
    assert_eq!(more(&|stats| &stats["categories"]["execution"]["high"]), 1);
    assert_eq!(more(&|stats| &stats["severities"]["high"]), 1);
    assert_eq!(more(&|stats| &stats["languages"]["xx"]), 1);
    assert_eq!(more(&|stats| &stats["views"]["raw"]), 1);
    let sum: u64 =
        with["severities"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(with["rules"].as_u64(), Some(sum));
    assert_eq!(
        with["paper"]["attack"][0],
        serde_json::json!({
            "categories": ["defense-evasion"], "paper": 62, "own": with["category_sources"]["defense-evasion"]["own"],
        })
    );
    let (_, shown, _) = rules(&["stats"], folder.path());
    assert!(
        shown.contains("PAPER") && shown.contains("428+102") && shown.contains("reconnaissance"),
        "{shown}"
    );
}

#[test]
fn an_unknown_rule_and_an_unknown_category_name_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("team.toml"), RULE).unwrap();
    let (code, _, error) = rules(&["show", "TEAM-011", "--with", "team.toml"], folder.path());
    assert_eq!((code, error.contains("did you mean `TEAM-001`?")), (2, true), "{error}");
    let (code, _, error) = rules(&["list", "--category", "exfiltraton"], folder.path());
    assert_eq!((code, error.contains("did you mean `exfiltration`?")), (2, true), "{error}");
}

#[test]
fn lint_points_at_the_fault_and_exits_with_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.toml"), RULE.replace("severity", "sevrity")).unwrap();
    let (code, out, _) = rules(&["lint", "bad.toml"], folder.path());
    assert_eq!(code, 1);
    assert!(out.contains("unknown key `sevrity`") && out.contains("bad.toml:7:1"), "{out}");
    fs::write(folder.path().join("bad.toml"), RULE.replace("\"word\"", "\"teamword\"")).unwrap();
    let (code, out, _) = rules(&["lint", "bad.toml", "--json"], folder.path());
    let fault: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, fault["code"].as_str()), (1, Some("example-hit")), "{out}");
    fs::write(folder.path().join("good.toml"), RULE).unwrap();
    assert_eq!(rules(&["lint", "good.toml"], folder.path()).0, 0);
}

#[test]
fn test_shows_each_hit_with_its_place_and_the_author_of_its_rule() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("team.toml"), RULE).unwrap();
    fs::create_dir(folder.path().join("skill")).unwrap();
    let text = "---\nname: skill\ndescription: d\n---\n\nNever say \"teamword\".\n<!-- team\u{200b}word\u{1b}[2J -->\n";
    fs::write(folder.path().join("skill/SKILL.md"), text).unwrap();
    let (code, out, _) = rules(&["test", "skill", "--with", "team.toml"], folder.path());
    assert_eq!(code, 0);
    assert!(out.contains("SKILL.md:6: high TEAM-001 Word of the team"), "{out}");
    assert!(out.contains("SKILL.md:7: high TEAM-001") && out.contains("normalised"), "{out}");
    assert!(out.contains("by A. Author") && !out.contains('\u{1b}'), "{out}");
    let (_, out, _) = rules(&["test", "skill", "--with", "team.toml", "--json"], folder.path());
    let first: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!((first["line"].as_u64(), first["rule"].as_str()), (Some(6), Some("TEAM-001")));
}
