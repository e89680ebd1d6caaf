//! `skillgate eval gate`: how well the gate does on labelled corpora.

use std::io::Write;

use clap::Args;

use super::output::Output;
use super::pass::{counted, pass};
use super::{Exit, Source};
use crate::daemon::engine::Engine;
use crate::eval::tables::{Runs, Tables};
use crate::eval::unit::View;
use crate::eval::{Basis, Case, Evaluation, FALSE_ALARMS, Looks, Unit, Variant, ablate, out_of_fold};
use crate::gate::Document;
use crate::gate::policy::JudgeBackend;

#[derive(Debug, Args)]
pub(super) struct GateArgs {
    #[command(flatten)]
    source: Source,
    /// This judge instead of the policy's: auto, embedded, cascade, or a configured one by its name
    #[arg(long, value_name = "JUDGE", value_parser = crate::cli::parse_judge)]
    judge: Option<JudgeBackend>,
    /// Judge everything so many times, and report means and standard deviations: for judges that do not always say the
    /// same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// Judge everything again with parts of the gate changed or left out: no judge, whole files, other windows
    #[arg(long)]
    ablate: bool,
    /// Count o200k tokens of whole texts and of what a judge gets
    #[arg(long)]
    tokens: bool,
    #[command(flatten)]
    weights: Weights,
    #[command(flatten)]
    output: Output,
}

/// What the embedded judge's weights may have seen of the units.
#[derive(Debug, Args)]
struct Weights {
    /// Say in every table that these corpora took no part in fitting the embedded judge or in writing rules
    #[arg(long)]
    held_out: bool,
    /// Judge each unit by weights of the embedded judge's that are fitted without its family and without the unit it was
    /// made from
    #[arg(long, conflicts_with = "held_out")]
    out_of_fold: bool,
    /// With `--out-of-fold`: the share of benign units from the wild that may be kept back
    #[arg(long, value_name = "SHARE", default_value_t = FALSE_ALARMS, value_parser = share, requires = "out_of_fold")]
    false_alarms: f64,
}

/// A share between 0 and 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "it takes a share of 1, such as 0.02".to_owned())
}

/// Runs the command.
pub(super) fn run(arguments: &GateArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let folder = arguments.output.claim()?;
    let corpora = arguments.source.open()?;
    let engine = arguments.engine()?;
    let cases: Vec<&Case> = corpora.iter().flat_map(|corpus| &corpus.cases).collect();
    let passes = arguments.passes(&cases, &engine, "judging", |document| document)?;
    let units = passes.first().map_or(&[][..], |units| units);
    let basis = arguments.basis(&engine);
    let mut evaluation = Evaluation::new(&engine, basis, counted(&corpora), Tables::of(units));
    if passes.len() > 1 {
        evaluation.runs = Some(Runs::of(&passes, View::of_gate));
    }
    if arguments.ablate {
        evaluation.ablation = arguments.ablation(&cases, &engine, &passes)?;
    }
    arguments.output.give(&evaluation, units, folder, out)?;
    Ok(Exit::Ok)
}

impl GateArgs {
    fn engine(&self) -> anyhow::Result<Engine> {
        let engine = self.source.engine(self.judge)?;
        anyhow::ensure!(
            !self.weights.out_of_fold || !engine.asks_another(),
            "only the embedded judge has weights to fit: leave `--out-of-fold` out, or add `--judge embedded`"
        );
        Ok(engine)
    }

    fn basis(&self, engine: &Engine) -> Basis {
        match engine.judge() {
            _ if self.weights.out_of_fold => Basis::OutOfFold { false_alarms: self.weights.false_alarms },
            "embedded" | "cascade" if self.weights.held_out => Basis::HeldOut,
            "embedded" | "cascade" => Basis::InSample,
            _ => Basis::NotFitted,
        }
    }

    /// Judges all units as often as was asked for.
    fn passes<'a>(
        &self,
        cases: &[&'a Case],
        engine: &Engine,
        what: &str,
        reshape: impl Fn(Document) -> Document + Sync,
    ) -> anyhow::Result<Vec<Vec<Unit<'a>>>> {
        let looks = Looks { tokens: self.tokens || self.ablate, traits: self.weights.out_of_fold };
        let one = |nth: u32| {
            let what =
                if self.runs == 1 { what.to_owned() } else { format!("{what}, run {nth} of {}", self.runs) };
            let units = pass(cases, engine, looks, &what, &reshape)?;
            if self.weights.out_of_fold {
                folded(&units, engine, self.weights.false_alarms)
            } else {
                Ok(units)
            }
        };
        (1..=self.runs).map(one).collect()
    }

    /// The same with parts of the gate changed or left out.
    fn ablation(
        &self,
        cases: &[&Case],
        engine: &Engine,
        passes: &[Vec<Unit<'_>>],
    ) -> anyhow::Result<Vec<Variant>> {
        let mut variants = ablate::baselines(engine, passes);
        for change in ablate::changes(engine) {
            let engine = change.apply(self.engine()?)?;
            let passes = self.passes(cases, &engine, &change.name, |document| change.reshape(document))?;
            variants.push(change.result(&passes));
        }
        Ok(variants)
    }
}

/// The units as weights that did not see their families would have them decided.
fn folded<'a>(units: &[Unit<'a>], engine: &Engine, false_alarms: f64) -> anyhow::Result<Vec<Unit<'a>>> {
    let units = out_of_fold(units, false_alarms, &engine.policy);
    units.ok_or_else(|| anyhow::anyhow!("no unit is benign: there is nothing to set the bar by"))
}
