//! The pages under docs/rules are those that `skillgate rules docs` writes from the rules of now.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads and writes files and fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Every file of a folder by its name.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
    };
    entries.map(named).collect()
}

#[test]
fn the_committed_pages_are_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    Command::cargo_bin("skillgate").unwrap().args(["rules", "docs"]).arg(folder.path()).assert().success();
    let written = files(folder.path());
    let committed = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules"));
    let names = written.keys().chain(committed.keys());
    let stale: Vec<_> = names.filter(|name| written.get(*name) != committed.get(*name)).collect();
    assert!(
        stale.is_empty(),
        "run `cargo run -- rules docs docs/rules` and remove what is left over: {stale:?}"
    );
}
