//! Reports: a folder with a page, curves and cases.

use std::fs;

use serde_json::Value;

use super::{corpus, gate, index};

#[test]
fn a_report_is_a_folder_that_needs_nothing_else_and_escapes_what_others_wrote() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    index(
        folder.path(),
        &[
            r#"{"id":"<script>alert(1)</script>","dir":"malicious/a","label":"malicious","category":"<img src=x onerror=y>"}"#,
            r#"{"id":"../../escape","dir":"benign/b","label":"malicious","provenance":"\"><svg/onload=z>\u202e"}"#,
        ],
    );
    let report = folder.path().join("reports/first");
    let to = ["--report", report.to_str().unwrap()];
    assert!(gate(folder.path(), &to).status.success());
    let read = |name: &str| fs::read_to_string(report.join(name)).unwrap();
    let page = read("index.html");
    for foreign in ["<script", "<img", "<svg/", "\u{202e}"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("&lt;img src=x onerror=y&gt;") && page.contains("prefers-color-scheme: dark"));
    let own = page.replace("&lt;img src=x", "");
    assert!(
        own.contains("default-src 'none'") && !own.contains("<link") && !own.contains("src="),
        "no network"
    );
    assert!(page.contains("Thresholds, ") && page.contains("(in-sample)"), "details are in the report");
    let svg = read("precision-recall-1.svg");
    assert!(svg.starts_with("<svg xmlns=") && svg.contains("AUPRC") && !svg.contains("<svg/"), "{svg}");
    let metrics: Value = serde_json::from_str(&read("metrics.json")).unwrap();
    assert_eq!((&metrics["report"], &metrics["schema"]), (&"skillgate-eval".into(), &1.into()));
    let cases: Vec<Value> =
        read("cases.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 5);
    assert_eq!(
        (&cases[0]["id"], &cases[0]["action"], &cases[0]["label"]),
        (&"a".into(), &"block".into(), &"malicious".into())
    );
    assert!(cases[0]["score"].as_f64().unwrap() > 0.5 && !cases[0]["rules"].as_array().unwrap().is_empty());
    assert_eq!((&cases[1]["score"], &cases[1]["verdict"]), (&0.0.into(), &Value::Null));
    let names: Vec<_> = fs::read_dir(folder.path().join("reports")).unwrap().collect();
    assert_eq!(names.len(), 1, "no name from a corpus is a file's");
}

#[test]
fn a_report_replaces_older_reports_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let report = folder.path().join("report");
    let to = ["--report", report.to_str().unwrap()];
    assert!(gate(folder.path(), &to).status.success());
    let stale = report.join("thresholds-9.svg");
    fs::write(&stale, "old").unwrap();
    fs::write(report.join("notes.txt"), "mine").unwrap();
    assert!(gate(folder.path(), &to).status.success());
    assert!(!stale.exists() && report.join("notes.txt").exists() && report.join("thresholds-1.svg").exists());
    fs::write(report.join("metrics.json"), "{}").unwrap();
    let page = fs::read(report.join("index.html")).unwrap();
    let done = gate(folder.path(), &to);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.code() == Some(2) && said.contains("no report of `skillgate eval`"), "{said}");
    assert!(done.stdout.is_empty(), "nothing is judged for a report that cannot be written");
    assert_eq!(fs::read(report.join("index.html")).unwrap(), page);
}

/// A policy whose judge is a program: MALICIOUS 0.9 where the word `marker` is in what it is sent, else SAFE 0.8.

#[test]
fn a_report_names_what_was_wrong_and_mixes_nothing_in_that_it_says_is_apart() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    index(
        folder.path(),
        &[
            r#"{"id":"passed-by","dir":"benign/b","label":"malicious","category":"theft"}"#,
            r#"{"id":"lesson","dir":"malicious/a","label":"benign","security_themed":true,"category":"lesson"}"#,
            r#"{"id":"one","dir":"benign/b","label":"benign","category":"plain"}"#,
            r#"{"id":"two","dir":"benign/b","label":"benign","category":"plain"}"#,
        ],
    );
    let report = folder.path().join("report");
    let done = gate(folder.path(), &["--judge", "embedded", "--report", report.to_str().unwrap()]);
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}");
    let page = fs::read_to_string(report.join("index.html")).unwrap();
    let (missed, alarms) = page
        .split_once("<h2")
        .unwrap()
        .1
        .split_once(">Missed<")
        .unwrap()
        .1
        .split_once(">False alarms<")
        .unwrap();
    assert!(missed.contains("passed-by") && alarms.contains("lesson"), "{page}");
    assert!(page.contains("Precision and recall: ") && page.contains("Thresholds: "));
    let table = |by: &str| said.split(by).nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(!table("By category").contains("lesson") && table("By set").contains("about security"), "{said}");
    let cases = fs::read_to_string(report.join("cases.jsonl")).unwrap();
    let cases: Vec<Value> = cases.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let unasked = cases.iter().find(|case| case["id"] == "one").unwrap();
    assert_eq!((&unasked["verdict"], &unasked["confidence"]), (&Value::Null, &Value::Null));
    let policy = |line: &str| line.lines().find(|line| line.starts_with("policy ")).map(str::to_owned);
    let by_policy = String::from_utf8(gate(folder.path(), &[]).stdout).unwrap();
    assert_eq!(policy(&said), policy(&by_policy), "whoever is asked to judge, the policy is the same");
}

#[test]
fn a_family_that_holds_all_units_of_a_kind_is_told() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let line = |id: &str| {
        format!(
            r#"{{"id":"{id}","dir":"benign/b","label":"benign","category":"none","provenance":"hand-crafted"}}"#
        )
    };
    index(folder.path(), &[&line("one"), &line("two")]);
    let said = String::from_utf8(gate(folder.path(), &[]).stdout).unwrap();
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("all benign units are of one family"), "{said}");
}

/// What is said of an index of these lines; it is refused.
#[track_caller]
#[test]
fn a_file_is_no_place_for_a_report() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let done = gate(folder.path(), &["--report", folder.path().join("m.json").to_str().unwrap()]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.code() == Some(2) && said.contains("is a file: name a new folder"), "{said}");
}
