//! Anthropic's Messages API.
//!
//! The answer is asked for as the input of a tool that the model has to use: that is the form that all models take, and
//! there is nothing that the tool does. A model that cannot be made to use one is asked for JSON output instead.

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::{Body, Optional, Parameter, Request};
use crate::gate::judge::EndpointSettings;
use crate::io::judge::parse::{Answer, End};
use crate::io::judge::prompt::{Prompt, answer_schema};

/// The name of the tool whose input is the answer.
const TOOL: &str = "verdict";

#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Usage,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    name: Option<String>,
    /// As it stands there: names that occur twice must not get lost.
    #[serde(default)]
    input: Option<Box<RawValue>>,
}

/// Tokens.
#[derive(Default, Deserialize)]
struct Usage {
    #[serde(default, rename = "input_tokens")]
    input: u64,
    #[serde(default, rename = "cache_creation_input_tokens")]
    cache_creation: Option<u64>,
    #[serde(default, rename = "cache_read_input_tokens")]
    cache_read: Option<u64>,
    #[serde(default, rename = "output_tokens")]
    output: u64,
}

pub(super) fn request(settings: &EndpointSettings, prompt: &Prompt, left_out: &[Parameter]) -> Request {
    let mut body = json!({
        "model": settings.model,
        "max_tokens": settings.max_answer_tokens,
        "system": prompt.system,
        "messages": [{ "role": "user", "content": prompt.user }],
    });
    let mut optional = Optional::default();
    if optional.take(Parameter::ToolChoice, left_out) {
        body["tools"] = json!([{
            "name": TOOL,
            "description": "Takes the answer.",
            "input_schema": answer_schema(),
        }]);
        body["tool_choice"] = json!({ "type": "tool", "name": TOOL, "disable_parallel_tool_use": true });
    } else if optional.take(Parameter::OutputConfig, left_out) {
        body["output_config"] = json!({ "format": { "type": "json_schema", "schema": answer_schema() } });
    }
    if let Some(temperature) = settings.temperature
        && optional.take(Parameter::Temperature, left_out)
    {
        body["temperature"] = json!(temperature);
    }
    Request { body, optional: optional.0, context: None }
}

pub(super) fn read(body: &[u8]) -> Body {
    let Ok(message) = serde_json::from_slice::<Message>(body) else {
        return Body::Unusable("the endpoint's answer is no message");
    };
    let end = match message.stop_reason.as_deref().unwrap_or_default() {
        "end_turn" | "tool_use" | "stop_sequence" => End::Done,
        "max_tokens" | "model_context_window_exceeded" => End::CutOff,
        "refusal" => End::Refused,
        _ => End::Unknown,
    };
    let usage = &message.usage;
    let cached = usage.cache_creation.unwrap_or(0) + usage.cache_read.unwrap_or(0);
    Body::Answered {
        answer: Answer { content: content(&message.content), end },
        tokens_in: usage.input + cached,
        tokens_out: usage.output,
    }
}

/// The tool's input, else the text. Two inputs are no one object, and what comes of that is told later.
fn content(blocks: &[Block]) -> String {
    let uses = blocks.iter().filter(|block| block.kind == "tool_use" && block.name.as_deref() == Some(TOOL));
    let inputs: String = uses.filter_map(|block| block.input.as_ref()).map(|input| input.get()).collect();
    if !inputs.is_empty() {
        return inputs;
    }
    blocks.iter().filter(|block| block.kind == "text").filter_map(|block| block.text.as_deref()).collect()
}
