//! Sends every unit of a corpus through the gate, on all cores, and keeps what came of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::corpus::{Case, CorpusError};
use crate::daemon::engine::{Engine, Outcome};
use crate::gate::{Document, Origin};

/// A unit with what the gate made of it.
pub struct Judged<'a> {
    /// The unit.
    pub case: &'a Case,
    /// Its document.
    pub document: Document,
    /// What was decided.
    pub outcome: Outcome,
}

/// Evaluates the units and gives `keep` of each in the order of the cases.
pub fn evaluate<'a, T: Send>(
    cases: &[&'a Case],
    engine: &Engine,
    keep: impl Fn(Judged<'a>) -> T + Sync,
) -> Result<Vec<T>, CorpusError> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut results: Vec<(usize, Result<T, CorpusError>)> = std::thread::scope(|scope| {
        let work = || {
            let mut results = Vec::new();
            while let Some((at, case)) = take(&next, cases) {
                results.push((at, judge(case, engine).map(&keep)));
            }
            results
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'c, 'a>(next: &AtomicUsize, cases: &'c [&'a Case]) -> Option<(usize, &'c &'a Case)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at, case))
}

fn judge<'a>(case: &'a Case, engine: &Engine) -> Result<Judged<'a>, CorpusError> {
    let (document, origin) = case.load(&engine.policy.limits)?;
    let origin = Origin { source: Some("eval".to_owned()), ..origin };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime
        .map_err(|error| CorpusError::Unit { id: case.id.clone(), why: format!("setting up: {error}") })?;
    let outcome = runtime.block_on(engine.decide(&document, &origin, |_| None));
    Ok(Judged { case, document, outcome })
}
