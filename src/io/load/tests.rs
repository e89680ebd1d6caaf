use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::{Collection, Limits, LoadError, LoadedUnit, UnitKind, load_path};
use crate::base::{Mode, UnreadReason};
use crate::skill::LooseKind;

/// A folder with these files; a name that ends with `/` is a folder.
fn disk(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn load(path: &Path) -> Collection {
    load_path(path, &Limits::default()).unwrap()
}

fn only(path: &Path, limits: &Limits) -> LoadedUnit {
    let collection = load_path(path, limits).unwrap();
    assert_eq!(collection.len(), 1);
    collection.units().next().unwrap()
}

/// Each unit with its files and, after a `!`, what was not read of it.
fn listed(collection: &Collection) -> Vec<String> {
    let line = |unit: LoadedUnit| {
        let files = unit.tree.iter().map(|(path, _)| path.to_string());
        let unread = unit.tree.unread().iter().map(|unread| format!("!{}={}", unread.path, unread.reason));
        format!("{}: {}", unit.path, files.chain(unread).collect::<Vec<_>>().join(" "))
    };
    collection.units().map(line).collect()
}

fn unread(unit: &LoadedUnit) -> Vec<(&str, UnreadReason)> {
    unit.tree.unread().iter().map(|unread| (unread.path.as_str(), unread.reason)).collect()
}

#[test]
fn a_skill_folder_is_one_unit() {
    let dir = disk(&[("x/SKILL.md", "a"), ("x/s/run.sh", "b"), ("x/.git/config", "c"), ("x/.env", "d")]);
    let run = dir.path().join("x/s/run.sh");
    std::fs::set_permissions(run, std::fs::Permissions::from_mode(0o755)).unwrap();
    let unit = only(&dir.path().join("x"), &Limits::default());
    assert_eq!((unit.path.as_str(), unit.name.as_deref(), unit.kind), (".", Some("x"), UnitKind::Skill));
    let files: Vec<_> =
        unit.tree.iter().map(|(path, file)| (path.as_str(), &*file.bytes, file.mode)).collect();
    let expected: [(&str, &[u8], Mode); 4] = [
        (".env", b"d", Mode::Regular),
        (".git/config", b"c", Mode::Regular),
        ("SKILL.md", b"a", Mode::Regular),
        ("s/run.sh", b"b", Mode::Executable),
    ];
    assert_eq!(files, expected);
    assert_eq!((unit.notes.len(), unread(&unit)), (0, vec![(".git", UnreadReason::Git)]));
}

#[test]
fn of_a_checkout_is_read_what_can_run() {
    let dir = disk(&[
        ("SKILL.md", "a"),
        (".git/HEAD", "ref: refs/heads/main"),
        (".git/objects/ab/cdef", "x"),
        (".git/hooks/pre-commit", "b"),
        (".git/hooks/pre-push.sample", "x"),
        (".git/payload.sh", "c"),
        ("sub/.git", "gitdir: ../away"),
    ]);
    let expected = [".: .git/hooks/pre-commit .git/payload.sh SKILL.md sub/.git !.git=git"];
    assert_eq!(listed(&load(dir.path())), expected);
}

#[test]
fn a_skill_whose_main_file_is_a_pipe_is_a_skill() {
    let dir = disk(&[("c/s/notes.md", "a")]);
    make_pipe(&dir.path().join("c/s/SKILL.md"));
    assert_eq!(listed(&load(&dir.path().join("c"))), ["s: notes.md !SKILL.md=special"]);
}

#[test]
fn a_collection_is_walked_by_the_leaf_rule() {
    let dir = disk(&[
        ("b/SKILL.md", ""),
        ("b/in/SKILL.md", ""),
        ("a/c/skill.md", ""),
        ("README.md", ""),
        ("AGENTS.md", ""),
        (".git/SKILL.md", ""),
        (".claude/commands/x/y.md", ""),
        ("node_modules/m/SKILL.md", ""),
    ]);
    let expected = [
        ".claude/commands/x/y.md: y.md",
        "AGENTS.md: AGENTS.md",
        "a/c: skill.md",
        "b: SKILL.md in/SKILL.md",
        "node_modules/m: SKILL.md",
    ];
    let collection = load(dir.path());
    assert_eq!(listed(&collection), expected);
    assert!(collection.unread().is_empty());
    assert!(load(&dir.path().join(".git")).len() == 1, "a folder that is asked for by name is looked at");
    assert!(load(disk(&[("README.md", "")]).path()).is_empty());
}

#[test]
fn a_file_is_a_unit_by_itself() {
    let dir = disk(&[("SKILL.md", "a"), ("GEMINI.md", "b"), ("x.txt", "c")]);
    for (name, kind) in [
        ("SKILL.md", UnitKind::Skill),
        ("GEMINI.md", UnitKind::Loose(Some(LooseKind::Instructions))),
        ("x.txt", UnitKind::Loose(None)),
    ] {
        let unit = only(&dir.path().join(name), &Limits::default());
        assert_eq!((unit.kind, unit.tree.len(), unit.name.as_deref()), (kind, 1, Some(name)));
    }
}

#[test]
fn what_cannot_be_loaded_is_an_error_that_helps() {
    let dir = disk(&[]);
    let error = load_path(&dir.path().join("no\u{1b}ne"), &Limits::default()).unwrap_err();
    assert!(matches!(error, LoadError::Missing(_)));
    assert!(error.to_string().ends_with("no\\u{1b}ne` does not exist: check the path"), "{error}");
    let device = load_path(Path::new("/dev/null"), &Limits::default()).unwrap_err();
    assert!(matches!(device, LoadError::Special(_)));
    make_pipe(&dir.path().join("pipe"));
    assert!(matches!(load_path(&dir.path().join("pipe"), &Limits::default()), Err(LoadError::Special(_))));
}

fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn links_never_lead_out_of_a_unit() {
    let dir =
        disk(&[("secret", "key"), ("out/f", ""), ("x/SKILL.md", "a"), ("x/d/f", "b"), ("x/.git/HEAD", "c")]);
    let x = dir.path().join("x");
    for (target, link) in [
        ("../secret", "secret"),
        ("../out", "folder"),
        ("/etc/hostname", "absolute"),
        ("nowhere", "broken"),
        ("loop", "loop"),
        (".git/HEAD", "git"),
        ("d/f", "file"),
        ("file", "chain"),
        ("d", "same"),
        ("..", "up"),
        (".", "here"),
    ] {
        symlink(target, x.join(link)).unwrap();
    }
    let unit = only(&x, &Limits::default());
    let lost: Vec<_> = ["absolute", "broken", "folder", "git", "loop", "secret", "up"]
        .map(|path| (path, UnreadReason::LinkOutside))
        .into();
    assert_eq!(unread(&unit)[0], (".git", UnreadReason::Git));
    assert_eq!(unread(&unit)[1..], lost);
    let files: Vec<_> = unit.tree.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, ["SKILL.md", "chain", "d/f", "file"]);
    let notes: Vec<_> = unit.notes.iter().map(|note| note.file.clone().unwrap()).collect();
    assert_eq!(notes, ["chain", "file", "here", "same"]);
    assert_eq!(unit.tree.unread()[6].detail, "leads to `../secret`");
}

