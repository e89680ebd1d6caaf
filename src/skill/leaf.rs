//! The leaf rule: which folders of a tree are skills (papers/atskills.txt, appendix F; delivery.md).
//!
//! A folder that holds a SKILL.md is a skill, and the walk stops there: what lies below belongs to it, further
//! SKILL.md files too. Beside skills there are loose files that agents obey. Only `.git` is skipped. Works on paths
//! alone, in byte order.

use std::collections::BTreeMap;

use super::loose::{self, LooseKind};
use crate::base::RelPath;

/// The name of a skill's main file.
pub const SKILL_FILE: &str = "SKILL.md";

/// Something that an agent takes as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A folder with a SKILL.md.
    Skill {
        /// The folder; nothing where it is the top of the tree.
        folder: Option<RelPath>,
        /// Its main file, relative to the top of the tree. Not spelled `SKILL.md` on some disks.
        file: RelPath,
        /// Main files of folders below, which are no skills of their own.
        nested: Vec<RelPath>,
    },
    /// A single file that agents obey.
    Loose {
        /// The file.
        file: RelPath,
        /// What agents do with it.
        kind: LooseKind,
    },
    /// An archive beside skills; whether it holds one is not seen from outside.
    Archive {
        /// The file.
        file: RelPath,
    },
}

impl Unit {
    /// The folder or file by which the unit is sorted and named; nothing for the top of the tree.
    pub const fn place(&self) -> Option<&RelPath> {
        match self {
            Self::Skill { folder, .. } => folder.as_ref(),
            Self::Loose { file, .. } | Self::Archive { file } => Some(file),
        }
    }
}

/// True for `SKILL.md` in any case: some disks find it by any.
pub fn is_skill_file(path: &RelPath) -> bool {
    path.file_name().eq_ignore_ascii_case(SKILL_FILE)
}

/// The units among these files, in byte order.
pub fn units<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> Vec<Unit> {
    let mut paths: Vec<&RelPath> =
        paths.into_iter().filter(|path| path.segments().all(|name| name != ".git")).collect();
    paths.sort_unstable();
    paths.dedup();
    let skills = skill_files(&paths);
    let mut units: BTreeMap<Option<RelPath>, Unit> = BTreeMap::new();
    for path in paths {
        match top_skill(&skills, path) {
            Some((folder, file)) => {
                let unit = units.entry(folder.cloned()).or_insert_with(|| Unit::Skill {
                    folder: folder.cloned(),
                    file: file.clone(),
                    nested: Vec::new(),
                });
                if let Unit::Skill { nested, .. } = unit
                    && is_skill_file(path)
                    && path.parent().as_ref() != folder
                {
                    nested.push(path.clone());
                }
            }
            None => {
                units.extend(single(path).map(|unit| (Some(path.clone()), unit)));
            }
        }
    }
    units.into_values().collect()
}

/// The unit that one file is by itself.
fn single(path: &RelPath) -> Option<Unit> {
    let file = || path.clone();
    match loose::kind(path) {
        Some(kind) => Some(Unit::Loose { file: file(), kind }),
        None => is_archive(path).then(|| Unit::Archive { file: file() }),
    }
}

/// How files are called that people install skills from.
const ARCHIVES: &[&str] = &[
    SKILL_ARCHIVE,
    ".plugin",
    ".mcpb",
    ".dxt",
    ".vsix",
    ".whl",
    ".zip",
    ".7z",
    ".rar",
    ".tar",
    ".tgz",
    ".tbz2",
    ".txz",
    ".tzst",
    ".tar.gz",
    ".tar.bz2",
    ".tar.xz",
    ".tar.zst",
];

/// The end of the name of an archive that is a skill.
const SKILL_ARCHIVE: &str = ".skill";

/// True for a file that may hold a skill by its name.
pub fn is_archive(path: &RelPath) -> bool {
    ARCHIVES.iter().any(|end| ends_with(path, end))
}

