//! Ollama's `/api/chat`.
//!
//! Left to itself Ollama takes a context of a few thousand tokens and drops what does not fit, without a word: an attacker
//! would only have to write enough. So each request asks for a context that holds it, forbids dropping, and an answer
//! whose counts reach the context is not believed.

use serde::Deserialize;
use serde_json::json;

use super::{Body, Optional, Parameter, Request};
use crate::gate::judge::EndpointSettings;
use crate::io::judge::parse::{Answer, End};
use crate::io::judge::prompt::{Prompt, answer_schema};

/// Contexts are asked for in multiples of this, since another size makes the server load the model anew.
const CONTEXT_STEP: u64 = 4_096;

#[derive(Deserialize)]
struct Chat {
    message: Message,
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: u64,
    #[serde(default)]
    eval_count: u64,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: String,
}

pub(super) fn request(settings: &EndpointSettings, prompt: &Prompt, left_out: &[Parameter]) -> Request {
    let context = context(prompt, settings.max_answer_tokens);
    let mut options = json!({ "num_ctx": context, "num_predict": settings.max_answer_tokens });
    if let Some(temperature) = settings.temperature {
        options["temperature"] = json!(temperature);
    }
    let mut body = json!({
        "model": settings.model,
        "messages": [
            { "role": "system", "content": prompt.system },
            { "role": "user", "content": prompt.user },
        ],
        "stream": false,
        // Versions that do not know these ignore them.
        "truncate": false,
        "shift": false,
        "options": options,
    });
    let mut optional = Optional::default();
    if optional.take(Parameter::Format, left_out) {
        body["format"] = answer_schema();
    }
    Request { body, optional: optional.0, context: Some(context) }
}

/// A context for prompt and answer: two bytes a token is what no ordinary text comes down to.
fn context(prompt: &Prompt, answer: u32) -> u64 {
    let bytes = (prompt.system.len() + prompt.user.len()) as u64;
    (bytes / 2 + u64::from(answer)).next_multiple_of(CONTEXT_STEP)
}

pub(super) fn read(body: &[u8], request: &Request) -> Body {
    let Ok(chat) = serde_json::from_slice::<Chat>(body) else {
        return Body::Unusable("the endpoint's answer is no chat message");
    };
    if request.context.is_some_and(|context| chat.prompt_eval_count + chat.eval_count >= context) {
        return Body::Unusable("the content is too long for the model");
    }
    let end = match chat.done_reason.as_deref() {
        _ if !chat.done => End::CutOff,
        // Older versions give no reason.
        Some("stop") | None => End::Done,
        Some("length") => End::CutOff,
        Some(_) => End::Unknown,
    };
    Body::Answered {
        answer: Answer { content: chat.message.content, end },
        tokens_in: chat.prompt_eval_count,
        tokens_out: chat.eval_count,
    }
}
