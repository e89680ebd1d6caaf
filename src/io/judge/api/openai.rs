//! OpenAI's Chat Completions, as many others speak it too.

use serde::Deserialize;
use serde_json::json;

use super::{Body, Optional, Parameter, Request};
use crate::gate::judge::EndpointSettings;
use crate::io::judge::parse::{Answer, End};
use crate::io::judge::prompt::{Prompt, answer_schema};

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

/// Azure serves the same API and takes its keys in a header of their own; `Authorization` is for its tokens.
pub(super) fn takes_api_key_header(host: &str) -> bool {
    [".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"]
        .iter()
        .any(|azure| host.ends_with(azure))
}

pub(super) fn request(settings: &EndpointSettings, prompt: &Prompt, left_out: &[Parameter]) -> Request {
    let mut body = json!({
        "model": settings.model,
        "messages": [
            { "role": "system", "content": prompt.system },
            { "role": "user", "content": prompt.user },
        ],
    });
    let mut optional = Optional::default();
    if optional.take(Parameter::ResponseFormat, left_out) {
        let schema = json!({ "name": "verdict", "strict": true, "schema": answer_schema() });
        body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
    }
    // The second is the older name of the same limit.
    let takes_newer = optional.take(Parameter::MaxCompletionTokens, left_out);
    let limit = if takes_newer { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = json!(settings.max_answer_tokens);
    if let Some(temperature) = settings.temperature
        && optional.take(Parameter::Temperature, left_out)
    {
        body["temperature"] = json!(temperature);
    }
    Request { body, optional: optional.0, context: None }
}

pub(super) fn read(body: &[u8]) -> Body {
    let Ok(completion) = serde_json::from_slice::<Completion>(body) else {
        return Body::Unusable("the endpoint's answer is no chat completion");
    };
    if let (true, Some(error)) = (completion.choices.is_empty(), &completion.error) {
        // Routers pass on an upstream's failure with status 200 and the real status inside.
        let status = error.code.as_u64().and_then(|code| u16::try_from(code).ok());
        return Body::Error(status.filter(|code| *code >= 400).unwrap_or(500));
    }
    let Some(choice) = completion.choices.into_iter().next() else {
        return Body::Unusable("the endpoint's answer is empty");
    };
    let (tokens_in, tokens_out) =
        completion.usage.map_or((0, 0), |usage| (usage.prompt_tokens, usage.completion_tokens));
    let refused = choice.message.refusal.is_some_and(|words| !words.is_empty());
    let end = match choice.finish_reason.as_deref().unwrap_or_default() {
        _ if refused => End::Refused,
        "" | "stop" => End::Done,
        "length" => End::CutOff,
        "content_filter" => End::Filtered,
        _ => End::Unknown,
    };
    let answer = Answer { content: choice.message.content.unwrap_or_default(), end };
    Body::Answered { answer, tokens_in, tokens_out }
}

#[cfg(test)]
mod tests {
    use crate::io::judge::api::Api;

    #[test]
    fn azure_gets_its_key_in_its_own_header() {
        let header =
            |host| Api::Openai.key_header(host, "k").map(|(name, value)| (name, value.is_sensitive()));
        assert_eq!(header("x.openai.azure.com").unwrap(), ("api-key".parse().unwrap(), true));
        for other in ["llm.example", "x.openai.azure.com.example", "openai.azure.com.", "127.0.0.1"] {
            assert_eq!(header(other).unwrap(), ("authorization".parse().unwrap(), true), "{other}");
        }
    }
}
