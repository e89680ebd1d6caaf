//! The ground: small values that every other room speaks in.
//!
//! Spans, digests, relative paths, file trees, text of bytes, compressed streams, diagnostics and their renderers. Nothing here knows what a
//! skill, a rule or a message is, and nothing here does I/O.

pub mod compression;
pub mod diagnostic;
pub mod digest;
pub mod file_tree;
pub mod line_index;
pub mod nearest;
pub mod printable;
pub mod rel_path;
pub mod render;
pub mod room;
pub mod span;
pub mod text;
#[cfg(feature = "shell")]
pub mod tokens;
pub mod unread;

pub use compression::Compression;
pub use diagnostic::{Diagnostic, Level, Source};
pub use digest::{Digest, DigestWriter};
pub use file_tree::{File, FileTree, Mode};
pub use line_index::{LineColumn, LineIndex};
pub use nearest::nearest;
pub use printable::printable;
pub use rel_path::RelPath;
pub use room::Room;
pub use span::Span;
pub use text::{Encoding, Text, decode};
pub use unread::{Unread, UnreadReason};
