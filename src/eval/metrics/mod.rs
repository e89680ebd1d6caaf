//! The figures that say how well labels were found: pure arithmetic over scored units.
//!
//! [`counts`] is what a threshold comes to, [`ranking`] what the order of scores does, [`figures`] both with intervals,
//! [`share`] a plain count of how many of how many, [`spread`] several runs of the same. What cannot be said (precision
//! where nothing was flagged) is nothing, never 0. No file, clock or corpus is known here; the same units give the same
//! figures on every machine.

pub mod bootstrap;
pub mod counts;
pub mod figures;
pub mod ranking;
pub mod share;
pub mod spread;

pub use bootstrap::RESAMPLES;
pub use counts::Counts;
pub use figures::{Estimate, Figures, Item, Measure, Sample};
pub use share::Share;
pub use spread::Spread;
