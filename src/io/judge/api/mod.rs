//! What the APIs of language models differ in: address, key, request, answer.
//!
//! Everything else (retries, times, what a status means, how an answer is taken) is the same for all of them and stands
//! outside. Pure: requests are built and answers read, nothing is sent.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use super::parse::Answer;
use super::prompt::Prompt;
use crate::gate::judge::EndpointSettings;
use crate::gate::policy::JudgeName;

/// An API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    Openai,
    Anthropic,
    Gemini,
    Ollama,
}

/// One request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) body: Value,
    /// Those of its parameters that can be left out.
    pub(super) optional: Vec<Parameter>,
    /// The context that it asks for in tokens, where the API takes that.
    pub(super) context: Option<u64>,
}

/// What stands in an answer with a status of success.
#[derive(Debug)]
pub(super) enum Body {
    /// The model's answer.
    Answered { answer: Answer, tokens_in: u64, tokens_out: u64 },
    /// Nothing that can be used, and why.
    Unusable(&'static str),
    /// An error after all, with the status that it should have had.
    Error(u16),
}

/// A request parameter that some endpoints or models do not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    ResponseFormat,
    MaxCompletionTokens,
    Temperature,
    ToolChoice,
    OutputConfig,
    ResponseSchema,
    Format,
}

impl Parameter {
    /// Words, in small letters, by which an endpoint that refuses a request says that it is for this parameter.
    pub(super) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::ResponseFormat => &["response_format"],
            Self::MaxCompletionTokens => &["max_completion_tokens"],
            Self::Temperature => &["temperature"],
            Self::ToolChoice => &["tool_choice"],
            Self::OutputConfig => &["output_config"],
            Self::ResponseSchema => &["responseschema", "response_schema", "json mode"],
            Self::Format => &["chatrequest.format"],
        }
    }
}

impl Api {
    pub(super) const fn name(self) -> JudgeName {
        match self {
            Self::Openai => JudgeName::Openai,
            Self::Anthropic => JudgeName::Anthropic,
            Self::Gemini => JudgeName::Gemini,
            Self::Ollama => JudgeName::Ollama,
        }
    }

    /// The path of the request below the path of `base_url`.
    pub(super) fn path(self, base: &str, model: &str) -> String {
        match self {
            Self::Openai => below(base, &["/chat/completions"]),
            Self::Anthropic => below(base, &["/v1", "/messages"]),
            Self::Gemini => gemini::path(base, model),
            Self::Ollama => below(base, &["/api", "/chat"]),
        }
    }

    /// The header that carries the key to this host; nothing where no header can.
    pub(super) fn key_header(self, host: &str, key: &str) -> Option<(HeaderName, HeaderValue)> {
        let (name, text) = match self {
            Self::Openai if openai::takes_api_key_header(host) => ("api-key", key.to_owned()),
            Self::Openai | Self::Ollama => ("authorization", format!("Bearer {key}")),
            Self::Anthropic => ("x-api-key", key.to_owned()),
            Self::Gemini => ("x-goog-api-key", key.to_owned()),
        };
        let mut value = HeaderValue::try_from(text).ok()?;
        // So that no Debug output shows it.
        value.set_sensitive(true);
        Some((HeaderName::from_static(name), value))
    }

    /// The header that names the API's version, where it has one.
    pub(super) const fn version_header(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Anthropic => Some(("anthropic-version", "2023-06-01")),
            Self::Openai | Self::Gemini | Self::Ollama => None,
        }
    }

    /// The request for this prompt without the parameters that were found not to be taken.
    pub(super) fn request(
        self,
        settings: &EndpointSettings,
        prompt: &Prompt,
        left_out: &[Parameter],
    ) -> Request {
        match self {
            Self::Openai => openai::request(settings, prompt, left_out),
            Self::Anthropic => anthropic::request(settings, prompt, left_out),
            Self::Gemini => gemini::request(settings, prompt, left_out),
            Self::Ollama => ollama::request(settings, prompt, left_out),
        }
    }

    /// Reads an answer with a status of success.
    pub(super) fn read(self, body: &[u8], request: &Request) -> Body {
        match self {
            Self::Openai => openai::read(body),
            Self::Anthropic => anthropic::read(body),
            Self::Gemini => gemini::read(body),
            Self::Ollama => ollama::read(body, request),
        }
    }

    /// True where an endpoint that calls the request a bad one means the key, which content cannot cause.
    pub(super) fn means_the_key(self, body: &[u8]) -> bool {
        self == Self::Gemini && gemini::means_the_key(body)
    }
}

/// A path with these pieces at its end, without those that stand there already.
fn below(base: &str, pieces: &[&str]) -> String {
    let full = pieces.concat();
    (1..=pieces.len())
        .rev()
        .map(|count| pieces[..count].concat())
        .find_map(|written| base.strip_suffix(written.as_str()))
        .map_or_else(|| format!("{base}{full}"), |rest| format!("{rest}{full}"))
}

/// The optional parameters of a request as they are put into it.
#[derive(Default)]
struct Optional(Vec<Parameter>);

impl Optional {
    /// Puts a parameter to be sent unless it was found not to be taken; gives whether it is.
    fn take(&mut self, parameter: Parameter, left_out: &[Parameter]) -> bool {
        let taken = !left_out.contains(&parameter);
        if taken {
            self.0.push(parameter);
        }
        taken
    }
}
