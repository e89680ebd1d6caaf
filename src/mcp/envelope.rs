//! The envelope of a line: what kind of message it is, its id, its method, and where its parts stand in the bytes.
//!
//! Borrowed and raw: parts are byte ranges and are never parsed into structs. Reads what any agent may read, keeps what
//! is odd as anomalies, and calls noise only what no JSON parser takes.

use std::borrow::Cow;
use std::ops::Range;

use super::anomaly::{Anomaly, AnomalyCode};
use super::id::Id;
use super::lex::{Bracket, Broken};
use super::members::{Container, Member, text_at};
use super::walk::Walker;

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// A method and an id.
    Request,
    /// A method without an id.
    Notification,
    /// A result.
    Response,
    /// An error, or an error beside a result.
    Error,
    /// An object that is none of these, or no object.
    Unknown,
}

/// One message in its line.
#[derive(Clone, Debug)]
pub struct Envelope<'a> {
    /// The message's bytes.
    pub raw: &'a [u8],
    /// What kind it is.
    pub kind: MessageKind,
    /// Its id.
    pub id: Option<Id>,
    /// Its method.
    pub method: Option<Cow<'a, str>>,
    /// Where its params stand in `raw`.
    pub params: Option<Range<usize>>,
    /// Where its result stands in `raw`.
    pub result: Option<Range<usize>>,
    /// What parsers could disagree about, anywhere in the message.
    pub anomalies: Vec<Anomaly>,
}

