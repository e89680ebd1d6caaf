//! `skillgate eval import-verdicts`: how well a judge elsewhere does, by the verdicts that it gave.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::output::Output;
use super::pass::{counted, pass};
use super::{Exit, Source};
use crate::cli::show;
use crate::eval::tables::Tables;
use crate::eval::{Basis, Case, Evaluation, Looks, verdicts};
use crate::gate::policy::JudgeBackend;
use crate::io::home;

/// A file of verdicts of this size is none.
const LARGEST: u64 = 256 << 20;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// Verdicts, one JSON object a line: set, id, label (SAFE, SUSPICIOUS or MALICIOUS) and confidence (0 to 1)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    source: Source,
    /// Count o200k tokens of whole texts and of what a judge gets
    #[arg(long)]
    tokens: bool,
    #[command(flatten)]
    output: Output,
}

/// Runs the command.
#[allow(clippy::print_stderr, reason = "what is no figure is said beside the figures")]
pub(super) fn run(arguments: &ImportArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let folder = arguments.output.claim()?;
    let file = arguments.file.to_string_lossy();
    let text = home::read_text(&arguments.file, LARGEST)
        .with_context(|| format!("reading the verdicts in `{file}`"))?;
    let corpora = arguments.source.open()?;
    let engine = arguments.source.engine(Some(JudgeBackend::Embedded))?;
    let cases: Vec<&Case> = corpora.iter().flat_map(|corpus| &corpus.cases).collect();
    let looks = Looks { tokens: arguments.tokens, traits: false };
    let units = pass(&cases, &engine, looks, "scanning", |document| document)?;
    let imported = verdicts::import(&file, &text, &units, &engine.policy)?;
    if imported.unasked > 0 {
        let verdicts = show::count(imported.unasked as u64, "verdict");
        eprintln!(
            "note: {verdicts} of units in which nothing was found count for nothing: those are allowed unasked"
        );
    }
    let mut tables = Tables::of(&imported.units);
    // How long the judge took is not known, and how long scanning takes is `gate`'s to tell.
    tables.latency.clear();
    let mut evaluation = Evaluation::new(&engine, Basis::Imported, counted(&corpora), tables);
    verdicts::JUDGE.clone_into(&mut evaluation.judge);
    arguments.output.give(&evaluation, &imported.units, folder, out)?;
    Ok(Exit::Ok)
}
