//! What takes a message's place: an answer of our own, or the message with a mark.
//!
//! A refused tool answer is a normal result, since agents show its text to the model and go on; everything else is a
//! JSON-RPC error. A marked message keeps every other byte: text and structuredContent stay as they are and in agreement.
//! Nothing here holds a word of the server's, except what it sent itself and what is passed on.

use serde_json::{Value, json};

use super::envelope::{Envelope, MessageKind};
use super::id::Id;
use super::lex::Bracket;
use super::members::Container;
use super::notice::{Notice, Refusal, VERDICT_KEY};
use super::question::{Era, Question, Side};
use super::splice::Splice;

/// The code of our errors, outside of what JSON-RPC and MCP keep for themselves (-32768 to -32000).
pub const ERROR_CODE: i64 = -31_403;

/// The message that takes a refused one's place: for an answer another answer, to be sent on; for a request an error, to
/// be sent back; nothing for what asks for no answer.
///
/// An answer without a readable id belongs to no request; JSON-RPC has it for a request whose own id the server could not
/// make out. An error of ours without an id takes its place, so that the agent hears what it would have heard: that
/// something failed, and not what. It is never given to a request that waits, not even to the only one: that one's own
/// answer may still come, and there would be two. No request waits any longer by that than it would have without us.
pub fn refused(message: &Question, refusal: Refusal, notice: &Notice) -> Option<Vec<u8>> {
    let (is_answer, id) = match (message.kind, &message.id) {
        (MessageKind::Response | MessageKind::Error, id) => (true, id.as_ref()),
        (MessageKind::Request, Some(id)) => (false, Some(id)),
        (MessageKind::Request, None) | (MessageKind::Notification | MessageKind::Unknown, _) => return None,
    };
    let text = notice.refused(message.side, refusal);
    let verdict = notice.verdict(refusal.name());
    // A call that was refused on its way to the server is answered as the server would have answered it.
    let of_a_tool = message.method == "tools/call" && (is_answer || message.side == Side::Client);
    let as_result = of_a_tool && id.is_some();
    let body = if as_result { tool_result(&text, &verdict, message.era) } else { error(&text, &verdict) };
    let mut line = br#"{"jsonrpc":"2.0","id":"#.to_vec();
    line.extend_from_slice(id.map_or(b"null", Id::raw));
    line.extend_from_slice(if as_result { b",\"result\":" } else { b",\"error\":" });
    line.extend_from_slice(body.to_string().as_bytes());
    line.push(b'}');
    Some(line)
}

fn tool_result(text: &str, verdict: &Value, era: Era) -> Value {
    let mut result = json!({
        "content": [{ "type": "text", "text": text }],
        "isError": true,
        "_meta": { VERDICT_KEY: verdict },
    });
    if era == Era::Modern {
        result["resultType"] = json!("complete");
    }
    result
}

fn error(text: &str, verdict: &Value) -> Value {
    json!({ "code": ERROR_CODE, "message": text, "data": { "skillgate": verdict } })
}

/// The message with a mark in `_meta` and, for a tool's answer, a notice as a text block of its own at the end. A message
/// that has no place for a mark comes back as it is.
pub fn warned(message: &Envelope<'_>, method: &str, notice: &Notice) -> Vec<u8> {
    let verdict = notice.verdict("warn").to_string();
    let mut splice = Splice::default();
    match message.kind {
        MessageKind::Response => mark_result(&mut splice, message, method, notice, &verdict),
        MessageKind::Error => mark_error(&mut splice, message, &verdict),
        MessageKind::Request | MessageKind::Notification => {
            if let Some(params) = object(message, message.params.clone()) {
                mark_meta(&mut splice, message, &params, &verdict);
            }
        }
        MessageKind::Unknown => {}
    }
    splice.apply(message.raw)
}

fn object<'a>(message: &Envelope<'a>, range: Option<std::ops::Range<usize>>) -> Option<Container<'a>> {
    Container::read(message.raw, range?).filter(|container| container.bracket == Bracket::Object)
}

fn mark_result(splice: &mut Splice, message: &Envelope<'_>, method: &str, notice: &Notice, verdict: &str) {
    let Some(result) = object(message, message.result.clone()) else { return };
    mark_meta(splice, message, &result, verdict);
    let content = result.get("content").and_then(|range| Container::read(message.raw, range));
    if let Some(content) =
        content.filter(|content| method == "tools/call" && content.bracket == Bracket::Array)
    {
        splice.last(&content, &json!({ "type": "text", "text": notice.warned() }).to_string());
    }
}

/// Sets the verdict in the `_meta` of an object; marks that were forged there are taken out.
fn mark_meta(splice: &mut Splice, message: &Envelope<'_>, owner: &Container<'_>, verdict: &str) {
    let member = format!("\"{VERDICT_KEY}\":{verdict}");
    let Some(range) = owner.get("_meta") else {
        return splice.last(owner, &format!("\"_meta\":{{{member}}}"));
    };
    let Some(meta) = object(message, Some(range.clone())) else {
        return splice.replace(range, format!("{{{member}}}"));
    };
    let is_ours = |index: usize| {
        let key = &meta.members[index].key;
        key.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("skillgate/"))
    };
    let others = (0..meta.members.len()).any(|index| !is_ours(index));
    splice.remove(&meta, is_ours);
    let start = meta.range.start + 1;
    splice.replace(start..start, format!("{member}{}", if others { "," } else { "" }));
}

fn mark_error(splice: &mut Splice, message: &Envelope<'_>, verdict: &str) {
    let whole = Container::read(message.raw, 0..message.raw.len());
    let error = whole.and_then(|whole| object(message, whole.get("error")));
    let Some(error) = error else { return };
    let member = format!("\"skillgate\":{verdict}");
    match error.get("data") {
        None => splice.last(&error, &format!("\"data\":{{{member}}}")),
        Some(range) => {
            if let Some(data) = object(message, Some(range)).filter(|data| data.get("skillgate").is_none()) {
                splice.last(&data, &member);
            }
        }
    }
}

#[cfg(test)]
mod tests;
