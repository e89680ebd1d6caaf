//! From disk to units: a skill's folder, one file, or a collection walked by the leaf rule.
//!
//! Everything is opened from the folder above it and never through a link, pipes and devices are not opened, and
//! every limit that bites leaves an entry among what was not read. So whoever writes the tree decides neither what
//! else is read nor how much. One unit is in memory at a time. Nothing here knows what a skill says.

mod discover;
mod folder;
#[cfg(test)]
mod tests;
mod unit;

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::base::{Diagnostic, FileTree, RelPath, Unread};
use crate::gate::policy::Limits as PolicyLimits;
use crate::skill::{LooseKind, Unit};

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub file_bytes: u64,
    /// All files of a unit together, in bytes.
    pub unit_bytes: u64,
    /// Files and folders in a unit.
    pub files: usize,
    /// Folders within each other, below a unit's or a collection's own.
    pub depth: usize,
    /// Names looked at while units are searched.
    pub names: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 8 << 20, unit_bytes: 64 << 20, files: 4096, depth: 32, names: 1_000_000 }
    }
}

impl From<&PolicyLimits> for Limits {
    /// The limits of a policy.
    fn from(limits: &PolicyLimits) -> Self {
        Self {
            file_bytes: limits.max_file_bytes,
            unit_bytes: limits.max_unit_bytes,
            files: usize::try_from(limits.max_files).unwrap_or(usize::MAX),
            depth: usize::try_from(limits.max_depth).unwrap_or(usize::MAX),
            ..Self::default()
        }
    }
}

/// Why nothing was loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is nothing at the path.
    #[error("`{}` does not exist: check the path", shown(.0))]
    Missing(PathBuf),
    /// The path is a pipe, socket or device.
    #[error("`{}` is neither a file nor a folder: give one of these", shown(.0))]
    Special(PathBuf),
    /// The path's last name cannot be shown as text, or is no name.
    #[error("`{}` has a name that is no text: rename it, or give the folder above it", shown(.0))]
    Name(PathBuf),
    /// The system refused.
    #[error("reading `{}`: {source}; check that this user may read it", shown(path))]
    Io {
        /// What was read.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
}

fn shown(path: &Path) -> String {
    crate::base::printable(&path.to_string_lossy()).into_owned()
}

/// What kind of unit was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// A skill: its main file and everything beside and below it.
    Skill,
    /// One file; what agents do with it, where its path says so.
    Loose(Option<LooseKind>),
    /// An archive that a search came by, which may hold a skill or not.
    Archive,
}

/// A unit in memory.
#[derive(Clone, Debug)]
pub struct LoadedUnit {
    /// Where it lies below the path that was asked for; `.` is that path itself.
    pub path: String,
    /// The name of its folder or file, where there is one.
    pub name: Option<String>,
    /// What it is.
    pub kind: UnitKind,
    /// Its files, and what was not read.
    pub tree: FileTree,
    /// Remarks about how it was read; they name files of the tree.
    pub notes: Vec<Diagnostic>,
}

/// The units at a path, found but not yet in memory.
#[derive(Debug)]
pub struct Collection {
    root: Root,
    units: Vec<Unit>,
    unread: Vec<Unread>,
    limits: Limits,
}

#[derive(Debug)]
enum Root {
    Folder(OpenFolder),
    File(Box<LoadedUnit>),
}

/// The folder that was asked for.
#[derive(Debug)]
struct OpenFolder {
    handle: OwnedFd,
    /// Its path without links: what a link below it leads to is compared with this.
    real: PathBuf,
    name: Option<String>,
}

impl Collection {
    /// The number of units.
    pub fn len(&self) -> usize {
        match &self.root {
            Root::Folder(_) => self.units.len(),
            Root::File(_) => 1,
        }
    }

    /// True where there is no unit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was not searched for units. What was not read of a unit is in its tree.
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// Loads the units one after the other, in byte order of their places.
    pub fn units(&self) -> impl Iterator<Item = LoadedUnit> {
        self.units_at(|_| true)
    }

    /// Loads those whose place below the path that was asked for is wanted; `.` is that path itself.
    pub fn units_at(&self, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = LoadedUnit> {
        let (single, folder) = match &self.root {
            Root::File(unit) => (is_wanted(&unit.path).then(|| LoadedUnit::clone(unit)), None),
            Root::Folder(folder) => (None, Some(folder)),
        };
        let place = |unit: &Unit| unit.place().map_or(".", RelPath::as_str).to_owned();
        let wanted: Vec<&Unit> = self.units.iter().filter(|unit| is_wanted(&place(unit))).collect();
        let load =
            move |folder| wanted.clone().into_iter().map(move |unit| unit::load(folder, unit, &self.limits));
        single.into_iter().chain(folder.into_iter().flat_map(load))
    }
}

/// Finds the units at a path, which may itself be reached through links.
pub fn load_path(path: &Path, limits: &Limits) -> Result<Collection, LoadError> {
    open(path, limits, |root| discover::units(root, limits))
}

/// Takes a folder as one skill, whatever lies in it; a file as [`load_path`] does.
pub fn load_skill(path: &Path, limits: &Limits) -> Result<Collection, LoadError> {
    let whole = Unit::Skill { folder: None, file: skill_file(), nested: Vec::new() };
    open(path, limits, |_| discover::Found { units: vec![whole], unread: Vec::new() })
}

fn skill_file() -> RelPath {
    RelPath::new(crate::skill::SKILL_FILE).expect("the name of the main file is a path")
}

fn open(
    path: &Path,
    limits: &Limits,
    find: impl FnOnce(&OpenFolder) -> discover::Found,
) -> Result<Collection, LoadError> {
    match folder::open_given(path)? {
        folder::Given::Folder(handle) => {
            let real = std::fs::canonicalize(path).map_err(|error| folder::fail(path, error))?;
            let name = path.file_name().or(real.file_name()).map(|name| name.to_string_lossy().into_owned());
            let root = OpenFolder { handle, real, name };
            let found = find(&root);
            let root = Root::Folder(root);
            Ok(Collection { root, units: found.units, unread: found.unread, limits: *limits })
        }
        folder::Given::File(file) => {
            let name = path.file_name().and_then(|name| RelPath::new(name.to_str()?).ok());
            let name = name.ok_or_else(|| LoadError::Name(path.to_owned()))?;
            let unit = Box::new(unit::of_file(file, &name, limits));
            Ok(Collection { root: Root::File(unit), units: Vec::new(), unread: Vec::new(), limits: *limits })
        }
    }
}