#[test]
fn a_main_file_may_be_a_link_within_the_skill() {
    let dir = disk(&[("x/real.md", "a"), ("y/z.md", "")]);
    symlink("real.md", dir.path().join("x/SKILL.md")).unwrap();
    symlink("../x/real.md", dir.path().join("y/SKILL.md")).unwrap();
    assert_eq!(listed(&load(dir.path())), ["x: SKILL.md real.md", "y: z.md !SKILL.md=link-outside"]);
}

#[test]
fn a_skill_that_is_asked_for_may_be_a_link() {
    let dir = disk(&[("real/SKILL.md", "a"), ("real/b", "")]);
    symlink("real", dir.path().join("link")).unwrap();
    symlink("b", dir.path().join("real/c")).unwrap();
    let unit = only(&dir.path().join("link"), &Limits::default());
    assert_eq!((unit.name.as_deref(), unit.tree.len()), (Some("link"), 3));
}

#[test]
fn links_of_a_collection_are_reported_where_they_hide_something() {
    let dir =
        disk(&[("away/s/SKILL.md", ""), ("c/s/SKILL.md", ""), ("c/docs/guide.md", "g"), ("c/AGENTS.md", "")]);
    let c = dir.path().join("c");
    symlink("../away/s", c.join("t")).unwrap();
    symlink("s", c.join("u")).unwrap();
    symlink("../away/s/SKILL.md", c.join("other.md")).unwrap();
    symlink("docs/guide.md", c.join("CLAUDE.md")).unwrap();
    symlink("../../away/s/SKILL.md", c.join("docs/GEMINI.md")).unwrap();
    let collection = load(&c);
    let expected = [
        "AGENTS.md: AGENTS.md",
        "CLAUDE.md: CLAUDE.md",
        "docs/GEMINI.md: !GEMINI.md=link-outside",
        "s: SKILL.md",
    ];
    assert_eq!(listed(&collection), expected);
    let unread: Vec<_> =
        collection.unread().iter().map(|unread| (unread.path.as_str(), unread.reason)).collect();
    assert_eq!(unread, [("t", UnreadReason::LinkOutside)]);
    let claude = collection.units().nth(1).unwrap();
    assert_eq!(&*claude.tree.get("CLAUDE.md").unwrap().bytes, b"g");
}

