//! `skillgate eval gate`: how well the gate does on labelled corpora.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Exit, Source, human};
use crate::base::render::json;
use crate::daemon::engine::Engine;
use crate::eval::tables::{Runs, Tables};
use crate::eval::unit::View;
use crate::eval::{
    Basis, Case, Corpus, Evaluation, Folder, Looks, Unit, Variant, ablate, evaluate_reshaped, out_of_fold,
};
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
    /// Say in every table that these corpora took no part in fitting the embedded judge or in writing rules
    #[arg(long)]
    held_out: bool,
    /// Judge each unit by weights of the embedded judge's that are fitted without its family and without the unit it was
    /// made from
    #[arg(long, conflicts_with = "held_out")]
    out_of_fold: bool,
    /// With `--out-of-fold`: the share of benign units from the wild that may be kept back
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share, requires = "out_of_fold")]
    false_alarms: f64,
    #[command(flatten)]
    output: Output,
}

/// Where an evaluation goes.
#[derive(Debug, Args)]
pub(super) struct Output {
    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write a page with curves, all figures and all units into this folder: a new or empty one, or an older report
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One object
    Json,
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
            !self.out_of_fold || !engine.asks_another(),
            "only the embedded judge has weights to fit: leave `--out-of-fold` out, or add `--judge embedded`"
        );
        Ok(engine)
    }

    fn basis(&self, engine: &Engine) -> Basis {
        match engine.judge() {
            _ if self.out_of_fold => Basis::OutOfFold { false_alarms: self.false_alarms },
            "embedded" | "cascade" if self.held_out => Basis::HeldOut,
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
        let looks = Looks { tokens: self.tokens || self.ablate, traits: self.out_of_fold };
        let one = |nth: u32| {
            let what =
                if self.runs == 1 { what.to_owned() } else { format!("{what}, run {nth} of {}", self.runs) };
            let units = pass(cases, engine, looks, &what, &reshape)?;
            if self.out_of_fold { folded(&units, engine, self.false_alarms) } else { Ok(units) }
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

/// How many units each corpus has.
pub(super) fn counted(corpora: &[Corpus]) -> Vec<(String, usize)> {
    corpora.iter().map(|corpus| (corpus.name.clone(), corpus.cases.len())).collect()
}

/// Judges all units once, with a progress bar where somebody watches.
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
pub(super) fn progress(units: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(units as u64).with_message(what.to_owned());
    match ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Output {
    /// The report's folder, before anything is judged for it.
    pub(super) fn claim(&self) -> anyhow::Result<Option<Folder>> {
        Ok(self.report.as_deref().map(Folder::claim).transpose()?)
    }

    /// Prints an evaluation and writes its report.
    pub(super) fn give(
        &self,
        evaluation: &Evaluation,
        units: &[Unit<'_>],
        folder: Option<Folder>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Human => human::write(evaluation, out)?,
            Format::Json => writeln!(out, "{}", json::pretty(&serde_json::to_value(evaluation)?))?,
        }
        if let Some(folder) = folder {
            folder.write(evaluation, units)?;
        }
        Ok(())
    }
}
