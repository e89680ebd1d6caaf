//! What differs from a commit, by the raw bytes of the files that lie there.
//!
//! Git is asked for lists and digests only. What it would compare itself goes through filters that the repository's
//! settings name, and is not looked at where the index says so (`skip-worktree`, `assume-unchanged`); here no filter runs
//! and the index is believed in nothing but names. A file that a filter changes on its way (line ends, large files)
//! counts as changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Changed, GitError, git, git_fed, shown, succeeded};
use crate::base::printable;

/// The files of the repository around a path, as far as they lie in the path's folder, that are not as in the last commit
/// that `base` and the present one share: committed since, changed, deleted, or new and not ignored.
pub fn changed_since(path: &Path, base: &str) -> Result<Changed, GitError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let root = root(folder, path)?;
    let shared = succeeded("merge-base", git(&root, &["merge-base", &commit(&root, base)?, "HEAD"])?)
        .map_err(|error| no_common(error, base))?;
    let shared = String::from_utf8_lossy(shared.trim_ascii()).into_owned();
    let before = Entry::of_tree(&succeeded(
        "ls-tree",
        git(folder, &["ls-tree", "-r", "-z", "--full-name", &shared])?,
    )?);
    let known = names(folder, &["ls-files", "-z", "--full-name"])?;
    let mut changed = names(folder, &["ls-files", "-z", "--full-name", "--others", "--exclude-standard"])?;
    let is_there = |name: &Vec<u8>| std::fs::symlink_metadata(root.join(OsStr::from_bytes(name))).is_ok();
    changed.extend(known.into_iter().filter(|name| !before.contains_key(name) && is_there(name)));
    changed.extend(Comparison::of(&root)?.differing(&before)?);
    Ok(Changed(changed.into_iter().map(|name| root.join(OsStr::from_bytes(&name))).collect()))
}

/// The top of the repository around a folder, without links.
fn root(folder: &Path, path: &Path) -> Result<PathBuf, GitError> {
    let none = |words: String| GitError::NoRepository { path: path.to_owned(), words };
    let top = git(folder, &["rev-parse", "--show-toplevel"])?;
    if !top.status.success() {
        return Err(none(super::words(&top)));
    }
    let root = PathBuf::from(OsString::from_vec(top.stdout.trim_ascii_end().to_vec()));
    let root = std::fs::canonicalize(&root).map_err(|error| none(error.to_string()))?;
    // A repository may say that its files lie elsewhere: then nothing here is ever changed.
    let is_around = std::fs::canonicalize(folder).is_ok_and(|folder| folder.starts_with(&root));
    if is_around { Ok(root) } else { Err(none(format!("its files lie in `{}`", shown(&root)))) }
}

fn commit(root: &Path, base: &str) -> Result<String, GitError> {
    let named = format!("{base}^{{commit}}");
    let known = git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &named])?;
    if !known.status.success() {
        return Err(GitError::NoCommit { base: printable(base).into_owned() });
    }
    Ok(String::from_utf8_lossy(known.stdout.trim_ascii()).into_owned())
}

/// Git says nothing where two commits share none.
fn no_common(error: GitError, base: &str) -> GitError {
    match error {
        GitError::Failed { what, words } if words.is_empty() => GitError::Failed {
            what,
            words: format!(
                "the present commit shares no history with `{}`; fetch more of it",
                printable(base)
            ),
        },
        other => other,
    }
}

