//! The text that a message carries to the model, and the bytes its digest speaks of.
//!
//! Two kinds of field: prose (a text block, a description, an error's message) with its exact path, the blocks of one
//! list joined as the model reads them; and data (structuredContent, schemas, `_meta`, names and URIs side by side)
//! rendered as lines under the path of its root (see `fields`), so that text split over keys, values and siblings stays
//! together. Everything in the message is read, known member or not; only ids, cursors, progress tokens, requestState
//! and ttlMs are left out, since no model sees them. Linear and bounded; broken JSON is read as text and reported.

mod blob;
mod build;
mod fields;
mod repeat;
mod vocabulary;

use std::borrow::Cow;
use std::ops::Range;

use super::anomaly::Anomaly;
use super::lex::Bracket;
use super::members::{Container, find};
use crate::base::Unread;

/// What a field is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Text written to be read.
    Prose,
    /// Keys and values.
    Data,
    /// What base64 stood for.
    Decoded,
}

/// One text of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// Where it stands: `result.content[0].text`; for joined blocks the list, for data its root.
    pub path: String,
    /// The decoded text.
    pub text: Cow<'a, str>,
    /// What it is made of.
    pub kind: FieldKind,
}

/// An archive in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Where it stands.
    pub path: String,
    /// What its base64 stands for.
    pub bytes: Vec<u8>,
}

/// All that one message would bring before the model.
#[derive(Clone, Debug)]
pub struct Payload<'a> {
    /// The method that the message answers or calls.
    pub method: String,
    /// The tool, resource or prompt that was asked for; empty where there is none.
    pub target: String,
    /// Its texts, in the order of the message.
    pub fields: Vec<Field<'a>>,
    /// Archives, still packed.
    pub blobs: Vec<Blob>,
    /// What parsers could disagree about, and forged marks.
    pub anomalies: Vec<Anomaly>,
    /// Pictures, sound, binary content; a message that could not be read to its end.
    pub unread: Vec<Unread>,
    raw: &'a [u8],
    holes: Vec<(String, Range<usize>)>,
}

impl<'a> Payload<'a> {
    /// Reads one message, or a bare result as `scan` gets it.
    pub fn of(method: &str, target: &str, raw: &'a [u8]) -> Self {
        build::payload(method, target, raw)
    }

    /// True where nothing in it could be shown to a model: no text, nothing packed or unread, nothing odd.
    pub fn is_silent(&self) -> bool {
        self.fields.is_empty() && self.blobs.is_empty() && self.unread.is_empty() && self.anomalies.is_empty()
    }

    /// Everything that is forwarded except ids, cursors, progress tokens, requestState and ttlMs: stretches of the
    /// message's bytes, each named by the path of what was left out after it.
    pub fn forwarded(&self) -> impl Iterator<Item = (&str, &'a [u8])> {
        let raw = self.raw;
        let starts = std::iter::once(0).chain(self.holes.iter().map(|(_, hole)| hole.end));
        let ends = self.holes.iter().map(|(path, hole)| (path.as_str(), hole.start)).chain([("", raw.len())]);
        starts.zip(ends).map(move |(start, (path, end))| (path, &raw[start..end]))
    }

    /// The message's length in bytes.
    pub fn bytes(&self) -> usize {
        self.raw.len()
    }
}

/// The method that a message of unknown origin most likely answers or calls, by its shape; empty where none fits.
pub fn guess_method(raw: &[u8]) -> Cow<'_, str> {
    let whole = 0..raw.len();
    if let Some(method) =
        find(raw, whole.clone(), &["method"]).and_then(|at| super::members::text_at(raw, at))
    {
        return method;
    }
    let result = find(raw, whole.clone(), &["result"]).unwrap_or(whole);
    let Some(result) = Container::read(raw, result).filter(|result| result.bracket == Bracket::Object) else {
        return Cow::Borrowed("");
    };
    let fits = |(key, _): &&(&str, &str)| result.get(key).is_some();
    Cow::Borrowed(vocabulary::SHAPES.iter().find(fits).map_or("", |(_, method)| method))
}

#[cfg(test)]
mod tests;
