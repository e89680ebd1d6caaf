//! Appending: one lock, one write, one head.
//!
//! Any process of the user may append (the daemon, a person's release). Whoever holds the lock first makes sure that it
//! stands at the true end of the chain: another writer's lines are read up, a torn last line is set aside, a cut tail
//! leaves a gap in `seq` that `verify` will always show.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use super::chain::Head;
use super::record::{Entry, Event, SCHEMA};
use super::{AuditError, read};
use crate::base::Digest;
use crate::io::{Home, atomic, home};

/// A file is rotated when it has reached this many bytes.
const ROTATE_AT: u64 = 64 << 20;

/// Whether an append waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Written; a power cut may lose it.
    Written,
    /// On the disk: quarantine, block and events.
    Synced,
}

/// The log, open for appending.
#[derive(Debug)]
pub struct AuditLog {
    folder: PathBuf,
    lock: File,
    log: File,
    head_file: File,
    head: Head,
    /// Bytes of the log after our last append: more or less means that somebody else wrote.
    length: u64,
    rotate_at: u64,
}

#[derive(Serialize)]
struct Envelope<'a> {
    schema: u32,
    seq: u64,
    time: Timestamp,
    prev: Digest,
    #[serde(flatten)]
    entry: &'a Entry,
}

impl AuditLog {
    /// Opens the log under a home, making it where it is missing. What a crash left behind is put in order at the first
    /// append.
    pub fn open(home: &Home) -> Result<Self, AuditError> {
        Self::open_rotating(home, ROTATE_AT)
    }

    /// [`AuditLog::open`] with a rotation size of the caller's.
    pub fn open_rotating(home: &Home, rotate_at: u64) -> Result<Self, AuditError> {
        let folder = home.logs();
        home::make_private_dir(&folder).map_err(AuditError::new("making the folder", &folder))?;
        let lock = open_private(&folder.join("audit.lock"))?;
        let log = open_private(&read::current(&folder))?;
        let head_file = open_private(&folder.join("audit.head"))?;
        // A length that no file has makes the first append look at the file as it is.
        Ok(Self { folder, lock, log, head_file, head: Head::start(), length: u64::MAX, rotate_at })
    }

    /// Appends one line and gives the head after it. The time is the caller's.
    pub fn append(
        &mut self,
        entry: &Entry,
        time: Timestamp,
        durability: Durability,
    ) -> Result<Head, AuditError> {
        let path = read::current(&self.folder);
        self.lock.lock().map_err(AuditError::new("locking", &self.folder.join("audit.lock")))?;
        let result =
            self.append_locked(entry, time, durability).map_err(AuditError::new("appending to", &path));
        if result.is_err() {
            self.length = u64::MAX;
        }
        self.lock.unlock().map_err(AuditError::new("unlocking", &path))?;
        result
    }

    fn append_locked(
        &mut self,
        entry: &Entry,
        time: Timestamp,
        durability: Durability,
    ) -> std::io::Result<Head> {
        if !self.at_the_end()? {
            self.catch_up(time)?;
        }
        if self.length >= self.rotate_at {
            self.rotate()?;
        }
        self.write_line(entry, time)?;
        if durability == Durability::Synced {
            self.log.sync_data()?;
            self.head_file.sync_data()?;
        }
        Ok(self.head)
    }

    /// True where the file is the one we wrote to and nobody has written since.
    fn at_the_end(&self) -> std::io::Result<bool> {
        let ours = self.log.metadata()?;
        if ours.len() != self.length || ours.nlink() == 0 {
            return Ok(false);
        }
        let named = read::current(&self.folder).metadata();
        Ok(named.is_ok_and(|named| named.ino() == ours.ino() && named.dev() == ours.dev()))
    }

    fn write_line(&mut self, entry: &Entry, time: Timestamp) -> std::io::Result<()> {
        let seq = self.head.seq + 1;
        let envelope = Envelope { schema: SCHEMA, seq, time, prev: self.head.hash, entry };
        let mut line = serde_json::to_vec(&envelope)?;
        let head = Head::after(seq, &line);
        line.push(b'\n');
        self.log.write_all(&line)?;
        self.length += line.len() as u64;
        self.set_head(head)
    }

    fn set_head(&mut self, head: Head) -> std::io::Result<()> {
        self.head_file.write_all_at(head.to_line().as_bytes(), 0)?;
        self.head = head;
        Ok(())
    }

    /// Finds the true end of the chain and notes in the log whatever was not as it should be.
    fn catch_up(&mut self, time: Timestamp) -> std::io::Result<()> {
        self.log = reopen(&read::current(&self.folder))?;
        let torn = self.set_torn_line_aside(time)?;
        self.length = self.log.metadata()?.len();
        let last = read::last_line(&self.folder)?;
        let head = Head::read(&self.folder.join("audit.head"));
        let (head, note) = true_end(last, head);
        self.set_head(head)?;
        for event in torn.into_iter().chain(note) {
            self.write_line(&Entry::Event(Box::new(event)), time)?;
        }
        Ok(())
    }

    /// Moves a last line without line feed into a file of its own.
    fn set_torn_line_aside(&mut self, time: Timestamp) -> std::io::Result<Option<Event>> {
        let path = read::current(&self.folder);
        let whole = read::whole_lines_length(&path)?;
        let mut torn = Vec::new();
        self.log.seek(SeekFrom::Start(whole))?;
        self.log.read_to_end(&mut torn)?;
        if torn.is_empty() {
            return Ok(None);
        }
        let aside = format!("audit.torn-{}", time.as_microsecond());
        atomic::write_private(&self.folder.join(&aside), &torn)?;
        self.log.set_len(whole)?;
        let why = format!("a last line of {} bytes was incomplete and stands in logs/{aside}", torn.len());
        let digest = Some(Digest::of_bytes(&torn));
        Ok(Some(Event { digest, ..Event::by_daemon("audit_torn_line", aside, why) }))
    }

    fn rotate(&mut self) -> std::io::Result<()> {
        let path = read::current(&self.folder);
        let first = read::first_seq(&path)?.unwrap_or(self.head.seq);
        std::fs::rename(&path, read::rotated(&self.folder, first))?;
        self.log = reopen(&path)?;
        self.length = 0;
        atomic::sync_dir(&self.folder)
    }
}

/// Where the chain goes on, and what has to be said about it.
fn true_end(last: Option<Head>, head: Option<Head>) -> (Head, Option<Event>) {
    match (last, head) {
        (None, None) => (Head::start(), None),
        (None, Some(head)) if head == Head::start() => (head, None),
        (Some(last), Some(head)) if last == head => (head, None),
        // A crash fell between the line and the head.
        (Some(last), Some(head)) if last.seq == head.seq + 1 => {
            (last, Some(Event::by_daemon("audit_head_recovered", "", "the head was one line behind the log")))
        }
        (Some(last), None) => {
            (last, Some(Event::by_daemon("audit_head_recovered", "", "audit.head was missing or unreadable")))
        }
        // Lines are gone, or others stand in their place: go on after the head, so that the gap stays visible.
        (_, Some(head)) => {
            let why = format!("the log does not end with the line {} that audit.head names", head.seq);
            (head, Some(Event::by_daemon("audit_gap", "", why)))
        }
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options
}

fn open_private(path: &Path) -> Result<File, AuditError> {
    home::open_file(path, &mut options()).map_err(AuditError::new("opening", path))
}

fn reopen(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    home::open_file(path, options.read(true).append(true).create(true).mode(0o600))
}