#[test]
fn limits_leave_entries_and_no_errors() {
    let dir = disk(&[("SKILL.md", "aaaa"), ("b", "bbbb"), ("c", "cc"), ("d/e/f/g", "g")]);
    let limits =
        |file_bytes, unit_bytes, files, depth| Limits { file_bytes, unit_bytes, files, depth, names: 100 };
    let large = only(dir.path(), &limits(3, 100, 100, 9));
    assert_eq!(unread(&large), [("SKILL.md", UnreadReason::TooLarge), ("b", UnreadReason::TooLarge)]);
    let digest = "sha256:81cc5b17018674b401b42f35ba07bb79e211239c23bffe658da1577e3e646877";
    assert_eq!(large.tree.unread()[1].detail, format!("4 bytes, of which 3 may be read; {digest}"));
    let total = only(dir.path(), &limits(9, 9, 100, 9));
    assert_eq!(unread(&total), [("c", UnreadReason::TooLarge)]);
    let many = only(dir.path(), &limits(9, 99, 2, 9));
    assert_eq!(unread(&many)[0], (".", UnreadReason::TooMany));
    assert!(many.tree.len() <= 2);
    let deep = only(dir.path(), &limits(9, 99, 99, 2));
    assert_eq!(unread(&deep), [("d/e/f", UnreadReason::TooDeep)]);
    let found = load_path(&disk(&[("a/b/c/SKILL.md", "")]).path().join("a"), &limits(9, 9, 9, 1)).unwrap();
    assert_eq!((found.len(), found.unread()[0].reason), (0, UnreadReason::TooDeep));
}

#[test]
fn links_count_against_the_unit() {
    let dir = disk(&[("SKILL.md", "aaaa")]);
    symlink("SKILL.md", dir.path().join("b")).unwrap();
    let unit = only(dir.path(), &Limits { unit_bytes: 7, ..Limits::default() });
    assert_eq!(unread(&unit), [("b", UnreadReason::TooLarge)]);
}

#[test]
#[cfg(target_os = "linux")]
fn odd_entries_are_listed() {
    use std::os::unix::ffi::OsStrExt;
    let dir = disk(&[("SKILL.md", "a"), ("back\\slash", "b")]);
    std::fs::write(dir.path().join(std::ffi::OsStr::from_bytes(b"\xff.md")), "c").unwrap();
    make_pipe(&dir.path().join("pipe"));
    let unit = only(dir.path(), &Limits::default());
    assert_eq!(unread(&unit), [("pipe", UnreadReason::Special)]);
    let paths: Vec<_> = unit.tree.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["%FF.md", "SKILL.md", "back%5Cslash"], "read under names that say it in other signs");
}

#[test]
fn what_the_system_refuses_is_listed() {
    let dir = disk(&[("SKILL.md", "a"), ("b", "b"), ("c/d", "d")]);
    for (path, mode) in [("b", 0o000), ("c", 0o000)] {
        std::fs::set_permissions(dir.path().join(path), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let unit = only(dir.path(), &Limits::default());
    let is_root = rustix::process::geteuid().is_root();
    let expected =
        if is_root { vec![] } else { vec![("b", UnreadReason::Unreadable), ("c", UnreadReason::Unreadable)] };
    assert_eq!(unread(&unit), expected);
    std::fs::set_permissions(dir.path().join("c"), std::fs::Permissions::from_mode(0o700)).unwrap();
}
