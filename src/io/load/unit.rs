//! One unit into memory.
//!
//! A link within a unit is never opened: where its target is a file of the unit, that file's bytes stand under the
//! link's name too. A link to a folder of the unit is noted, since its files are there already; any other is unread.
//! A name that no path of ours can hold (a backslash, no UTF-8) is read under one that says it in other signs.
//! Of a folder `.git` everything is read but what git itself keeps there, which is one entry among what is unread.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::path::Arg;

use super::discover::{below, escaped_below};
use super::folder::{self, Content, Kind};
use super::{Limits, LoadedUnit, OpenFolder, UnitKind};
use crate::base::{self, Diagnostic, FileTree, RelPath, Room, Unread, UnreadReason};
use crate::gate::document::git::{FOLDER as GIT, READ as GIT_READ, is_gits_own};
use crate::skill::{Unit, loose};

/// The code of the remark about a link that was read as its target.
const LINK_INSIDE: &str = "link-inside";

/// The code of the remark about a file that is read under another name.
const RENAMED: &str = "name-in-other-signs";

/// How many bytes of files that are too large are digested.
const DIGESTED: u64 = 1 << 30;

/// Loads a unit of the collection in a folder.
pub(super) fn load(root: &OpenFolder, unit: &Unit, limits: &Limits) -> LoadedUnit {
    let mut reader = Reader::new(limits);
    let (name, kind) = match unit {
        Unit::Skill { folder, .. } => {
            let place = folder.as_ref().map_or(root.real.clone(), |folder| root.real.join(folder.as_str()));
            match descend(&root.handle, folder.as_ref()) {
                Ok(folder) => reader.skill(&folder, &place),
                Err(errno) => reader.tree.note_unread(folder::refused(".", errno)),
            }
            (folder.as_ref().map(RelPath::file_name).or(root.name.as_deref()), UnitKind::Skill)
        }
        Unit::Loose { file, kind } => {
            reader.loose(root, file);
            (Some(file.file_name()), UnitKind::Loose(Some(*kind)))
        }
        Unit::Archive { file } => {
            reader.loose(root, file);
            (Some(file.file_name()), UnitKind::Archive)
        }
    };
    let path = unit.place().map_or(".", RelPath::as_str).to_owned();
    let (tree, notes) = reader.finish();
    LoadedUnit { path, name: name.map(str::to_owned), kind, tree, notes }
}

/// Loads a single open file.
pub(super) fn of_file(mut file: File, name: &RelPath, limits: &Limits) -> LoadedUnit {
    let mut reader = Reader::new(limits);
    reader.content(name, &mut file);
    let is_skill = crate::skill::leaf::is_skill_file(name);
    let kind = if is_skill { UnitKind::Skill } else { UnitKind::Loose(loose::kind(name)) };
    let name = Some(name.to_string());
    let (tree, notes) = reader.finish();
    LoadedUnit { path: ".".to_owned(), name, kind, tree, notes }
}

/// Opens a folder below another, name by name, through no link.
fn descend(root: &OwnedFd, path: Option<&RelPath>) -> Result<OwnedFd, Errno> {
    let mut folder = root.try_clone().map_err(|_| Errno::MFILE)?;
    for name in path.iter().flat_map(|path| path.segments()) {
        folder = folder::open_folder(&folder, name)?;
    }
    Ok(folder)
}

struct Reader<'a> {
    limits: &'a Limits,
    tree: FileTree,
    notes: Vec<Diagnostic>,
    /// Links, with where they lie below the unit, to be looked at when all files are there.
    links: Vec<(RelPath, PathBuf)>,
    /// Where files and folders lie of whose names no path of ours can be made, and the paths that they are read under.
    renamed: BTreeMap<PathBuf, RelPath>,
    /// How many more names there may be.
    names: usize,
    /// How many more bytes may be read.
    bytes: u64,
    /// How many more bytes may be digested.
    digested: u64,
}