/// What a line holds.
#[derive(Clone, Debug)]
pub enum Line<'a> {
    /// Nothing but white space.
    Blank,
    /// No JSON, or JSON that is no message.
    Noise(Broken),
    /// One message.
    Single(Envelope<'a>),
    /// Several messages in an array, as peers of 2025-03-26 may send them, each with its range in the line.
    Batch(Vec<(Range<usize>, Envelope<'a>)>),
}

impl<'a> Line<'a> {
    /// Reads a line, without its line feed.
    pub fn read(line: &'a [u8]) -> Self {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Self::Blank;
        }
        let mut walker = Walker::new(line);
        match Container::read_with(&mut walker, 0) {
            Err(broken) => Self::Noise(broken),
            Ok(Some(batch)) if batch.bracket == Bracket::Array && !batch.members.is_empty() => {
                let read = |range: Range<usize>| (range.clone(), Envelope::read(&line[range]));
                Self::Batch(batch.members.into_iter().map(|member| read(member.value)).collect())
            }
            Ok(None) => Self::Noise(Broken { at: 0, why: "neither an object nor a list" }),
            Ok(container) => Self::Single(Envelope::of(line, container, walker.into_anomalies())),
        }
    }
}

impl<'a> Envelope<'a> {
    /// Reads one message; what is no JSON is [`MessageKind::Unknown`].
    pub fn read(raw: &'a [u8]) -> Self {
        let mut walker = Walker::new(raw);
        let container = Container::read_with(&mut walker, 0).ok().flatten();
        Self::of(raw, container, walker.into_anomalies())
    }

    fn of(raw: &'a [u8], container: Option<Container<'a>>, anomalies: Vec<Anomaly>) -> Self {
        let mut envelope = Self {
            raw,
            kind: MessageKind::Unknown,
            id: None,
            method: None,
            params: None,
            result: None,
            anomalies,
        };
        if let Some(object) = container.filter(|container| container.bracket == Bracket::Object) {
            envelope.fill(&object);
        }
        envelope
    }

    fn fill(&mut self, object: &Container<'a>) {
        let id = object.get("id");
        self.id = id.clone().and_then(|range| Id::read(&self.raw[range]));
        self.method = object.get("method").and_then(|range| text_at(self.raw, range));
        self.params = object.get("params");
        self.result = object.get("result");
        let error = object.get("error").is_some();
        let version = object.get("jsonrpc").and_then(|range| text_at(self.raw, range));
        self.kind = match (&self.method, &self.result, error) {
            (_, _, true) => MessageKind::Error,
            (_, Some(_), false) => MessageKind::Response,
            (Some(_), None, false) if self.id.is_some() => MessageKind::Request,
            (Some(_), None, false) => MessageKind::Notification,
            (None, None, false) => MessageKind::Unknown,
        };
        let is_null = |range: &Range<usize>| &self.raw[range.clone()] == b"null";
        // An error about a request whose id could not be read bears null.
        let null_is_proper = self.kind == MessageKind::Error && id.as_ref().is_some_and(is_null);
        let several =
            [self.method.is_some(), self.result.is_some(), error].iter().filter(|there| **there).count();
        let found = [
            (AnomalyCode::MissingVersion, "jsonrpc", version.as_deref() != Some("2.0")),
            (AnomalyCode::BadId, "id", id.is_some() && self.id.is_none() && !null_is_proper),
            (AnomalyCode::AmbiguousKind, "", several > 1 || object.members.iter().any(is_misspelled)),
        ];
        let found = found.into_iter().filter(|(_, _, found)| *found);
        self.anomalies.extend(found.map(|(code, path, _)| Anomaly { code, path: path.to_owned() }));
    }
}

/// True for a key that parsers which ignore case take for one of the protocol's own.
fn is_misspelled(member: &Member<'_>) -> bool {
    const KEYS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
    KEYS.iter().any(|key| member.key.eq_ignore_ascii_case(key) && member.key != *key)
}

#[cfg(test)]
mod tests {
    use super::{Envelope, Line, MessageKind};

    fn check(text: &str, kind: MessageKind, id: Option<&str>, method: Option<&str>, codes: &[&str]) {
        let envelope = Envelope::read(text.as_bytes());
        let id_bytes = envelope.id.as_ref().map(|id| std::str::from_utf8(id.raw()).unwrap());
        assert_eq!((envelope.kind, id_bytes, envelope.method.as_deref()), (kind, id, method), "{text}");
        assert_eq!(
            envelope.anomalies.iter().map(|found| found.code.name()).collect::<Vec<_>>(),
            codes,
            "{text}"
        );
    }

    #[test]
    fn kinds_follow_from_the_members() {
        use MessageKind::{Error, Notification, Request, Response, Unknown};
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, Request, Some("1"), Some("ping"), &[]);
        check(r#"{"jsonrpc":"2.0","method":"a/b","params":{}}"#, Notification, None, Some("a/b"), &[]);
        check(r#"{"result":{},"jsonrpc":"2.0","id":"x"}"#, Response, Some("\"x\""), None, &[]);
        check(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#, Error, None, None, &[]);
        check(r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, Response, None, None, &["bad-id"]);
        check(r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, Notification, None, Some("m"), &["bad-id"]);
        check(r#"{"id":1,"result":1}"#, Response, Some("1"), None, &["missing-version"]);
        check(
            r#"{"jsonrpc":"2.0","id":1,"result":1,"error":2}"#,
            Error,
            Some("1"),
            None,
            &["ambiguous-kind"],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"m","result":1}"#,
            Response,
            Some("1"),
            Some("m"),
            &["ambiguous-kind"],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"id":2,"result":1}"#,
            Response,
            Some("2"),
            None,
            &["duplicate-top-level-key"],
        );
        check(r#"{"jsonrpc":"2.0","\u0069d":7,"result":1}"#, Response, Some("7"), None, &[]);
        check(r#"{"jsonrpc":"2.0","id":7}"#, Unknown, Some("7"), None, &[]);
        check("7", Unknown, None, None, &[]);
        check("x", Unknown, None, None, &[]);
    }

    #[test]
    fn lines_are_blank_noise_single_or_batch() {
        let name = |line: &str| match Line::read(line.as_bytes()) {
            Line::Blank => "blank".to_owned(),
            Line::Noise(_) => "noise".to_owned(),
            Line::Single(_) => "single".to_owned(),
            Line::Batch(messages) => {
                messages.iter().map(|(range, _)| &line[range.clone()]).collect::<Vec<_>>().join(" + ")
            }
        };
        assert_eq!(name(" \r"), "blank");
        assert_eq!(name("Server listening on stdio"), "noise");
        assert_eq!(name("{} trailing"), "noise");
        assert_eq!(name("42"), "noise");
        assert_eq!(name("{\"a\":\"cut"), "noise");
        assert_eq!(name("\u{feff}{}"), "single");
        assert_eq!(name("[]"), "single");
        assert_eq!(name("[{} , 1,[2]]"), "{} + 1 + [2]");
    }
}
