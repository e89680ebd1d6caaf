//! Folders by their handle: names in byte order, entries without following links, files up to a limit.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::path::Arg;
use sha2::{Digest as _, Sha256};

use super::LoadError;
use crate::base::{Digest, Unread, UnreadReason};

/// Not through links, without waiting for a pipe's other end.
const QUIET: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// What a path given by the user turned out to be.
pub(super) enum Given {
    Folder(OwnedFd),
    File(File),
}

/// Opens what the user named, through links.
pub(super) fn open_given(path: &Path) -> Result<Given, LoadError> {
    let metadata = std::fs::metadata(path).map_err(|error| fail(path, error))?;
    if !metadata.is_dir() && !metadata.is_file() {
        return Err(LoadError::Special(path.to_owned()));
    }
    let flags = OFlags::RDONLY | (QUIET - OFlags::NOFOLLOW);
    let opened = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| fail(path, errno.into()))?;
    let stat = rustix::fs::fstat(&opened).map_err(|errno| fail(path, errno.into()))?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Ok(Given::Folder(opened)),
        FileType::RegularFile => Ok(Given::File(File::from(opened))),
        _ => Err(LoadError::Special(path.to_owned())),
    }
}

pub(super) fn fail(path: &Path, source: std::io::Error) -> LoadError {
    match source.kind() {
        std::io::ErrorKind::NotFound => LoadError::Missing(path.to_owned()),
        _ => LoadError::Io { path: path.to_owned(), source },
    }
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Link,
    Special,
}

/// The names in a folder in byte order, at most `limit` of them, and whether there are more.
pub(super) fn names(folder: &OwnedFd, limit: usize) -> Result<(Vec<Vec<u8>>, bool), Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name == b"." || name == b".." {
            continue;
        }
        if names.len() == limit {
            names.sort_unstable();
            return Ok((names, true));
        }
        names.push(name.to_owned());
    }
    names.sort_unstable();
    Ok((names, false))
}

/// What stands under this name, itself and not what it may link to.
pub(super) fn kind(folder: &OwnedFd, name: impl Arg) -> Result<Kind, Errno> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Kind::Folder,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    })
}

/// Opens a folder in a folder.
pub(super) fn open_folder(folder: &OwnedFd, name: impl Arg) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(folder, name, QUIET | OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())
}

/// Opens a file in a folder; what is no file by then fails with `EINVAL`.
pub(super) fn open_file(folder: &OwnedFd, name: impl Arg) -> Result<File, Errno> {
    let file = rustix::fs::openat(folder, name, QUIET | OFlags::RDONLY, Mode::empty())?;
    let stat = rustix::fs::fstat(&file)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(File::from(file)),
        _ => Err(Errno::INVAL),
    }
}

/// A file's bytes, or what is known of a file that is too large.
pub(super) enum Content {
    Whole(Vec<u8>),
    TooLarge(String),
}

/// Reads a file of at most `limit` bytes. Of a larger one the digest is taken, as far as `budget` bytes go, so that it
/// cannot change unnoticed.
pub(super) fn read(file: &mut File, limit: u64, budget: &mut u64) -> std::io::Result<Content> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= limit {
        return Ok(Content::Whole(bytes));
    }
    let size = file.metadata()?.len();
    let facts = format!("{size} bytes, of which {limit} may be read");
    if size > *budget {
        return Ok(Content::TooLarge(facts));
    }
    let mut hasher = Sha256::new_with_prefix(&bytes);
    let mut rest = file.take(*budget);
    bytes.resize(bytes.capacity().max(1 << 16), 0);
    loop {
        let count = rest.read(&mut bytes)?;
        if count == 0 {
            break;
        }
        hasher.update(&bytes[..count]);
        *budget -= count as u64;
    }
    let digest = Digest::from(<[u8; 32]>::from(hasher.finalize()));
    Ok(Content::TooLarge(format!("{facts}; {digest}")))
}

/// An entry for what the system refused.
pub(super) fn refused(path: &str, error: impl std::fmt::Display) -> Unread {
    Unread { path: path.to_owned(), reason: UnreadReason::Unreadable, detail: error.to_string() }
}
