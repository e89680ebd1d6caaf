//! What was not read, and why: coverage is part of every answer (gate.md 3).
//!
//! An unread entry is never an error. Policy decides what it means (`on_unread`).

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why content was not read. The names are those of the policy keys under `[on_unread]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnreadReason {
    /// A program in machine code, or byte code.
    Executable,
    /// An archive or document that needs a password.
    Encrypted,
    /// Archives within archives, folders, or encodings within encodings, beyond the depth limit.
    TooDeep,
    /// Over a size limit.
    TooLarge,
    /// More files, or more hits of one rule, than the limit.
    TooMany,
    /// Not text, and no kind that is opened.
    Binary,
    /// Said to be text or an archive, but cannot be decoded.
    Undecodable,
    /// An entry of an archive whose name leads out of the folder that the archive is unpacked into.
    Escaping,
    /// An archive that can be taken for two: an entry's name comes twice, or the list of entries is not what is in it.
    Ambiguous,
    /// A link that leads out of the unit.
    LinkOutside,
    /// A socket, pipe or device.
    Special,
    /// The system refused to read it.
    Unreadable,
    /// The file that an agent obeys first of all was not read, whatever the reason.
    MainFile,
    /// What git keeps for itself in a folder `.git`.
    Git,
    /// Pictures, sound, video, fonts and file managers' notes that are recognised: listed, but not unread for policy.
    Media,
}

impl UnreadReason {
    /// The name in policy, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Executable => "executable",
            Self::Encrypted => "encrypted",
            Self::TooDeep => "too-deep",
            Self::TooLarge => "too-large",
            Self::TooMany => "too-many",
            Self::Binary => "binary",
            Self::Undecodable => "undecodable",
            Self::Escaping => "escaping",
            Self::Ambiguous => "ambiguous",
            Self::LinkOutside => "link-outside",
            Self::Special => "special",
            Self::Unreadable => "unreadable",
            Self::MainFile => "main-file",
            Self::Git => "git",
            Self::Media => "media",
        }
    }
}

impl fmt::Display for UnreadReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One piece of content that was not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unread {
    /// The file, or the field of a message; inside an archive `archive.zip!/inner/name`.
    pub path: String,
    /// Why.
    pub reason: UnreadReason,
    /// What exactly: a size, a limit, the system's message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}
