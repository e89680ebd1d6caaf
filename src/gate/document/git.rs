//! What git runs by itself in a folder that is a checkout: its hooks, and programs that its settings name; and what it
//! keeps there and never runs, which is one entry among what was not read.
//!
//! A clone brings neither along; who unpacks an archive with a `.git` in it gets both. Settings are read line by line, as
//! far as is needed to see that a program is named.

use crate::base::RelPath;

/// Settings whose value git runs in everyday commands.
const PROGRAMS: [&str; 2] = ["fsmonitor", "sshcommand"];

/// The folder of a checkout, and what is said of it.
pub(crate) const FOLDER: &str = ".git";
pub(crate) const READ: &str =
    "its hooks, its settings and what is not git's are read; objects, logs and indexes are not";

/// What git writes into such a folder and never runs.
const OWN: [&str; 16] = [
    "objects",
    "refs",
    "logs",
    "lfs",
    "branches",
    "index",
    "HEAD",
    "ORIG_HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "packed-refs",
    "shallow",
    "description",
    "COMMIT_EDITMSG",
    "rr-cache",
    "exclude",
];

/// True for the name, below a checkout's folder, of data of git's, or of a hook that is only an example.
pub(crate) fn is_gits_own(name: &[u8]) -> bool {
    OWN.iter().any(|own| own.as_bytes() == name) || name.ends_with(b".sample")
}

/// The checkout's folder around what git keeps for itself.
pub(super) fn around_its_own(path: &RelPath) -> Option<RelPath> {
    let mut names = path.segments().scan(0, |end, name| {
        *end += name.len() + 1;
        Some((*end - 1, name))
    });
    let (end, _) = names.find(|(_, name)| *name == FOLDER)?;
    let is_own = names.any(|(_, name)| is_gits_own(name.as_bytes()));
    RelPath::new(path.as_str().get(..end)?).ok().filter(|_| is_own)
}

/// True for a script that git runs by itself.
pub(super) fn is_hook(path: &RelPath) -> bool {
    let names: Vec<&str> = path.segments().collect();
    matches!(names.as_slice(), [git @ .., "hooks", _] if git.contains(&".git"))
}

/// True for the settings of a checkout.
pub(super) fn is_settings(path: &RelPath) -> bool {
    matches!(path.file_name(), "config" | "config.worktree") && path.segments().any(|name| name == ".git")
}

/// The settings that name a program; those that are switched on or off name none.
pub(super) fn programs(text: &str) -> impl Iterator<Item = &'static str> {
    PROGRAMS.into_iter().filter(|key| text.lines().filter_map(|line| value(line, key)).any(is_program))
}

/// The value of this key on a line, which may have the section before it.
fn value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let (before, value) = line.split_once('=')?;
    let name = before.rsplit([']', ' ', '\t']).find(|word| !word.is_empty())?;
    name.eq_ignore_ascii_case(key).then(|| value.trim())
}

fn is_program(value: &str) -> bool {
    const SWITCHES: [&str; 7] = ["", "true", "false", "yes", "no", "on", "off"];
    !SWITCHES.iter().any(|switch| value.eq_ignore_ascii_case(switch)) && value.parse::<u32>().is_err()
}

#[cfg(test)]
mod tests {
    use super::{around_its_own, is_hook, is_settings, programs};
    use crate::base::RelPath;

    #[test]
    fn settings_that_name_a_program_are_told_from_switches() {
        let found = |text: &str| programs(text).collect::<Vec<_>>();
        assert_eq!(
            found("[core]\n\tfsmonitor = true\n\tbare = false\n[remote \"o\"]\n\turl = x=y\n"),
            [""; 0]
        );
        assert_eq!(found("[core]\n\tfsMonitor = \"sh .git/x\"\n"), ["fsmonitor"]);
        assert_eq!(found("[core] sshCommand=./run"), ["sshcommand"]);
    }

    #[test]
    fn what_git_keeps_for_itself_is_told_by_its_place() {
        let around = |path: &str| around_its_own(&RelPath::new(path).unwrap()).map(|path| path.to_string());
        assert_eq!(around("a/.git/objects/ab/cd").as_deref(), Some("a/.git"));
        assert_eq!(around(".git/hooks/pre-push.sample").as_deref(), Some(".git"));
        for path in [".git/hooks/pre-push", ".git/config", "objects/ab", "objects/.git", ".gitignore"] {
            assert_eq!(around(path), None, "{path}");
        }
    }

    #[test]
    fn hooks_and_settings_are_told_by_their_place() {
        let path = |path: &str| RelPath::new(path).unwrap();
        assert!(
            is_hook(&path("a/.git/hooks/pre-commit")) && is_hook(&path(".git/modules/x/hooks/post-merge"))
        );
        assert!(!is_hook(&path("hooks/pre-commit")) && !is_hook(&path(".git/config")));
        assert!(is_settings(&path(".git/config")) && !is_settings(&path("x/config")));
    }
}
