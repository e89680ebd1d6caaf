//! A bridge's life: start the server, pump, and leave nothing behind.
//!
//! The end comes from any side: the server exits, the agent closes its end or goes away, a signal arrives. The server is
//! first asked by closing its stdin, then terminated, then killed, always with all that it started; what it still said is
//! delivered.

use std::ffi::OsString;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::ask::Asker;
use super::child::{Upstream, exit_code};
use super::pump::{Ends, Limits, Progress, Pump};
use super::stdio;
use crate::base::{Digest, DigestWriter};
use crate::daemon::wire::Peer;
use crate::io::Home;

/// How long a server may take to end by itself once its stdin is closed. Agents wait 2 s before they do worse.
const ASKED: Duration = Duration::from_millis(1500);
/// How long it may take while requests still wait for their answers.
const ANSWERING: Duration = Duration::from_secs(30);
/// How long it may take after a signal before it is killed.
const TERMINATED: Duration = Duration::from_millis(1500);
/// How long answers that are still being judged are waited for: longer than any judge takes.
const JUDGED: Duration = Duration::from_secs(150);
/// How long the pipe of a server that ended is still read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Run an MCP server and pass on to the agent what the daemon lets through
#[derive(Debug, Args)]
pub struct BridgeArgs {
    /// The agent's name, for policy and the audit log
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The server's name in the agent's config, for policy and the audit log
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// The server's command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Why a bridge could not run.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The runtime or the signal handlers could not be set up.
    #[error("setting up the bridge: {0}")]
    Setup(std::io::Error),
    /// The server could not be started.
    #[error("starting the server: {0}; check the server's entry in the agent's config")]
    Start(std::io::Error),
    /// The server's end could not be waited for.
    #[error("waiting for the server: {0}")]
    Wait(std::io::Error),
}

/// Runs a bridge to its end on this thread, which must be the main one, and gives the server's exit code.
pub fn run(arguments: BridgeArgs) -> Result<u8, BridgeError> {
    log_to_stderr();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(BridgeError::Setup)?;
    let code = runtime.block_on(live(arguments));
    // The thread that reads our stdin may sit in a read for ever.
    runtime.shutdown_background();
    code
}

/// Our own words go where the server's do: agents keep a server's stderr. Warnings, unless RUST_LOG says otherwise.
fn log_to_stderr() {
    use tracing_subscriber::filter::{EnvFilter, LevelFilter};
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy();
    let logger =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    // Another logger in the same process is as good.
    let _ = logger.try_init();
}

async fn live(arguments: BridgeArgs) -> Result<u8, BridgeError> {
    let mut signals = Signals::listen().map_err(BridgeError::Setup)?;
    let (mut server, (to_server, from_server)) =
        Upstream::start(&arguments.command).map_err(BridgeError::Start)?;
    let (limits, limits_seen) = watch::channel(Limits::default());
    let peer = Peer::Bridge {
        agent: arguments.agent,
        server: arguments.server,
        server_digest: server_digest(&arguments.command),
        child: Some(server.group()),
    };
    let home = Home::locate().inspect_err(|error| tracing::error!("nothing can be screened: {error}")).ok();
    let asker = Arc::new(Asker::new(home, peer, limits));
    let (from_client, to_client) = (stdio::stdin(), stdio::stdout());
    let pump =
        Pump::start(Ends { from_client, to_client, to_server, from_server }, asker.clone(), limits_seen);
    // After the pump: where no daemon runs one is started here, and the first bytes need not wait for that.
    let early = asker.clone();
    tokio::spawn(async move { early.attend().await });
    let mut ending = Ending::new();
    let ended = until_it_ends(&mut server, &pump, &mut signals, &mut ending).await;
    server.end(Signal::TERM);
    last_words(&server, &pump, &mut signals, ending.patience()).await;
    let _ = timeout(LAST_WORDS, asker.tell_notes()).await;
    ended.map(exit_code).map_err(BridgeError::Wait)
}

/// Names the server by what is run: command and arguments, not the environment.
fn server_digest(command: &[OsString]) -> Digest {
    let mut writer = DigestWriter::new("server-command");
    for argument in command {
        writer.field(argument.as_encoded_bytes());
    }
    writer.finish()
}

