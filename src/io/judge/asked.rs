//! A judge that is asked and may fail: what is the same for all of them.
//!
//! One total time covers a question with all its tries; several failures in a row open the breaker; each question has a
//! fence of its own. What content can cause is a verdict of SUSPICIOUS 0.5 and counts as an answer.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::api::Api;
use super::breaker::{Breaker, BreakerSettings, CallEnd};
use super::cache::VerdictCache;
use super::command::CommandJudge;
use super::endpoint::JudgeSetupError;
use super::http::HttpJudge;
use super::parse::Parsed;
use super::prompt::{PROMPT_VERSION, Prompt};
use crate::gate::judge::{EndpointSettings, JudgeFuture, Judged, Manner};
use crate::gate::policy::{JudgeName, JudgeSettings};
use crate::gate::{Evidence, Judge, JudgeFailure, Verdict};
use crate::io::random;

/// A configured judge.
#[derive(Debug)]
pub struct AskedJudge {
    back_end: BackEnd,
    breaker: Mutex<Breaker>,
    turns: Semaphore,
    cache: Option<VerdictCache>,
}

/// How many questions are put at a time; the others wait, within their own time. A flood of messages must start no flood
/// of programs.
const AT_A_TIME: usize = 8;

#[derive(Debug)]
enum BackEnd {
    Http(Box<HttpJudge>),
    Command(CommandJudge),
}

/// Where the content goes that a judge is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To a server on this machine.
    ThisMachine(String),
    /// To this address.
    Elsewhere(String),
    /// To a program of the user's, which does with it what it likes.
    Program(String),
}

/// One question.
pub(super) struct Question<'a> {
    pub(super) evidence: &'a Evidence,
    pub(super) prompt: Prompt,
    pub(super) deadline: Instant,
}

/// What one question came to.
pub(super) struct Said {
    pub(super) parsed: Parsed,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
}

impl Question<'_> {
    /// How many hits an answer can rely on.
    pub(super) fn hits(&self) -> usize {
        self.evidence.hits.len()
    }
}

impl Said {
    pub(super) fn unusable(why: &str) -> Self {
        Self { parsed: Parsed::unusable(why), tokens_in: 0, tokens_out: 0 }
    }
}

impl AskedJudge {
    /// The judge of this name in a policy. Checks the settings and reads the key; connects to nothing.
    pub fn of(settings: &JudgeSettings, name: JudgeName) -> Result<Self, JudgeSetupError> {
        match name {
            JudgeName::Openai => Self::openai(settings.openai.clone()),
            JudgeName::Anthropic => Self::http(Api::Anthropic, settings.anthropic.clone()),
            JudgeName::Gemini => Self::http(Api::Gemini, settings.gemini.clone()),
            JudgeName::Ollama => Self::http(Api::Ollama, settings.ollama.clone()),
            JudgeName::Command => {
                Ok(Self::behind(BackEnd::Command(CommandJudge::new(settings.command.clone())?)))
            }
        }
    }

    /// The judge behind an endpoint that speaks Chat Completions.
    pub fn openai(settings: EndpointSettings) -> Result<Self, JudgeSetupError> {
        Self::http(Api::Openai, settings)
    }

    fn http(api: Api, settings: EndpointSettings) -> Result<Self, JudgeSetupError> {
        Ok(Self::behind(BackEnd::Http(Box::new(HttpJudge::new(api, settings)?))))
    }

    fn behind(back_end: BackEnd) -> Self {
        let breaker = Mutex::new(Breaker::new(BreakerSettings::default()));
        Self { back_end, breaker, turns: Semaphore::new(AT_A_TIME), cache: None }
    }

    /// The same judge, remembering here what it said.
    pub fn remembering(self, cache: Option<VerdictCache>) -> Self {
        Self { cache, ..self }
    }

    /// All that decides what this judge would say, for the verdict cache: where, which model, parameters, prompt.
    pub fn fingerprint(&self) -> String {
        let back_end = match &self.back_end {
            BackEnd::Http(judge) => judge.fingerprint(),
            BackEnd::Command(judge) => judge.fingerprint(),
        };
        format!("{} {back_end} {PROMPT_VERSION}", self.id())
    }

