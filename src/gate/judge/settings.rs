//! How to reach the judges that are asked: the tables `[judge.openai]`, `[judge.command]`, … of a policy.
//!
//! Content leaves the machine only where one of them is filled in. No key stands in them: only the file or the variable
//! it is read from. Nothing here opens a connection.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// An endpoint that speaks HTTP, whoever runs it: `[judge.openai]`, `[judge.anthropic]`, `[judge.gemini]`,
/// `[judge.ollama]`. It is configured where `model` is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EndpointSettings {
    /// The address before the path that the API prescribes, without user name or password (`https://llm.example/v1`).
    pub base_url: String,
    /// The model's name at that endpoint.
    pub model: String,
    /// A file that holds the key and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<PathBuf>,
    /// The environment variable that holds the key; a key in the environment that is not named here is not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// For the connection, in milliseconds.
    pub connect_timeout_ms: u64,
    /// For the whole answer with all retries, in milliseconds; nothing means 20,000, or 60,000 for Ollama and for what
    /// runs on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How often 408, 429 and 5xx are tried again within the timeout.
    pub retries: u32,
    /// Sent only where it is set: some models refuse it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The most tokens an answer may take, reasoning included; an answer that is cut off is SUSPICIOUS.
    pub max_answer_tokens: u32,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self {
            base_url: String::new(),
            model: String::new(),
            api_key_file: None,
            api_key_env: None,
            connect_timeout_ms: 2_000,
            timeout_ms: None,
            retries: 2,
            temperature: None,
            max_answer_tokens: 4_096,
        }
    }
}

impl EndpointSettings {
    /// True where the endpoint can be asked.
    pub fn is_configured(&self) -> bool {
        !self.model.is_empty() && !self.base_url.is_empty()
    }
}

/// A program that judges: `[judge.command]`. It is configured where `run` names one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CommandSettings {
    /// The program's absolute path, and its arguments.
    pub run: Vec<String>,
    /// The variables of our environment that it gets; it gets no others.
    pub pass_env: Vec<String>,
    /// For the whole answer, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for CommandSettings {
    fn default() -> Self {
        Self { run: Vec::new(), pass_env: Vec::new(), timeout_ms: 60_000 }
    }
}

impl CommandSettings {
    /// True where there is a program to ask.
    pub fn is_configured(&self) -> bool {
        !self.run.is_empty()
    }
}
