//! The embedded judge: no key, no network, deterministic (gate.md 4).
//!
//! It reasons over behaviour, not vocabulary: hits, views and context become typed [`Facts`], and a small model over
//! the facts gives label and confidence. The facts that decided are the rationale that a person reads.

pub mod behaviour;
mod extract;
pub mod facts;
mod judge;
mod model;

pub use behaviour::Behaviour;
pub use extract::extract;
pub use facts::Facts;
pub use judge::EmbeddedJudge;
