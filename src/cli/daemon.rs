//! `skillgate daemon`, `status` and `stop`.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use tracing_subscriber::EnvFilter;

use super::{Exit, show};
use crate::base::printable;
use crate::daemon::engine::Engine;
use crate::daemon::listen::ListenError;
use crate::daemon::server::{self, DaemonError};
use crate::daemon::wire::{Answer, Peer, Request, Status};
use crate::daemon::{Client, ClientError};
use crate::io::{Home, home, person, policy};

/// Run the daemon that decides; bridges start it by themselves.
#[derive(Debug, Args)]
pub(crate) struct DaemonArgs {
    /// Started by a bridge: own session, log to logs/daemon.log only
    #[arg(long, hide = true)]
    auto: bool,
    /// Say more on stderr (-v info, -vv debug); RUST_LOG says it in detail
    #[arg(long, short, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// Show the daemon, its sessions and its counts; exit 2 where none runs.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the daemon until a signal ends it.
pub(crate) fn run(arguments: &DaemonArgs) -> anyhow::Result<Exit> {
    let result = serve(arguments);
    if let Err(error) = &result
        && arguments.auto
        && !is_running(error)
    {
        // To whoever started us, who otherwise would wait for another one to come up.
        println!("{}", super::in_words(error));
    }
    result
}

/// True where there was no need for us.
fn is_running(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(DaemonError::Listen(ListenError::Running(_))))
}

fn serve(arguments: &DaemonArgs) -> anyhow::Result<Exit> {
    let home = Home::locate()?.open()?;
    if arguments.auto {
        // It outlives the bridge, its terminal and its process group. An error means that it leads a session already.
        let _ = rustix::process::setsid();
    }
    start_logging(&home, arguments)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(workers()).enable_all().build()?;
    let auto = arguments.auto;
    runtime
        .block_on(server::serve(home, move || ready(auto)))
        .inspect_err(|error| tracing::error!("{error}"))?;
    Ok(Exit::Ok)
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 4)
}

/// Tells whoever started us that we listen: the end of our stdout.
fn ready(auto: bool) {
    if auto {
        let null = std::fs::OpenOptions::new().write(true).open("/dev/null");
        if let Ok(null) = null {
            // Should this fail, the bridge only waits longer.
            let _ = rustix::stdio::dup2_stdout(null);
        }
    } else {
        eprintln!("skillgate: listening");
    }
}

/// logs/daemon.log has `info` and more; stderr what was asked for.
fn start_logging(home: &Home, arguments: &DaemonArgs) -> anyhow::Result<()> {
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::util::SubscriberInitExt;
    use tracing_subscriber::{Layer, fmt};
    home::make_private_dir(&home.logs())?;
    let path = home.logs().join("daemon.log");
    let log = home::append_private(&path).with_context(|| format!("opening `{}`", path.display()))?;
    let filter =
        |default: &str| EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let level = match (arguments.auto, arguments.verbose) {
        (true, _) => "off",
        (false, 0) => "warn",
        (false, 1) => "info",
        (false, _) => "debug",
    };
    let to_file = fmt::layer().with_writer(std::sync::Mutex::new(log)).with_ansi(false);
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let to_stderr = fmt::layer().with_writer(std::io::stderr).with_ansi(is_terminal);
    tracing_subscriber::registry()
        .with(to_file.with_filter(filter("info")))
        .with(to_stderr.with_filter(filter(level)))
        .init();
    Ok(())
}

/// Shows the daemon's state; exit 2 where none runs.
pub(crate) fn status(arguments: &StatusArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let home = Home::locate()?;
    let answer = ask(&home, &Request::Status).map_err(|error| match error.downcast_ref() {
        Some(ClientError::NotRunning { .. }) => match why_none_can_run(&home) {
            Some(why) => anyhow::anyhow!("no daemon runs, and none can start, so nothing passes: {}", super::in_words(&why)),
            None => anyhow::anyhow!(
                "{error}; bridges start one by themselves, and `skillgate daemon` does; SKILLGATE_HOME says where it listens"
            ),
        },
        _ => error,
    })?;
    let Answer::Status(status) = answer else { anyhow::bail!(ClientError::Unexpected) };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&status)?)?;
    } else {
        describe(&status, out)?;
    }
    Ok(Exit::Ok)
}

/// What keeps a daemon from starting, where something does: the home, or the policy.
fn why_none_can_run(home: &Home) -> Option<anyhow::Error> {
    if home.root().exists()
        && let Err(error) = home.clone().open_existing()
    {
        return Some(error.into());
    }
    Engine::load(policy::in_home(home).as_deref(), home).err().map(Into::into)
}

fn describe(status: &Status, out: &mut dyn Write) -> std::io::Result<()> {
    let counts = &status.decisions;
    writeln!(out, "skillgate {} runs as pid {} for {} s", status.version, status.pid, status.uptime_seconds)?;
    let rules = show::count(status.rules, "rule");
    writeln!(out, "judge       {}, {rules}, policy {}", status.judge, status.policy)?;
    match (&status.reload_refused, status.policy_outdated) {
        (Some(refused), _) => {
            let (at, why) = (show::time(refused.at), refused.why.lines().collect::<Vec<_>>().join("; "));
            writeln!(out, "            reload refused at {at}: {}", printable(&why))?;
            writeln!(out, "            the policy from before holds; mend the file, then send SIGHUP again")?;
        }
        (None, true) => writeln!(
            out,
            "            the policy file has changed since: `skillgate policy check` it, then send SIGHUP"
        )?,
        (None, false) => {}
    }
    if status.monitor {
        writeln!(out, "mode        monitor: everything is forwarded, whatever was decided")?;
    }
    let (allow, warn, quarantine, block) = (counts.allow, counts.warn, counts.quarantine, counts.block);
    writeln!(out, "decisions   {allow} allowed, {warn} warned, {quarantine} quarantined, {block} blocked")?;
    let wait = if status.quarantined == 1 { "waits" } else { "wait" };
    writeln!(out, "quarantine  {} {wait} for a person", status.quarantined)?;
    if status.sessions.is_empty() {
        return writeln!(out, "sessions    none");
    }
    let mut table = show::table(["SESSION", "AGENT", "SERVER", "SCREENED"]);
    for session in &status.sessions {
        let word = |word: &Option<String>| show::clip(word.as_deref().unwrap_or("-"), 40);
        let screened = session.screened.to_string();
        table.add_row([session.session.clone(), word(&session.agent), word(&session.server), screened]);
    }
    show::write_table(out, &table)
}

/// Ends the daemon: a person's act, since nothing is screened while none runs and `on_error` is open.
pub(crate) fn stop(out: &mut dyn Write) -> anyhow::Result<Exit> {
    let home = Home::locate()?;
    person::confirm("stopping the daemon", "stop")?;
    match ask(&home, &Request::Drain) {
        Ok(_) => writeln!(out, "the daemon finishes what is open and ends")?,
        Err(error) if matches!(error.downcast_ref(), Some(ClientError::NotRunning { .. })) => {
            eprintln!("no daemon runs");
        }
        Err(error) => return Err(error),
    }
    Ok(Exit::Ok)
}

fn ask(home: &Home, request: &Request) -> anyhow::Result<Answer> {
    let socket = home.socket()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(async { Client::connect(&socket, Peer::Control).await?.ask(request).await })?)
}
