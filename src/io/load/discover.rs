//! The walk that finds units in a collection.
//!
//! Stops at each skill, skips `.git`, follows no link. A link whose target lies in the collection is no loss: the
//! target is found at its own place. One that leads out is reported, as is all else that could hold a unit.

use std::os::fd::OwnedFd;
use std::path::Path;

use super::folder::{self, Kind};
use super::{Limits, OpenFolder};
use crate::base::{RelPath, Unread, UnreadReason};
use crate::skill::{Unit, leaf, loose};

/// What the walk came to.
pub(super) struct Found {
    pub units: Vec<Unit>,
    pub unread: Vec<Unread>,
}

/// The units below an open folder.
pub(super) fn units(root: &OpenFolder, limits: &Limits) -> Found {
    let mut walk =
        Walk { real: &root.real, limits, names: limits.names, paths: Vec::new(), unread: Vec::new() };
    walk.folder(&root.handle, None, 0);
    Found { units: leaf::units(&walk.paths), unread: walk.unread }
}

struct Walk<'a> {
    real: &'a Path,
    limits: &'a Limits,
    /// How many more names may be looked at.
    names: usize,
    /// Main files, loose files and archives.
    paths: Vec<RelPath>,
    unread: Vec<Unread>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &OwnedFd, at: Option<&RelPath>, depth: usize) {
        let shown = at.map_or(".", RelPath::as_str);
        let (names, more) = match folder::names(folder, self.names) {
            Ok(found) => found,
            Err(errno) => return self.unread.push(folder::refused(shown, errno)),
        };
        self.names -= names.len();
        if more {
            let detail = format!("more than {} names", self.limits.names);
            self.note(shown.to_owned(), UnreadReason::TooMany, detail);
        }
        let paths: Vec<(&[u8], Option<RelPath>)> =
            names.iter().map(|name| (name.as_slice(), below(at, name))).collect();
        let is_main = |path: &RelPath| {
            let kind = leaf::is_skill_file(path).then(|| folder::kind(folder, path.file_name()));
            // One that is a pipe makes a skill that cannot be read, and not none.
            matches!(kind, Some(Ok(Kind::File | Kind::Link | Kind::Special)))
        };
        let main: Vec<RelPath> = paths.iter().filter_map(|(_, path)| path.clone().filter(is_main)).collect();
        if !main.is_empty() {
            return self.paths.extend(main);
        }
        for (name, path) in paths.iter().filter(|(name, _)| *name != b".git") {
            match path {
                Some(path) => self.entry(folder, path, depth),
                None => self.note(shown_below(at, name), UnreadReason::Undecodable, BAD_NAME.to_owned()),
            }
        }
    }

    fn entry(&mut self, folder: &OwnedFd, path: &RelPath, depth: usize) {
        let is_loose = loose::kind(path).is_some();
        let is_archive = leaf::is_archive(path);
        match folder::kind(folder, path.file_name()) {
            Ok(Kind::Folder) if depth == self.limits.depth => {
                let detail = format!("more than {depth} folders within each other");
                self.note(path.to_string(), UnreadReason::TooDeep, detail);
            }
            Ok(Kind::Folder) => match folder::open_folder(folder, path.file_name()) {
                Ok(inner) => self.folder(&inner, Some(path), depth + 1),
                Err(errno) => self.unread.push(folder::refused(path.as_str(), errno)),
            },
            Ok(Kind::File | Kind::Link) if is_loose => self.paths.push(path.clone()),
            Ok(Kind::File) if is_archive => self.paths.push(path.clone()),
            Ok(Kind::Link) => self.link(path, is_archive),
            Ok(Kind::Special) if is_loose => {
                self.note(path.to_string(), UnreadReason::Special, String::new());
            }
            Ok(Kind::File | Kind::Special) => {}
            Err(errno) => self.unread.push(folder::refused(path.as_str(), errno)),
        }
    }

    /// A link to a folder or an archive out of the collection may lead to skills.
    fn link(&mut self, path: &RelPath, is_archive: bool) {
        let Ok(target) = std::fs::canonicalize(self.real.join(path.as_str())) else { return };
        let within = target.strip_prefix(self.real);
        let is_lost = within.map_or(true, |inner| inner.components().any(|part| part.as_os_str() == ".git"));
        if is_lost && (target.is_dir() || is_archive) {
            let what = if target.is_dir() { "a folder" } else { "an archive" };
            let detail = format!("a link to {what} that is not searched");
            self.note(path.to_string(), UnreadReason::LinkOutside, detail);
        }
    }

    fn note(&mut self, path: String, reason: UnreadReason, detail: String) {
        self.unread.push(Unread { path, reason, detail });
    }
}

pub(super) const BAD_NAME: &str = "the name is not UTF-8, or holds a backslash";

/// The path of a name in a folder; nothing for names that no relative path can hold.
pub(super) fn below(folder: Option<&RelPath>, name: &[u8]) -> Option<RelPath> {
    let name = RelPath::new(std::str::from_utf8(name).ok()?).ok()?;
    Some(folder.map_or_else(|| name.clone(), |folder| folder.join(&name)))
}

/// The path under which a file of any name is read: a backslash, and what is no UTF-8, as `%5C`.
pub(super) fn escaped_below(folder: Option<&RelPath>, name: &[u8]) -> RelPath {
    let shown = |chunk: std::str::Utf8Chunk<'_>| {
        let escaped = chunk.invalid().iter().map(|byte| format!("%{byte:02X}"));
        chunk.valid().replace('\\', "%5C") + &escaped.collect::<Vec<_>>().concat()
    };
    let name = RelPath::tamed(&name.utf8_chunks().map(shown).collect::<String>());
    folder.map_or_else(|| name.clone(), |folder| folder.join(&name))
}

/// As [`below`], for people.
pub(super) fn shown_below(folder: Option<&RelPath>, name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    folder.map_or_else(|| name.to_string(), |folder| format!("{folder}/{name}"))
}
