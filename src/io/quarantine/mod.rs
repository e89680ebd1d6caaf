//! Quarantine: what was kept back, inert, until a person decides (gate.md 8).
//!
//! An entry is a folder `quarantine/<id>/` with `payload.tar`, one archive that no agent loads by accident, and
//! `decision.json`. It appears whole or not at all. A release is a file of its own under `releases/`, named by digest:
//! it holds for that digest, kind and source until it expires, and for no other bytes.

mod entry;
mod release;
mod store;
#[cfg(test)]
mod tests;

pub use entry::{Entry, EntryId, Status};
pub use release::{Release, Releases, SourceKey};
pub use store::{Payload, Store};

/// Why quarantine could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum QuarantineError {
    /// The system refused something.
    #[error("{doing} `{}`: {source}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To what.
        path: std::path::PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// There is no such entry.
    #[error("there is no quarantine entry `{0}`: `skillgate quarantine list --all` shows them all")]
    NoSuchEntry(String),
    /// An id that no entry can have.
    #[error("`{0}` is no quarantine id: an id has 12 small letters and digits")]
    BadId(String),
    /// An entry that cannot be read.
    #[error("`{}` cannot be read as a quarantine entry: {why}", path.display())]
    Broken {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl QuarantineError {
    fn io(doing: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}
