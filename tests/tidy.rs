//! The house keeps its shape: arrows point one way, files and functions stay short, every module says what it is for.
//!
//! docs/architecture.md states these rules for people; here they fail a build.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads files and fails by panicking"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The rooms and what each may read of the others. A room that is not listed does not exist.
const MAY_READ: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("skill", &["base"]),
    ("mcp", &["base"]),
    ("gate", &["base", "skill", "mcp"]),
    ("io", &["base", "skill", "mcp", "gate"]),
    ("daemon", &["base", "skill", "mcp", "gate", "io"]),
    ("bridge", &["base", "skill", "mcp", "gate", "io", "daemon"]),
    ("eval", &["base", "skill", "mcp", "gate", "io", "daemon"]),
    ("cli", &["base", "skill", "mcp", "gate", "io", "daemon", "bridge", "eval"]),
];

/// The longest file, tests included.
const LONGEST_FILE: usize = 500;

/// The longest function.
const LONGEST_FUNCTION: usize = 60;

/// What the pure rooms never name, word lists in backticks apart.
const NOT_IN_THE_CORE: &[&str] = &[
    "tokio::",
    "reqwest::",
    "clap::",
    "std::fs",
    "std::env::",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "std::process",
];

#[test]
fn rooms_read_only_the_rooms_above_them() {
    let read = Regex::new(r"\bcrate::(\w+)").unwrap();
    let faults = each_source(|room, file, text| {
        let allowed = MAY_READ.iter().find(|(name, _)| *name == room).map(|(_, allowed)| *allowed);
        let Some(allowed) = allowed else { return vec![format!("{file}: `{room}` is no room of the house")] };
        let outside = |name: &&str| *name != room && !allowed.contains(name) && is_room(name);
        let names = read.captures_iter(text).filter_map(|found| found.get(1)).map(|name| name.as_str());
        names.filter(outside).map(|name| format!("{file}: `{room}` reads `{name}`")).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_core_touches_nothing() {
    let faults = each_source(|room, file, text| {
        if !["base", "skill", "mcp", "gate"].contains(&room) {
            return Vec::new();
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let named = NOT_IN_THE_CORE
            .iter()
            .filter(|name| code_lines(code).any(|line| !line.contains('`') && line.contains(**name)));
        named.map(|name| format!("{file}: the core names `{name}`")).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_and_functions_are_short() {
    let faults = each_source(|_, file, text| {
        let lines = text.lines().count();
        let file_fault =
            (lines > LONGEST_FILE).then(|| format!("{file}: {lines} lines, over {LONGEST_FILE}"));
        file_fault.into_iter().chain(long_functions(file, text)).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    let faults = each_source(|_, file, text| {
        let is_tests = file.ends_with("tests.rs");
        if text.starts_with("//!") || is_tests {
            vec![]
        } else {
            vec![format!("{file}: no `//!` comment at its head")]
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX", "#[ignore"];
    let faults = each_source(|_, file, text| {
        let found = marks.iter().filter(|mark| text.contains(**mark));
        found.map(|mark| format!("{file}: {mark}")).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs a check over every source file and collects its faults: room, path, text.
fn each_source(check: impl Fn(&str, &str, &str) -> Vec<String>) -> Vec<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for (path, text) in sources(&src) {
        let inside = path.strip_prefix(&src).unwrap();
        let room = inside.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
        if !["lib", "main", "train-judge"].contains(&room.as_str()) {
            faults.extend(check(&room, &format!("src/{}", inside.display()), &text));
        }
    }
    faults
}

fn sources(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.insert(path, text);
        }
    }
    found
}

fn is_room(name: &str) -> bool {
    MAY_READ.iter().any(|(room, _)| *room == name)
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
}

/// Functions from the line of `fn` to the closing brace at the same indentation, as rustfmt lays them out.
fn long_functions(file: &str, text: &str) -> Vec<String> {
    let head = Regex::new(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?fn (\w+)").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let length = |at: usize, indent: &str| {
        let close = format!("{indent}}}");
        lines[at..].iter().position(|line| *line == close).map(|length| length + 1)
    };
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.trim_end().ends_with('}'))
        .filter_map(|(at, line)| {
            let found = head.captures(line)?;
            let length = length(at, &found[1])?;
            (length > LONGEST_FUNCTION)
                .then(|| format!("{file}:{}: `{}` has {length} lines", at + 1, &found[2]))
        })
        .collect()
}
