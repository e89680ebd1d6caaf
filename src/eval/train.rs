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

use super::corpus::{Case, Corpus, Expected};
use super::fit::{Examples, Fitted};
use super::rates::{self, Rate};
use super::run::{Judged, evaluate};
use crate::base::Digest;
use crate::daemon::engine::Engine;
use crate::gate::embedded::{KEPT_BACK, traits};
use crate::gate::policy::{JudgeBackend, Screen};

/// Fits the weights of the embedded judge to labelled corpora (folders with an index.jsonl)
#[derive(Debug, Parser)]
#[command(name = "train-judge")]
struct Arguments {
    /// Folders with an index.jsonl
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Where the table of weights is written; without it only figures are printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The share of benign units from the wild that may be kept back
    #[arg(long, default_value_t = 0.02)]
    false_alarms: f64,
}

/// What a feature is expected to weigh before any example is seen: what the severity of a live rule says.
fn expected(name: &str) -> f64 {
    match name.strip_prefix("Rule(").and_then(|rule| rule.rsplit_once(", ")) {
        Some((_, "Medium)")) => 0.4,
        Some((_, "High)")) => 0.5,
        Some((_, "Critical)")) => 0.8,
        _ if matches!(name, "Covert" | "GraveCovert" | "Unasked") => 1.0,
        _ => 0.0,
    }
}

/// How many parts the families are dealt into.
const FOLDS: u32 = 10;
/// Smaller weights are left out of the table.
const SMALLEST: f64 = 0.05;
/// The sum of a unit in which nothing was found.
const NOTHING: f64 = -20.0;

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
    let corpora =
        arguments.corpora.iter().map(|folder| Corpus::open(folder)).collect::<Result<Vec<_>, _>>()?;
    let cases: Vec<&Case> = corpora.iter().flat_map(|corpus| &corpus.cases).collect();
    let cases: Vec<&Case> = cases.into_iter().filter(|case| case.expected != Expected::Apart).collect();
    let mut engine = Engine::load_judged_by(None, Some(JudgeBackend::Embedded), None)?;
    engine.policy.screen = Screen::everything();
    let shown = evaluate(&cases, &engine, |judged| Shown::of(&judged))?;
    let data = Data::new(&cases, &shown);
    let sums = data.out_of_fold();
    let threshold = data.threshold(&sums, arguments.false_alarms);
    writeln!(said, "out of fold, at the sum {threshold:.2}:\n{}", data.table(&sums, threshold))?;
    let all: Vec<usize> = data.with_hits().collect();
    let fitted = Fitted::to(&data.examples, &all);
    let lengths: Vec<f64> = shown.iter().map(|shown| shown.bytes as f64).collect();
    writeln!(said, "length alone (area under the curve):\n{}", data.areas(&lengths))?;
    writeln!(said, "area under the curve, out of fold:\n{}", data.areas(&sums))?;
    if let Some(path) = &arguments.out {
        std::fs::write(path, data.source(&fitted, threshold))?;
    }
    Ok(())
}

/// What a unit shows.
struct Shown {
    traits: Option<BTreeSet<String>>,
    bytes: u64,
}

impl Shown {
    fn of(judged: &Judged<'_>) -> Self {
        Self { traits: judged.outcome.assessment.evidence.as_ref().map(traits), bytes: judged.document.bytes }
    }
}

struct Data<'a> {
    cases: &'a [&'a Case],
    examples: Examples,
    has_hits: Vec<bool>,
    names: Vec<String>,
}

