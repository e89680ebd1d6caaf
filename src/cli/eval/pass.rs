//! One pass of all units through the gate, with a progress bar where somebody watches.

use indicatif::{ProgressBar, ProgressStyle};

use crate::daemon::engine::Engine;
use crate::eval::evaluation::Counted;
use crate::eval::{Case, Corpus, Looks, Unit, evaluate_reshaped};
use crate::gate::Document;

/// How many units each corpus has.
pub(super) fn counted(corpora: &[Corpus]) -> Vec<Counted> {
    let count = |corpus: &Corpus| Counted { name: corpus.name.clone(), units: corpus.cases.len() };
    corpora.iter().map(count).collect()
}

/// Judges all units once.
pub(super) fn pass<'a>(
    cases: &[&'a Case],
    engine: &Engine,
    looks: Looks,
    what: &str,
    reshape: impl Fn(Document) -> Document + Sync,
) -> anyhow::Result<Vec<Unit<'a>>> {
    let progress = progress(cases.len(), what);
    let units = evaluate_reshaped(cases, engine, reshape, |judged| {
        let unit = Unit::of(judged, looks);
        progress.inc(1);
        unit
    });
    progress.finish_and_clear();
    Ok(units?)
}

/// A progress bar on stderr; indicatif draws none where stderr is no terminal.
fn progress(units: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(units as u64).with_message(what.to_owned());
    match ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
