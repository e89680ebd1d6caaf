//! The README's first command, as a stranger runs it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use assert_cmd::Command;

#[test]
fn the_demo_shows_what_passes_and_what_does_not_and_leaves_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let output = Command::cargo_bin("skillgate")
        .unwrap()
        .arg("demo")
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("  a")).collect();
    let noticed = |line: &&&str| ["WARN", "QUARANTINE", "BLOCK"].iter().any(|action| line.contains(action));
    assert!(lines[0].contains("an honest skill") && lines[0].contains("ALLOW"), "{said}");
    assert!(lines[1].contains("BLOCK") && lines[3].contains("BLOCK"), "{said}");
    assert_eq!(lines.iter().filter(noticed).count(), 3, "{said}");
    assert!(said.contains("1 passed byte for byte."), "{said}");
    assert!(!said.contains('\u{1b}'), "no colours into a pipe");
    let left: Vec<_> = temporary.path().read_dir().unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
