//! The entries on disk.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::QuarantineError;
use super::entry::{Entry, EntryId, Status};
use crate::base::{FileTree, Mode};
use crate::io::{Home, atomic, home};

/// What is kept of a document.
#[derive(Clone, Debug)]
pub enum Payload<'a> {
    /// All files of a package.
    Files(&'a FileTree),
    /// One message, byte for byte.
    Message(&'a [u8]),
}

/// The quarantine under a home.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The quarantine under this home; the folder need not be there.
    pub fn at(home: &Home) -> Self {
        Self { folder: home.quarantine() }
    }

    /// Keeps a payload and its decision under the decision's id. Whole or not at all, and on the disk when it returns.
    pub fn keep(&self, payload: &Payload<'_>, entry: &Entry) -> Result<EntryId, QuarantineError> {
        let id: EntryId = entry.decision.id.parse()?;
        let target = self.path(&id);
        let fail = |doing| QuarantineError::io(doing, &target);
        home::make_private_dir(&self.folder).map_err(fail("making the folder for"))?;
        let staging = tempfile::Builder::new()
            .prefix(".new-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir_in(&self.folder)
            .map_err(fail("making a staging folder for"))?;
        let archive = archive(payload, entry).map_err(fail("archiving"))?;
        atomic::write_private(&staging.path().join("payload.tar"), &archive).map_err(fail("writing"))?;
        write_entry(staging.path(), entry)?;
        std::fs::rename(staging.keep(), &target).map_err(fail("storing"))?;
        atomic::sync_dir(&self.folder).map_err(fail("storing"))?;
        Ok(id)
    }

    /// All entries, newest first, and what could not be read.
    pub fn list(&self) -> Result<(Vec<Entry>, Vec<QuarantineError>), QuarantineError> {
        let mut entries = Vec::new();
        let mut broken = Vec::new();
        for id in self.ids()? {
            match self.get(&id) {
                Ok(entry) => entries.push(entry),
                Err(error) => broken.push(error),
            }
        }
        entries.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.decision.id.cmp(&b.decision.id)));
        Ok((entries, broken))
    }

    fn ids(&self) -> Result<Vec<EntryId>, QuarantineError> {
        let listing = match std::fs::read_dir(&self.folder) {
            Ok(listing) => listing,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(QuarantineError::io("listing", &self.folder)(error)),
        };
        let names = listing.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut ids: Vec<EntryId> = names.filter_map(|name| name.parse().ok()).collect();
        ids.sort();
        Ok(ids)
    }

    /// One entry.
    pub fn get(&self, id: &EntryId) -> Result<Entry, QuarantineError> {
        let path = self.path(id).join("decision.json");
        match home::read_file(&path) {
            Ok(json) => serde_json::from_slice(&json)
                .map_err(|error| QuarantineError::Broken { path, why: error.to_string() }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(QuarantineError::NoSuchEntry(id.to_string()))
            }
            Err(error) => Err(QuarantineError::io("reading", &path)(error)),
        }
    }

    /// The files in an entry's archive, by name. Read in memory, never unpacked.
    pub fn payload(&self, id: &EntryId) -> Result<Vec<(String, Vec<u8>)>, QuarantineError> {
        let path = self.path(id).join("payload.tar");
        let bytes = home::read_file(&path).map_err(QuarantineError::io("reading", &path))?;
        unarchive(&bytes).map_err(QuarantineError::io("reading", &path))
    }

    /// Notes what became of an entry.
    pub fn set_status(&self, id: &EntryId, status: Status) -> Result<Entry, QuarantineError> {
        let entry = Entry { status, ..self.get(id)? };
        write_entry(&self.path(id), &entry)?;
        Ok(entry)
    }

    /// Removes an entry for good.
    pub fn purge(&self, id: &EntryId) -> Result<(), QuarantineError> {
        let path = self.path(id);
        match std::fs::remove_dir_all(&path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(QuarantineError::NoSuchEntry(id.to_string()))
            }
            Err(error) => Err(QuarantineError::io("removing", &path)(error)),
        }
    }

    fn path(&self, id: &EntryId) -> PathBuf {
        self.folder.join(id.as_str())
    }
}

fn write_entry(folder: &Path, entry: &Entry) -> Result<(), QuarantineError> {
    let path = folder.join("decision.json");
    let json = serde_json::to_vec_pretty(entry)
        .map_err(|error| QuarantineError::Broken { path: path.clone(), why: error.to_string() })?;
    atomic::write_private(&path, &json).map_err(QuarantineError::io("writing", &path))
}

/// One tar with the payload as it was; names and modes as in the unit, the time of the decision.
fn archive(payload: &Payload<'_>, entry: &Entry) -> std::io::Result<Vec<u8>> {
    let seconds = u64::try_from(entry.time.as_second()).unwrap_or(0);
    let mut tar = tar::Builder::new(Vec::new());
    let mut add = |name: &str, bytes: &[u8], mode: u32| {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(seconds);
        tar.append_data(&mut header, name, bytes)
    };
    match payload {
        Payload::Message(message) => add("message.json", message, 0o600)?,
        Payload::Files(tree) => {
            for (path, file) in tree.iter() {
                let mode = if file.mode == Mode::Executable { 0o700 } else { 0o600 };
                add(path.as_str(), &file.bytes, mode)?;
            }
        }
    }
    tar.into_inner()
}

fn unarchive(bytes: &[u8]) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for file in tar::Archive::new(bytes).entries()? {
        let mut file = file?;
        let name = file.path()?.to_string_lossy().into_owned();
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut content)?;
        files.push((name, content));
    }
    Ok(files)
}
