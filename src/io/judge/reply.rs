//! What an HTTP answer of an endpoint means, whichever API it speaks.
//!
//! Pure. Told apart are: an answer to be parsed; a refusal of this content, which is worth SUSPICIOUS 0.5; something
//! that passes (408, 429, 5xx); a parameter this endpoint does not take; and a failure of the endpoint. What the content
//! itself can have caused is never a failure (gate.md 4).

use std::time::Duration;

use serde_json::Value;

use super::api::{Api, Body, Parameter, Request};
use super::parse::Answer;

/// What to do with an HTTP answer.
#[derive(Debug)]
pub(super) enum Reply {
    /// The model answered.
    Answered { answer: Answer, tokens_in: u64, tokens_out: u64 },
    /// This content was not judged, and could be why. May hold the endpoint's words.
    ContentRefused(String),
    /// Ask again without this parameter.
    Without(Parameter),
    /// Ask again later.
    Later { status: u16, detail: String },
    /// The endpoint does not serve us.
    Failed { status: u16, detail: String },
}

/// Words by which endpoints say that the content was too long.
const TOO_LONG: [&str; 8] = [
    "context_length",
    "context length",
    "prompt is too long",
    "input token count",
    "context size",
    "context window",
    "maximum context",
    "too many tokens",
];
/// Words by which they say that a filter stopped it.
const FILTERED: [&str; 7] = [
    "content_filter",
    "content filter",
    "content_policy",
    "content policy",
    "content management policy",
    "moderation",
    "flagged",
];

/// Reads the answer to a request.
pub(super) fn classify(api: Api, status: u16, body: &[u8], request: &Request) -> Reply {
    if !(200..300).contains(&status) {
        return refused(api, status, body, request);
    }
    match api.read(body, request) {
        Body::Answered { answer, tokens_in, tokens_out } => Reply::Answered { answer, tokens_in, tokens_out },
        Body::Unusable(why) => Reply::ContentRefused(why.to_owned()),
        Body::Error(status) => refused(api, status, body, request),
    }
}

fn refused(api: Api, status: u16, body: &[u8], request: &Request) -> Reply {
    let text = String::from_utf8_lossy(body).to_ascii_lowercase();
    let holds = |words: &[&str]| words.iter().any(|words| text.contains(words));
    let detail = detail(body);
    let content = |why: &str| match detail.as_str() {
        "" => Reply::ContentRefused(why.to_owned()),
        detail => Reply::ContentRefused(format!("{why}: {detail}")),
    };
    match status {
        _ if holds(&FILTERED) => content("the provider's filter refused the content"),
        _ if holds(&TOO_LONG) => content("the content is too long for the model"),
        400 if api.means_the_key(body) => Reply::Failed { status, detail },
        400 | 422 => match refused_parameter(&text, &request.optional) {
            Some(parameter) => Reply::Without(parameter),
            None => content("the endpoint refused the request"),
        },
        413 => content("the content is too large for the endpoint"),
        408 | 429 | 500..=599 => Reply::Later { status, detail },
        _ => Reply::Failed { status, detail },
    }
}

fn refused_parameter(text: &str, sent: &[Parameter]) -> Option<Parameter> {
    let names = |parameter: &Parameter| parameter.words().iter().any(|words| text.contains(words));
    sent.iter().copied().find(names)
}

/// The endpoint's words, shortened and made safe: the message of its error, or else the beginning of what it sent.
fn detail(body: &[u8]) -> String {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let said =
        [&json["error"]["message"], &json["error"], &json["message"]].into_iter().find_map(Value::as_str);
    let text = said.map_or_else(|| String::from_utf8_lossy(body), Into::into);
    let text: String = text.trim().chars().take(200).collect();
    crate::base::printable(&text).into_owned()
}

