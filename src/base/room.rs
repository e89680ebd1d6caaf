//! How much of a unit may be read, and how much of that is left.
//!
//! Whoever loads a unit draws on its room first; what archives in it unpack to draws on what is left, so that a unit
//! cannot be larger inside than a policy lets it be outside. Room only ever shrinks.

/// Sizes in bytes, counts and depths that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The largest file, packed or not.
    pub file_bytes: u64,
    /// All that is still read together.
    pub bytes: u64,
    /// Files that are still read.
    pub files: usize,
    /// Archives within archives.
    pub depth: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { file_bytes: 8 << 20, bytes: 64 << 20, files: 4096, depth: 32 }
    }
}