/// True for a file that says by its name that it holds a skill.
pub fn is_skill_archive(path: &RelPath) -> bool {
    ends_with(path, SKILL_ARCHIVE)
}

/// Whether the name ends so, in any case, and begins somehow.
fn ends_with(path: &RelPath, end: &str) -> bool {
    let name = path.file_name().as_bytes();
    let start = name.len().checked_sub(end.len()).filter(|start| *start > 0);
    start.is_some_and(|start| name[start..].eq_ignore_ascii_case(end.as_bytes()))
}

/// Each folder that holds a main file, with that file; the exact name before others.
fn skill_files<'a>(paths: &[&'a RelPath]) -> BTreeMap<Option<RelPath>, &'a RelPath> {
    let mut skills: BTreeMap<Option<RelPath>, &RelPath> = BTreeMap::new();
    for path in paths.iter().filter(|path| is_skill_file(path)) {
        let first = skills.entry(path.parent()).or_insert(path);
        if path.file_name() == SKILL_FILE {
            *first = path;
        }
    }
    skills
}

/// The outermost skill that a file lies in.
fn top_skill<'a, 'b>(
    skills: &'b BTreeMap<Option<RelPath>, &'a RelPath>,
    path: &RelPath,
) -> Option<(Option<&'b RelPath>, &'a RelPath)> {
    let above = std::iter::successors(Some(path.parent()), |folder| folder.as_ref().map(RelPath::parent));
    above
        .filter_map(|folder| skills.get_key_value(&folder))
        .last()
        .map(|(folder, file)| (folder.as_ref(), *file))
}

#[cfg(test)]
mod tests {
    use super::{Unit, units};
    use crate::base::RelPath;

    /// Each unit on a line: a skill's main file with the nested ones, or a loose file.
    #[track_caller]
    fn check(paths: &[&str], expected: &[&str]) {
        let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::new(*path).unwrap()).collect();
        let line = |unit: &Unit| match unit {
            Unit::Skill { file, nested, .. } => {
                nested.iter().fold(file.to_string(), |line, nested| format!("{line} +{nested}"))
            }
            Unit::Loose { file, kind } => format!("{file} ({})", kind.name()),
            Unit::Archive { file } => format!("{file} (archive)"),
        };
        assert_eq!(units(&paths).iter().map(line).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_walk_stops_at_the_first_main_file() {
        check(
            &["b/SKILL.md", "b/x/SKILL.md", "b/AGENTS.md", "a/c/SKILL.md", "README.md", "AGENTS.md"],
            &["AGENTS.md (instructions)", "a/c/SKILL.md", "b/SKILL.md +b/x/SKILL.md"],
        );
        check(&["SKILL.md", "a/SKILL.md", "CLAUDE.md"], &["SKILL.md +a/SKILL.md"]);
    }

    #[test]
    fn only_git_is_skipped() {
        check(
            &[".git/SKILL.md", "a/.git/x/SKILL.md", "node_modules/a/SKILL.md"],
            &["node_modules/a/SKILL.md"],
        );
    }

    #[test]
    fn archives_count_where_no_skill_holds_them() {
        check(
            &["a.skill", "b/x.TAR.GZ", "c/SKILL.md", "c/tools.zip", "d.gz", ".zip", "skill"],
            &["a.skill (archive)", "b/x.TAR.GZ (archive)", "c/SKILL.md"],
        );
    }

    #[test]
    fn the_exact_name_comes_first() {
        check(&["a/skill.md", "a/SKILL.md", "b/Skill.MD"], &["a/SKILL.md", "b/Skill.MD"]);
        check(&["a/SKILL.md.bak", "xSKILL.md"], &[]);
    }

    #[test]
    fn a_folder_and_a_longer_name_do_not_mix() {
        check(
            &["a/SKILL.md", "ab/CLAUDE.md", "a.b/SKILL.md"],
            &["a/SKILL.md", "a.b/SKILL.md", "ab/CLAUDE.md (instructions)"],
        );
    }
}
