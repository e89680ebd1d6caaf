//! What an HTTP answer of a Chat Completions endpoint means.
//!
//! Pure. Told apart are: an answer to be parsed; a refusal of this content, which is worth SUSPICIOUS 0.5; something
//! that passes (408, 429, 5xx); a parameter this endpoint does not take; and a failure of the endpoint. What the content
//! itself can have caused is never a failure (gate.md 4).

use std::time::Duration;

use serde::Deserialize;

use super::parse::Answer;

/// What to do with an HTTP answer.
#[derive(Debug)]
pub(super) enum Reply {
    /// The model answered.
    Answered { answer: Answer, tokens_in: u64, tokens_out: u64 },
    /// This content was not judged, and could be why.
    ContentRefused(&'static str),
    /// Ask again without this parameter.
    Without(Parameter),
    /// Ask again later.
    Later { status: u16, detail: String },
    /// The endpoint does not serve us.
    Failed { status: u16, detail: String },
}

/// A request parameter that some endpoints do not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Parameter {
    ResponseFormat,
    MaxCompletionTokens,
    Temperature,
}

impl Parameter {
    const ALL: [Self; 3] = [Self::ResponseFormat, Self::MaxCompletionTokens, Self::Temperature];

    /// The name on the wire.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ResponseFormat => "response_format",
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::Temperature => "temperature",
        }
    }
}

/// Words by which endpoints say that the content was too long.
const TOO_LONG: [&str; 6] = [
    "context_length",
    "context length",
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

/// The most bytes of an answer that are read.
pub(super) const MAX_BYTES: usize = 256 * 1024;

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    error: Option<ErrorBody>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

#[derive(Deserialize)]
struct ErrorBody {
    #[serde(default)]
    code: serde_json::Value,
}

/// Reads an answer. `sent` are the parameters of the request that can be left out.
pub(super) fn classify(status: u16, body: &[u8], sent: &[Parameter]) -> Reply {
    if (200..300).contains(&status) {
        return completed(body, sent);
    }
    let text = String::from_utf8_lossy(body).to_ascii_lowercase();
    if FILTERED.iter().any(|words| text.contains(words)) {
        return Reply::ContentRefused("the provider's filter refused the content");
    }
    if TOO_LONG.iter().any(|words| text.contains(words)) {
        return Reply::ContentRefused("the content is too long for the model");
    }
    let detail = detail(body);
    match status {
        400 | 422 => match refused_parameter(&text, sent) {
            Some(parameter) => Reply::Without(parameter),
            None => Reply::ContentRefused("the endpoint refused the request"),
        },
        413 => Reply::ContentRefused("the content is too large for the endpoint"),
        408 | 429 | 500..=599 => Reply::Later { status, detail },
        _ => Reply::Failed { status, detail },
    }
}

fn completed(body: &[u8], sent: &[Parameter]) -> Reply {
    let Ok(completion) = serde_json::from_slice::<Completion>(body) else {
        return Reply::ContentRefused("the endpoint's answer is no chat completion");
    };
    if let (true, Some(error)) = (completion.choices.is_empty(), &completion.error) {
        // Routers pass on an upstream's failure with status 200 and the real status inside.
        let status = error.code.as_u64().and_then(|code| u16::try_from(code).ok());
        return classify(status.filter(|code| *code >= 400).unwrap_or(500), body, sent);
    }
    let Some(choice) = completion.choices.into_iter().next() else {
        return Reply::ContentRefused("the endpoint's answer is empty");
    };
    let (tokens_in, tokens_out) =
        completion.usage.map_or((0, 0), |usage| (usage.prompt_tokens, usage.completion_tokens));
    let answer = Answer {
        content: choice.message.content.unwrap_or_default(),
        finish_reason: choice.finish_reason.unwrap_or_default(),
        refusal: choice.message.refusal,
    };
    Reply::Answered { answer, tokens_in, tokens_out }
}

fn refused_parameter(text: &str, sent: &[Parameter]) -> Option<Parameter> {
    Parameter::ALL.into_iter().find(|parameter| sent.contains(parameter) && text.contains(parameter.name()))
}

fn detail(body: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(body).chars().take(200).collect();
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

    use super::{Parameter, Reply, classify, retry_after};

    const SENT: [Parameter; 2] = [Parameter::ResponseFormat, Parameter::MaxCompletionTokens];

    fn kind(status: u16, body: &str) -> &'static str {
        match classify(status, body.as_bytes(), &SENT) {
            Reply::Answered { .. } => "answered",
            Reply::ContentRefused(_) => "content",
            Reply::Without(parameter) => parameter.name(),
            Reply::Later { .. } => "later",
            Reply::Failed { .. } => "failed",
        }
    }

    #[test]
    fn each_status_has_its_meaning() {
        let cases = [
            (200, r#"{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}"#, "answered"),
            (200, r#"{"choices":[{"message":{"content":null,"refusal":"no"}}],"usage":null}"#, "answered"),
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
            (400, r#"{"error":{"param":"response_format"}}"#, "response_format"),
            (400, "Unsupported parameter: 'max_completion_tokens'", "max_completion_tokens"),
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
            assert_eq!(kind(status, body), expected, "{status} {body}");
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
