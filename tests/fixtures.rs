//! Every case of `quarantine-fixtures/` through `skillgate scan`: hostile ones never simply pass, look-alikes do.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads files and fails by panicking"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    what: String,
    #[serde(rename = "as")]
    kind: String,
    file: Option<String>,
    action: Vec<String>,
    pair: String,
}

#[derive(Debug, Deserialize)]
struct Report {
    action: String,
    rationale: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("quarantine-fixtures")
}

fn cases() -> BTreeMap<String, Expect> {
    let folders =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    folders
        .map(|path| {
            let text = std::fs::read_to_string(path.join("expect.toml")).unwrap();
            (path.file_name().unwrap().to_string_lossy().into_owned(), toml::from_str(&text).unwrap())
        })
        .collect()
}

/// Scans a copy without `expect.toml`, which is no part of the unit.
fn scan(name: &str, expect: &Expect) -> Report {
    let copy = tempfile::tempdir().unwrap();
    let unit = copy.path().join(name);
    copy_folder(&folder().join(name), &unit);
    std::fs::remove_file(unit.join("expect.toml")).unwrap();
    let path = expect.file.as_ref().map_or(unit.clone(), |file| unit.join(file));
    let output = Command::cargo_bin("skillgate")
        .unwrap()
        .env("SKILLGATE_HOME", copy.path().join("home"))
        .args(["scan", "--format", "jsonl", "--as", &expect.kind])
        .arg(path)
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), 1, "{name}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&lines).unwrap()
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn every_case_gets_the_action_it_deserves() {
    let wrong: Vec<String> = cases()
        .iter()
        .map(|(name, expect)| (name, expect, scan(name, expect)))
        .filter(|(_, expect, report)| !expect.action.contains(&report.action))
        .map(|(name, expect, report)| {
            format!("{name} ({}): {} — {}", expect.what, report.action, report.rationale)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn half_of_the_cases_are_honest_and_each_has_its_pair() {
    let cases = cases();
    assert!(cases.len() >= 24, "{}", cases.len());
    let honest = |expect: &Expect| expect.action.iter().any(|action| action == "allow");
    assert_eq!(cases.values().filter(|expect| honest(expect)).count() * 2, cases.len());
    for (name, expect) in &cases {
        let pair = &cases[&expect.pair];
        assert!(pair.pair == *name && honest(pair) != honest(expect), "{name}");
    }
}
