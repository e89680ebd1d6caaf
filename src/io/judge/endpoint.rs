//! Where an LLM judge lives and the key to it, checked once when the settings are read.
//!
//! A key comes from the file or the variable that the settings name, and from nowhere else. It is kept as a secret: no
//! Debug output, error or log shows it.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

use super::api::Api;
use crate::base::printable;
use crate::gate::judge::EndpointSettings;
use crate::gate::policy::JudgeName;
use crate::io::home;

/// Why a judge cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum JudgeSetupError {
    /// The address is none, or holds what it should not.
    #[error("judge.{judge}.base_url `{}` {why}", printable(url))]
    Address {
        /// The judge.
        judge: JudgeName,
        /// The address.
        url: String,
        /// What is wrong with it, and what to write.
        why: &'static str,
    },
    /// No model is named.
    #[error("judge.{0}.model is empty: give the model's name at the endpoint")]
    NoModel(JudgeName),
    /// Both sources of a key are set.
    #[error("judge.{0} has both api_key_file and api_key_env: keep one")]
    TwoKeys(JudgeName),
    /// The key file cannot be read.
    #[error("reading the judge's key from `{path}`: {source}; check judge.{judge}.api_key_file")]
    KeyFile {
        /// The judge.
        judge: JudgeName,
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// The variable is not set.
    #[error(
        "the variable `{}` of judge.{judge}.api_key_env is not set: set it, or name a file",
        printable(name)
    )]
    KeyVariable {
        /// The judge.
        judge: JudgeName,
        /// The variable.
        name: String,
    },
    /// The key holds something that no HTTP header can carry.
    #[error("the key of judge.{0} is empty or holds spaces, line breaks or other characters that no key has")]
    KeyForm(JudgeName),
    /// The HTTP client could not be made.
    #[error("setting up HTTP for the judge: {0}")]
    Client(String),
    /// No program is named.
    #[error("judge.command.run is empty: give the program's absolute path, and its arguments")]
    NoProgram,
}

/// An endpoint that can be asked.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) url: Url,
    pub(super) key: Option<SecretString>,
    pub(super) timeout: Duration,
    pub(super) on_this_machine: bool,
}

impl Endpoint {
    /// Checks the settings and reads the key that they name.
    pub(super) fn of(api: Api, settings: &EndpointSettings) -> Result<Self, JudgeSetupError> {
        let judge = api.name();
        let model = settings.model.trim();
        if model.is_empty() {
            return Err(JudgeSetupError::NoModel(judge));
        }
        let mut url = address(judge, &settings.base_url)?;
        let path = api.path(url.path().trim_end_matches('/'), model);
        url.set_path(&path);
        let on_this_machine = is_loopback(&url);
        // A model of one's own may have to be loaded first.
        let default = if on_this_machine || api == Api::Ollama { 60_000 } else { 20_000 };
        Ok(Self {
            key: read_key(judge, settings)?,
            timeout: Duration::from_millis(settings.timeout_ms.unwrap_or(default)),
            on_this_machine,
            url,
        })
    }

    /// The words without the key, should an endpoint echo it.
    pub(super) fn without_key(&self, words: &str) -> String {
        match &self.key {
            Some(key) => words.replace(key.expose_secret(), "[key]"),
            None => words.to_owned(),
        }
    }
}