/// What has been done to end the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Running,
    /// Its stdin is closed.
    Asked,
    Terminated,
    Killed,
}

/// The way from running to killed.
#[derive(Debug)]
struct Ending {
    stage: Stage,
    since: Instant,
    deadline: Instant,
    /// A signal came: the agent does not wait for us.
    hurried: bool,
}

impl Ending {
    fn new() -> Self {
        let now = Instant::now();
        Self { stage: Stage::Running, since: now, deadline: now, hurried: false }
    }

    fn enter(&mut self, stage: Stage, time: Duration) {
        let now = Instant::now();
        (self.stage, self.since, self.deadline) = (stage, now, now + time);
    }

    /// How long what is still being judged is waited for.
    const fn patience(&self) -> Duration {
        if self.hurried { LAST_WORDS } else { JUDGED }
    }

    /// Takes note of how far the session has come.
    fn progressed(&mut self, progress: Progress, server: &Upstream) {
        let all_said = progress.client_gone || progress.server_gone;
        let nobody_hears = progress.client_deaf || progress.server_deaf;
        if nobody_hears && matches!(self.stage, Stage::Running | Stage::Asked) {
            server.end(Signal::TERM);
            self.enter(Stage::Terminated, TERMINATED);
        } else if all_said && self.stage == Stage::Running {
            self.enter(Stage::Asked, ASKED);
        }
    }

    /// The time is up: does the next worse thing.
    fn advance(&mut self, waiting: usize, server: &Upstream) {
        match self.stage {
            Stage::Asked if waiting > 0 && self.since.elapsed() < ANSWERING => {
                self.deadline = Instant::now() + ASKED / 8;
            }
            Stage::Asked => {
                server.end(Signal::TERM);
                self.enter(Stage::Terminated, TERMINATED);
            }
            Stage::Terminated => {
                server.end(Signal::KILL);
                self.enter(Stage::Killed, Duration::ZERO);
            }
            Stage::Running | Stage::Killed => {}
        }
    }
}

async fn until_it_ends(
    server: &mut Upstream,
    pump: &Pump,
    signals: &mut Signals,
    ending: &mut Ending,
) -> std::io::Result<ExitStatus> {
    let mut progress = pump.progress();
    loop {
        let timed = matches!(ending.stage, Stage::Asked | Stage::Terminated);
        tokio::select! {
            status = server.wait() => return status,
            signal = signals.next() => {
                server.signal(signal);
                ending.hurried = true;
                ending.enter(Stage::Terminated, TERMINATED);
            }
            Ok(()) = progress.changed() => {
                let now = *progress.borrow_and_update();
                ending.progressed(now, server);
            }
            () = sleep_until(ending.deadline), if timed => ending.advance(pump.waiting(), server),
        }
    }
}

/// Delivers what the server said before it ended, whoever else may hold its pipe open.
async fn last_words(server: &Upstream, pump: &Pump, signals: &mut Signals, patience: Duration) {
    let mut progress = pump.progress();
    let said_all = timeout(LAST_WORDS, progress.wait_for(|progress| progress.server_gone)).await.is_ok();
    server.end(Signal::KILL);
    if !said_all {
        pump.end_server();
    }
    tokio::select! {
        _ = progress.wait_for(|progress| progress.delivered || progress.client_deaf) => {}
        _ = signals.next() => {}
        () = sleep(patience) => {}
    }
}

/// The signals that end a bridge.
#[derive(Debug)]
struct Signals {
    received: mpsc::UnboundedReceiver<Signal>,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        let (sender, received) = mpsc::unbounded_channel();
        for (kind, passed_on) in [
            (SignalKind::interrupt(), Signal::INT),
            (SignalKind::terminate(), Signal::TERM),
            (SignalKind::hangup(), Signal::HUP),
        ] {
            let (mut incoming, sender) = (signal(kind)?, sender.clone());
            tokio::spawn(async move {
                while incoming.recv().await.is_some() && sender.send(passed_on).is_ok() {}
            });
        }
        Ok(Self { received })
    }

    /// The next signal; never, where there is none.
    async fn next(&mut self) -> Signal {
        match self.received.recv().await {
            Some(signal) => signal,
            None => std::future::pending().await,
        }
    }
}
