//! Kinds of attack, through the scan command: what must be found in a skill and in a tool's answer, and the honest words
//! that look like it. The texts stand in `tests/fixtures/kinds/`, a file for each group of kinds.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests run the program, read and write files and fail by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

/// One kind of attack.
#[derive(Deserialize)]
struct Kind {
    /// Rules of which one must hit every attack, with high severity; none may hit an honest text with it.
    rules: Vec<String>,
    attacks: Vec<String>,
    honest: Vec<String>,
}

#[derive(Deserialize)]
struct Kinds {
    kind: Vec<Kind>,
}

fn kinds() -> Vec<Kind> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kinds");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| -> Kinds { toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    files.into_iter().flat_map(|path| read(path).kind).collect()
}

/// Every text of the kinds, with the rules it is for and whether it is an attack.
fn texts(kinds: &[Kind]) -> Vec<(&Kind, &str, bool)> {
    let mut texts = Vec::new();
    for kind in kinds {
        texts.extend(kind.attacks.iter().map(|text| (kind, text.as_str(), true)));
        texts.extend(kind.honest.iter().map(|text| (kind, text.as_str(), false)));
    }
    texts
}

/// The rules that hit with high or critical severity, for every unit in turn.
fn grave_hits(kind: &str, paths: &[PathBuf]) -> Vec<Vec<String>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skillgate"));
    let home = paths[0].with_file_name("no-home");
    command.args(["scan", "--format", "json", "--judge", "embedded", "--as", kind]).args(paths);
    let done = command.env("SKILLGATE_HOME", home).output().unwrap();
    let units: Vec<Value> =
        serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    assert_eq!(units.len(), paths.len());
    let grave = |hit: &&Value| hit["severity"] == "high" || hit["severity"] == "critical";
    let rules = |unit: &Value| {
        let hits = unit["hits"].as_array().unwrap().iter().filter(grave);
        hits.map(|hit| hit["rule"].as_str().unwrap().to_owned()).collect()
    };
    units.iter().map(rules).collect()
}

fn check(scanned_as: &str, write: impl Fn(&Path, &str) -> PathBuf) {
    let kinds = kinds();
    let texts = texts(&kinds);
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = texts
        .iter()
        .enumerate()
        .map(|(nth, (_, text, _))| write(&folder.path().join(format!("{nth:04}")), text))
        .collect();
    let hits = grave_hits(scanned_as, &paths);
    let wrong = texts
        .iter()
        .zip(hits)
        .filter(|((kind, _, attack), hits)| hits.iter().any(|hit| kind.rules.contains(hit)) != *attack);
    let wrong: Vec<String> = wrong
        .map(|((kind, text, attack), hits)| {
            let what = if *attack { "missed" } else { "false alarm" };
            format!("{what}: {text:?}\n    for {:?}, hit by {hits:?}", kind.rules)
        })
        .collect();
    assert!(wrong.is_empty(), "{} texts as {scanned_as}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_kind_is_found_in_a_skill_and_its_honest_likeness_is_not() {
    check("skill", |path, text| {
        std::fs::create_dir(path).unwrap();
        let skill = format!("---\nname: notes\ndescription: Helps with work.\n---\n\n{text}\n");
        std::fs::write(path.join("SKILL.md"), skill).unwrap();
        path.to_owned()
    });
}

#[test]
fn every_kind_is_found_in_an_answer_and_its_honest_likeness_is_not() {
    check("mcp", |path, text| {
        let content = json!([{"type": "text", "text": text}]);
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": content}});
        let path = path.with_extension("json");
        std::fs::write(&path, answer.to_string()).unwrap();
        path
    });
}
