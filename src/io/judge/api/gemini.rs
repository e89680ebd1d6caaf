//! Google's Gemini API, `generateContent`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Optional, Parameter, Request};
use crate::gate::judge::EndpointSettings;
use crate::io::judge::parse::{Answer, End};
use crate::io::judge::prompt::{Prompt, answer_schema};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Generated {
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default)]
    prompt_feedback: Option<PromptFeedback>,
    #[serde(default)]
    usage_metadata: Usage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
    /// True where the text is the model's reasoning and no answer.
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    #[serde(default)]
    block_reason: Option<String>,
}

/// Tokens.
#[derive(Default, Deserialize)]
struct Usage {
    #[serde(default, rename = "promptTokenCount")]
    prompt: u64,
    #[serde(default, rename = "candidatesTokenCount")]
    candidates: u64,
    #[serde(default, rename = "thoughtsTokenCount")]
    thoughts: u64,
}

/// `/v1beta/models/NAME:generateContent`, below a path that may end in a version already.
pub(super) fn path(base: &str, model: &str) -> String {
    if base.ends_with(":generateContent") {
        return base.to_owned();
    }
    let last = base.rsplit('/').next().unwrap_or_default();
    let is_version =
        last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let version = if is_version { "" } else { "/v1beta" };
    // A tuned model is named with its folder.
    let folder = if model.contains('/') { "" } else { "models/" };
    format!("{base}{version}/{folder}{model}:generateContent")
}

pub(super) fn request(settings: &EndpointSettings, prompt: &Prompt, left_out: &[Parameter]) -> Request {
    let mut optional = Optional::default();
    let mut generation = json!({ "candidateCount": 1, "maxOutputTokens": settings.max_answer_tokens });
    if optional.take(Parameter::ResponseSchema, left_out) {
        generation["responseMimeType"] = json!("application/json");
        generation["responseSchema"] = in_its_words(answer_schema());
    }
    if let Some(temperature) = settings.temperature
        && optional.take(Parameter::Temperature, left_out)
    {
        generation["temperature"] = json!(temperature);
    }
    let body = json!({
        "systemInstruction": { "parts": [{ "text": prompt.system }] },
        "contents": [{ "role": "user", "parts": [{ "text": prompt.user }] }],
        "generationConfig": generation,
    });
    Request { body, optional: optional.0, context: None }
}

/// A JSON schema as this API's `Schema`: the names of types in capitals, the order of properties said, and nothing said
/// of further properties.
fn in_its_words(schema: Value) -> Value {
    let Value::Object(mut table) = schema else { return schema };
    table.remove("additionalProperties");
    if let Some(Value::String(kind)) = table.get_mut("type") {
        kind.make_ascii_uppercase();
    }
    if let Some(Value::Object(properties)) = table.remove("properties") {
        let order: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        let properties = properties.into_iter().map(|(name, schema)| (name, in_its_words(schema))).collect();
        table.insert("properties".to_owned(), Value::Object(properties));
        table.insert("propertyOrdering".to_owned(), Value::Array(order));
    }
    if let Some(items) = table.remove("items") {
        table.insert("items".to_owned(), in_its_words(items));
    }
    Value::Object(table)
}

pub(super) fn read(body: &[u8]) -> Body {
    let Ok(generated) = serde_json::from_slice::<Generated>(body) else {
        return Body::Unusable("the endpoint's answer is no generated content");
    };
    if generated.prompt_feedback.is_some_and(|feedback| feedback.block_reason.is_some()) {
        return Body::Unusable("the provider's filter refused the content");
    }
    let Some(candidate) = generated.candidates.into_iter().next() else {
        return Body::Unusable("the endpoint's answer is empty");
    };
    let end = match candidate.finish_reason.as_deref().unwrap_or_default() {
        "STOP" => End::Done,
        "MAX_TOKENS" => End::CutOff,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => End::Filtered,
        _ => End::Unknown,
    };
    let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
    let words = parts.into_iter().filter(|part| !part.thought).filter_map(|part| part.text);
    let usage = &generated.usage_metadata;
    Body::Answered {
        answer: Answer { content: words.collect(), end },
        tokens_in: usage.prompt,
        tokens_out: usage.candidates + usage.thoughts,
    }
}

/// A wrong key is answered with 400, as a request is that the content spoiled; only the reason tells them apart.
pub(super) fn means_the_key(body: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let details = body["error"]["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    details.iter().any(|detail| detail["reason"] == "API_KEY_INVALID")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::in_its_words;

    #[test]
    fn schemas_are_put_in_its_words_all_the_way_down() {
        let schema = json!({
            "type": "object", "additionalProperties": false, "required": ["b"],
            "properties": { "b": { "type": "array", "items": { "type": "integer" } }, "a": { "type": "string" } }
        });
        let expected = json!({
            "type": "OBJECT", "required": ["b"],
            "properties": { "b": { "type": "ARRAY", "items": { "type": "INTEGER" } }, "a": { "type": "STRING" } },
            "propertyOrdering": ["b", "a"]
        });
        assert_eq!(in_its_words(schema), expected);
    }
}
