//! Who judges (gate.md 4).
//!
//! No key stands in a policy: only the file or the variable it is read from. Nothing here opens a connection.

use serde::{Deserialize, Serialize};

use crate::gate::judge::OpenAiSettings;

/// The judge of documents with hits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeSettings {
    /// Which judge.
    pub backend: JudgeBackend,
    /// The endpoint of `openai`, and of `auto` and `cascade` where one is configured.
    pub openai: OpenAiSettings,
}

/// Which judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeBackend {
    /// A configured endpoint, else the embedded judge.
    Auto,
    /// The embedded judge.
    Embedded,
    /// An endpoint that speaks OpenAI's Chat Completions.
    Openai,
    /// The embedded judge where it is sure, the endpoint for the rest.
    Cascade,
}

impl JudgeSettings {
    /// The endpoint to ask, where one is configured and the backend uses it.
    pub fn endpoint(&self) -> Option<&OpenAiSettings> {
        let is_used = self.backend != JudgeBackend::Embedded && !self.openai.base_url.is_empty();
        is_used.then_some(&self.openai)
    }

    /// The keys whose values do not go together or are out of range, each with what is wrong.
    pub(super) fn faults(&self) -> Vec<(&'static str, String)> {
        let endpoint = &self.openai;
        let needed = matches!(self.backend, JudgeBackend::Openai | JudgeBackend::Cascade);
        let milliseconds = 1..=600_000;
        let timeout = endpoint.timeout_ms.unwrap_or(1);
        let temperature = endpoint.temperature.unwrap_or(0.0);
        let checks = [
            (
                "judge.backend",
                needed && endpoint.base_url.is_empty(),
                "this judge needs `base_url` and `model` under `[judge.openai]`",
            ),
            (
                "judge.openai.base_url",
                !endpoint.base_url.is_empty() && !is_address(&endpoint.base_url),
                "an address is `https://host/…` or `http://host/…`, without user or password",
            ),
            (
                "judge.openai.model",
                endpoint.base_url.is_empty() != endpoint.model.is_empty(),
                "`base_url` and `model` need each other",
            ),
            (
                "judge.openai.api_key_env",
                endpoint.api_key_env.is_some() && endpoint.api_key_file.is_some(),
                "the key comes from a file or from a variable, not from both",
            ),
            (
                "judge.openai.connect_timeout_ms",
                !milliseconds.contains(&endpoint.connect_timeout_ms),
                "it takes 1 to 600000",
            ),
            ("judge.openai.timeout_ms", !milliseconds.contains(&timeout), "it takes 1 to 600000"),
            ("judge.openai.retries", endpoint.retries > 10, "it takes 0 to 10"),
            (
                "judge.openai.temperature",
                !(0.0..=2.0).contains(&temperature),
                "a temperature lies between 0 and 2",
            ),
            ("judge.openai.max_answer_tokens", endpoint.max_answer_tokens == 0, "it takes at least 1"),
        ];
        let wrong = checks.into_iter().filter(|(_, is_wrong, _)| *is_wrong);
        wrong.map(|(key, _, message)| (key, message.to_owned())).collect()
    }
}

fn is_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    host.is_some_and(|host| !host.is_empty() && !host.contains('@'))
}
