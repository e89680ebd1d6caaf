//! The command line: one file per command, and the mapping from outcomes to exit codes.
//!
//! stdout is data, stderr is talk. Exit codes (architecture.md, rule 10) are permanent: see [`Exit`].
#![allow(clippy::disallowed_methods, reason = "commands read files and the clock for the rooms below")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this room is where things are printed")]

mod audit;
mod bridge;
mod daemon;
mod demo;
mod eval;
mod judge;
mod policy;
mod quarantine;
mod rules;
mod scan;
mod show;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::base::printable;
use crate::gate::policy::JudgeBackend;

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
    Judge(judge::JudgeArgs),
    Rules(rules::RulesArgs),
    Eval(eval::EvalArgs),
    Daemon(daemon::DaemonArgs),
    Status(daemon::StatusArgs),
    /// End the daemon when what is open is answered (asks at the terminal)
    Stop,
    /// The MCP server of `demo`
    #[command(hide = true)]
    DemoServer,
}

/// Runs the command line and gives the process's exit code.
pub fn main() -> ExitCode {
    if let Some(exit) = bridge::exec_child() {
        return exit.into();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    // Not locked: a bridge writes to stdout from a thread of its own.
    let mut out = UntilClosed { out: anstream::stdout(), is_closed: false };
    let result = run(arguments.command, &mut out).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            complain(&error);
            Exit::Failed.into()
        }
    }
}

/// Says on stderr what went wrong.
fn complain(error: &anyhow::Error) {
    let words = in_words(error);
    let lines: Vec<_> = words.lines().map(printable).collect();
    eprintln!("error: {}", lines.join("\n"));
}

/// An error and its causes, without those that were named already.
fn in_words(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |words, cause| match cause.to_string() {
        cause if words.is_empty() => cause,
        cause if words.contains(&cause) => words,
        cause => format!("{words}: {cause}"),
    })
}

/// Output whose reader may go away, as `head` does. What is written after that is lost, and the work goes on: the exit
/// code is that of what was found, heard or not.
struct UntilClosed<W> {
    out: W,
    is_closed: bool,
}

impl<W> UntilClosed<W> {
    /// The result of writing, or this in its place where nobody reads.
    fn unless_closed<T>(&mut self, result: std::io::Result<T>, lost: T) -> std::io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(lost)
            }
            Err(error) => {
                // Told once: what would come after it is lost as well.
                self.is_closed = true;
                let words = format!("writing the output: {error}; check where it goes, and its space");
                Err(std::io::Error::new(error.kind(), words))
            }
            Ok(done) => Ok(done),
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let result = self.out.write(bytes);
        self.unless_closed(result, bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let result = self.out.flush();
        self.unless_closed(result, ())
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
        Command::Judge(arguments) => judge::run(arguments, out),
        Command::Rules(arguments) => rules::run(arguments, out),
        Command::Eval(arguments) => eval::run(&arguments, out),
        Command::Daemon(arguments) => daemon::run(&arguments),
        Command::Status(arguments) => daemon::status(&arguments, out),
        Command::Stop => daemon::stop(out),
        Command::DemoServer => demo::serve().map(|()| Exit::Ok),
    }
}

/// A judge by its name in policy.
fn parse_judge(text: &str) -> Result<JudgeBackend, String> {
    serde_json::from_value(serde_json::Value::from(text)).map_err(|_| {
        "it takes auto, embedded, cascade, openai, anthropic, gemini, ollama or command".to_owned()
    })
}

/// Prints clap's message where it belongs: help and version to stdout, complaints to stderr with exit code 2.
fn usage(error: &clap::Error) -> ExitCode {
    // Whether somebody reads it to the end is all one.
    let _ = error.print();
    if error.use_stderr() { Exit::Failed.into() } else { Exit::Ok.into() }
}
