//! How well the gate does: labelled corpora, what the gate makes of them, and the figures that follow.
//!
//! Labels are read from a corpus' index and never from a path: what is judged sees nothing above a unit's root. Nothing
//! here decides; every unit goes the way that `scan` sends it.
#![allow(clippy::disallowed_methods, reason = "a corpus lies on disk, and reports are written there")]

pub mod corpus;
#[cfg(feature = "train")]
mod fit;
#[cfg(feature = "train")]
mod rates;
pub mod run;
#[cfg(feature = "train")]
pub mod train;

pub use corpus::{Case, Corpus, CorpusError, Expected};
pub use run::{Judged, evaluate};
