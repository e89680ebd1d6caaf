//! The command line: one file per command, and the mapping from outcomes to exit codes.
//!
//! stdout is data, stderr is talk. Exit codes (architecture.md, rule 10) are permanent: see [`Exit`].
#![allow(clippy::disallowed_methods, reason = "commands read files and the clock for the rooms below")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this room is where things are printed")]

mod audit;
mod bridge;
mod daemon;
mod demo;
mod policy;
mod quarantine;
mod rules;
mod scan;
mod show;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::base::printable;

/// What a command came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done; or allowed or warned.
    Ok,
    /// 1: something was quarantined or blocked; for `verify`, something is broken.
    Found,
    /// 2: wrong use, or the system refused something.
    Failed,
    /// 3: nothing worse, but something that policy cares about was not read.
    Unread,
    /// A code passed on from a program that was run.
    Passed(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::Found => 1,
            Exit::Failed => 2,
            Exit::Unread => 3,
            Exit::Passed(code) => code,
        })
    }
}

/// Screens the skills and MCP answers that coding agents obey.
#[derive(Debug, Parser)]
#[command(name = "skillgate", version, about, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// See all of it at work in ten seconds: an agent, a server, and SkillGate between them
    Demo,
    Scan(Box<scan::ScanArgs>),
    Bridge(crate::bridge::BridgeArgs),
    Quarantine(quarantine::QuarantineArgs),
    Audit(Box<audit::AuditArgs>),
    Policy(policy::PolicyArgs),
    Rules(rules::RulesArgs),
    Daemon(daemon::DaemonArgs),
    Status(daemon::StatusArgs),
    /// End the daemon when what is open is answered (asks at the terminal)
    Stop,
    /// The MCP server of `demo`
    #[command(hide = true)]
    DemoServer,
    #[command(name = crate::bridge::exec_child::NAME, hide = true)]
    ExecChild(bridge::ExecChildArgs),
}

/// Runs the command line and gives the process's exit code.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    // Not locked: a bridge writes to stdout from a thread of its own.
    let mut out = anstream::stdout();
    let result = run(arguments.command, &mut out).and_then(|exit| match out.flush() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(exit),
    });
    match result {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => Exit::Ok.into(),
        Err(error) => {
            let words = format!("{error:#}");
            let lines: Vec<_> = words.lines().map(printable).collect();
            eprintln!("error: {}", lines.join("\n"));
            Exit::Failed.into()
        }
    }
}

fn run(command: Command, out: &mut dyn Write) -> anyhow::Result<Exit> {
    match command {
        Command::Demo => demo::run(out),
        Command::Scan(arguments) => scan::run(&arguments, out),
        Command::Bridge(arguments) => Ok(bridge::run(arguments)),
        Command::Quarantine(arguments) => quarantine::run(arguments, out),
        Command::Audit(arguments) => audit::run(*arguments, out),
        Command::Policy(arguments) => policy::run(arguments, out),
        Command::Rules(arguments) => rules::run(arguments, out),
        Command::Daemon(arguments) => daemon::run(&arguments),
        Command::Status(arguments) => daemon::status(&arguments, out),
        Command::Stop => daemon::stop(out),
        Command::DemoServer => demo::serve().map(|()| Exit::Ok),
        Command::ExecChild(arguments) => Ok(bridge::exec_child(&arguments)),
    }
}

/// True where the reader of our output went away, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let json = || error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind).or_else(json);
    kind == Some(ErrorKind::BrokenPipe)
}

/// Prints clap's message where it belongs: help and version to stdout, complaints to stderr with exit code 2.
fn usage(error: &clap::Error) -> ExitCode {
    let wrong_use = error.use_stderr();
    match error.print() {
        Ok(()) if !wrong_use => Exit::Ok.into(),
        _ => Exit::Failed.into(),
    }
}
