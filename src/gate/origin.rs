//! Where a document came from: what policy overrides and the audit log speak of.
//!
//! Only facts that SkillGate established itself. A publisher is the owner that content was fetched from, never what
//! front matter says; a server is its name plus the digest of its command and arguments, or of its URL.

use serde::{Deserialize, Serialize};

use crate::base::Digest;

/// Who asked, who answered, by which method, for what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Origin {
    /// The agent that will read it (`claude-code`, `codex`, …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The MCP server's configured name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The digest of the server's command and arguments, or of its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_digest: Option<Digest>,
    /// The MCP method (`tools/call`, `resources/read`, …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The tool, resource URI or prompt that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The channel: `mcp`, `scan`, `install`, `watch`, `hook`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The owner that SkillGate fetched it from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
}

impl Origin {
    /// The channels there are.
    pub const SOURCES: &[&str] = &["mcp", "scan", "install", "watch", "hook"];
}
