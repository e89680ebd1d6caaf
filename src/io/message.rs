//! One MCP message from bytes, as a session would know it: with the request that it answers, where that is at hand.
//!
//! For what looks at messages outside of a session. On the wire the session says what a message answers.

use std::borrow::Cow;

use serde_json::Value;

use crate::base::{Room, printable};
use crate::gate::policy::Screened;
use crate::gate::{Document, Origin};
use crate::mcp::payload::{self, Payload};
use crate::mcp::question::Side;
use crate::mcp::screen_list::ScreenList;
use crate::mcp::session::{Session, Step};

/// Why bytes are no message that can be judged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// JSON of another kind.
    #[error("no JSON-RPC message: give an object, or a batch of objects")]
    NoMessage,
    /// The request's id is another.
    #[error(
        "the message answers the request with id {}, and the one that is given has id {}: give the request that belongs to it",
        printable(answered),
        printable(asked)
    )]
    OtherRequest {
        /// The id that the message answers.
        answered: String,
        /// The id of the request.
        asked: String,
    },
    /// What is given as request is none.
    #[error("the request is no JSON-RPC request: give an object with `jsonrpc`, `id` and `method`")]
    NoRequest,
    /// The message answers nothing.
    #[error(
        "the message is no JSON-RPC answer: give an object with `id` and `result` or `error`, or leave the request out"
    )]
    NoAnswer,
    /// A batch without members.
    #[error("the message is empty")]
    Empty,
}

/// The document of a server's message, and where it came from. Without a request the method is guessed from the shape.
/// Archives in it may unpack to as much as there is room for.
pub fn document(
    message: &[u8],
    request: Option<&[u8]>,
    room: Room,
) -> Result<(Document, Origin), MessageError> {
    let line = message.trim_ascii();
    ensure_message(line)?;
    let (method, target): (Cow<'_, str>, String) = match request {
        Some(request) => {
            let request = request.trim_ascii();
            ensure_answer(request, line)?;
            let (method, target) = asked(request, line)?;
            (method.into(), target)
        }
        None => (payload::guess_method(line), String::new()),
    };
    let payload = Payload::of(&method, &target, line);
    let origin = Origin {
        method: Some(method.into_owned()).filter(|method| !method.is_empty()),
        target: Some(target).filter(|target| !target.is_empty()),
        ..Origin::default()
    };
    Ok((Document::mcp(&payload, room), origin))
}

/// Refuses JSON that is no message. What is no JSON at all is a message that cannot be read, as it is on the wire.
fn ensure_message(line: &[u8]) -> Result<(), MessageError> {
    let is_message = match serde_json::from_slice(line) {
        Ok(Value::Object(_)) | Err(_) => true,
        Ok(Value::Array(batch)) => !batch.is_empty() && batch.iter().all(Value::is_object),
        Ok(_) => false,
    };
    if is_message { Ok(()) } else { Err(MessageError::NoMessage) }
}

/// Refuses a request that another message would answer.
fn ensure_answer(request: &[u8], line: &[u8]) -> Result<(), MessageError> {
    match (member(request, "id"), member(line, "id")) {
        (Some(asked), Some(answered)) if asked != answered => {
            Err(MessageError::OtherRequest { answered: answered.to_string(), asked: asked.to_string() })
        }
        _ => Ok(()),
    }
}

/// Method and target as a session would know them that saw the request before the message.
fn asked(request: &[u8], line: &[u8]) -> Result<(String, String), MessageError> {
    let every = Screened::ALL.iter().map(|screened| screened.key());
    let mut session = Session::new(ScreenList::new(every));
    session.line(Side::Client, request);
    if session.waiting() != 1 {
        return Err(MessageError::NoRequest);
    }
    match session.line(Side::Server, line) {
        Step::Judge(parts, _) => {
            let question = parts.into_iter().next().map(|part| part.question).ok_or(MessageError::Empty)?;
            Ok((question.method, question.target))
        }
        // An answer without a word in it passes a session unasked.
        Step::Pass(_) if member(line, "result").or_else(|| member(line, "error")).is_some() => {
            let method = member(request, "method");
            Ok((method.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(), String::new()))
        }
        Step::Pass(_) | Step::Drop(_) => Err(MessageError::NoAnswer),
    }
}

/// A member of a JSON object.
fn member(json: &[u8], key: &str) -> Option<Value> {
    serde_json::from_slice::<Value>(json).ok()?.get(key).cloned()
}
