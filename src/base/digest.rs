//! The name of exactly these bytes: every verdict, release and cache entry speaks of a digest.
//!
//! A digest is SHA-256 over a version, a kind and then length-prefixed fields (gate.md 1), so that no two
//! different sequences of fields can give the same input.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of the field layout; it changes when what goes into a digest changes.
const LAYOUT: u64 = 1;

/// SHA-256 of a unit, written `sha256:` and 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of plain bytes, without kind or fields (a file, a log line).
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 64 hex digits without the prefix.
    pub fn hex(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut hex, byte| {
            hex.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
            hex.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
            hex
        })
    }

    /// The first 12 hex digits, for tables and ids.
    pub fn short(&self) -> String {
        self.hex()[..12].to_owned()
    }
}

impl From<[u8; 32]> for Digest {
    /// A SHA-256 that was taken piece by piece.
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is no digest.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is no digest: it takes `sha256:` and 64 hex digits")]
pub struct DigestError(String);

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let fail = || DigestError(text.to_owned());
        let hex = text.strip_prefix("sha256:").ok_or_else(fail)?.as_bytes();
        if hex.len() != 64 {
            return Err(fail());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            let digit = |c: u8| char::from(c).to_digit(16).ok_or_else(fail);
            *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Collects the fields of one unit into its digest.
pub struct DigestWriter(Sha256);

impl DigestWriter {
    /// Starts a digest of this kind (`package`, `mcp`, `loose`, `ruleset`, …).
    pub fn new(kind: &str) -> Self {
        let mut writer = Self(Sha256::new());
        writer.0.update(LAYOUT.to_le_bytes());
        writer.field(kind.as_bytes());
        writer
    }

    /// Adds one field, length first.
    pub fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The digest of all fields so far.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, DigestWriter};

    #[test]
    fn text_form_reads_back() {
        let digest = Digest::of_bytes(b"x");
        assert_eq!(digest.to_string().parse::<Digest>().unwrap(), digest);
        assert!("sha256:12".parse::<Digest>().is_err());
        assert!(format!("sha256:{}", "g".repeat(64)).parse::<Digest>().is_err());
    }

    #[test]
    fn fields_do_not_run_together() {
        let of = |fields: &[&str]| {
            let mut writer = DigestWriter::new("t");
            for field in fields {
                writer.field(field.as_bytes());
            }
            writer.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
    }
}
