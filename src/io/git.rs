//! Git itself, called in one place: what changed since a commit, and a shallow clone into a folder that goes away.
//!
//! A checkout or a server may be hostile: hooks, file system monitors, external diffs and filters are off, a checkout is
//! asked for nothing that would fetch, a repository without a `.git` around it is none, only the usual transports are spoken,
//! nothing is asked at the terminal, and a clone has a time and a size.

mod changed;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

pub use self::changed::changed_since;
use crate::base::printable;

/// Settings that keep git from running what a repository names.
const QUIET: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "diff.external=",
    "submodule.recurse=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    // A folder of a checkout may look like a repository of its own, settings and all.
    "safe.bareRepository=explicit",
];

/// How long a clone may take, and how large it may become.
const PATIENCE: Duration = Duration::from_secs(120);
const LARGEST: u64 = 1 << 30;

/// How often both are looked at.
const PAUSE: Duration = Duration::from_millis(100);

/// Why git could not tell or fetch.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("running git: {0}; install git, or put it on PATH")]
    Start(#[source] std::io::Error),
    /// The path lies in no repository.
    #[error(
        "`{}` lies in no git repository: {words}; give a path in one, or leave `--changed` out",
        shown(path)
    )]
    NoRepository {
        /// The path.
        path: PathBuf,
        /// Git's words.
        words: String,
    },
    /// The commit is not known.
    #[error(
        "`{base}` is no commit that this repository has: fetch it first (a shallow checkout has no history), or name another"
    )]
    NoCommit {
        /// What was named.
        base: String,
    },
    /// Git failed otherwise.
    #[error("git {what}: {words}")]
    Failed {
        /// What git was asked for.
        what: String,
        /// Git's words.
        words: String,
    },
    /// A clone became too large or took too long.
    #[error("cloning `{url}` was given up: {why}; clone it yourself and scan the folder")]
    GivenUp {
        /// What was cloned.
        url: String,
        /// Which limit it was.
        why: String,
    },
    /// The folder for a clone could not be made.
    #[error("making a folder for the clone: {0}")]
    Folder(#[source] std::io::Error),
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Files that differ from a commit, as whole paths without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed(Vec<PathBuf>);

impl Changed {
    /// True where a unit at this path, which has no links, holds a changed file, or lies in a changed submodule.
    pub fn touches(&self, unit: &Path) -> bool {
        self.0.iter().any(|file| file.starts_with(unit) || unit.starts_with(file))
    }
}

/// What git printed where it succeeded.
fn succeeded(what: &str, done: Output) -> Result<Vec<u8>, GitError> {
    if done.status.success() {
        return Ok(done.stdout);
    }
    Err(GitError::Failed { what: what.to_owned(), words: words(&done) })
}

/// Clones the last commit of a repository into a folder that is removed with the value. What git keeps for itself is not
/// left in it: it came from here, and not with the repository.
pub fn clone(url: &str) -> Result<tempfile::TempDir, GitError> {
    let folder = tempfile::Builder::new().prefix("skillgate-git-").tempdir().map_err(GitError::Folder)?;
    let mut command = quiet();
    command.args(no_filters()?.iter().flat_map(|setting| ["-c", setting]));
    command.args(["clone", "--quiet", "--depth", "1", "--single-branch", "--no-tags", "--no-local"]);
    command.args(["--no-recurse-submodules", "--template=", "--", url]).arg(folder.path());
    command.env("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh").env("GIT_LFS_SKIP_SMUDGE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(GitError::Start)?;
    let given_up = |why: String| GitError::GivenUp { url: printable(url).into_owned(), why };
    if let Err(why) = wait(&mut child, folder.path()) {
        kill(&mut child);
        return Err(given_up(why));
    }
    let done = child.wait_with_output().map_err(GitError::Start)?;
    if !done.status.success() {
        return Err(GitError::Failed { what: format!("clone `{}`", printable(url)), words: words(&done) });
    }
    std::fs::remove_dir_all(folder.path().join(".git")).map_err(GitError::Folder)?;
    Ok(folder)
}

/// Settings that switch off the filters which the user's own settings have: a repository says which files go through them.
fn no_filters() -> Result<Vec<String>, GitError> {
    let arguments =
        ["config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$"];
    let listed = quiet().args(arguments).stdin(Stdio::null()).output().map_err(GitError::Start)?;
    let names = listed.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let off = names.filter_map(|name| std::str::from_utf8(name).ok()).map(|name| {
        let nothing = if name.ends_with(".required") { "false" } else { "" };
        format!("{name}={nothing}")
    });
    Ok(off.collect())
}

/// Waits until the program ends; the limit that it went over, else.
fn wait(child: &mut Child, folder: &Path) -> Result<(), String> {
    let start = Instant::now();
    let mut pauses = 0_u32;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        std::thread::sleep(PAUSE);
        pauses += 1;
        if start.elapsed() > PATIENCE {
            return Err(format!("it takes longer than {} seconds", PATIENCE.as_secs()));
        }
        // Looking at every file takes longer than looking at the clock.
        if pauses.is_multiple_of(10) && size(folder) > LARGEST {
            return Err(format!("it is larger than {LARGEST} bytes"));
        }
    }
    Ok(())
}

/// The bytes of all files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Ends a program and those that it started.
fn kill(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, GitError> {
    git_fed(folder, arguments, Stdio::null())
}

/// Asks the repository around a folder, and no other: what it lacks is not fetched, nor replaced.
fn git_fed(folder: &Path, arguments: &[&str], input: Stdio) -> Result<Output, GitError> {
    let mut command = quiet();
    command
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_NO_REPLACE_OBJECTS", "1");
    command.arg("-C").arg(folder).args(arguments).stdin(input).output().map_err(GitError::Start)
}

fn quiet() -> Command {
    let mut command = Command::new("git");
    command.args(QUIET.iter().flat_map(|setting| ["-c", setting]));
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    // A hook that runs us has these set for its own repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF"] {
        command.env_remove(variable);
    }
    command
}

/// What git said, on one line.
fn words(done: &Output) -> String {
    let words = String::from_utf8_lossy(&done.stderr);
    let lines = words.lines().map(str::trim).filter(|line| !line.is_empty()).take(4);
    printable(&lines.collect::<Vec<_>>().join("; ")).into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Changed;

    #[test]
    fn a_unit_is_touched_by_what_is_in_it_and_by_a_submodule_around_it() {
        let changed = Changed(vec!["/r/skills/a/x.md".into(), "/r/vendor".into(), "/r/AGENTS.md".into()]);
        for (unit, touched) in [
            ("/r/skills/a", true),
            ("/r/skills/ab", false),
            ("/r/vendor/skills/c", true),
            ("/r/AGENTS.md", true),
            ("/r", true),
            ("/r/docs", false),
        ] {
            assert_eq!(changed.touches(Path::new(unit)), touched, "{unit}");
        }
    }
}