    /// Where content goes that it is asked about.
    pub fn reach(&self) -> Reach {
        match &self.back_end {
            BackEnd::Http(judge) if judge.on_this_machine() => Reach::ThisMachine(judge.address()),
            BackEnd::Http(judge) => Reach::Elsewhere(judge.address()),
            BackEnd::Command(judge) => Reach::Program(judge.program().to_owned()),
        }
    }

    async fn ask(&self, evidence: &Evidence) -> Result<Judged, JudgeFailure> {
        let Some(cache) = &self.cache else { return self.ask_anew(evidence).await };
        let key = cache.key(&self.fingerprint(), evidence);
        if let Some(verdict) = cache.find(key, Timestamp::now()) {
            return Ok(Judged { verdict, manner: Manner::Cached });
        }
        let judged = self.ask_anew(evidence).await?;
        // What stands in for an answer is no answer: the next time there may be one.
        if judged.manner == Manner::Fresh
            && let Err(error) = cache.keep(key, &judged.verdict, Timestamp::now())
        {
            tracing::warn!(%error, "a verdict could not be kept for the next time");
        }
        Ok(judged)
    }

    async fn ask_anew(&self, evidence: &Evidence) -> Result<Judged, JudgeFailure> {
        self.breaker()
            .admit(Instant::now().into_std())
            .map_err(|wait| JudgeFailure::BreakerOpen(wait.as_secs().max(1)))?;
        let said = self.question(evidence).await;
        let end = if said.is_ok() { CallEnd::Answered } else { CallEnd::Failed };
        self.breaker().record(Instant::now().into_std(), end);
        if let Err(failure) = &said {
            tracing::warn!(%failure, judge = self.id(), model = self.version(), "the judge gave no verdict");
        }
        said.map(|said| self.judged(said))
    }

    async fn question(&self, evidence: &Evidence) -> Result<Said, JudgeFailure> {
        let time = self.timeout();
        let nonce = random::bytes().map_err(|error| JudgeFailure::Unreachable(error.to_string()))?;
        let deadline = Instant::now() + time;
        let question = Question { evidence, prompt: Prompt::new(evidence, nonce), deadline };
        let said = timeout_at(deadline, self.answer(&question)).await;
        said.unwrap_or(Err(JudgeFailure::TimedOut(time.as_millis() as u64)))
    }

    async fn answer(&self, question: &Question<'_>) -> Result<Said, JudgeFailure> {
        // The turns are never closed, so this is one.
        let _turn = self.turns.acquire().await;
        match &self.back_end {
            BackEnd::Http(judge) => judge.ask(question).await,
            BackEnd::Command(judge) => judge.ask(question).await,
        }
    }

    const fn timeout(&self) -> Duration {
        match &self.back_end {
            BackEnd::Http(judge) => judge.timeout(),
            BackEnd::Command(judge) => judge.timeout(),
        }
    }

    fn judged(&self, said: Said) -> Judged {
        let Said { parsed, tokens_in, tokens_out } = said;
        let manner = if parsed.is_usable { Manner::Fresh } else { Manner::Unusable };
        let verdict = Verdict {
            label: parsed.label,
            confidence: parsed.confidence,
            rationale: parsed.rationale,
            relied_on: parsed.relied_on,
            judge: self.id().to_owned(),
            version: self.version().to_owned(),
            tokens_in,
            tokens_out,
        };
        Judged { verdict, manner }
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Judge for AskedJudge {
    fn id(&self) -> &str {
        match &self.back_end {
            BackEnd::Http(judge) => judge.name().name(),
            BackEnd::Command(_) => JudgeName::Command.name(),
        }
    }

    fn version(&self) -> &str {
        match &self.back_end {
            BackEnd::Http(judge) => judge.model(),
            BackEnd::Command(judge) => judge.program(),
        }
    }

    fn judge<'a>(&'a self, evidence: &'a Evidence) -> JudgeFuture<'a> {
        Box::pin(self.ask(evidence))
    }
}