/// How long the endpoint asks to wait: seconds, or a date measured from `now` in seconds since 1970.
pub(super) fn retry_after(value: &str, now: i64) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse::<u32>() {
        return Some(Duration::from_secs(u64::from(seconds)));
    }
    let at = jiff::fmt::rfc2822::parse(value.trim()).ok()?.timestamp().as_second();
    Some(Duration::from_secs(u64::try_from(at.saturating_sub(now)).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Reply, classify, detail, retry_after};
    use crate::io::judge::api::{Api, Parameter, Request};

    fn kind_for(api: Api, status: u16, body: &str) -> String {
        let optional = match api {
            Api::Openai => vec![Parameter::ResponseFormat, Parameter::MaxCompletionTokens],
            Api::Anthropic => vec![Parameter::ToolChoice],
            Api::Gemini => vec![Parameter::ResponseSchema],
            Api::Ollama => vec![Parameter::Format],
        };
        let request = Request { body: serde_json::Value::Null, optional, context: Some(100) };
        match classify(api, status, body.as_bytes(), &request) {
            Reply::Answered { answer, .. } => format!("{:?}", answer.end),
            Reply::ContentRefused(_) => "content".to_owned(),
            Reply::Without(parameter) => format!("{parameter:?}"),
            Reply::Later { .. } => "later".to_owned(),
            Reply::Failed { .. } => "failed".to_owned(),
        }
    }

    #[test]
    fn each_status_has_its_meaning() {
        let cases = [
            (200, r#"{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}"#, "Done"),
            (200, r#"{"choices":[{"message":{"content":null,"refusal":"no"}}],"usage":null}"#, "Refused"),
            (200, "<html>", "content"),
            (200, r#"{"choices":[]}"#, "content"),
            (200, r#"{"error":{"code":429,"message":"slow down"}}"#, "later"),
            (200, r#"{"error":{"code":403,"message":"input was flagged"}}"#, "content"),
            (200, r#"{"error":{"code":"x"}}"#, "later"),
            (400, "{}", "content"),
            (413, "", "content"),
            (422, "{}", "content"),
            (400, r#"{"error":{"code":"context_length_exceeded"}}"#, "content"),
            (500, "the request exceeds the available context size", "content"),
            (400, r#"{"error":{"code":"content_filter","param":"prompt"}}"#, "content"),
            (403, "your input was flagged", "content"),
            (400, r#"{"error":{"param":"response_format"}}"#, "ResponseFormat"),
            (400, "Unsupported parameter: 'max_completion_tokens'", "MaxCompletionTokens"),
            (400, "'temperature' does not support 0", "content"),
            (401, "{}", "failed"),
            (403, "{}", "failed"),
            (404, "{}", "failed"),
            (302, "", "failed"),
            (408, "", "later"),
            (429, "", "later"),
            (500, "", "later"),
            (503, "", "later"),
        ];
        for (status, body, expected) in cases {
            assert_eq!(kind_for(Api::Openai, status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn what_only_one_api_says_is_understood() {
        let key = r#"{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}"#;
        let long =
            r#"{"error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8"}}"#;
        let full = r#"{"message":{"content":"{}"},"done":true,"prompt_eval_count":90,"eval_count":10}"#;
        let cases = [
            (Api::Gemini, 400, key, "failed"),
            (Api::Openai, 400, key, "content"),
            (Api::Gemini, 200, r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, "content"),
            (Api::Gemini, 200, r#"{"candidates":[{"finishReason":"RECITATION"}]}"#, "Filtered"),
            (Api::Gemini, 200, r#"{"candidates":[{}]}"#, "Unknown"),
            (Api::Gemini, 400, "Unknown name \"responseSchema\"", "ResponseSchema"),
            (Api::Anthropic, 400, long, "content"),
            (Api::Anthropic, 529, "{}", "later"),
            (Api::Anthropic, 400, "tool_choice forces tool use", "ToolChoice"),
            (Api::Anthropic, 200, r#"{"content":[],"stop_reason":"pause_turn"}"#, "Unknown"),
            (Api::Ollama, 200, full, "content"),
            (Api::Ollama, 200, &full.replace("90", "80"), "Done"),
            (Api::Ollama, 200, &full.replace("90", "80").replace("true", "false"), "CutOff"),
            (Api::Ollama, 404, r#"{"error":"model 'x' not found"}"#, "failed"),
        ];
        for (api, status, body, expected) in cases {
            assert_eq!(kind_for(api, status, body), expected, "{api:?} {status} {body}");
        }
    }

    #[test]
    fn the_words_of_an_error_are_its_message() {
        for (body, words) in [
            (r#"{"type":"error","error":{"type":"x","message":"no such model"}}"#, "no such model"),
            (r#"{"error":"model 'x' not found"}"#, "model 'x' not found"),
            (r#"{"message":"slow down"}"#, "slow down"),
            (r#"{"code":7}"#, r#"{"code":7}"#),
            (" oh no\n", "oh no"),
            ("a\u{1b}[2J", "a\\u{1b}[2J"),
            ("", ""),
        ] {
            assert_eq!(detail(body.as_bytes()), words);
        }
    }

    #[test]
    fn waiting_times_are_seconds_or_dates() {
        let seconds = |count| Some(Duration::from_secs(count));
        assert_eq!(retry_after("3", 0), seconds(3));
        assert_eq!(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20), seconds(40));
        assert_eq!(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 90), seconds(0));
        assert_eq!(retry_after("soon", 0), None);
        assert_eq!(retry_after("-1", 0), None);
    }
}
