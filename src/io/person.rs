//! A person's acts: release, purge, stop and the like are for people, not for the agent that was attacked (gate.md 8).
//!
//! They need a terminal and a typed confirmation, and are refused where the environment shows an agent. This keeps an
//! agent from being talked into them; it is no wall against a hostile process of the same user (SECURITY.md).

use std::io::{BufRead, IsTerminal, Write};

/// Environment variables that agents set for the programs they run.
pub const AGENT_MARKS: &[(&str, &str)] = &[
    ("CLAUDECODE", "Claude Code"),
    ("CLAUDE_CODE_ENTRYPOINT", "Claude Code"),
    ("CODEX_SANDBOX", "Codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "Codex"),
    ("CODEX_THREAD_ID", "Codex"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("CURSOR_AGENT", "Cursor"),
    ("COPILOT_AGENT_SESSION_ID", "Copilot"),
    ("COPILOT_CLI", "Copilot CLI"),
    ("KIMI_CLI", "Kimi"),
    ("KIMI_CODE", "Kimi Code"),
    ("OPENCODE", "OpenCode"),
    ("GOOSE_TERMINAL", "Goose"),
    ("AMP_CURRENT_THREAD_ID", "Amp"),
    ("CLINE_ACTIVE", "Cline"),
    ("AUGMENT_AGENT", "Augment"),
    ("CRUSH", "Crush"),
    ("AI_AGENT", "an agent"),
];

/// Proof that a person at a terminal typed the confirmation.
#[derive(Debug)]
pub struct Person {
    /// The user's name, for the audit log.
    pub name: String,
}

/// Why an act was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The environment shows an agent.
    #[error(
        "{act} is for a person, and `{variable}` shows that {agent} runs this: ask the user to do it in a terminal of their own"
    )]
    Agent {
        /// What was asked for.
        act: String,
        /// The variable that shows it.
        variable: &'static str,
        /// The agent.
        agent: &'static str,
    },
    /// Input or output is no terminal.
    #[error("{0} is for a person: run it in a terminal, not in a pipe or script")]
    NoTerminal(String),
    /// Something else was typed.
    #[error("nothing was done: `{0}` was not typed")]
    NotConfirmed(String),
    /// The terminal cannot be read.
    #[error("reading the confirmation from the terminal: {0}")]
    Io(#[from] std::io::Error),
}

/// Asks the person at the terminal to type `word`; `act` says what it is for (`releasing abc…`).
pub fn confirm(act: &str, word: &str) -> Result<Person, Refusal> {
    let set = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    if let Some((variable, agent)) = AGENT_MARKS.iter().find(|(variable, _)| set(variable)) {
        return Err(Refusal::Agent { act: act.to_owned(), variable, agent });
    }
    let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
    if !stdin.is_terminal() || !stderr.is_terminal() {
        return Err(Refusal::NoTerminal(act.to_owned()));
    }
    write!(stderr, "Type `{word}` to go on with {act}: ")?;
    stderr.flush()?;
    let mut typed = String::new();
    stdin.lock().read_line(&mut typed)?;
    if typed.trim() == word {
        Ok(Person { name: user_name() })
    } else {
        Err(Refusal::NotConfirmed(word.to_owned()))
    }
}

/// The user's name for the log: what the environment says, beside the uid, which it cannot change.
pub fn user_name() -> String {
    let uid = rustix::process::getuid().as_raw();
    let said = ["USER", "LOGNAME"].iter().filter_map(|variable| std::env::var(variable).ok());
    let said = said.into_iter().find(|name| !name.trim().is_empty());
    match said.or_else(|| listed_name(&std::fs::read_to_string("/etc/passwd").unwrap_or_default(), uid)) {
        Some(name) => format!("{name} (uid {uid})"),
        None => format!("uid {uid}"),
    }
}

/// The name that the system's list of users has for a uid.
fn listed_name(users: &str, uid: u32) -> Option<String> {
    let fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let mut named = fields.filter(|fields| fields.get(2).and_then(|field| field.parse().ok()) == Some(uid));
    named.find_map(|fields| fields.first().filter(|name| !name.is_empty()).map(|name| (*name).to_owned()))
}
