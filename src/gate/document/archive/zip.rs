//! Zip, by the list at its end, as almost all programs read it; whatever that list does not name is said.
//!
//! A zip names each entry twice, in the list and where it stands, and nothing makes the two agree. Where they do not, one
//! program unpacks another file than the next, so that is said too.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};

use super::{Budget, Entry, Opened, names};
use crate::base::{Compression, RelPath, UnreadReason};

/// How an entry begins where it stands, and in the list, and how the record at the end does.
const ENTRY: &[u8] = b"PK\x03\x04";
const LISTED: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

/// As far from the end the last record can begin: its own length and the longest comment.
const TAIL: usize = 22 + 0xFFFF;

/// True where the last bytes hold the record of a list of entries.
pub(super) fn ends_as_zip(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    memmem::rfind(tail, END).is_some()
        && ZipArchive::from_slice(&bytes[start(bytes)..])
            .is_ok_and(|zip| matches!(zip.entries().next_entry(), Ok(Some(_))))
}

/// Where the zip starts that a file ends with: what the list says of its own place is counted from there. Programs agree
/// on this where something stands before it, even another zip.
fn start(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(TAIL);
    let start = memmem::rfind(&bytes[tail..], END).and_then(|at| {
        let end = tail + at;
        let number = |at: usize| {
            let number = bytes.get(end + at..end + at + 4)?.try_into().ok().map(u32::from_le_bytes)?;
            usize::try_from(number).ok()
        };
        let (length, offset) = (number(12)?, number(16)?);
        let list = end.checked_sub(length)?;
        bytes[list..].starts_with(LISTED).then(|| list.checked_sub(offset)).flatten()
    });
    start.unwrap_or_default()
}

/// The bytes of an entry's header before its name.
const HEADER: usize = 30;

/// True where an entry stands in the bytes that programs find without a list: a header, and a name behind it.
fn has_entry(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, ENTRY).any(|at| {
        let length =
            bytes.get(at + 26..at + 28).map(|pair| usize::from(u16::from_le_bytes([pair[0], pair[1]])));
        let name = length.and_then(|length| bytes.get(at + HEADER..at + HEADER + length));
        name.is_some_and(|name| !name.is_empty() && !name.iter().any(u8::is_ascii_control))
    })
}

/// Opens a zip.
pub(super) fn open(bytes: &[u8], budget: &mut Budget) -> Opened {
    let (before, zip) = bytes.split_at(start(bytes));
    match ZipArchive::from_slice(zip) {
        Ok(archive) => Unpacking::new(before, zip, archive).run(budget),
        Err(error) => {
            // What only begins as a zip, and holds no entry, is nothing that anybody would unpack.
            let (reason, others) = if has_entry(bytes) {
                (UnreadReason::Ambiguous, ", whose entries others find where they stand")
            } else {
                (UnreadReason::Undecodable, "")
            };
            let faults = vec![(reason, format!("a zip without its list{others}: {error}"))];
            Opened { faults, beside: bytes.to_vec(), ..Opened::default() }
        }
    }
}

struct Unpacking<'a> {
    /// What stands before the zip, and the zip.
    before: &'a [u8],
    bytes: &'a [u8],
    archive: ZipSliceArchive<&'a [u8]>,
    opened: Opened,
    /// The files so far.
    names: BTreeSet<RelPath>,
    /// What entries and the list take up.
    covered: Vec<Range<usize>>,
}

impl<'a> Unpacking<'a> {
    fn new(before: &'a [u8], bytes: &'a [u8], archive: ZipSliceArchive<&'a [u8]>) -> Self {
        let list = index(archive.directory_offset())..index(archive.end_offset());
        Self {
            before,
            bytes,
            archive,
            opened: Opened::default(),
            names: BTreeSet::new(),
            covered: vec![list],
        }
    }

    fn run(mut self, budget: &mut Budget) -> Opened {
        let archive = self.archive.clone();
        let mut entries = archive.entries();
        let mut count = 0;
        loop {
            match entries.next_entry() {
                Ok(None) => break self.check_list(count),
                Ok(Some(_)) if !budget.draw_entry() => break self.opened.faults.push(Budget::too_many()),
                Ok(Some(_)) if budget.is_spent() => break self.opened.faults.push(Budget::spent()),
                Ok(Some(header)) => self.entry(&header, budget),
                Err(error) => {
                    let detail = format!("its list of entries breaks off: {error}");
                    break self.opened.fault(UnreadReason::Ambiguous, detail);
                }
            }
            count += 1;
        }
        self.opened
    }

