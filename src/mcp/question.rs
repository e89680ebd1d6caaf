//! What is asked about one message: everything a decision needs to know beside its bytes.
//!
//! Self-contained, so that it can be asked again of another daemon.

use serde::{Deserialize, Serialize};

use super::anomaly::AnomalyCode;
use super::envelope::MessageKind;
use super::id::Id;

/// Who sent a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The agent.
    Client,
    /// The MCP server.
    Server,
}

impl Side {
    /// The one at the other end.
    pub const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// Which protocol a message belongs to, decided for each request by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Era {
    /// 2024-11-05 to 2025-11-25.
    #[default]
    Legacy,
    /// 2026-07-28: the request names its protocol version in `_meta`.
    Modern,
}

/// The method of an answer to an id that nobody asked under.
pub const UNKNOWN_METHOD: &str = "unknown";

/// One message to be decided about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Who sent it.
    pub side: Side,
    /// What kind of message it is.
    pub kind: MessageKind,
    /// The method that it answers, or its own; [`UNKNOWN_METHOD`] for an answer to an unknown id.
    pub method: String,
    /// The tool, resource or prompt that was asked for; empty where there is none.
    pub target: String,
    /// The era of the request.
    pub era: Era,
    /// Its id.
    pub id: Option<Id>,
    /// What the session and the envelope found; the payload finds the rest.
    pub anomalies: Vec<AnomalyCode>,
}
