//! Tar, header by header.
//!
//! Its entries are as large inside as outside, so that only their number is drawn from the budget.

use std::io::Read;

use tar::{Archive, EntryType, Header};

use super::{Budget, Entry, Opened, names};
use crate::base::{RelPath, UnreadReason};

/// Headers and contents fill blocks of this size.
const BLOCK: usize = 512;

/// True where the first block is a header whose checksum holds.
pub(super) fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(..BLOCK).is_some_and(is_header)
}

fn is_header(block: &[u8]) -> bool {
    let header = Header::from_byte_slice(block);
    let sum: u32 = block.iter().enumerate().map(|(at, byte)| u32::from(summed(at, *byte))).sum();
    block[0] != 0 && header.cksum().is_ok_and(|stated| stated == sum)
}

/// The checksum counts its own place as blanks.
const fn summed(at: usize, byte: u8) -> u8 {
    if at >= 148 && at < 156 { b' ' } else { byte }
}

/// Opens a tar.
pub(super) fn open(bytes: &[u8], budget: &mut Budget) -> Opened {
    let mut opened = Opened::default();
    let mut archive = Archive::new(bytes);
    let mut end = 0;
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => {
            opened.fault(UnreadReason::Undecodable, error.to_string());
            return opened;
        }
    };
    for entry in entries {
        if !budget.draw_entry() {
            opened.faults.push(Budget::too_many());
            return opened;
        }
        match entry {
            Ok(entry) => {
                let size = usize::try_from(entry.size()).unwrap_or(usize::MAX);
                let start = usize::try_from(entry.raw_file_position()).unwrap_or(usize::MAX);
                end = start.saturating_add(size.div_ceil(BLOCK).saturating_mul(BLOCK));
                opened.entries.extend(read(entry, budget));
            }
            Err(error) => {
                opened.fault(UnreadReason::Undecodable, error.to_string());
                break;
            }
        }
    }
    note_rest(&mut opened, bytes.get(end..).unwrap_or_default());
    opened
}

/// What stands after the end: programs that are told to go on find it.
fn note_rest(opened: &mut Opened, rest: &[u8]) {
    if rest.chunks_exact(BLOCK).any(is_header) && opened.faults.is_empty() {
        opened.fault(UnreadReason::Ambiguous, "has entries after its end");
    }
    opened.beside.extend_from_slice(rest);
}

fn read(mut entry: tar::Entry<'_, &[u8]>, budget: &Budget) -> Option<Entry> {
    let (path, escaping) = names::clean(&entry.path_bytes());
    let mut read = Entry { path, bytes: None, faults: escaping.into_iter().collect() };
    match entry.header().entry_type() {
        EntryType::Directory | EntryType::XGlobalHeader if read.faults.is_empty() => return None,
        EntryType::Directory | EntryType::XGlobalHeader => {}
        kind @ (EntryType::Symlink | EntryType::Link) => {
            let target = entry.link_name_bytes().unwrap_or_default();
            let target = String::from_utf8_lossy(&target).into_owned();
            // A hard link's target is named from the archive's root.
            let root = RelPath::new("link").ok();
            let from = root.filter(|_| kind == EntryType::Link).unwrap_or_else(|| read.path.clone());
            if names::leads_out(&from, &target) {
                read.faults.push((UnreadReason::LinkOutside, format!("leads to `{target}`")));
            }
            if read.faults.is_empty() {
                return None;
            }
        }
        EntryType::GNUSparse => {
            let detail = "a file with holes, which is not put together".to_owned();
            read.faults.push((UnreadReason::Undecodable, detail));
        }
        EntryType::Fifo | EntryType::Char | EntryType::Block => {
            read.faults.push((UnreadReason::Special, String::new()));
        }
        _ if entry.size() > budget.file_bytes() => read.faults.push(budget.over_file_bytes()),
        _ => {
            let mut bytes = Vec::new();
            if let Err(error) = entry.read_to_end(&mut bytes) {
                read.faults.push((UnreadReason::Undecodable, error.to_string()));
            }
            read.bytes = Some(bytes);
        }
    }
    Some(read)
}