    fn entry(&mut self, header: &ZipFileHeaderRecord<'_>, budget: &mut Budget) {
        let name = header.file_path().as_bytes();
        let (path, escaping) = names::clean(name);
        let mut entry = Entry { path, bytes: None, faults: escaping.into_iter().collect() };
        if !header.is_dir() && !self.names.insert(entry.path.clone()) {
            let detail = "two entries have this name, and programs unpack one or the other".to_owned();
            entry.faults.push((UnreadReason::Ambiguous, detail));
        }
        self.opened.beside.extend_from_slice(header.comment().as_bytes());
        self.content(header, &mut entry, budget);
        if !header.is_dir() || !entry.faults.is_empty() || entry.bytes.as_ref().is_some_and(|b| !b.is_empty())
        {
            self.opened.entries.push(entry);
        }
    }

    fn content(&mut self, header: &ZipFileHeaderRecord<'_>, entry: &mut Entry, budget: &mut Budget) {
        let mut fault = |reason, detail: &str| entry.faults.push((reason, detail.to_owned()));
        let found = match self.archive.get_entry(header.wayfinder()) {
            Ok(found) => found,
            Err(error) => {
                return fault(UnreadReason::Ambiguous, &format!("is not where it should be: {error}"));
            }
        };
        let start = index(header.local_header_offset());
        self.covered.push(start..index(found.compressed_data_range().1));
        let local = found.local_header();
        if local.file_path().as_bytes() != header.file_path().as_bytes() {
            fault(UnreadReason::Ambiguous, "has another name where it stands than in the list");
        }
        let method = header.compression_method();
        if header.flags().is_encrypted() || local.flags().is_encrypted() || method == CompressionMethod::AES {
            return fault(UnreadReason::Encrypted, "zip");
        }
        let Some(compression) = compression(method) else {
            return fault(
                UnreadReason::Ambiguous,
                &format!("packed in a way that is not read here: {method}"),
            );
        };
        let (unpacked, missed) = budget.unpack(compression, found.data(), budget.file_bytes());
        if header.mode().is_symlink() {
            let target = String::from_utf8_lossy(&unpacked.bytes);
            if names::leads_out(&entry.path, &target) {
                entry.faults.push((UnreadReason::LinkOutside, format!("leads to `{target}`")));
            }
        } else if missed.as_ref().is_none_or(|(reason, _)| *reason != UnreadReason::TooLarge) {
            entry.bytes = Some(unpacked.bytes);
        }
        entry.faults.extend(missed);
    }

    /// Compares what the list says with what there is.
    fn check_list(&mut self, count: u64) {
        if count != self.archive.entries_hint() {
            let detail =
                format!("lists {count} entries and says that it lists {}", self.archive.entries_hint());
            self.opened.fault(UnreadReason::Ambiguous, detail);
        }
        let gaps = gaps(&mut self.covered, self.bytes.len());
        let gaps = gaps.into_iter().filter_map(|gap| self.bytes.get(gap));
        let gaps: Vec<&[u8]> = [self.before].into_iter().chain(gaps).collect();
        if gaps.iter().any(|gap| memmem::find(gap, ENTRY).is_some()) {
            self.opened.fault(UnreadReason::Ambiguous, "has entries that its list does not name");
        }
        self.opened.beside.extend_from_slice(self.archive.comment().as_bytes());
        self.opened.beside.extend(gaps.concat());
    }
}

/// What no range covers, up to `end`.
fn gaps(covered: &mut [Range<usize>], end: usize) -> Vec<Range<usize>> {
    covered.sort_by_key(|range| (range.start, range.end));
    let mut from = 0;
    let mut gaps = Vec::new();
    for range in covered.iter().chain([&(end..end)]) {
        if range.start > from {
            gaps.push(from..range.start);
        }
        from = from.max(range.end);
    }
    gaps
}

const fn compression(method: CompressionMethod) -> Option<Compression> {
    match method.as_u16() {
        0 => Some(Compression::None),
        8 => Some(Compression::Deflate),
        12 => Some(Compression::Bzip2),
        93 => Some(Compression::Zstd),
        95 => Some(Compression::Xz),
        _ => None,
    }
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
