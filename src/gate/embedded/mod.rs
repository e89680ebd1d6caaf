//! The embedded judge: no key, no network, deterministic (gate.md 4).
//!
//! It reasons over behaviour, not vocabulary: hits, views and context become typed [`Facts`], and a small model over
//! the facts gives label and confidence. The facts that decided are the rationale that a person reads.

mod account;
pub mod behaviour;
mod dataflow;
mod denial;
mod destination;
mod enact;
pub mod excuse;
mod extract;
pub mod facts;
mod fold;
mod hits;
mod judge;
mod lexicon;
mod model;
mod order;
mod patterns;
mod printed;
mod reading;
mod samples;
mod segment;
mod setting;
mod signal;
mod stance;
mod statement;
#[cfg(test)]
mod tests;
mod traits;
mod weights;

pub use behaviour::Behaviour;
pub use excuse::Excuse;
pub use extract::extract;
pub use facts::Facts;
pub use judge::EmbeddedJudge;
pub use traits::{KEPT_BACK, rule_features, traits};
