//! Starting a daemon where none runs.
//!
//! The new process gets a session of its own, the user's home as working directory and an environment cut to a list: it
//! serves every agent of the user, so it must not depend on the one that happened to start it.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

use super::client::{Client, ClientError};
use super::wire::{Peer, VERSION, WireError};
use crate::base::printable;
use crate::io::{Home, HomeError};

/// How long a daemon may take to come up. Agents give a server 10 s or more.
const START: Duration = Duration::from_secs(6);

/// How long after a daemon that is gone again the second one is started.
const FIRST_GAP: Duration = Duration::from_millis(100);

/// The variables that a daemon may inherit.
const KEPT: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "SKILLGATE_HOME",
    "RUST_LOG",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "LLVM_PROFILE_FILE",
];

/// Why no daemon could be had.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The home cannot be used.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The daemon cannot be asked.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The program could not be started.
    #[error("starting the daemon: {0}")]
    Spawn(std::io::Error),
    /// It started and said why it cannot serve.
    #[error("the daemon cannot start: {0}")]
    GaveUp(String),
    /// It started and did not come up.
    #[error(
        "the daemon did not come up: {0}; see logs/daemon.log under the SkillGate home, or run `skillgate daemon`"
    )]
    NotUp(String),
}

/// Connects to the daemon of this home, starting one where none runs. An older daemon drains itself when it hears a
/// newer version, and is replaced; one that dies while we wait for it is started again.
pub async fn connect_or_start(home: &Home, peer: Peer) -> Result<Client, StartError> {
    if home.root().exists() {
        // Whoever can write there can put a socket of their own in its place.
        home.clone().open_existing()?;
    }
    let socket = home.socket()?;
    let deadline = Instant::now() + START;
    let mut starts = Starts::default();
    let mut pause = Duration::from_millis(2);
    loop {
        let error = match Client::connect(&socket, peer.clone()).await {
            Ok(client) => return Ok(client),
            Err(error) if passes(&error) => error,
            Err(error) => return Err(error.into()),
        };
        if Instant::now() >= deadline {
            return Err(StartError::NotUp(error.to_string()));
        }
        if starts.is_due() {
            starts.start(home, deadline).await?;
        } else {
            // Another process may have won the race to start one.
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }
}

/// The daemons that we started, one after the other.
#[derive(Debug, Default)]
struct Starts {
    last: Option<(Child, Instant)>,
    gap: Duration,
}

impl Starts {
    /// True where we started none, or where it is gone again; seldomer each time, since the next one may go too.
    fn is_due(&mut self) -> bool {
        let gap = self.gap;
        self.last
            .as_mut()
            .is_none_or(|(child, started)| started.elapsed() >= gap && !matches!(child.try_wait(), Ok(None)))
    }

    /// Starts one, and waits until it listens or gives up.
    async fn start(&mut self, home: &Home, deadline: Instant) -> Result<(), StartError> {
        self.gap = (self.gap * 2).max(FIRST_GAP);
        let mut child = spawn(home)?;
        // It closes its stdout when it listens, or when it gives up: because another one does, or for the reason it says.
        if let Some(mut ready) = child.stdout.take() {
            let mut said = Vec::new();
            let _ = timeout_at(deadline, (&mut ready).take(1024).read_to_end(&mut said)).await;
            if !said.is_empty() {
                let why = String::from_utf8_lossy(&said).trim().replace('\n', "; ");
                return Err(StartError::GaveUp(printable(&why).into_owned()));
            }
        }
        self.last = Some((child, Instant::now()));
        Ok(())
    }
}

/// True for what a new daemon mends: none is there, one is going, one took the connection and died, one is older than
/// this program.
fn passes(error: &ClientError) -> bool {
    match error {
        ClientError::NotRunning { .. } | ClientError::Lost | ClientError::Wire(WireError::Io(_)) => true,
        ClientError::Mismatch { version, .. } => is_newer(VERSION, version),
        _ => false,
    }
}

/// True where `ours` is a later version than `theirs`; what cannot be read as a version is never later.
pub(super) fn is_newer(ours: &str, theirs: &str) -> bool {
    let parse = |text: &str| -> Option<Vec<u64>> {
        text.split(['-', '+']).next()?.split('.').map(|part| part.parse().ok()).collect()
    };
    matches!((parse(ours), parse(theirs)), (Some(ours), Some(theirs)) if ours > theirs)
}

fn spawn(home: &Home) -> Result<Child, StartError> {
    let home = home.clone().open()?;
    let program = std::env::current_exe().map_err(StartError::Spawn)?;
    let directory = std::env::var_os("HOME").map_or_else(|| home.root().to_owned(), Into::into);
    Command::new(program)
        .args(["daemon", "--auto"])
        .env_clear()
        .envs(KEPT.iter().filter_map(|name| std::env::var_os(name).map(|value| (*name, value))))
        .env("SKILLGATE_HOME", home.root())
        .current_dir(if directory.is_dir() { directory } else { home.root().to_owned() })
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(StartError::Spawn)
}

#[cfg(test)]
mod tests {
    use tokio::net::UnixListener;

    use super::{Client, ClientError, Peer, is_newer, passes};

    #[tokio::test]
    async fn a_daemon_that_dies_during_the_handshake_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let listener = UnixListener::bind(&socket).unwrap();
        let connecting = tokio::spawn(async move { Client::connect(&socket, Peer::Control).await });
        let (connection, _) = listener.accept().await.unwrap();
        connection.readable().await.unwrap();
        // With the greeting unread this resets the connection, as a killed daemon does.
        drop((connection, listener));
        let error = connecting.await.unwrap().unwrap_err();
        assert!(matches!(error, ClientError::Wire(_)) && passes(&error), "{error}");
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(is_newer("0.10.0", "0.9.9"));
        assert!(!is_newer("0.1.0", "0.1.0"));
        assert!(!is_newer("0.1.0", "0.2.0"));
        assert!(!is_newer("x", "0.1.0"));
    }
}
