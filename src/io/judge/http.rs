//! A language model behind HTTP: hosted or on this machine, whoever runs it, whichever API it speaks.
//!
//! Redirects are not followed; the body is read up to a limit; no tools are offered that do anything. What content can
//! cause is an answer that cannot be used; only a failing endpoint is a failure.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use secrecy::ExposeSecret;
use tokio::time::Instant;

use super::api::{Api, Parameter};
use super::asked::{Question, Said};
use super::endpoint::{Endpoint, JudgeSetupError};
use super::parse;
use super::prompt::Prompt;
use super::reply::{self, Reply};
use crate::gate::JudgeFailure;
use crate::gate::judge::EndpointSettings;
use crate::gate::policy::JudgeName;

/// The first pause before another try; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The most bytes of an answer that are read.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// An endpoint with everything needed to ask it.
#[derive(Debug)]
pub(super) struct HttpJudge {
    api: Api,
    settings: EndpointSettings,
    endpoint: Endpoint,
    client: reqwest::Client,
    /// Parameters this endpoint was found not to take.
    left_out: Mutex<Vec<Parameter>>,
}

impl HttpJudge {
    /// Checks the settings, reads the key and makes the client; connects to nothing.
    pub(super) fn new(api: Api, settings: EndpointSettings) -> Result<Self, JudgeSetupError> {
        let endpoint = Endpoint::of(api, &settings)?;
        let client = client(api, &settings, &endpoint)?;
        Ok(Self { api, settings, endpoint, client, left_out: Mutex::default() })
    }

    pub(super) const fn name(&self) -> JudgeName {
        self.api.name()
    }

    pub(super) fn model(&self) -> &str {
        &self.settings.model
    }

    pub(super) const fn timeout(&self) -> Duration {
        self.endpoint.timeout
    }

    /// The address that is asked, without what may be a key in it.
    pub(super) fn address(&self) -> String {
        let mut url = self.endpoint.url.clone();
        url.set_query(None);
        url.into()
    }

    pub(super) const fn on_this_machine(&self) -> bool {
        self.endpoint.on_this_machine
    }

    /// What decides its answers beside the prompt: address, model, parameters.
    pub(super) fn fingerprint(&self) -> String {
        let EndpointSettings { model, temperature, max_answer_tokens, .. } = &self.settings;
        let temperature = temperature.map_or("-".to_owned(), |value| value.to_string());
        format!("{} {model} {temperature} {max_answer_tokens}", self.endpoint.url)
    }

    /// Asks, and asks again as long as that makes sense.
    pub(super) async fn ask(&self, question: &Question<'_>) -> Result<Said, JudgeFailure> {
        let mut tried = 0;
        loop {
            let (reply, wait) = self.once(&question.prompt).await?;
            match reply {
                Reply::Answered { answer, tokens_in, tokens_out } => {
                    let parsed = parse::parse(&answer, &question.prompt.fence, question.hits());
                    return Ok(Said { parsed, tokens_in, tokens_out });
                }
                Reply::ContentRefused(why) => return Ok(Said::unusable(&self.endpoint.without_key(&why))),
                Reply::Without(parameter) => lock(&self.left_out).push(parameter),
                Reply::Failed { status, detail } => return Err(self.refused(status, &detail)),
                Reply::Later { status, detail } => {
                    let wait = wait.unwrap_or(FIRST_PAUSE * 2_u32.saturating_pow(tried));
                    if tried >= self.settings.retries || Instant::now() + wait >= question.deadline {
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
        let request = self.api.request(&self.settings, prompt, &left_out);
        let call = self.client.post(self.endpoint.url.clone()).json(&request.body);
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
                return Ok((Reply::ContentRefused("the answer is too long".to_owned()), None));
            }
            body.extend_from_slice(&chunk);
        }
        Ok((reply::classify(self.api, status, &body, &request), wait))
    }

    fn refused(&self, status: u16, detail: &str) -> JudgeFailure {
        JudgeFailure::Refused { status, detail: self.endpoint.without_key(detail) }
    }
}

fn client(
    api: Api,
    settings: &EndpointSettings,
    endpoint: &Endpoint,
) -> Result<reqwest::Client, JudgeSetupError> {
    // Fails only where a provider is installed already, and that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut headers = HeaderMap::new();
    if let Some(key) = &endpoint.key {
        let host = endpoint.url.host_str().unwrap_or_default();
        let header = api.key_header(host, key.expose_secret());
        let (name, value) = header.ok_or_else(|| JudgeSetupError::KeyForm(api.name()))?;
        headers.insert(name, value);
    }
    if let Some((name, version)) = api.version_header() {
        headers.insert(name, HeaderValue::from_static(version));
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
