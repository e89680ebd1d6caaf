//! The scan command from outside: what a script that calls it relies on.
#![allow(clippy::disallowed_methods, reason = "tests run the program and write files")]

use std::process::{Command, Stdio};

#[test]
fn a_scan_whose_reader_went_away_is_no_clean_scan() {
    let skill = tempfile::tempdir().unwrap();
    std::fs::write(skill.path().join("SKILL.md"), "---\nname: a\ndescription: b\n---\nText.\n").unwrap();
    for format in ["human", "json", "jsonl", "sarif"] {
        let mut scan = Command::new(env!("CARGO_BIN_EXE_skillgate"))
            .args(["scan", "--format", format])
            .arg(skill.path())
            .env("SKILLGATE_HOME", skill.path().join("none"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(scan.stdout.take());
        let done = scan.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!((done.status.code(), said.as_ref()), (Some(2), ""), "{format}");
    }
}