impl<'a> Reader<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            tree: FileTree::new(),
            notes: Vec::new(),
            links: Vec::new(),
            renamed: BTreeMap::new(),
            names: limits.files,
            bytes: limits.unit_bytes,
            digested: DIGESTED,
        }
    }

    /// What was read, with what is left for archives in it.
    fn finish(mut self) -> (FileTree, Vec<Diagnostic>) {
        self.tree.leave_room(Room {
            file_bytes: self.limits.file_bytes,
            bytes: self.bytes,
            files: self.names,
            depth: self.limits.depth,
        });
        (self.tree, self.notes)
    }

    fn skill(&mut self, folder: &OwnedFd, real: &Path) {
        self.folder(folder, None, Path::new(""), 0);
        for (link, place) in std::mem::take(&mut self.links) {
            self.link(real, &link, &real.join(place));
        }
    }

    /// Reads a folder as `at`; it lies at `place` below the unit.
    fn folder(&mut self, folder: &OwnedFd, at: Option<&RelPath>, place: &Path, depth: usize) {
        let shown = at.map_or(".", RelPath::as_str);
        let (names, more) = match folder::names(folder, self.names) {
            Ok(found) => found,
            Err(errno) => return self.tree.note_unread(folder::refused(shown, errno)),
        };
        self.names -= names.len();
        if more {
            self.note(
                shown,
                UnreadReason::TooMany,
                format!("more than {} files and folders", self.limits.files),
            );
        }
        let in_git = at.is_some_and(is_in_git);
        if at.is_some_and(|at| at.file_name() == GIT) {
            self.note(shown, UnreadReason::Git, GIT_READ.to_owned());
        }
        for name in names.iter().filter(|name| !(in_git && is_gits_own(name))) {
            let place = place.join(OsStr::from_bytes(name));
            let path = below(at, name).unwrap_or_else(|| self.renamed(at, name, &names));
            if place.to_str() != Some(path.as_str()) {
                self.renamed.insert(place.clone(), path.clone());
            }
            self.entry(folder, name, &path, &place, depth);
        }
    }

    /// The path under which a file is read whose name none can hold: one that no other file has.
    fn renamed(&mut self, at: Option<&RelPath>, name: &[u8], others: &[Vec<u8>]) -> RelPath {
        let mut path = escaped_below(at, name);
        while others.iter().any(|other| other == path.file_name().as_bytes()) {
            path = escaped_below(at, format!("%{}", path.file_name()).as_bytes());
        }
        self.notes.push(
            Diagnostic::note(RENAMED, "its name is told in other signs".to_owned()).in_file(path.as_str()),
        );
        path
    }

    fn entry(&mut self, folder: &OwnedFd, name: &[u8], path: &RelPath, place: &Path, depth: usize) {
        match folder::kind(folder, name) {
            Ok(Kind::Folder) if depth == self.limits.depth => {
                let detail = format!("more than {depth} folders within each other");
                self.note(path.as_str(), UnreadReason::TooDeep, detail);
            }
            Ok(Kind::Folder) => match folder::open_folder(folder, name) {
                Ok(inner) => self.folder(&inner, Some(path), place, depth + 1),
                Err(errno) => self.tree.note_unread(folder::refused(path.as_str(), errno)),
            },
            Ok(Kind::File) => self.file(folder, name, path),
            Ok(Kind::Link) => self.links.push((path.clone(), place.to_owned())),
            Ok(Kind::Special) => self.note(path.as_str(), UnreadReason::Special, String::new()),
            Err(errno) => self.tree.note_unread(folder::refused(path.as_str(), errno)),
        }
    }

    /// Reads the file of this name as `path` of the unit.
    fn file(&mut self, folder: &OwnedFd, name: impl Arg, path: &RelPath) {
        match folder::open_file(folder, name) {
            Ok(mut file) => self.content(path, &mut file),
            Err(errno) => self.tree.note_unread(folder::refused(path.as_str(), errno)),
        }
    }

    fn content(&mut self, path: &RelPath, file: &mut File) {
        let limit = self.limits.file_bytes.min(self.bytes);
        match folder::read(file, limit, &mut self.digested) {
            Ok(Content::Whole(bytes)) => {
                self.bytes -= bytes.len() as u64;
                let mode = mode_of(file);
                self.tree.insert(path.clone(), base::File { bytes: bytes.into(), mode });
            }
            Ok(Content::TooLarge(detail)) => self.note(path.as_str(), UnreadReason::TooLarge, detail),
            Err(error) => self.tree.note_unread(folder::refused(path.as_str(), error)),
        }
    }

    fn link(&mut self, real: &Path, link: &RelPath, place: &Path) {
        let target = std::fs::canonicalize(place).ok();
        let inner = target.as_deref().and_then(|target| target.strip_prefix(real).ok());
        let renamed = inner.and_then(|inner| self.renamed.get(inner)).cloned();
        let inner = renamed.as_ref().map(RelPath::as_str).or_else(|| inner.and_then(Path::to_str));
        match inner {
            Some(inner) if self.tree.get(inner).is_some() => self.read_as(link, inner),
            Some(inner)
                if inner.split('/').all(|name| name != GIT)
                    && target.as_deref().is_some_and(Path::is_dir) =>
            {
                let shown = if inner.is_empty() { "." } else { inner };
                self.remark(
                    link,
                    format!("a link to the folder `{shown}`, whose files are read where they lie"),
                );
            }
            _ => self.note_lost_link(link, place, target.is_some()),
        }
    }

    /// Puts a file's bytes under a link's name; they count again, as they will be screened again.
    fn read_as(&mut self, link: &RelPath, inner: &str) {
        let Some(file) = self.tree.get(inner).cloned() else { return };
        let size = file.bytes.len() as u64;
        match self.bytes.checked_sub(size) {
            Some(left) => {
                self.bytes = left;
                self.tree.insert(link.clone(), file);
                self.remark(link, format!("a link, read as `{inner}`"));
            }
            None => self.note(
                link.as_str(),
                UnreadReason::TooLarge,
                format!("a link to `{inner}` of {size} bytes"),
            ),
        }
    }

    /// Reads a loose file under its bare name.
    fn loose(&mut self, root: &OpenFolder, path: &RelPath) {
        let Ok(name) = RelPath::new(path.file_name()) else { return };
        let parent = descend(&root.handle, path.parent().as_ref());
        match parent.and_then(|parent| Ok((folder::kind(&parent, name.as_str())?, parent))) {
            Ok((Kind::File, parent)) => self.file(&parent, name.as_str(), &name),
            Ok((Kind::Link, _)) => self.loose_link(root, path, &name),
            Ok(_) => self.note(name.as_str(), UnreadReason::Special, String::new()),
            Err(errno) => self.tree.note_unread(folder::refused(name.as_str(), errno)),
        }
    }

    /// A loose file may be a link to another file of the collection.
    fn loose_link(&mut self, root: &OpenFolder, path: &RelPath, name: &RelPath) {
        let place = root.real.join(path.as_str());
        let target = std::fs::canonicalize(&place).ok();
        let inner = target.as_deref().and_then(|target| target.strip_prefix(&root.real).ok()?.to_str());
        let Some(inner) = inner.and_then(|inner| RelPath::new(inner).ok()) else {
            return self.note_lost_link(name, &place, target.is_some());
        };
        match descend(&root.handle, inner.parent().as_ref()) {
            Ok(folder) => self.file(&folder, inner.file_name(), name),
            Err(errno) => self.tree.note_unread(folder::refused(name.as_str(), errno)),
        }
        self.remark(name, format!("a link, read as `{inner}`"));
    }

    fn note_lost_link(&mut self, link: &RelPath, place: &Path, leads_somewhere: bool) {
        let words = std::fs::read_link(place).unwrap_or_default();
        let problem = if leads_somewhere { "leads to" } else { "leads nowhere:" };
        self.note(
            link.as_str(),
            UnreadReason::LinkOutside,
            format!("{problem} `{}`", words.to_string_lossy()),
        );
    }

    fn remark(&mut self, path: &RelPath, message: String) {
        self.notes.push(Diagnostic::note(LINK_INSIDE, message).in_file(path.as_str()));
    }

    fn note(&mut self, path: &str, reason: UnreadReason, detail: String) {
        self.tree.note_unread(Unread { path: path.to_owned(), reason, detail });
    }
}

fn is_in_git(path: &RelPath) -> bool {
    path.segments().any(|name| name == GIT)
}

fn mode_of(file: &File) -> base::Mode {
    use std::os::unix::fs::PermissionsExt;
    let executable = file.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0);
    if executable { base::Mode::Executable } else { base::Mode::Regular }
}
