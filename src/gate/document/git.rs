//! What git runs by itself in a folder that is a checkout: its hooks, and programs that its settings name.
//!
//! A clone brings neither along; who unpacks an archive with a `.git` in it gets both. Settings are read line by line, as
//! far as is needed to see that a program is named.

use crate::base::RelPath;

/// Settings whose value git runs in everyday commands.
const PROGRAMS: [&str; 2] = ["fsmonitor", "sshcommand"];

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
    use super::{is_hook, is_settings, programs};
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
    fn hooks_and_settings_are_told_by_their_place() {
        let path = |path: &str| RelPath::new(path).unwrap();
        assert!(
            is_hook(&path("a/.git/hooks/pre-commit")) && is_hook(&path(".git/modules/x/hooks/post-merge"))
        );
        assert!(!is_hook(&path("hooks/pre-commit")) && !is_hook(&path(".git/config")));
        assert!(is_settings(&path(".git/config")) && !is_settings(&path("x/config")));
    }
}
