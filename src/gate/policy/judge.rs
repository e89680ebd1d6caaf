//! Who judges (gate.md 4).
//!
//! Several judges may be configured and one is asked: `backend` or `asks` names it, and where neither does only one may
//! be configured. Nothing here opens a connection.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{VerdictCacheSettings, judge_faults};
use crate::gate::judge::{CommandSettings, EndpointSettings};

/// The judge of documents with hits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeSettings {
    /// Which judge.
    pub backend: JudgeBackend,
    /// Which of the configured judges `auto` and `cascade` ask, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<JudgeName>,
    /// An endpoint that speaks OpenAI's Chat Completions.
    pub openai: EndpointSettings,
    /// Anthropic's Messages API.
    pub anthropic: EndpointSettings,
    /// Google's Gemini API.
    pub gemini: EndpointSettings,
    /// An Ollama server.
    pub ollama: EndpointSettings,
    /// A program.
    pub command: CommandSettings,
    /// What is kept of what they said.
    pub cache: VerdictCacheSettings,
}

/// Which judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeBackend {
    /// The configured judge, else the embedded one.
    Auto,
    /// The embedded judge.
    Embedded,
    /// The embedded judge where it is sure, the configured one for the rest.
    Cascade,
    /// An endpoint that speaks OpenAI's Chat Completions.
    Openai,
    /// Anthropic's Messages API.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// An Ollama server.
    Ollama,
    /// A program.
    Command,
}

/// A judge that is asked, and not built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeName {
    /// `[judge.openai]`.
    Openai,
    /// `[judge.anthropic]`.
    Anthropic,
    /// `[judge.gemini]`.
    Gemini,
    /// `[judge.ollama]`.
    Ollama,
    /// `[judge.command]`.
    Command,
}

/// What a policy's `[judge]` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeChoice {
    /// The embedded judge alone.
    Embedded,
    /// This one, with the embedded judge behind it.
    Asked(JudgeName),
    /// The embedded judge where it is sure, this one where it is not.
    Cascade(JudgeName),
}

/// Why a policy's `[judge]` comes to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeChoiceError {
    /// The judge that is named is not configured.
    #[error("judge `{name}` is not configured: it needs {} under `[judge.{name}]`", needs(*name))]
    NotConfigured {
        /// The judge.
        name: JudgeName,
    },
    /// `cascade` has nobody to ask.
    #[error("`cascade` has no judge to ask: configure one, under `[judge.openai]` or a table beside it")]
    NoneConfigured,
    /// Several are configured and none is named.
    #[error(
        "several judges are configured ({}): name the one to ask, as `asks` under `[judge]`",
        list(names)
    )]
    Several {
        /// The configured judges.
        names: Vec<JudgeName>,
    },
}

impl JudgeName {
    /// All judges that can be configured, in the order of the default policy.
    pub const ALL: [Self; 5] = [Self::Openai, Self::Anthropic, Self::Gemini, Self::Ollama, Self::Command];

    /// The name in policy, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::Command => "command",
        }
    }
}

impl JudgeName {
    /// The address that the default policy gives, where the API has one of its own.
    pub(super) const fn published_url(self) -> &'static str {
        match self {
            Self::Openai | Self::Command => "",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Gemini => "https://generativelanguage.googleapis.com",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }
}

impl fmt::Display for JudgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl JudgeChoice {
    /// The name in status and output: `embedded`, `cascade`, or the judge's own.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Asked(judge) => judge.name(),
            Self::Cascade(_) => "cascade",
        }
    }
}

impl JudgeSettings {
    /// The judge to ask.
    pub fn choice(&self) -> Result<JudgeChoice, JudgeChoiceError> {
        match self.backend {
            JudgeBackend::Embedded => Ok(JudgeChoice::Embedded),
            JudgeBackend::Auto => Ok(self.configured()?.map_or(JudgeChoice::Embedded, JudgeChoice::Asked)),
            JudgeBackend::Cascade => {
                let name = self.configured()?.ok_or(JudgeChoiceError::NoneConfigured)?;
                Ok(JudgeChoice::Cascade(name))
            }
            JudgeBackend::Openai => self.named(JudgeName::Openai),
            JudgeBackend::Anthropic => self.named(JudgeName::Anthropic),
            JudgeBackend::Gemini => self.named(JudgeName::Gemini),
            JudgeBackend::Ollama => self.named(JudgeName::Ollama),
            JudgeBackend::Command => self.named(JudgeName::Command),
        }
    }

    /// The settings of an endpoint; nothing for the program, which has none.
    pub const fn endpoint(&self, name: JudgeName) -> Option<&EndpointSettings> {
        match name {
            JudgeName::Openai => Some(&self.openai),
            JudgeName::Anthropic => Some(&self.anthropic),
            JudgeName::Gemini => Some(&self.gemini),
            JudgeName::Ollama => Some(&self.ollama),
            JudgeName::Command => None,
        }
    }

    /// The keys whose values do not go together or are out of range, each with what is wrong.
    pub(super) fn faults(&self) -> Vec<(String, String)> {
        let mut faults = Vec::new();
        if let Err(error) = self.choice() {
            let is_named = self.asks.is_some() && matches!(error, JudgeChoiceError::NotConfigured { .. });
            let by_asks = is_named && matches!(self.backend, JudgeBackend::Auto | JudgeBackend::Cascade);
            faults.push((if by_asks { "judge.asks" } else { "judge.backend" }.to_owned(), error.to_string()));
        }
        for name in JudgeName::ALL {
            let wrong = match self.endpoint(name) {
                Some(endpoint) => judge_faults::of_endpoint(endpoint, name.published_url()),
                None => judge_faults::of_command(&self.command),
            };
            let full = |(key, message)| (format!("judge.{name}.{key}"), message);
            faults.extend(wrong.into_iter().map(full));
        }
        faults
    }

    fn named(&self, name: JudgeName) -> Result<JudgeChoice, JudgeChoiceError> {
        let is_there = self.is_configured(name);
        if is_there { Ok(JudgeChoice::Asked(name)) } else { Err(JudgeChoiceError::NotConfigured { name }) }
    }

    /// The judge that `asks` names, else the only one that is configured.
    fn configured(&self) -> Result<Option<JudgeName>, JudgeChoiceError> {
        if let Some(name) = self.asks {
            return self.named(name).map(|_| Some(name));
        }
        let names: Vec<JudgeName> =
            JudgeName::ALL.into_iter().filter(|name| self.is_configured(*name)).collect();
        match names.as_slice() {
            [] => Ok(None),
            [name] => Ok(Some(*name)),
            _ => Err(JudgeChoiceError::Several { names }),
        }
    }

    fn is_configured(&self, name: JudgeName) -> bool {
        self.endpoint(name).map_or_else(|| self.command.is_configured(), EndpointSettings::is_configured)
    }
}

const fn needs(name: JudgeName) -> &'static str {
    match name {
        JudgeName::Openai => "`base_url` and `model`",
        JudgeName::Anthropic | JudgeName::Gemini | JudgeName::Ollama => "`model`",
        JudgeName::Command => "`run`",
    }
}

fn list(names: &[JudgeName]) -> String {
    names.iter().map(|name| name.name()).collect::<Vec<_>>().join(", ")
}
