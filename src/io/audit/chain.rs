//! The chain's head: the seq and digest of the last line, in a file of one fixed-width line.
//!
//! It is overwritten in place by one small write, so that an append costs no rename. A crash between the line and the
//! head leaves the head one line behind, which the next append and `verify` can tell from a cut tail.

use std::path::Path;

use crate::base::Digest;
use crate::io::home;

/// Where the chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last line's seq; 0 before the first line.
    pub seq: u64,
    /// The digest of the last line's bytes, without the line feed; of no bytes before the first line.
    pub hash: Digest,
}

impl Head {
    /// Before the first line.
    pub fn start() -> Self {
        Self { seq: 0, hash: Digest::of_bytes(b"") }
    }

    /// The head after this line.
    pub fn after(seq: u64, line: &[u8]) -> Self {
        Self { seq, hash: Digest::of_bytes(line) }
    }

    /// Always the same number of bytes.
    pub(super) fn to_line(self) -> String {
        format!("{:020} {}\n", self.seq, self.hash)
    }

    /// Reads a head file; nothing where it is missing or is no head.
    pub fn read(path: &Path) -> Option<Self> {
        let text = String::from_utf8(home::read_file(path).ok()?).ok()?;
        let (seq, hash) = text.trim_end().split_once(' ')?;
        Some(Self { seq: seq.parse().ok()?, hash: hash.parse().ok()? })
    }
}
