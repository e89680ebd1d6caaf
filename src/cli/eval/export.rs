//! `skillgate eval export-evidence`: what a judge gets, for a judge elsewhere.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::{Exit, Source};
use crate::eval::{Case, Judged, evaluate};
use crate::gate::{Action, Evidence};

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    source: Source,
}

/// One unit. `evidence` is missing where nothing was found: such a unit is allowed without a judge.
#[derive(Serialize)]
struct Exported<'a> {
    set: &'a str,
    id: &'a str,
    expected: &'static str,
    provenance: &'a str,
    category: &'a str,
    family: &'a str,
    host: Option<&'a str>,
    pair: Option<&'a str>,
    method: &'a str,
    security_themed: bool,
    bytes: u64,
    action: Action,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a Evidence>,
}

/// Runs the command.
pub(super) fn run(arguments: &ExportArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let corpora = arguments.source.open()?;
    let engine = arguments.source.engine(None)?;
    let cases: Vec<&Case> = corpora.iter().flat_map(|corpus| &corpus.cases).collect();
    for line in evaluate(&cases, &engine, |judged| line(&judged))? {
        writeln!(out, "{}", line?)?;
    }
    Ok(Exit::Ok)
}

fn line(judged: &Judged<'_>) -> serde_json::Result<String> {
    let Judged { case, document, outcome, .. } = judged;
    serde_json::to_string(&Exported {
        set: &case.set,
        id: &case.id,
        expected: case.expected.name(),
        provenance: &case.provenance,
        category: &case.category,
        family: &case.family,
        host: case.host.as_deref(),
        pair: case.pair.as_deref(),
        method: &case.method,
        security_themed: case.security_themed,
        bytes: document.bytes,
        action: outcome.decision.action,
        score: outcome.decision.score,
        evidence: outcome.assessment.evidence.as_ref(),
    })
}