impl<'a> Data<'a> {
    fn new(cases: &'a [&'a Case], shown: &[Shown]) -> Self {
        let mut numbers = BTreeMap::new();
        for name in shown.iter().flat_map(|shown| shown.traits.iter().flatten()) {
            let next = numbers.len();
            numbers.entry(name.clone()).or_insert(next);
        }
        let row = |shown: &Shown| shown.traits.iter().flatten().map(|name| numbers[name]).collect();
        let rows = shown.iter().map(row).collect();
        let labels = cases.iter().map(|case| case.expected == Expected::Malicious).collect();
        let mut names = vec![String::new(); numbers.len()];
        for (name, number) in numbers {
            names[number] = name;
        }
        let examples = Examples { rows, labels, expected: names.iter().map(|name| expected(name)).collect() };
        let has_hits = shown.iter().map(|shown| shown.traits.is_some()).collect();
        Self { cases, examples, has_hits, names }
    }

    fn with_hits(&self) -> impl Iterator<Item = usize> {
        (0..self.cases.len()).filter(|at| self.has_hits[*at])
    }

    /// The sum of each unit by weights that know nothing of its family.
    fn out_of_fold(&self) -> Vec<f64> {
        let deal = |family: &str| {
            Digest::of_bytes(family.as_bytes()).to_string().bytes().map(u32::from).sum::<u32>()
        };
        let fold = |case: &Case| deal(&case.family) % FOLDS;
        let mut sums = vec![NOTHING; self.cases.len()];
        for nth in 0..FOLDS {
            let tested: Vec<usize> =
                (0..self.cases.len()).filter(|at| fold(self.cases[*at]) == nth).collect();
            let kin = tested.iter().flat_map(|at| {
                let case = self.cases[*at];
                [Some(case.id.as_str()), case.host.as_deref()]
            });
            let kin: BTreeSet<&str> = kin.flatten().collect();
            let is_kin = |case: &Case| {
                kin.contains(case.id.as_str()) || case.host.as_deref().is_some_and(|host| kin.contains(host))
            };
            let rest = self.with_hits().filter(|at| fold(self.cases[*at]) != nth && !is_kin(self.cases[*at]));
            let model = Fitted::to(&self.examples, &rest.collect::<Vec<_>>());
            for at in tested.into_iter().filter(|at| self.has_hits[*at]) {
                sums[at] = model.sum(&self.examples.rows[at]);
            }
        }
        sums
    }

    /// The sum that so many of the benign units from the wild exceed.
    fn threshold(&self, sums: &[f64], share: f64) -> f64 {
        let is_wild = |case: &Case| case.expected == Expected::Benign && case.provenance == "in-the-wild";
        let benign = self.cases.iter().zip(sums).filter(|(case, _)| is_wild(case)).map(|(_, sum)| *sum);
        let mut benign: Vec<f64> = benign.collect();
        benign.sort_by(|a, b| b.total_cmp(a));
        let allowed = (0..benign.len()).take_while(|nth| (*nth as f64) < share * benign.len() as f64).count();
        benign.get(allowed).copied().unwrap_or(NOTHING)
    }

    fn table(&self, sums: &[f64], threshold: f64) -> String {
        let mut rates: BTreeMap<String, Rate> = BTreeMap::new();
        for (case, sum) in self.cases.iter().zip(sums) {
            let rate = rates.entry(rates::group(case)).or_default();
            rate.add(*sum > threshold);
        }
        rates.iter().fold(String::new(), |mut table, (group, rate)| {
            let _ = writeln!(table, "  {group:<44} {rate}");
            table
        })
    }

    fn areas(&self, scores: &[f64]) -> String {
        let sets: BTreeSet<&str> = self.cases.iter().map(|case| case.set.as_str()).collect();
        sets.into_iter().fold(String::new(), |mut table, set| {
            let of_set = self.cases.iter().zip(scores).filter(|(case, _)| case.set == set);
            let labelled: Vec<(f64, bool)> =
                of_set.map(|(case, score)| (*score, case.expected == Expected::Malicious)).collect();
            let _ = writeln!(table, "  {set:<44} {:.3}", rates::area(&labelled));
            table
        })
    }

    /// The table of weights as source.
    fn source(&self, fitted: &Fitted, threshold: f64) -> String {
        let bias = fitted.bias - threshold + KEPT_BACK;
        let mut source = format!("{HEAD}pub(super) const BIAS: f64 = {bias:.2};\n\n{TABLE}");
        let mut rows: Vec<(&String, f64)> = self.names.iter().zip(fitted.weights.iter().copied()).collect();
        rows.retain(|(_, weight)| *weight >= SMALLEST);
        rows.sort_by(|a, b| a.0.cmp(b.0));
        for (name, weight) in rows {
            let _ = writeln!(source, "    ({name}, {weight:.2}),");
        }
        source + "];\n"
    }
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
