//! The audit log: one JSON object a line for every decision and event, chained by hashes (gate.md 7).
//!
//! Each line holds its `seq` and the digest of the line before (`prev`); `audit.head` holds the last seq and digest.
//! So a changed line, a gap, a cut tail or a missing file shows. No claim is made against a process of the same user,
//! which could rewrite all of it. Lines are appended under a lock, whichever process writes, and before the agent gets
//! its answer. docs/audit.md describes every field.

mod append;
mod chain;
mod read;
mod record;
mod verify;

pub use append::{AuditLog, Durability};
pub use chain::Head;
pub use read::{Line, Lines, files};
pub use record::{DecisionRecord, Elapsed, Entry, Event, HitRecord, SCHEMA, Tokens};
pub use verify::{Fault, Report, verify};

/// Why the log could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{doing} `{}`: {source}", path.display())]
pub struct AuditError {
    doing: &'static str,
    path: std::path::PathBuf,
    source: std::io::Error,
}

impl AuditError {
    fn new(doing: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { doing, path, source }
    }
}
