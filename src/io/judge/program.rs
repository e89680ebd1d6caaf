//! Which program it is that judges: the digest of its file, and of the files that it is started with.
//!
//! What a program reads beside these (a library, settings of its own) is not seen.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::base::{Digest, DigestWriter};

/// The most bytes of a file that are read; of a longer one size and time tell the rest.
const MOST_READ: u64 = 16 << 20;

/// A digest of the command line and of every file that it names by an absolute path, as they are now.
pub(super) fn digest(command: &[String]) -> Digest {
    let mut writer = DigestWriter::new("program");
    for word in command {
        writer.field(word.as_bytes());
        // The program starts in an empty folder, where a relative path names nothing.
        let named = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        let path = [word.as_str(), named].into_iter().map(Path::new).find(|path| path.is_absolute());
        match path.and_then(|path| contents(path).ok()) {
            Some((facts, bytes)) => writer.field(facts.as_bytes()).field(&bytes),
            None => writer.field(b"no file"),
        };
    }
    writer.finish()
}

/// What is known of a file.
fn contents(path: &Path) -> std::io::Result<(String, Vec<u8>)> {
    // Opening a pipe would wait for its other end.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_READ).read_to_end(&mut bytes)?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let is_long = metadata.len() > MOST_READ;
    Ok((if is_long { format!("{} {changed:?}", metadata.len()) } else { String::new() }, bytes))
}
