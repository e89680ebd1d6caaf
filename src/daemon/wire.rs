//! What bridge and daemon say to each other: length-prefixed frames of a JSON header and a raw body.
//!
//! A frame is two little-endian u32 (header and body length), the header, the body. Messages of MCP travel in the body,
//! never inside JSON, so that they need no escaping and no second parse. Before the handshake a frame may hold 4 KiB
//! and no body; lengths are checked before anything is allocated. Nothing of an unchecked peer is logged.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::base::Digest;
use crate::gate::Action;
use crate::mcp::{Era, Side};

/// The version of this protocol. Peers of different protocols do not talk.
pub const PROTOCOL: u32 = 1;

/// The version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The longest frame before the handshake.
pub const UNCHECKED_LIMIT: Limit = Limit { header: 4 << 10, body: 0 };

/// How long a frame may be.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Bytes of the header.
    pub header: usize,
    /// Bytes of the body.
    pub body: usize,
}

impl Limit {
    /// The limit after the handshake, for messages of at most `message` bytes. An answer may be a little longer than what
    /// it answers, because a notice was added.
    pub const fn for_messages(message: usize) -> Self {
        Self { header: 1 << 20, body: message.saturating_add(1 << 20) }
    }
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Request {
    /// Always first.
    Hello {
        /// The client's [`PROTOCOL`].
        protocol: u32,
        /// The client's [`VERSION`].
        version: String,
        /// Who it is.
        peer: Peer,
    },
    /// A message of the server or of the agent; its line is the body.
    Screen(ScreenRequest),
    /// What the bridge did by itself, for the log; answered when the log has it.
    Note(Note),
    /// How are you.
    Status,
    /// Finish what is pending, then exit.
    Drain,
    /// Read policy and rules anew.
    Reload,
}

/// Who is at the other end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "kebab-case")]
pub enum Peer {
    /// A bridge between an agent and a server.
    Bridge {
        /// The agent's name, where the config says it.
        agent: Option<String>,
        /// The server's name, where the config says it.
        server: Option<String>,
        /// The digest of the server's command and arguments.
        server_digest: Digest,
        /// The server's processes, to be killed when the bridge dies without doing that itself. Said with the first
        /// word, so that there is no moment in which the daemon knows a bridge and not its server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        child: Option<ChildGroup>,
    },
    /// A command of the user.
    Control,
}

/// A message to be screened; self-contained, so that it can be asked again of another daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenRequest {
    /// The client's number for this question, unique on the connection.
    pub ask: u64,
    /// Who sent it.
    pub side: Side,
    /// The method that the message answers, or its own; `unknown` for an answer to an id that nobody asked.
    pub method: String,
    /// The tool, resource URI or prompt that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The era of the request it answers.
    pub era: Era,
    /// Anomaly codes that the session found (an answer to an unknown id, …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anomalies: Vec<String>,
}

/// A message that nobody decided about, and what the bridge did with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What was done.
    pub done: Done,
    /// Why, in our words.
    pub why: String,
    /// Who sent the message.
    pub side: Side,
    /// Its method, as in a [`ScreenRequest`].
    pub method: String,
    /// Its target, as in a [`ScreenRequest`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Its length.
    pub bytes: u64,
    /// When it was.
    pub at: Timestamp,
    /// The session in which it was; none where no daemon had been reached yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How many notes before this one the bridge had no room for.
    #[serde(default)]
    pub lost: u64,
}

/// What became of a message that nobody decided about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Done {
    /// It was kept back.
    Refused,
    /// It was let pass, as policy has it where no decision can be had.
    Passed,
}

/// A server's processes: a group, by its leader's pid and the time it started, so that a reused number is never killed,
/// and a mark in the environment of all that it starts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ChildGroup {
    /// The group's number: its leader's pid.
    pub group: u32,
    /// The leader's start time in clock ticks since boot (`/proc/PID/stat`, field 22); 0 where it is not known.
    pub started: u64,
    /// What [`super::reap::MARK`] is set to; empty where nothing is marked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
}

/// What the daemon answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Answer {
    /// The handshake is done.
    Welcome(Welcome),
    /// The versions do not fit; the daemon hangs up.
    Mismatch {
        /// The daemon's [`PROTOCOL`].
        protocol: u32,
        /// The daemon's [`VERSION`].
        version: String,
    },
    /// A decision. With `replaced`, the body is what the agent gets instead of the line.
    Decision(ScreenAnswer),
    /// The state of the daemon.
    Status(Box<Status>),
    /// It was done.
    Done,
    /// It was not done.
    Refused {
        /// Why.
        why: String,
    },
}

/// What a bridge has to know for as long as the connection lasts, and after it is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The daemon's [`VERSION`].
    pub version: String,
    /// The session's id in the audit log.
    pub session: String,
    /// True where policy lets messages pass when no decision can be had.
    pub on_error_open: bool,
    /// The longest message that is taken.
    pub max_message_bytes: u64,
    /// The methods whose answers are screened.
    pub screen: Vec<String>,
}

/// A decision about one message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenAnswer {
    /// The question's number.
    pub ask: u64,
    /// What is done.
    pub action: Action,
    /// The decision's id in the audit log.
    pub decision: String,
    /// True where the body replaces the line; otherwise the line goes on byte for byte.
    pub replaced: bool,
}

