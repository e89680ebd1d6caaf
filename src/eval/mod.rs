//! How well the gate does: labelled corpora, what the gate makes of them, and the figures that follow.
//!
//! In reading order: [`corpus`] is what is known, [`run`] sends it through the gate, [`mod@unit`] is what became of it,
//! [`metrics`] the arithmetic, [`tables`] what is reported, [`report`] how it looks.
//!
//! Labels are read from a corpus' index and never from a path: what is judged sees nothing above a unit's root. Nothing
//! here decides; every unit goes the way that `scan` sends it.
#![allow(clippy::disallowed_methods, reason = "a corpus lies on disk, and reports are written there")]

pub mod ablate;
pub mod corpus;
pub mod evaluation;
mod fit;
mod folds;
mod library;
pub mod metrics;
pub mod report;
pub mod run;
pub mod tables;
#[cfg(feature = "train")]
pub mod train;
pub mod unit;
pub mod verdicts;

use crate::base::Digest;

pub use corpus::{Case, Corpus, CorpusError, Expected, open_all};
pub use evaluation::{Basis, Evaluation, Variant};
pub use folds::out_of_fold;
pub use report::{Folder, FolderError};
pub use run::{Judged, evaluate, evaluate_reshaped};
pub use unit::{Looks, Unit};

/// The share of benign units from the wild that the bar of the embedded judge keeps back, out of fold.
pub const FALSE_ALARMS: f64 = 0.0075;

/// What two texts share that differ in blanks only.
fn fingerprint(text: &str) -> Digest {
    let words: Vec<&str> = text.split_whitespace().collect();
    Digest::of_bytes(words.join(" ").as_bytes())
}