/// The names that git lists with a NUL after each.
fn names(folder: &Path, arguments: &[&str]) -> Result<BTreeSet<Vec<u8>>, GitError> {
    let listed = succeeded(arguments[0], git(folder, arguments)?)?;
    Ok(listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

/// What a commit has under a name.
struct Entry {
    kind: Kind,
    id: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Program,
    Link,
    /// Another repository.
    Module,
}

impl Entry {
    /// The entries of `ls-tree -z` by name: `MODE TYPE ID TAB NAME NUL`.
    fn of_tree(listed: &[u8]) -> BTreeMap<Vec<u8>, Self> {
        listed.split(|byte| *byte == 0).filter_map(Self::of_line).collect()
    }

    fn of_line(line: &[u8]) -> Option<(Vec<u8>, Self)> {
        let tab = line.iter().position(|byte| *byte == b'\t')?;
        let head = std::str::from_utf8(&line[..tab]).ok()?;
        let mut words = head.split(' ').filter(|word| !word.is_empty());
        let kind = match words.next()? {
            "120000" => Kind::Link,
            "160000" => Kind::Module,
            "100755" => Kind::Program,
            _ => Kind::File,
        };
        Some((line[tab + 1..].to_vec(), Self { kind, id: words.nth(1)?.to_owned() }))
    }
}

/// Files as they lie in a repository, against entries of a commit.
struct Comparison<'a> {
    root: &'a Path,
    /// Whether the file system keeps who may run a file.
    modes: bool,
}

impl<'a> Comparison<'a> {
    fn of(root: &'a Path) -> Result<Self, GitError> {
        let modes = git(root, &["config", "--type=bool", "--get", "core.fileMode"])?;
        Ok(Self { root, modes: modes.stdout.trim_ascii() != b"false" })
    }

    /// The names under which something else lies there, or nothing.
    fn differing(&self, before: &BTreeMap<Vec<u8>, Entry>) -> Result<Vec<Vec<u8>>, GitError> {
        let links = tempfile::tempdir().map_err(GitError::Folder)?;
        let mut differing = Vec::new();
        let mut hashed = Vec::new();
        for (name, entry) in before {
            let place = self.root.join(OsStr::from_bytes(name));
            match self.content(&place, entry, links.path(), hashed.len())? {
                Some(content) => hashed.push((name, entry, content)),
                None if entry.kind == Kind::Module && is_at(&place, &entry.id)? => {}
                None => differing.push(name.clone()),
            }
        }
        let ids = self.ids(hashed.iter().map(|(_, _, content)| content.as_path()))?;
        let unequal = hashed.iter().zip(&ids).filter(|((_, entry, _), id)| entry.id != **id);
        differing.extend(unequal.map(|((name, _, _), _)| (*name).clone()));
        Ok(differing)
    }

    /// The file whose bytes are to be those of the entry; nothing where what lies there cannot be the same.
    fn content(
        &self,
        place: &Path,
        entry: &Entry,
        links: &Path,
        number: usize,
    ) -> Result<Option<PathBuf>, GitError> {
        let Ok(metadata) = std::fs::symlink_metadata(place) else { return Ok(None) };
        if metadata.is_symlink() && entry.kind == Kind::Link {
            let Ok(target) = std::fs::read_link(place) else { return Ok(None) };
            let copy = links.join(number.to_string());
            std::fs::write(&copy, target.as_os_str().as_bytes()).map_err(GitError::Folder)?;
            return Ok(Some(copy));
        }
        let is_kind = metadata.is_file() && self.is_kind(&metadata, entry.kind);
        // Git gives up at the first file that it cannot open.
        Ok((is_kind && File::open(place).is_ok()).then(|| place.to_owned()))
    }

    fn is_kind(&self, metadata: &Metadata, kind: Kind) -> bool {
        let is_program = metadata.permissions().mode() & 0o100 != 0;
        match kind {
            Kind::File => !self.modes || !is_program,
            Kind::Program => !self.modes || is_program,
            Kind::Link | Kind::Module => false,
        }
    }

    /// The ids of files' raw bytes.
    fn ids<'f>(&self, files: impl Iterator<Item = &'f Path>) -> Result<Vec<String>, GitError> {
        let mut list = tempfile::tempfile().map_err(GitError::Folder)?;
        let mut written = Vec::new();
        let count = files.map(|file| written.extend(quoted(file.as_os_str().as_bytes()))).count();
        list.write_all(&written).and_then(|()| list.seek(SeekFrom::Start(0))).map_err(GitError::Folder)?;
        let done = git_fed(self.root, &["hash-object", "--no-filters", "--stdin-paths"], list.into())?;
        let ids = String::from_utf8_lossy(&succeeded("hash-object", done)?).into_owned();
        let ids: Vec<String> = ids.lines().map(str::to_owned).collect();
        if ids.len() == count {
            return Ok(ids);
        }
        let words = format!("{} answers for {count} files", ids.len());
        Err(GitError::Failed { what: "hash-object".to_owned(), words })
    }
}

/// True where the other repository is at that commit, or was not fetched.
fn is_at(module: &Path, commit: &str) -> Result<bool, GitError> {
    if std::fs::symlink_metadata(module.join(".git")).is_err() {
        return Ok(std::fs::read_dir(module).is_ok_and(|mut entries| entries.next().is_none()));
    }
    let head = git(module, &["rev-parse", "--verify", "--quiet", "HEAD"])?;
    Ok(head.status.success() && head.stdout.trim_ascii() == commit.as_bytes())
}

/// A path as a line that git takes for exactly these bytes.
fn quoted(path: &[u8]) -> Vec<u8> {
    let mut line = vec![b'"'];
    for &byte in path {
        match byte {
            b'"' | b'\\' => line.extend([b'\\', byte]),
            b' '..=b'~' => line.push(byte),
            _ => line.extend(format!("\\{byte:03o}").into_bytes()),
        }
    }
    line.extend(b"\"\n");
    line
}

#[cfg(test)]
mod tests {
    use super::{Entry, quoted};

    #[test]
    fn a_path_is_one_line_whatever_it_is_called() {
        assert_eq!(quoted(b"a\nb\"c\\\xff.md\r"), b"\"a\\012b\\\"c\\\\\\377.md\\015\"\n");
    }

    #[test]
    fn a_name_in_a_tree_may_have_spaces_and_tabs() {
        let tree = Entry::of_tree(b"100644 blob abc\ta b\tc\x00160000 commit def\tvendor\x00");
        let read: Vec<_> = tree.iter().map(|(name, entry)| (&name[..], entry.id.as_str())).collect();
        assert_eq!(read, [(&b"a b\tc"[..], "abc"), (b"vendor", "def")]);
    }
}
