//! `train-judge CORPUS…`: fits the embedded judge's weights, and says how well they do on families that they did not see.
//!
//! Figures are out of fold: a unit is scored by weights that were fitted without its family, and without the units that it
//! was made from. Units in which nothing was found are allowed unasked; they are counted, and nothing is fitted to them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use super::FALSE_ALARMS;
use super::corpus::{Case, Expected, open_all};
use super::fit::Fitted;
use super::folds::Data;
use super::metrics::Share;
use super::metrics::ranking::{Curve, Ranked};
use super::run::evaluate;
use super::unit::{Looks, Unit};
use crate::daemon::engine::Engine;
use crate::gate::embedded::KEPT_BACK;
use crate::gate::policy::{JudgeBackend, Screen};

/// Fits the weights of the embedded judge to labelled corpora (folders with an index.jsonl)
#[derive(Debug, Parser)]
#[command(name = "train-judge")]
struct Arguments {
    /// Folders with an index.jsonl, or libraries of presumed benign skills as JSON lines
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Where the table of weights is written; without it only figures are printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The share of benign units from the wild that may be kept back
    #[arg(long, default_value_t = FALSE_ALARMS)]
    false_alarms: f64,
}

/// Smaller weights are left out of the table.
const SMALLEST: f64 = 0.05;

/// Runs the program.
#[allow(clippy::print_stderr, reason = "a program says what went wrong")]
pub fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut said = std::io::stdout().lock();
    let corpora = open_all(&arguments.corpora)?;
    let cases = corpora.iter().flat_map(|corpus| &corpus.cases);
    let cases: Vec<&Case> = cases.filter(|case| case.expected != Expected::Apart).collect();
    let mut engine = Engine::load_judged_by(None, Some(JudgeBackend::Embedded), None)?;
    engine.policy.screen = Screen::everything();
    let looks = Looks { traits: true, tokens: false };
    let units = evaluate(&cases, &engine, |judged| Unit::of(judged, looks))?;
    let data = Data::new(&units);
    let sums = data.out_of_fold();
    let threshold = data.threshold(&sums, arguments.false_alarms);
    let threshold =
        threshold.ok_or_else(|| anyhow::anyhow!("no unit is benign: there is nothing to set a bar by"))?;
    writeln!(said, "out of fold, at the sum {threshold:.2}:\n{}", table(&cases, &sums, threshold))?;
    let all: Vec<usize> = data.fitted_to().collect();
    let fitted = Fitted::to(&data.examples, &all);
    let lengths: Vec<f64> = units.iter().map(|unit| unit.bytes as f64).collect();
    writeln!(said, "length alone (area under the curve):\n{}", areas(&cases, &lengths))?;
    writeln!(said, "area under the curve, out of fold:\n{}", areas(&cases, &sums))?;
    if let Some(path) = &arguments.out {
        std::fs::write(path, source(&data, &fitted, threshold))?;
    }
    Ok(())
}

fn table(cases: &[&Case], sums: &[f64], threshold: f64) -> String {
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for (case, sum) in cases.iter().zip(sums) {
        shares.entry(group(case)).or_default().add(*sum > threshold);
    }
    shares.iter().fold(String::new(), |mut table, (group, share)| {
        let (low, high) = share.interval();
        let [percent, low, high] = [share.value(), low, high].map(|share| 100.0 * share);
        let Share { hits, of } = share;
        let _ = writeln!(table, "  {group:<44} {hits:>5}/{of:<5} {percent:>5.1} % [{low:.1}, {high:.1}]");
        table
    })
}

/// What is reported together: a corpus, a label, and what must not be thrown together with others.
fn group(case: &Case) -> String {
    let kind = match (case.expected, case.security_themed, case.is_message()) {
        (_, _, true) => "messages",
        (Expected::Benign, true, _) => "security-themed",
        _ => &case.provenance,
    };
    format!("{} {}, {kind}", case.set, case.expected.name())
}

fn areas(cases: &[&Case], scores: &[f64]) -> String {
    let sets: BTreeSet<&str> = cases.iter().map(|case| case.set.as_str()).collect();
    sets.into_iter().fold(String::new(), |mut table, set| {
        let of_set = cases.iter().zip(scores).filter(|(case, _)| case.set == set);
        let mut ranked: Vec<Ranked> = of_set
            .map(|(case, score)| Ranked {
                score: *score,
                is_malicious: case.expected == Expected::Malicious,
                weight: 1.0,
            })
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        // A set of one kind alone says as little as a coin.
        let area = Curve::over(ranked.into_iter()).area().unwrap_or(0.5);
        let _ = writeln!(table, "  {set:<44} {area:.3}");
        table
    })
}

/// The table of weights as source.
fn source(data: &Data<'_>, fitted: &Fitted, threshold: f64) -> String {
    let bias = fitted.bias - threshold + KEPT_BACK;
    let mut source = format!("{HEAD}pub(super) const BIAS: f64 = {bias:.2};\n\n{TABLE}");
    let mut rows: Vec<(&String, f64)> = data.names.iter().zip(fitted.weights.iter().copied()).collect();
    rows.retain(|(_, weight)| *weight >= SMALLEST);
    rows.sort_by(|a, b| a.0.cmp(b.0));
    for (name, weight) in rows {
        let _ = writeln!(source, "    ({name}, {weight:.2}),");
    }
    source + "];\n"
}

const HEAD: &str =
    "//! The weights of the model, as `train-judge` fitted them to labelled skills and messages.
//!
//! A feature that is not listed weighs nothing. Whoever changes a weight changes verdicts: raise
//! [`super::judge::VERSION`] with it. docs/judge.md says what they were fitted to and how well they do.

#[allow(clippy::enum_glob_use, reason = \"the table names most of them\")]
use super::Behaviour::*;
#[allow(clippy::enum_glob_use, reason = \"the table names most of them\")]
use super::model::{Feature::{self, *}, Goal::*, Goods::*, Link::*, Way::*};
#[allow(clippy::enum_glob_use, reason = \"the table names most of them\")]
use crate::gate::rules::Severity::*;

/// The sum of a document that shows no feature.
";
const TABLE: &str = "/// What each feature adds to the sum.
pub(super) const WEIGHTS: &[(Feature, f64)] = &[
";
