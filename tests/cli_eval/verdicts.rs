//! Verdicts that a judge elsewhere gave.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

use super::{corpus, export, gate_json, index};

fn import(folder: &Path, lines: &[String], arguments: &[&str]) -> Output {
    let file = folder.join("verdicts.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    cargo_bin_cmd!("skillgate")
        .args(["eval", "import-verdicts"])
        .args([&file, folder])
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn verdicts_from_elsewhere_come_to_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tiny");
    corpus(&folder);
    index(&folder, &[r#"{"id":"t","dir":"malicious/a","label":"benign","provenance":"hand-crafted"}"#]);
    let exported = String::from_utf8(export(&folder).stdout).unwrap();
    let lines: Vec<String> = exported
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line.get("evidence").is_some())
        .map(|line| {
            let label = if line["expected"] == "benign" { "SAFE" } else { "MALICIOUS" };
            serde_json::json!({ "set": line["set"], "id": line["id"], "label": label, "confidence": 0.9 })
                .to_string()
        })
        .collect();
    assert_eq!(lines.len(), 2);
    let done = import(&folder, &lines, &["--format", "json"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&report["judge"], &report["basis"]), (&"imported".into(), &"imported".into()));
    let crafted = &report["groups"][1];
    assert_eq!(
        (&crafted["provenance"], &crafted["figures"]["mcc"]["value"]),
        (&"hand-crafted".into(), &1.0.into())
    );
    assert!(
        gate_json(&folder, &[])["groups"][1]["figures"]["mcc"]["value"] != 1.0,
        "the embedded judge is not as good"
    );
    assert!(report["latency"].as_array().unwrap().is_empty());
    let more = [lines, vec![r#"{"set":"tiny","id":"b","label":"SAFE","confidence":1}"#.to_owned()]].concat();
    let report = folder.join("report");
    let done = import(&folder, &more, &["--report", report.to_str().unwrap()]);
    assert!(
        String::from_utf8_lossy(&done.stderr).contains("note: 1 verdict of units in which nothing was found")
    );
    assert!(String::from_utf8_lossy(&done.stdout).contains("Flagged (imported verdicts)"));
    assert!(report.join("index.html").exists());
}

#[test]
fn verdicts_that_cannot_be_right_are_named_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tiny");
    corpus(&folder);
    let lines = [
        r#"{"set":"tiny","id":"b","label":"SAFE","confidence":0.5}"#,
        r#"{"set":"tiny","id":"b","label":"SAFE","confidence":0.5}"#,
        r#"{"set":"tiny","id":"nobody","label":"SAFE","confidence":0.5}"#,
        r#"{"set":"other","id":"b","label":"SAFE","confidence":0.5}"#,
        r#"{"set":"tiny","id":"m","label":"safe","confidence":0.5}"#,
        r#"{"set":"tiny","id":"m","label":"SAFE","confidence":NaN}"#,
        r#"{"set":"tiny","id":"m","label":"SAFE","confidence":1.5}"#,
        r#"{"set":"tiny","id":"m","label":"SAFE"}"#,
    ];
    let done = import(&folder, &lines.map(str::to_owned), &[]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2));
    for expected in [
        "verdicts.jsonl` line 2: `b` was judged on line 1 already",
        "line 3: no unit of `tiny` has the id `nobody`",
        "line 4: `b` is of the set `other`, and the corpora are tiny",
        "line 5: the label \"safe\" is none of SAFE, SUSPICIOUS, MALICIOUS",
        "line 6: NaN is no JSON: a confidence is a number from 0 to 1",
        "line 7: the confidence 1.5 is no number from 0 to 1",
        "line 8: missing field `confidence` at column",
        "verdicts.jsonl`: there is no verdict about `a` of `tiny`",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(done.stdout.is_empty());
    let many: Vec<String> = (0..30)
        .map(|nth| format!(r#"{{"set":"tiny","id":"x{nth}","label":"SAFE","confidence":1}}"#))
        .collect();
    assert!(String::from_utf8_lossy(&import(&folder, &many, &[]).stderr).contains("and 11 more"));
}
