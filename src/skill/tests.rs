use std::collections::BTreeSet;

use proptest::prelude::*;

use super::codes::CODES;
use super::{ResourceKind, Skill};
use crate::base::{File, FileTree, Mode, RelPath, Unread, UnreadReason};

fn tree(files: &[(&str, &[u8])]) -> FileTree {
    files.iter().map(|(path, bytes)| (RelPath::new(*path).unwrap(), File::regular(*bytes))).collect()
}

fn skill(text: &str) -> Skill {
    Skill::parse(&tree(&[("SKILL.md", text.as_bytes())]))
}

fn codes(skill: &Skill) -> Vec<&str> {
    skill.diagnostics.iter().map(|diagnostic| diagnostic.code.as_ref()).collect()
}

#[test]
fn a_skill_is_read_with_all_its_files() {
    let mut tree = tree(&[
        ("SKILL.md", b"---\nname: pdf-notes\ndescription: Reads notes.\n---\n# Notes\n\nRun `x`.\n"),
        ("scripts/x.sh", b"#!/bin/sh\n"),
        ("docs/SKILL.md", b"# inner"),
        ("logo.png", b"\x89PNG\r\n\x1a\n"),
    ]);
    let script = File { mode: Mode::Executable, ..File::regular(*b"echo") };
    tree.insert(RelPath::new("run").unwrap(), script);
    let skill = Skill::parse(&tree);
    assert_eq!(skill.name.as_ref().unwrap().value, "pdf-notes");
    assert_eq!(skill.name.as_ref().unwrap().span.of(&skill.text), Some("pdf-notes"));
    assert_eq!(skill.description.as_ref().unwrap().value, "Reads notes.");
    assert_eq!(skill.body.of(&skill.text), Some("# Notes\n\nRun `x`.\n"));
    assert_eq!(skill.blocks[0].span.of(&skill.text), Some("# Notes"));
    let resources: Vec<_> =
        skill.resources.iter().map(|file| (file.path.as_str(), file.kind, file.mode)).collect();
    let expected = [
        ("docs/SKILL.md", ResourceKind::Markdown, Mode::Regular),
        ("logo.png", ResourceKind::Media, Mode::Regular),
        ("run", ResourceKind::Text, Mode::Executable),
        ("scripts/x.sh", ResourceKind::Script("shell"), Mode::Regular),
    ];
    assert_eq!(resources, expected);
    assert_eq!(codes(&skill), [""; 0]);
}

/// A file for each complaint, with exactly the codes that it brings about.
const COMPLAINTS: &[(&str, &[&str])] = &[
    ("", &["skill-file-empty"]),
    ("\u{feff} \n", &["skill-file-empty"]),
    ("# Just text\n", &["front-matter-missing"]),
    ("---\nname: a\n---\n", &["description-missing"]),
    ("---\nname: a\ndescription:\n---\n", &["description-missing"]),
    ("---\nname: a\ndescription: '  '\n---\n", &["description-missing"]),
    ("---\nname: [a]\ndescription: d\n---\n", &["name-missing"]),
    ("---\ndescription: d\n---\n", &["name-missing"]),
    ("---\nname: 1.5\ndescription: true\n---\n", &["not-text", "name-format", "not-text"]),
    ("---\nname: 007\ndescription: d\n---\n", &["not-text"]),
    ("---\nname: My Skill\ndescription: d\n---\n", &["name-format"]),
    ("---\nname: -a\ndescription: d\n---\n", &["name-format"]),
    ("---\nname: a--b\ndescription: d\n---\n", &["name-format"]),
    ("---\nname: 名前\ndescription: d\n---\n", &["name-not-ascii"]),
    ("---\nname: a\ndescription: |\n  d\n---\n", &["description-block"]),
    ("---\nname: a\ndescription: one\n  two\n---\n", &["description-wrapped"]),
    ("---\nname: a\ndescription:\n  one\n---\n", &["description-wrapped"]),
    ("---\nname: a\ndescription: d: e\n---\n", &["front-matter-colon"]),
    ("---\nname: a\ndescription: d\n---\nx\n\n---\n\ny\n\n---\n", &["body-dashes"]),
    ("---\nname: a\ndescription: d\n---\nx\n\n***\n", &[]),
    ("---\nname: a\ndescription: d\n---\n```sh\nls\n", &["code-unclosed"]),
    ("---\nname: a\ndescription: d\n---\n---\nb: c\n---\n", &["front-matter-second", "body-dashes"]),
];

