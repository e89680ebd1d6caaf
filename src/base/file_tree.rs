//! The files of a unit, in one stable order, as values.
//!
//! The shell loads a tree once; everything after that works on the value. A tree knows nothing of disks,
//! and it lists what the shell could not or would not read.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{RelPath, Room, Unread};

/// Whether a file may be executed; the rest of the permission bits says nothing here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// An ordinary file.
    #[default]
    Regular,
    /// A file with an execute bit.
    Executable,
}

/// One file's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// All bytes, shared.
    pub bytes: Arc<[u8]>,
    /// Whether it may be executed.
    pub mode: Mode,
}

impl File {
    /// An ordinary file with these bytes.
    pub fn regular(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { bytes: bytes.into(), mode: Mode::Regular }
    }
}

/// The files of one unit, by path in byte order, and what was left unread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    files: BTreeMap<RelPath, File>,
    unread: Vec<Unread>,
    room: Room,
}

impl FileTree {
    /// A tree without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a file.
    pub fn insert(&mut self, path: RelPath, file: File) {
        self.files.insert(path, file);
    }

    /// Notes what was not read.
    pub fn note_unread(&mut self, unread: Unread) {
        self.unread.push(unread);
    }

    /// States how much may still be read of the unit: what archives among its files may unpack to.
    pub fn leave_room(&mut self, room: Room) {
        self.room = room;
    }

    /// How much may still be read of the unit.
    pub fn room(&self) -> Room {
        self.room
    }

    /// The file at this path.
    pub fn get(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// All files, in byte order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &File)> {
        self.files.iter()
    }

    /// What was not read.
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// True where there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The bytes of all files together.
    pub fn total_bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes.len() as u64).sum()
    }
}

impl FromIterator<(RelPath, File)> for FileTree {
    fn from_iter<I: IntoIterator<Item = (RelPath, File)>>(files: I) -> Self {
        Self { files: files.into_iter().collect(), ..Self::default() }
    }
}
