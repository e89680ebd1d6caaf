//! The daemon's life: start, accept, reload, drain, stop.
//!
//! The loop is one place that waits for connections and signals. A connection that fails or panics ends itself and
//! nothing else. Draining gives up the socket first, so that a successor can start at once, and then waits for what is
//! pending.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;
use tracing::{error, info, warn};

use super::connection;
use super::listen::{ListenError, Listening, listen};
use super::state::Daemon;
use crate::io::Home;

/// How long a drain waits for pending questions.
const DRAIN: Duration = Duration::from_secs(70);

/// How often the daemon makes sure that its socket can still be reached.
const LOOK: Duration = Duration::from_secs(20);

/// Why the daemon ended, or did not start.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The socket could not be had.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// Policy, rules, audit log or judge could not be set up.
    #[error(transparent)]
    Setup(#[from] super::state::SetupError),
    /// The system refused something.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The system's words.
        source: std::io::Error,
    },
}

/// Serves the socket of an opened home until a signal or a request ends it. `ready` is called when it listens.
pub async fn serve(home: Home, ready: impl FnOnce()) -> Result<(), DaemonError> {
    let listening = listen(&home)?;
    let daemon = Arc::new(Daemon::set_up(home)?);
    let mut signals =
        Signals::new().map_err(|source| DaemonError::Io { doing: "waiting for signals", source })?;
    daemon.note_start();
    ready();
    tokio::task::spawn_blocking(Daemon::sweep);
    let warming = daemon.clone();
    tokio::task::spawn_blocking(move || warming.warm_up());
    let connections = accept_until_drained(&listening, &daemon, &mut signals).await;
    drop(listening);
    drain(connections).await;
    daemon.note_stop();
    Ok(())
}

async fn accept_until_drained(
    listening: &Listening,
    daemon: &Arc<Daemon>,
    signals: &mut Signals,
) -> JoinSet<()> {
    let mut connections = JoinSet::new();
    let mut draining = daemon.draining();
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            accepted = listening.listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection::serve(stream, daemon.clone()));
                }
                Err(error) => {
                    // Out of file descriptors, most likely: wait instead of spinning.
                    warn!(%error, "accepting a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            Some(ended) = connections.join_next() => {
                if let Err(error) = ended {
                    error!(%error, "a connection panicked");
                }
            }
            signal = signals.next() => daemon.take_signal(signal),
            _ = look.tick() => if !listening.is_reachable() {
                warn!("the socket is gone, so nobody can ask any more");
                daemon.drain();
            },
            _ = draining.wait_for(|draining| *draining) => return connections,
        }
    }
}

async fn drain(mut connections: JoinSet<()>) {
    info!(connections = connections.len(), "draining");
    let all = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(DRAIN, all).await.is_err() {
        warn!("some questions were still open when the time for draining ran out");
    }
}

/// What a signal asks of the daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// SIGTERM, SIGINT: finish what is open and end.
    Drain,
    /// SIGHUP: read policy and rules anew.
    Reload,
}

/// The signals that the daemon answers.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal.
    async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.terminate.recv() => Asked::Drain,
            _ = self.interrupt.recv() => Asked::Drain,
            _ = self.hang_up.recv() => Asked::Reload,
        }
    }
}
