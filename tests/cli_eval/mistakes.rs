//! Corpora with mistakes in them, and what lies outside of one.

use std::fs;
use std::path::Path;

use assert_cmd::cargo::cargo_bin_cmd;

use super::{corpus, export, gate, index};

#[test]
fn a_broken_index_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    fs::write(
        folder.path().join("index.jsonl"),
        "{\"id\":\"a\",\"dir\":\"x\",\"label\":\"benign\"}\n{\"id\":\"b\"}\n",
    )
    .unwrap();
    let done = export(folder.path());
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2));
    assert!(said.contains("index.jsonl` line 2") && said.contains("label"), "{said}");
    let done = export(&folder.path().join("nowhere"));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        done.status.code() == Some(2) && said.contains("a corpus is a folder with an index.jsonl"),
        "{said}"
    );
}

#[test]
fn a_label_that_means_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    index(folder.path(), &[r#"{"id":"z","dir":"benign/b","label":"evil"}"#]);
    let done = gate(folder.path(), &[]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2));
    assert!(said.contains("index.jsonl` line 4") && said.contains("`evil` is none of benign"), "{said}");
}

fn refused(folder: &Path, index: &str, words: &str) {
    let path = folder.join("index.jsonl");
    let _ = fs::remove_file(&path);
    fs::write(path, index).unwrap();
    let done = export(folder);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.code() == Some(2) && said.contains(words), "{index}: {said}");
}

#[test]
fn mistakes_in_a_corpus_are_named() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let unit = r#"{"id":"a","dir":"benign/b","label":"benign"}"#;
    for (index, words) in [
        ("\n \n", "there is no unit in it"),
        (&format!("{unit}\n\n{unit}"), "line 3: the id `a` is that of line 1"),
        (r#"{"id":" ","dir":"benign/b","label":"benign"}"#, "the `id` is empty"),
        (r#"{"id":"a","dir":"benign/b","file":"m.json","label":"benign"}"#, "both `dir` and `file`"),
        (
            r#"{"id":"a","dir":"benign/b","label":"benign","tier":"core"}"#,
            "the label is benign and the tier `core`",
        ),
        ("[]", "no JSON object"),
        (r#"{"id":"a","file":"nosuch.json","label":"benign"}"#, "reading `nosuch.json`"),
    ] {
        refused(folder.path(), index, words);
    }
    fs::write(folder.path().join("index.jsonl"), format!("\u{feff}{unit}\n")).unwrap();
    assert!(export(folder.path()).status.success(), "a byte order mark is no mistake");
    let path = folder.path().to_str().unwrap();
    let twice =
        cargo_bin_cmd!("skillgate").args(["eval", "gate", path, &format!("{path}/")]).output().unwrap();
    let said = String::from_utf8_lossy(&twice.stderr).into_owned();
    assert!(twice.status.code() == Some(2) && said.contains("given twice"), "{said}");
}

#[test]
fn nothing_outside_of_a_corpus_is_read() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    corpus(folder.path());
    fs::write(outside.path().join("SKILL.md"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
    let line = |dir: &str| format!(r#"{{"id":"a","dir":"{dir}","label":"malicious"}}"#);
    for dir in [outside.path().to_str().unwrap(), "../..", "benign/../../x", "out"] {
        refused(folder.path(), &line(dir), "lie in their corpus");
    }
}

#[test]
fn a_corpus_with_pipes_and_devices_is_refused_at_once() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let pipe = folder.path().join("pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(folder.path(), r#"{"id":"a","file":"pipe.json","label":"malicious"}"#, "reading `pipe.json`");
    for target in [Path::new("/dev/zero"), &pipe] {
        fs::remove_file(folder.path().join("index.jsonl")).unwrap();
        symlink(target, folder.path().join("index.jsonl")).unwrap();
        let said = String::from_utf8_lossy(&export(folder.path()).stderr).into_owned();
        assert!(said.contains("a pipe, device or folder"), "{said}");
    }
    fs::remove_file(folder.path().join("index.jsonl")).unwrap();
    corpus(folder.path());
    let done = cargo_bin_cmd!("skillgate")
        .args(["eval", "import-verdicts", "/dev/zero"])
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.code() == Some(2) && said.contains("a pipe, device or folder"), "{said}");
}
