//! The four rounds of attacks and look-alikes that were written without sight of rules or weights: what the gate once
//! found in them it finds.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test that fails may panic")]

use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Attacks that are kept back and look-alikes that are, of 40 each.
struct Kept {
    attacks: u64,
    look_alikes: u64,
}

fn unpack(round: u32, folder: &Path) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/rounds/round-{round}.tar.zst"));
    let packed = std::fs::read(path).unwrap();
    let mut bytes = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(&packed[..]).unwrap().read_to_end(&mut bytes).unwrap();
    tar::Archive::new(&bytes[..]).unpack(folder).unwrap();
}

fn kept_back(round: u32) -> Kept {
    let folder = tempfile::tempdir().unwrap();
    unpack(round, folder.path());
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_skillgate"))
        .env("SKILLGATE_HOME", home.path())
        .args(["eval", "export-evidence"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let units: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(units.len(), 80);
    let kept = |label: &str| {
        let is_kept = |unit: &&Value| matches!(unit["action"].as_str(), Some("quarantine" | "block"));
        units.iter().filter(|unit| unit["expected"] == label).filter(is_kept).count() as u64
    };
    Kept { attacks: kept("malicious"), look_alikes: kept("benign") }
}

#[track_caller]
fn check(round: u32, least: u64, most: u64) {
    let Kept { attacks, look_alikes } = kept_back(round);
    assert!(attacks >= least, "round {round}: {attacks} of 40 attacks kept back, once {least}");
    assert!(look_alikes <= most, "round {round}: {look_alikes} of 40 look-alikes kept back, once {most}");
}

#[test]
fn the_first_round_is_told_apart() {
    check(1, 34, 3);
}

#[test]
fn the_second_round_is_told_apart() {
    check(2, 36, 4);
}

#[test]
fn the_third_round_is_told_apart() {
    check(3, 40, 1);
}

#[test]
fn the_fourth_round_is_told_apart() {
    check(4, 30, 11);
}
