//! Sends every unit of a corpus through the gate, on all cores, and keeps what came of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::runtime::Runtime;

use super::corpus::{Case, CorpusError};
use crate::daemon::engine::{Engine, Outcome, microseconds};
use crate::gate::{Document, Origin};

/// A unit with what the gate made of it.
pub struct Judged<'a> {
    /// The unit.
    pub case: &'a Case,
    /// Its document.
    pub document: Document,
    /// Where it came from, as far as its corpus says.
    pub origin: Origin,
    /// What was decided.
    pub outcome: Outcome,
    /// From the file on disk to the decision, in microseconds, on a machine that is busy with other units too.
    pub elapsed_us: u64,
}

/// How many units wait for a judge that is asked: it answers slowly and takes no core of ours.
const ASKED_AT_A_TIME: usize = 8;

/// Evaluates the units and gives `keep` of each in the order of the cases.
pub fn evaluate<'a, T: Send>(
    cases: &[&'a Case],
    engine: &Engine,
    keep: impl Fn(Judged<'a>) -> T + Sync,
) -> Result<Vec<T>, CorpusError> {
    evaluate_reshaped(cases, engine, |document| document, keep)
}

/// The same of documents that are changed before they are judged.
pub fn evaluate_reshaped<'a, T: Send>(
    cases: &[&'a Case],
    engine: &Engine,
    reshape: impl Fn(Document) -> Document + Sync,
    keep: impl Fn(Judged<'a>) -> T + Sync,
) -> Result<Vec<T>, CorpusError> {
    // One runtime for all: a judge's connections outlive the unit that opened them.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        CorpusError::Unit { id: "all units".to_owned(), why: format!("setting up: {error}") }
    })?;
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, Result<T, CorpusError>)> = std::thread::scope(|scope| {
        let work = || {
            let mut results = Vec::new();
            while let Some((at, case)) = take(&next, cases) {
                results.push((at, judge(case, engine, &runtime, &reshape).map(&keep)));
            }
            results
        };
        let threads: Vec<_> = (0..workers(engine)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn workers(engine: &Engine) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if engine.asks_another() { cores.max(ASKED_AT_A_TIME) } else { cores }
}

fn take<'c, 'a>(next: &AtomicUsize, cases: &'c [&'a Case]) -> Option<(usize, &'c &'a Case)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at, case))
}

fn judge<'a>(
    case: &'a Case,
    engine: &Engine,
    runtime: &Runtime,
    reshape: impl Fn(Document) -> Document,
) -> Result<Judged<'a>, CorpusError> {
    let start = Instant::now();
    let (document, origin) = case.load(&engine.policy.limits)?;
    let document = reshape(document);
    let origin = Origin { source: Some("eval".to_owned()), ..origin };
    let outcome = runtime.block_on(engine.decide(&document, &origin, |_| None));
    let elapsed_us = microseconds(start);
    Ok(Judged { case, document, origin, outcome, elapsed_us })
}
