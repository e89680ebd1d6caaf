//! The world's edge: files and logs, so that the rooms above and below need not touch a disk.
//!
//! Paths under SKILLGATE_HOME, atomic files, loading trees from disk, the audit log, quarantine and releases,
//! baselines, git, judges that are asked. Nothing here decides: what comes from the gate is written down or carried out.
#![allow(clippy::disallowed_methods, reason = "this room is where files, environment and clocks are read")]

pub mod atomic;
pub mod audit;
pub mod baseline;
pub mod git;
pub mod home;
pub mod judge;
pub mod load;
pub mod message;
pub mod person;
pub mod policy;
pub mod quarantine;
pub mod random;
pub mod rules;

pub use home::{Home, HomeError};