/// The daemon's state, for `skillgate status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Its [`VERSION`].
    pub version: String,
    /// Its pid.
    pub pid: u32,
    /// Seconds since it started.
    pub uptime_seconds: u64,
    /// Open sessions.
    pub sessions: Vec<SessionStatus>,
    /// Decisions since it started, by action.
    pub decisions: Decisions,
    /// The judge that policy asks for.
    pub judge: String,
    /// Rules loaded.
    pub rules: usize,
    /// Where the policy comes from.
    pub policy: String,
    /// True where the policy file is not the one in force: it was changed and not loaded, or cannot be.
    pub policy_outdated: bool,
    /// What was wrong with it when it was to be loaded last, and when that was; the policy in force is the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reload_refused: Option<Refused>,
    /// True where everything is forwarded and only the log says what would have been done.
    pub monitor: bool,
    /// Entries in quarantine that wait for a person.
    pub quarantined: usize,
}

/// A policy that was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// When.
    pub at: Timestamp,
    /// What is wrong with it.
    pub why: String,
}

/// One open session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStatus {
    /// Its id in the audit log.
    pub session: String,
    /// The agent.
    pub agent: Option<String>,
    /// The server.
    pub server: Option<String>,
    /// Messages screened.
    pub screened: u64,
}

/// Decisions by action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisions {
    /// Allowed.
    pub allow: u64,
    /// Warned.
    pub warn: u64,
    /// Quarantined.
    pub quarantine: u64,
    /// Blocked.
    pub block: u64,
}

/// Why a frame could not be read.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The connection broke or ended within a frame.
    #[error("the connection broke: {0}")]
    Io(#[from] std::io::Error),
    /// A frame over the limit.
    #[error("a frame of {header} + {body} bytes is over the limit")]
    TooLong {
        /// Its header's bytes.
        header: usize,
        /// Its body's bytes.
        body: usize,
    },
    /// A header that is no message.
    #[error("a frame that is no message: {0}")]
    Header(#[from] serde_json::Error),
}

/// Reads one frame; nothing where the peer hung up between frames.
pub async fn read<M, R>(reader: &mut R, limit: Limit) -> Result<Option<(M, Vec<u8>)>, WireError>
where
    M: serde::de::DeserializeOwned,
    R: AsyncRead + Unpin,
{
    let mut lengths = [0; 8];
    match reader.read_exact(&mut lengths).await {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let [h0, h1, h2, h3, b0, b1, b2, b3] = lengths;
    let header = u32::from_le_bytes([h0, h1, h2, h3]) as usize;
    let body = u32::from_le_bytes([b0, b1, b2, b3]) as usize;
    if header > limit.header || body > limit.body {
        return Err(WireError::TooLong { header, body });
    }
    let mut bytes = vec![0; header + body];
    reader.read_exact(&mut bytes).await?;
    let message = serde_json::from_slice(&bytes[..header])?;
    bytes.drain(..header);
    Ok(Some((message, bytes)))
}

/// Writes one frame in one write where the body is short, in two where it is long, and flushes.
pub async fn write<M, W>(writer: &mut W, message: &M, body: &[u8]) -> Result<(), WireError>
where
    M: Serialize + Sync,
    W: AsyncWrite + Unpin,
{
    /// Up to this size copying the body is cheaper than a second write.
    const COPY: usize = 64 << 10;
    let header = serde_json::to_vec(message)?;
    let too_long = || WireError::TooLong { header: header.len(), body: body.len() };
    let lengths = [header.len(), body.len()].map(u32::try_from);
    let [Ok(header_length), Ok(body_length)] = lengths else { return Err(too_long()) };
    let mut frame = Vec::with_capacity(8 + header.len() + body.len().min(COPY));
    frame.extend_from_slice(&header_length.to_le_bytes());
    frame.extend_from_slice(&body_length.to_le_bytes());
    frame.extend_from_slice(&header);
    if body.len() <= COPY {
        frame.extend_from_slice(body);
        writer.write_all(&frame).await?;
    } else {
        writer.write_all(&frame).await?;
        writer.write_all(body).await?;
    }
    writer.flush().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Limit, Peer, Request, UNCHECKED_LIMIT, WireError, read, write};

    #[tokio::test]
    async fn frames_read_back_with_any_body() {
        let limit = Limit::for_messages(1 << 20);
        for length in [0, 1, 64 << 10, (64 << 10) + 1, 1 << 20] {
            let (mut a, mut b) = tokio::io::duplex(4096);
            let body = vec![0xff; length];
            let sent = Request::Hello { protocol: 1, version: "0.1.0".to_owned(), peer: Peer::Control };
            let (written, got) = tokio::join!(write(&mut a, &sent, &body), read::<Request, _>(&mut b, limit));
            written.unwrap();
            assert_eq!(got.unwrap(), Some((sent, body)));
        }
    }

    #[tokio::test]
    async fn an_unchecked_peer_cannot_make_us_allocate() {
        let huge: &[u8] = &[0xff; 64];
        let error = read::<Request, _>(&mut &*huge, UNCHECKED_LIMIT).await.unwrap_err();
        assert!(matches!(error, WireError::TooLong { .. }));
    }

    #[tokio::test]
    async fn the_end_between_frames_is_no_error_and_within_one_is() {
        assert!(read::<Request, _>(&mut &b""[..], UNCHECKED_LIMIT).await.unwrap().is_none());
        let half: &[u8] = &[10, 0, 0, 0, 0, 0, 0, 0, b'{'];
        assert!(matches!(read::<Request, _>(&mut &*half, UNCHECKED_LIMIT).await, Err(WireError::Io(_))));
        let wrong: &[u8] = &[2, 0, 0, 0, 0, 0, 0, 0, b'{', b'}'];
        assert!(matches!(read::<Request, _>(&mut &*wrong, UNCHECKED_LIMIT).await, Err(WireError::Header(_))));
    }
}
