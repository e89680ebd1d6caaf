//! The judge behind a Chat Completions endpoint: hosted or on this machine, whoever runs it.
//!
//! One total time covers all tries; redirects are not followed; the body is read up to a limit; no tools are offered.
//! What content can cause is a verdict of SUSPICIOUS 0.5 and counts as an answer; only a failing endpoint is a failure,
//! and several in a row open the breaker.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::breaker::{Breaker, BreakerSettings, CallEnd};
use super::endpoint::{Endpoint, JudgeSetupError};
use super::parse::{self, Parsed};
use super::prompt::{self, Prompt};
use super::reply::{self, MAX_BYTES, Parameter, Reply};
use crate::gate::judge::{JudgeFuture, OpenAiSettings};
use crate::gate::{Evidence, Judge, JudgeFailure, Verdict};
use crate::io::random;

/// The first pause before another try; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// An LLM as judge.
#[derive(Debug)]
pub struct OpenAiJudge {
    settings: OpenAiSettings,
    endpoint: Endpoint,
    client: reqwest::Client,
    breaker: Mutex<Breaker>,
    /// Parameters this endpoint was found not to take.
    left_out: Mutex<Vec<Parameter>>,
}

/// What one question came to.
struct Said {
    parsed: Parsed,
    tokens_in: u64,
    tokens_out: u64,
}

impl Said {
    fn unusable(why: &str) -> Self {
        Self { parsed: Parsed::unusable(why), tokens_in: 0, tokens_out: 0 }
    }
}

impl OpenAiJudge {
    /// The name in policy, audit and output.
    pub const ID: &'static str = "openai";

    /// Checks the settings, reads the key and makes the client; connects to nothing.
    pub fn new(settings: OpenAiSettings) -> Result<Self, JudgeSetupError> {
        let endpoint = Endpoint::of(&settings)?;
        let client = client(&settings, &endpoint)?;
        let breaker = Mutex::new(Breaker::new(BreakerSettings::default()));
        Ok(Self { settings, endpoint, client, breaker, left_out: Mutex::new(Vec::new()) })
    }

    /// All that decides what this judge would say, for the verdict cache: endpoint, model, parameters, prompt.
    pub fn fingerprint(&self) -> String {
        let temperature = self.settings.temperature.map_or("-".to_owned(), |value| value.to_string());
        format!(
            "{} {} {temperature} {} {}",
            self.endpoint.url,
            self.settings.model,
            self.settings.max_answer_tokens,
            prompt::PROMPT_VERSION
        )
    }

    async fn ask(&self, evidence: &Evidence) -> Result<Verdict, JudgeFailure> {
        self.breaker()
            .admit(Instant::now().into_std())
            .map_err(|wait| JudgeFailure::BreakerOpen(wait.as_secs().max(1)))?;
        let nonce = random::bytes().map_err(|error| JudgeFailure::Unreachable(error.to_string()))?;
        let prompt = Prompt::new(evidence, nonce);
        let deadline = Instant::now() + self.endpoint.timeout;
        let said = tokio::time::timeout_at(deadline, self.tries(&prompt, evidence.hits.len(), deadline))
            .await
            .unwrap_or(Err(JudgeFailure::TimedOut(self.endpoint.timeout.as_millis() as u64)));
        let end = if said.is_ok() { CallEnd::Answered } else { CallEnd::Failed };
        self.breaker().record(Instant::now().into_std(), end);
        if let Err(failure) = &said {
            tracing::warn!(%failure, model = self.settings.model, "the judge gave no verdict");
        }
        said.map(|said| self.verdict(said))
    }

