//! Archives, opened in memory: zip and what is one inside (docx, jar, whl, …), tar, and streams of one file.
//!
//! Whoever packed an archive decides what is in it and never how much is read: every byte, every entry and every archive
//! within another is drawn from a [`Budget`], and what does not fit is said. Nothing is written anywhere, names lead
//! nowhere, and links are not followed. Nothing here knows what the files say.

mod budget;
mod names;
mod tar;
#[cfg(test)]
mod tests;
mod zip;

pub(super) use budget::Budget;

use crate::base::compression::End;
use crate::base::{Compression, RelPath, Room, UnreadReason};

/// Entries that are read of an archive in a text.
const MOST_CARRIED: usize = 64;

/// How an archive is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// By the list at its end.
    Zip,
    /// Header by header.
    Tar,
    /// A stream that holds one file, or a tar.
    Stream(Compression),
}

/// What was not read of an archive or an entry, and what exactly.
pub(super) type Fault = (UnreadReason, String);

/// One entry.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its name, without what would lead out of a folder.
    pub path: RelPath,
    /// Its bytes, as far as they could be read; nothing where none could.
    pub bytes: Option<Vec<u8>>,
    /// What is to be said of it.
    pub faults: Vec<Fault>,
}

/// What came out of an archive.
#[derive(Debug, Default)]
pub(super) struct Opened {
    /// Its entries, in its own order.
    pub entries: Vec<Entry>,
    /// What is to be said of it as a whole.
    pub faults: Vec<Fault>,
    /// Bytes of it that belong to no entry.
    pub beside: Vec<u8>,
}

impl Opened {
    fn fault(&mut self, reason: UnreadReason, detail: impl Into<String>) {
        self.faults.push((reason, detail.into()));
    }
}

/// The format of an archive that is not a compressed stream.
fn container(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Some(Format::Zip);
    }
    tar::is_tar(bytes).then_some(Format::Tar)
}

/// The text files of a zip or tar that was carried in a text, one after the other, up to so many bytes.
pub(in crate::gate) fn texts(bytes: &[u8], most: u64) -> Option<String> {
    let format = container(bytes)?;
    let mut budget = Budget::new(Room { file_bytes: most, bytes: most, files: MOST_CARRIED, depth: 1 });
    budget.enter(bytes.len());
    let opened = open(format, "", bytes, &mut budget);
    let texts = opened.entries.iter().filter_map(|entry| std::str::from_utf8(entry.bytes.as_deref()?).ok());
    let text = texts.collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}

/// The format of a file that is nothing but an archive.
pub(super) fn format(bytes: &[u8]) -> Option<Format> {
    if let Some(format) = container(bytes) {
        return Some(format);
    }
    let compression = Compression::of(bytes)?;
    // Zlib begins with two bytes, which chance makes too.
    let is_stream = compression != Compression::Zlib || !compression.unpack(bytes, 64).bytes.is_empty();
    is_stream.then_some(Format::Stream(compression))
}

/// True where a file that is something else to start with ends as a zip, which programs that open zips do not mind.
pub(super) fn is_zip_behind(bytes: &[u8]) -> bool {
    zip::ends_as_zip(bytes)
}

/// Opens an archive of this name.
pub(super) fn open(format: Format, name: &str, bytes: &[u8], budget: &mut Budget) -> Opened {
    match format {
        Format::Zip => zip::open(bytes, budget),
        Format::Tar => tar::open(bytes, budget),
        Format::Stream(compression) => stream(compression, name, bytes, budget),
    }
}

fn stream(compression: Compression, name: &str, bytes: &[u8], budget: &mut Budget) -> Opened {
    let (unpacked, fault) = budget.unpack(compression, bytes, u64::MAX);
    let broken = matches!(unpacked.end, End::Broken(_));
    if tar::is_tar(&unpacked.bytes) {
        let mut opened = tar::open(&unpacked.bytes, budget);
        // What broke off is told once, with the stream's own words.
        opened.faults.retain(|(reason, _)| !broken || *reason != UnreadReason::Undecodable);
        opened.faults.extend(fault);
        return opened;
    }
    let mut entry = Entry { path: names::unpacked(name), bytes: None, faults: Vec::new() };
    let is_too_large = unpacked.bytes.len() as u64 > budget.file_bytes();
    match fault {
        None if is_too_large => entry.faults.push(budget.over_file_bytes()),
        fault => {
            entry.faults.extend(fault);
            entry.bytes = Some(unpacked.bytes);
        }
    }
    Opened { entries: vec![entry], ..Opened::default() }
}
