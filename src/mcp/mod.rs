//! MCP as bytes: lines, the envelope around raw JSON, the text each message carries, the session's state.
//!
//! Nothing here parses a message into a struct and writes it back: what is allowed goes on byte for byte. Nothing here
//! knows of sockets, rules or policy.

pub mod anomaly;
pub mod envelope;
pub mod id;
mod lex;
mod members;
pub mod notice;
pub mod payload;
mod text;
mod walk;

pub use anomaly::{Anomaly, AnomalyCode};
pub use envelope::{Envelope, Line, MessageKind};
pub use id::Id;
pub use lex::Broken;
pub use payload::{Field, FieldKind, Payload, guess_method};
