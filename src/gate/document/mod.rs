//! One screened unit: a skill package, one MCP payload, or a loose file that agents obey (gate.md 1).
//!
//! A document is made once and then only read. Every text in it is a [`Part`] that a person can open: a file or a
//! field of a message. Nothing in it names a path above the unit's root.

pub(in crate::gate) mod archive;
mod binary;
mod build;
pub(crate) mod git;
mod office;
mod pickle;
mod pyc;
mod reading;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::{Digest, Unread};
use crate::skill::SKILL_FILE;

/// What kind of unit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A skill: SKILL.md and everything beside and below it.
    Package,
    /// One message of an MCP server.
    Mcp,
    /// A single file that agents obey.
    Loose,
}

impl Kind {
    /// The name in policy, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::Mcp => "mcp",
            Self::Loose => "loose",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a part is to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// SKILL.md, or a loose file of instructions: the agent obeys it.
    Instructions,
    /// Another Markdown or plain text file of the unit: the agent may read it.
    Reference,
    /// A program or script.
    Script,
    /// JSON, TOML, YAML and the like.
    Config,
    /// A text field of an MCP message.
    Field,
}

/// One text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file's relative path, or the field's path in the message (`result.content[0].text`); of what stands in an
    /// archive, the archive's and its own (`assets/tools.zip!/run.sh`).
    pub path: String,
    /// What it is to the agent.
    pub role: Role,
    /// Its text; spans of hits and windows are byte offsets in it.
    pub text: Arc<str>,
}

impl Part {
    /// The file, or field, that this text was found within, where it is none of its own: an archive, a picture.
    pub fn container(&self) -> Option<&str> {
        self.path.split_once("!/").map(|(archive, _)| archive).or_else(|| self.path.strip_suffix("!text"))
    }
}

/// A unit to be screened.
#[derive(Clone, Debug)]
pub struct Document {
    /// What kind of unit it is.
    pub kind: Kind,
    /// The skill's name, the tool or resource, or the file name. The author's words.
    pub name: String,
    /// What it says it does. The author's words; empty where it says nothing.
    pub description: String,
    /// The digest of everything that would be forwarded, unread content included.
    pub digest: Digest,
    /// Its size in bytes, unread content included.
    pub bytes: u64,
    /// Its texts, in one stable order.
    pub parts: Vec<Part>,
    /// Content that was not read.
    pub unread: Vec<Unread>,
    /// What was odd about the bytes (duplicate keys, lone surrogates, a script behind a picture, …), as short codes
    /// with the place. Each is reported as a hit of the rule that bears the code.
    pub anomalies: Vec<Anomaly>,
}

impl Document {
    /// The bytes of its texts together: what a scan goes through.
    pub fn text_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.text.len() as u64).sum()
    }

    /// True where an archive in it holds a skill's main file, be it one that could not be read.
    pub fn holds_packed_skill(&self) -> bool {
        let parts = self.parts.iter().map(|part| &part.path);
        let mut paths = parts.chain(self.unread.iter().map(|unread| &unread.path));
        let is_main = |inner: &str| inner.eq_ignore_ascii_case(SKILL_FILE);
        paths.any(|path| {
            path.rsplit_once("!/").is_some_and(|(_, inner)| inner.rsplit('/').next().is_some_and(is_main))
        })
    }
}

/// Something odd about a file or field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anomaly {
    /// One of the codes in [`super::views::detectors::DETECTORS`].
    pub code: String,
    /// The file or field, as in [`Part::path`]; empty for the message as a whole.
    pub path: String,
}