fn address(judge: JudgeName, base: &str) -> Result<Url, JudgeSetupError> {
    let fault = |why| JudgeSetupError::Address { judge, url: base.to_owned(), why };
    let mut url = Url::parse(base.trim())
        .map_err(|_| fault("is no address: write it in full, such as `https://llm.example/v1`"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(fault("is no web address: it takes http or https and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // The address is logged; a password in it would be too.
        return Err(JudgeSetupError::Address {
            judge,
            url: "…".to_owned(),
            why: "holds a user name or password: put the key into a file and name it in api_key_file",
        });
    }
    url.set_fragment(None);
    Ok(url)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn read_key(judge: JudgeName, settings: &EndpointSettings) -> Result<Option<SecretString>, JudgeSetupError> {
    let text = match (&settings.api_key_file, &settings.api_key_env) {
        (Some(_), Some(_)) => return Err(JudgeSetupError::TwoKeys(judge)),
        (None, None) => return Ok(None),
        (Some(path), None) => {
            let fault = |source| JudgeSetupError::KeyFile { judge, path: path.clone(), source };
            // What is no UTF-8 is no key either.
            String::from_utf8(home::read_file(path).map_err(fault)?)
                .map_err(|_| JudgeSetupError::KeyForm(judge))?
        }
        (None, Some(name)) => {
            std::env::var(name).map_err(|_| JudgeSetupError::KeyVariable { judge, name: name.clone() })?
        }
    };
    let key = SecretString::from(text.trim());
    let well_formed =
        !key.expose_secret().is_empty() && key.expose_secret().bytes().all(|byte| byte.is_ascii_graphic());
    if well_formed { Ok(Some(key)) } else { Err(JudgeSetupError::KeyForm(judge)) }
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, JudgeSetupError};
    use crate::gate::judge::EndpointSettings;
    use crate::io::judge::api::Api;

    fn settings(base_url: &str) -> EndpointSettings {
        EndpointSettings {
            base_url: base_url.to_owned(),
            model: "m".to_owned(),
            ..EndpointSettings::default()
        }
    }

    fn openai(settings: &EndpointSettings) -> Result<Endpoint, JudgeSetupError> {
        Endpoint::of(Api::Openai, settings)
    }

    #[test]
    fn addresses_get_the_path_once_and_keep_their_query() {
        let cases = [
            (Api::Openai, "https://llm.example/v1", "https://llm.example/v1/chat/completions"),
            (Api::Openai, "https://llm.example/v1/", "https://llm.example/v1/chat/completions"),
            (Api::Openai, "http://127.0.0.1:8080", "http://127.0.0.1:8080/chat/completions"),
            (Api::Openai, "https://llm.example/x/chat/completions", "https://llm.example/x/chat/completions"),
            (
                Api::Openai,
                "https://llm.example/d?api-version=1",
                "https://llm.example/d/chat/completions?api-version=1",
            ),
            (Api::Anthropic, "https://llm.example", "https://llm.example/v1/messages"),
            (Api::Anthropic, "https://llm.example/v1/", "https://llm.example/v1/messages"),
            (Api::Anthropic, "https://llm.example/v1/messages", "https://llm.example/v1/messages"),
            (Api::Gemini, "https://llm.example", "https://llm.example/v1beta/models/m:generateContent"),
            (Api::Gemini, "https://llm.example/v1", "https://llm.example/v1/models/m:generateContent"),
            (Api::Ollama, "http://127.0.0.1:11434/", "http://127.0.0.1:11434/api/chat"),
            (Api::Ollama, "http://127.0.0.1:11434/api", "http://127.0.0.1:11434/api/chat"),
        ];
        for (api, base, full) in cases {
            assert_eq!(Endpoint::of(api, &settings(base)).unwrap().url.as_str(), full);
        }
        let tuned = EndpointSettings { model: "tunedModels/t".to_owned(), ..settings("https://llm.example") };
        let url = Endpoint::of(Api::Gemini, &tuned).unwrap().url;
        assert_eq!(url.as_str(), "https://llm.example/v1beta/tunedModels/t:generateContent");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for bad in ["", "llm.example/v1", "file:///etc/passwd", "https://user:secret@llm.example/v1"] {
            let error = openai(&settings(bad)).unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn this_machine_and_ollama_get_more_time() {
        for (api, base, seconds) in [
            (Api::Openai, "http://localhost:8080/v1", 60),
            (Api::Openai, "http://[::1]:8080", 60),
            (Api::Anthropic, "http://127.9.9.9", 60),
            (Api::Openai, "http://192.0.2.1", 20),
            (Api::Gemini, "https://localhost.example", 20),
            (Api::Ollama, "http://192.0.2.1:11434", 60),
        ] {
            assert_eq!(Endpoint::of(api, &settings(base)).unwrap().timeout.as_secs(), seconds, "{base}");
        }
    }

    #[test]
    fn keys_come_from_where_the_settings_say() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let with_file = EndpointSettings { api_key_file: Some(file.clone()), ..settings("http://192.0.2.1") };
        assert!(matches!(openai(&with_file), Err(JudgeSetupError::KeyFile { .. })));
        std::fs::write(&file, "k-123456\n").unwrap();
        let endpoint = openai(&with_file).unwrap();
        assert_eq!(endpoint.without_key("no k-123456 here"), "no [key] here");
        assert!(!format!("{endpoint:?}").contains("k-123456"));
        for bad in [&b""[..], b" \n", b"two words", b"a\nb", b"\xff"] {
            std::fs::write(&file, bad).unwrap();
            assert!(matches!(openai(&with_file), Err(JudgeSetupError::KeyForm(_))), "{bad:?}");
        }
        let both = EndpointSettings { api_key_env: Some("X".to_owned()), ..with_file };
        assert!(matches!(openai(&both), Err(JudgeSetupError::TwoKeys(_))));
    }
}
