//! The decoded view: text behind the encodings that shells and languages decode in passing (gate.md 1).
//!
//! Escapes are decoded where they stand, runs (base64, hex) as texts of their own. What decodes to no text
//! (pictures, hashes, keys) gives nothing. Weak encodings (moved letters, reversed lines) are tried only near
//! a word that names them.

mod base64;
mod escapes;
mod hex;
mod letters;
mod spelled;
mod text;

use super::Layer;
use super::unfold::{Found, Source};
use crate::base::Span;

/// Encoded bytes, text or not, in runs of so many characters or more, and how they are encoded.
pub(super) fn blobs(source: &Source<'_>, shortest: usize) -> Vec<(Span, Vec<u8>, Layer)> {
    let base64 = base64::blobs(source, shortest).map(|(span, bytes)| (span, bytes, Layer::Base64));
    let hex = hex::blobs(source, shortest).map(|(span, bytes)| (span, bytes, Layer::Hex));
    base64.chain(hex).collect()
}

/// Every text that the source carries in an encoding.
pub(super) fn all(source: &Source<'_>, found: &mut Vec<Found>) {
    found.extend(escapes::decode(source));
    found.extend(base64::decode(source));
    found.extend(hex::decode(source));
    found.extend(letters::rot13(source));
    found.extend(letters::reversed(source));
    found.extend(spelled::read(source));
}
