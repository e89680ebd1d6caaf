//! MCP as bytes: lines, the envelope around raw JSON, the text each message carries, the session's state.
//!
//! Nothing here parses a message into a struct and writes it back: what is allowed goes on byte for byte. Nothing here
//! knows of sockets, rules or policy.

pub mod anomaly;
pub mod delivery;
pub mod envelope;
pub mod frame;
pub mod glimpse;
pub mod id;
pub mod items;
mod lex;
mod members;
pub mod notice;
pub mod outbox;
pub mod payload;
mod pending;
pub mod question;
pub mod reply;
pub mod screen_list;
pub mod session;
mod splice;
mod text;
mod walk;

pub use anomaly::{Anomaly, AnomalyCode};
pub use delivery::{Delivery, Ruling, deliver};
pub use envelope::{Envelope, Line, MessageKind};
pub use frame::{Frame, Framer};
pub use id::Id;
pub use lex::Broken;
pub use notice::{Notice, Refusal};
pub use outbox::{Lane, Outbox};
pub use payload::{Field, FieldKind, Payload, guess_method};
pub use question::{Era, Question, Side};
pub use screen_list::ScreenList;
pub use session::{Fate, Part, Session, Step};