    async fn tries(&self, prompt: &Prompt, hits: usize, deadline: Instant) -> Result<Said, JudgeFailure> {
        let mut tried = 0;
        loop {
            let (reply, wait) = self.once(prompt).await?;
            match reply {
                Reply::Answered { answer, tokens_in, tokens_out } => {
                    return Ok(Said {
                        parsed: parse::parse(&answer, &prompt.fence, hits),
                        tokens_in,
                        tokens_out,
                    });
                }
                Reply::ContentRefused(why) => return Ok(Said::unusable(why)),
                Reply::Without(parameter) => lock(&self.left_out).push(parameter),
                Reply::Failed { status, detail } => return Err(self.refused(status, &detail)),
                Reply::Later { status, detail } => {
                    let wait = wait.unwrap_or(FIRST_PAUSE * 2_u32.saturating_pow(tried));
                    if tried >= self.settings.retries || Instant::now() + wait >= deadline {
                        return Err(self.refused(status, &detail));
                    }
                    tried += 1;
                    tokio::time::sleep(wait).await;
                }
            }
        }
    }

    async fn once(&self, prompt: &Prompt) -> Result<(Reply, Option<Duration>), JudgeFailure> {
        let left_out = lock(&self.left_out).clone();
        let (request, sent) = self.request(prompt, &left_out);
        let call = self.client.post(self.endpoint.url.clone()).json(&request);
        let mut response = call.send().await.map_err(|error| unreachable(&error))?;
        let status = response.status().as_u16();
        let now = jiff::Timestamp::now().as_second();
        let wait = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| reply::retry_after(value.to_str().ok()?, now));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&error))? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Ok((Reply::ContentRefused("the answer is too long"), None));
            }
            body.extend_from_slice(&chunk);
        }
        Ok((reply::classify(status, &body, &sent), wait))
    }

    fn request(&self, prompt: &Prompt, left_out: &[Parameter]) -> (Value, Vec<Parameter>) {
        let mut request = json!({
            "model": self.settings.model,
            "messages": [
                { "role": "system", "content": prompt.system },
                { "role": "user", "content": prompt.user },
            ],
        });
        let optional = [
            (Parameter::ResponseFormat, Some(prompt::response_format())),
            (Parameter::MaxCompletionTokens, Some(json!(self.settings.max_answer_tokens))),
            (Parameter::Temperature, self.settings.temperature.map(|value| json!(value))),
        ];
        let mut sent = Vec::new();
        for (parameter, value) in optional {
            match value {
                Some(value) if !left_out.contains(&parameter) => {
                    request[parameter.name()] = value;
                    sent.push(parameter);
                }
                // The older name of the same limit.
                Some(value) if parameter == Parameter::MaxCompletionTokens => request["max_tokens"] = value,
                _ => {}
            }
        }
        (request, sent)
    }

    fn refused(&self, status: u16, detail: &str) -> JudgeFailure {
        JudgeFailure::Refused { status, detail: self.endpoint.without_key(detail) }
    }

    fn verdict(&self, said: Said) -> Verdict {
        Verdict {
            label: said.parsed.label,
            confidence: said.parsed.confidence,
            rationale: said.parsed.rationale,
            relied_on: said.parsed.relied_on,
            judge: Self::ID.to_owned(),
            version: self.settings.model.clone(),
            tokens_in: said.tokens_in,
            tokens_out: said.tokens_out,
        }
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        lock(&self.breaker)
    }
}

impl Judge for OpenAiJudge {
    fn id(&self) -> &str {
        Self::ID
    }

    fn version(&self) -> &str {
        &self.settings.model
    }

    fn judge<'a>(&'a self, evidence: &'a Evidence) -> JudgeFuture<'a> {
        Box::pin(self.ask(evidence))
    }
}

fn client(settings: &OpenAiSettings, endpoint: &Endpoint) -> Result<reqwest::Client, JudgeSetupError> {
    // Fails only where a provider is installed already, and that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut headers = HeaderMap::new();
    if let Some(key) = &endpoint.key {
        let mut value = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
            .map_err(|_| JudgeSetupError::KeyForm)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    let builder = reqwest::Client::builder()
        .user_agent(concat!("skillgate/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_millis(settings.connect_timeout_ms));
    let builder = if endpoint.on_this_machine { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| JudgeSetupError::Client(error.to_string()))
}

fn unreachable(error: &reqwest::Error) -> JudgeFailure {
    let mut words = Vec::new();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(error) = cause {
        words.push(error.to_string());
        cause = error.source();
    }
    JudgeFailure::Unreachable(words.pop().unwrap_or_else(|| "no connection".to_owned()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
