//! The judge: Evidence in, Verdict out; the gate's one async seam (gate.md 4).
//!
//! The trait needs no runtime: a judge returns a boxed future and whoever calls it drives it. A failure is a state of
//! its own and never SAFE.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

use super::{Evidence, Verdict};

/// What a judge's call came to.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeOutcome {
    /// The judge that was asked for answered.
    Answered(Verdict),
    /// It could not; the embedded judge answered in its place, and policy's floor applies.
    Degraded {
        /// The embedded judge's verdict.
        verdict: Verdict,
        /// What went wrong with the one that was asked for.
        failure: JudgeFailure,
    },
    /// No judge answered: `on_error` decides.
    Failed(JudgeFailure),
}

/// Why a judge gave no verdict. A failure that the content itself can cause is not one of these: it is SUSPICIOUS 0.5.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeFailure {
    /// No connection.
    #[error("the judge could not be reached: {0}")]
    Unreachable(String),
    /// No answer in time.
    #[error("the judge did not answer within {0} ms")]
    TimedOut(u64),
    /// 408, 429 and 5xx after all retries, 401 and 403 at once.
    #[error("the judge answered with HTTP status {status}: {detail}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The endpoint's words, shortened.
        detail: String,
    },
    /// The breaker of this endpoint is open.
    #[error("the judge failed several times in a row and is left alone for {0} more seconds")]
    BreakerOpen(u64),
}

/// A boxed future, as a judge returns it.
pub type JudgeFuture<'a> = Pin<Box<dyn Future<Output = Result<Verdict, JudgeFailure>> + Send + 'a>>;

/// Something that can tell an attack from its look-alike.
pub trait Judge: Send + Sync {
    /// `embedded`, `openai`, …: the name in policy, audit and output.
    fn id(&self) -> &str;

    /// The version or model, for the audit log and the verdict cache.
    fn version(&self) -> &str;

    /// Judges one Evidence.
    fn judge<'a>(&'a self, evidence: &'a Evidence) -> JudgeFuture<'a>;
}

/// How to reach a Chat Completions endpoint: `[judge.openai]` in policy. Content leaves the machine only where this is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenAiSettings {
    /// The address before `/chat/completions`, without user name or password (`https://llm.example/v1`).
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
    /// For the whole answer with all retries, in milliseconds; nothing means 20,000, or 60,000 on this machine.
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

impl Default for OpenAiSettings {
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
