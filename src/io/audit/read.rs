//! Reading the log back, oldest file first, a line at a time.
//!
//! The file being written is `audit.jsonl`; a rotated one is `audit-<seq of its first line>.jsonl`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;

use super::chain::Head;
use super::record::Entry;
use crate::base::Digest;
use crate::io::home;

/// A line longer than this is not ours.
const LONGEST_LINE: u64 = 64 << 20;

/// One line, parsed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Line {
    /// The version of the line format.
    pub schema: u32,
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When it was written.
    pub time: Timestamp,
    /// The digest of the line before.
    pub prev: Digest,
    /// What it says.
    #[serde(flatten)]
    pub entry: Entry,
}

/// The file being written.
pub(super) fn current(folder: &Path) -> PathBuf {
    folder.join("audit.jsonl")
}

/// The name of a rotated file.
pub(super) fn rotated(folder: &Path, first: u64) -> PathBuf {
    folder.join(format!("audit-{first:020}.jsonl"))
}

/// All files of the log, oldest first; the current one last, where it is there.
pub fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("audit-") && name.ends_with(".jsonl") {
            files.push(path);
        }
    }
    files.sort();
    files.extend(Some(current(folder)).filter(|path| path.exists()));
    Ok(files)
}

/// The lines of one file, as bytes.
pub struct Lines {
    reader: BufReader<File>,
}

impl Lines {
    /// Opens a file of the log.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        Ok(Self { reader: BufReader::new(open(path)?) })
    }
}

impl Iterator for Lines {
    type Item = std::io::Result<Vec<u8>>;

    /// The next line with its line feed; without one it is torn.
    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        match self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    home::open_file(path, File::options().read(true))
}

/// Reads the seq of a file's first line.
pub(super) fn first_seq(path: &Path) -> std::io::Result<Option<u64>> {
    let Some(line) = Lines::open(path)?.next().transpose()? else { return Ok(None) };
    Ok(serde_json::from_slice::<Line>(&line).ok().map(|line| line.seq))
}

/// The head that the last whole line of the newest file that has one gives.
pub(super) fn last_line(folder: &Path) -> std::io::Result<Option<Head>> {
    for path in files(folder)?.iter().rev() {
        if let Some(line) = last_line_of(path)? {
            let seq = serde_json::from_slice::<Line>(&line).map_or(0, |parsed| parsed.seq);
            return Ok(Some(Head::after(seq, &line)));
        }
    }
    Ok(None)
}

fn last_line_of(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let end = whole_lines_length(path)?;
    if end == 0 {
        return Ok(None);
    }
    let start = after_last_line_feed(path, end - 1)?;
    let mut file = open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut line = Vec::new();
    file.take(end - 1 - start).read_to_end(&mut line)?;
    Ok(Some(line))
}

/// Bytes up to and with the last line feed.
pub(super) fn whole_lines_length(path: &Path) -> std::io::Result<u64> {
    after_last_line_feed(path, path.metadata()?.len())
}

/// The offset after the last line feed before `end`; 0 where there is none. Reads backwards, a block at a time.
fn after_last_line_feed(path: &Path, end: u64) -> std::io::Result<u64> {
    const BLOCK: u64 = 64 << 10;
    let mut file = open(path)?;
    let mut end = end;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        (&mut file).take(end - start).read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}
