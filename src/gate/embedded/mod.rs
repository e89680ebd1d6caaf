//! The embedded judge: no key, no network, deterministic (gate.md 4).
//!
//! It reasons over behaviour, not vocabulary: hits, views and context become typed [`Facts`], and a small model over
//! the facts gives label and confidence. The facts that decided are the rationale that a person reads.

pub mod facts;

pub use facts::Facts;
