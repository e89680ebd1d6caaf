//! `skillgate eval`: the gate seen through labelled corpora.

mod export;
mod gate;
mod human;
mod import;
mod output;
mod pass;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Exit;
use crate::daemon::engine::Engine;
use crate::eval::{Corpus, open_all};
use crate::gate::policy::{JudgeBackend, Mode, Screen};

/// Look at the gate through labelled corpora (folders with an index.jsonl)
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    command: EvalCommand,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    /// Judge labelled units as `scan` does, and report how well that goes
    Gate(gate::GateArgs),
    /// Write what a judge gets to see of each unit, one JSON object a line, for a judge elsewhere
    ExportEvidence(export::ExportArgs),
    /// Report how well a judge elsewhere does, by the verdicts that it gave on exported evidence
    ImportVerdicts(import::ImportArgs),
}

/// What every evaluation is told.
#[derive(Debug, Args)]
struct Source {
    /// Folders with an index.jsonl
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// This policy instead of the default one
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl Source {
    fn open(&self) -> anyhow::Result<Vec<Corpus>> {
        Ok(open_all(&self.corpora)?)
    }

    /// The default policy unless another is named: figures must not depend on who measures. What is released or only
    /// watched here does not count either.
    fn engine(&self, judge: Option<JudgeBackend>) -> anyhow::Result<Engine> {
        let mut engine = Engine::load_judged_by(self.policy.as_deref(), judge, None)?;
        engine.policy.mode = Mode::Enforce;
        engine.policy.screen = Screen::everything();
        Ok(engine)
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &EvalArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    match &arguments.command {
        EvalCommand::Gate(arguments) => gate::run(arguments, out),
        EvalCommand::ExportEvidence(arguments) => export::run(arguments, out),
        EvalCommand::ImportVerdicts(arguments) => import::run(arguments, out),
    }
}
