//! The objects of `--format json` and `jsonl`, and the sink that all formats share.
//!
//! The fields are part of the interface: docs/scan.md describes them.

use std::io::Write;

use serde::Serialize;

use super::{Format, ScanArgs, Scanned, Suppressed, human, sarif};
use crate::base::{Digest, Unread};
use crate::daemon::engine::Engine;
use crate::daemon::record::hit_records;
use crate::gate::{Action, Kind, Label};
use crate::io::audit::HitRecord;
use crate::io::judge::Tokens;

/// One unit.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    path: &'a str,
    name: &'a str,
    kind: Kind,
    digest: Digest,
    action: Action,
    label: Label,
    confidence: f64,
    score: f64,
    judge: &'a str,
    judge_version: &'a str,
    degraded: bool,
    cached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    rationale: &'a str,
    policy_line: String,
    hits: Vec<HitRecord>,
    hits_total: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    suppressed: &'a [Suppressed],
    windows: usize,
    windows_dropped: usize,
    unread: &'a [Unread],
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<Tokens>,
    elapsed_us: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(scanned: &'a Scanned, engine: &Engine, count_tokens: bool) -> Self {
        let Scanned { path, real: _, document, outcome, suppressed, elapsed_us } = scanned;
        let decision = &outcome.decision;
        let verdict = outcome.verdict();
        let evidence = outcome.assessment.evidence.as_ref();
        let surplus: usize = outcome.assessment.surplus.iter().map(|surplus| surplus.hits).sum();
        Self {
            path,
            name: &document.name,
            kind: document.kind,
            digest: document.digest,
            action: decision.action,
            label: decision.label,
            confidence: decision.confidence,
            score: decision.score,
            judge: verdict.map_or("none", |verdict| &verdict.judge),
            judge_version: verdict.map_or("", |verdict| &verdict.version),
            degraded: outcome.is_degraded(),
            cached: outcome.cached,
            failure: outcome.failure(),
            rationale: verdict.map_or("", |verdict| &verdict.rationale),
            policy_line: decision.line.to_string(),
            hits: hit_records(document, &outcome.assessment.hits, evidence, engine),
            hits_total: outcome.assessment.hits.len() + surplus,
            suppressed,
            windows: evidence.map_or(0, |evidence| evidence.windows.len()),
            windows_dropped: evidence.map_or(0, |evidence| evidence.windows_dropped.len()),
            unread: &outcome.assessment.unread,
            tokens: count_tokens.then(|| tokens(scanned)),
            elapsed_us: *elapsed_us,
        }
    }
}

/// The tokens of its texts, and of what a judge gets.
pub(super) fn tokens(scanned: &Scanned) -> Tokens {
    let asked = scanned.outcome.verdict().is_some();
    Tokens::of(&scanned.document, scanned.outcome.assessment.evidence.as_ref().filter(|_| asked))
}

/// Where units go.
pub(super) struct Sink<'a> {
    arguments: &'a ScanArgs,
    engine: &'a Engine,
    out: &'a mut dyn Write,
    count: human::Count,
    results: sarif::Results,
}

impl<'a> Sink<'a> {
    pub(super) fn new(arguments: &'a ScanArgs, engine: &'a Engine, out: &'a mut dyn Write) -> Self {
        Self { arguments, engine, out, count: human::Count::default(), results: sarif::Results::default() }
    }

    /// Takes the next unit.
    pub(super) fn unit(&mut self, scanned: &Scanned) -> anyhow::Result<()> {
        self.count.add(&scanned.outcome.decision, scanned.suppressed.len());
        match self.arguments.format {
            Format::Human => human::unit(self.out, scanned, self.engine, self.arguments)?,
            Format::Jsonl => {
                self.object(scanned)?;
                writeln!(self.out)?;
            }
            Format::Json => {
                write!(self.out, "{}", if self.count.total() == 1 { "[\n" } else { ",\n" })?;
                self.object(scanned)?;
            }
            Format::Sarif => self.results.add(scanned, self.engine),
        }
        Ok(())
    }

    fn object(&mut self, scanned: &Scanned) -> anyhow::Result<()> {
        let report = Report::new(scanned, self.engine, self.arguments.tokens);
        Ok(serde_json::to_writer(&mut *self.out, &report)?)
    }

    /// Ends the output.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self.arguments.format {
            Format::Human => human::summary(self.out, &self.count)?,
            Format::Jsonl => {}
            Format::Json => writeln!(self.out, "{}", if self.count.total() == 0 { "[]" } else { "\n]" })?,
            Format::Sarif => writeln!(self.out, "{}", self.results.log(self.engine))?,
        }
        Ok(())
    }
}
