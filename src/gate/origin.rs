//! Where a document came from: what policy overrides and the audit log speak of.
//!
//! Only facts that SkillGate established itself. A publisher is the owner that content was fetched from, never what
//! front matter says; a server is its name plus the digest of its command and arguments, or of its URL.

use serde::{Deserialize, Serialize};

use crate::base::Digest;
use crate::mcp::Side;
use crate::mcp::screen_list::ARGUMENTS;

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
    /// Who sent the MCP message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The MCP method (`tools/call`, `resources/read`, …): what the agent asks, or what the server answers.
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

    /// Who sent the message: the server, where nothing else is known.
    pub fn sender(&self) -> Side {
        self.side.unwrap_or(Side::Server)
    }

    /// The method as policy names it. What the agent sends is `arguments`, so that an exception for a tool's answers is
    /// none for what is handed to the tool.
    pub fn method_for_policy(&self) -> Option<&str> {
        match self.sender() {
            Side::Server => self.method.as_deref(),
            Side::Client => Some(ARGUMENTS),
        }
    }

    /// The method, and whose message it is where it is the agent's; empty where there is none.
    pub fn method_in_words(&self) -> String {
        match (self.sender(), &self.method) {
            (_, None) => String::new(),
            (Side::Server, Some(method)) => method.clone(),
            (Side::Client, Some(method)) => format!("{method}, sent by the agent"),
        }
    }
}
