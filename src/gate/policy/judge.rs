//! Who judges, and how an endpoint is reached (gate.md 4).
//!
//! No key stands in a policy: only the file or the variable it is read from. Nothing here opens a connection.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

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

/// An endpoint that speaks Chat Completions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenAiSettings {
    /// Up to and without `/chat/completions`; content leaves the machine only where this is set.
    #[serde(default, deserialize_with = "base_url", skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The model's name at that endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The file whose first line is the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<String>,
    /// The variable that holds the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// Milliseconds to connect.
    #[serde(deserialize_with = "milliseconds")]
    pub connect_timeout_ms: u64,
    /// Milliseconds for all tries together; nothing: 20,000, and 60,000 on this machine.
    #[serde(default, deserialize_with = "some_milliseconds", skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Tries after the first one.
    #[serde(deserialize_with = "retries")]
    pub retries: u32,
    /// The sampling temperature.
    #[serde(deserialize_with = "temperature")]
    pub temperature: f64,
}

impl OpenAiSettings {
    /// True where an endpoint and a model are named.
    pub const fn is_configured(&self) -> bool {
        self.base_url.is_some() && self.model.is_some()
    }
}

fn base_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let url = String::deserialize(deserializer)?;
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    match host.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default()) {
        None | Some("") => Err(D::Error::custom(format!(
            "`{url}` is no address: it takes `https://host/…` or `http://host/…`"
        ))),
        Some(host) if host.contains('@') => Err(D::Error::custom(
            "an address holds no user or password: name a key by `api_key_file` or `api_key_env`",
        )),
        Some(_) => Ok(Some(url)),
    }
}

fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    super::settings::within(deserializer, 1, 600_000)
}

fn some_milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    milliseconds(deserializer).map(Some)
}

fn retries<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    super::settings::within(deserializer, 0, 10)
}

fn temperature<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    if (0.0..=2.0).contains(&number) {
        Ok(number)
    } else {
        Err(D::Error::custom(format!("a temperature lies between 0 and 2, and {number} does not")))
    }
}