#[test]
fn each_complaint_has_its_file() {
    for (text, expected) in COMPLAINTS {
        assert_eq!(codes(&skill(text)), *expected, "{text:?}");
    }
    let long = format!("---\nname: {}\ndescription: {}\n---\n", "n".repeat(65), "é".repeat(1025));
    assert_eq!(codes(&skill(&long)), ["name-format", "description-long"]);
    let fits = format!("---\nname: {}\ndescription: {}\n---\n", "n".repeat(64), "é".repeat(1024));
    assert_eq!(codes(&skill(&fits)), [""; 0]);
}

#[test]
fn the_main_file_is_found_by_name() {
    let good = b"---\nname: a\ndescription: d\n---\n";
    assert_eq!(codes(&Skill::parse(&tree(&[("skill.md", good)]))), ["skill-file-case"]);
    let both = Skill::parse(&tree(&[("SKILL.MD", b"x"), ("SKILL.md", good), ("skill.md", b"y")]));
    assert_eq!(both.file.unwrap().as_str(), "SKILL.md");
    assert_eq!(both.resources.len(), 2);
    let mut without = tree(&[("sub/SKILL.md", good)]);
    let unread =
        Unread { path: "SKILL.md".to_owned(), reason: UnreadReason::TooLarge, detail: "9 MiB".to_owned() };
    without.note_unread(unread);
    let without = Skill::parse(&without);
    assert_eq!(codes(&without), ["skill-file-missing"]);
    assert_eq!(without.diagnostics[0].notes, ["it was not read (too-large): 9 MiB"]);
    assert_eq!((&*without.text, without.blocks.len()), ("", 0));
}

#[test]
fn other_encodings_are_read_and_named() {
    let wide: Vec<u8> = "\u{feff}---\nname: é\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = Skill::parse(&tree(&[("SKILL.md", &wide)]));
    assert_eq!(wide.name.as_ref().unwrap().value, "é");
    assert!(codes(&wide).contains(&"not-utf8"));
    let latin = Skill::parse(&tree(&[("SKILL.md", b"---\nname: a\ndescription: caf\xe9\n---\n")]));
    assert_eq!(codes(&latin), ["not-utf8"]);
}

#[test]
fn a_file_of_ten_megabytes_is_read() {
    let text = format!("---\nname: a\ndescription: d\n---\n{}", "word `code` [x](y)\n\n".repeat(500_000));
    let skill = skill(&text);
    assert_eq!(skill.blocks.len(), 500_000);
    assert_eq!(codes(&skill), ["skill-file-large"]);
}

#[test]
fn codes_are_kebab_case_in_order_and_once() {
    let is_kebab = |code: &str| {
        code.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    assert!(CODES.iter().all(|(code, what)| is_kebab(code) && !what.is_empty()));
    assert!(CODES.is_sorted_by(|a, b| a.0 < b.0));
}

#[test]
fn each_code_is_brought_about_by_a_test() {
    let tests = [include_str!("tests.rs"), include_str!("front_matter/tests.rs")];
    let missing: BTreeSet<&str> = CODES
        .iter()
        .map(|(code, _)| *code)
        .filter(|code| !tests.iter().any(|test| test.contains(&format!("\"{code}\""))))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

proptest! {
    #[test]
    fn no_bytes_make_parsing_fail(bytes in prop::collection::vec(any::<u8>(), 0..200), front in any::<bool>()) {
        let start: &[u8] = if front { b"---\nname: " } else { b"" };
        let skill = Skill::parse(&tree(&[("SKILL.md", &[start, &bytes].concat()), ("x", &bytes)]));
        for span in skill.diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
            prop_assert!(span.of(&skill.text).is_some());
        }
        for block in &skill.blocks {
            prop_assert!(block.span.of(&skill.text).is_some());
            prop_assert!(skill.body.covers(block.span));
        }
        for words in skill.name.iter().chain(&skill.description) {
            prop_assert!(words.span.of(&skill.text).is_some());
        }
    }
}
