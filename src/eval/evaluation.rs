//! A whole evaluation: what was judged by whom, and everything that was counted. It is what `metrics.json` holds.

use serde::Serialize;

use super::metrics::RESAMPLES;
use super::tables::{Runs, Tables};
use crate::base::Digest;
use crate::daemon::engine::Engine;

/// What makes a file of ours known as such.
pub const MARK: &str = "skillgate-eval";

/// An evaluation.
#[derive(Debug, Serialize)]
pub struct Evaluation {
    /// Always [`MARK`].
    pub report: &'static str,
    /// The form of this object; it changes when a field changes its meaning.
    pub schema: u32,
    /// SkillGate's version.
    pub version: &'static str,
    /// Who judged.
    pub judge: String,
    /// Whether the judge may have seen the units before.
    pub basis: Basis,
    /// The digest of the rules.
    pub ruleset: Digest,
    /// The digest of the policy.
    pub policy: Digest,
    /// Judged units by corpus.
    pub corpora: Vec<Counted>,
    /// How many times families were drawn for each interval.
    pub resamples: usize,
    /// The first pass.
    #[serde(flatten)]
    pub tables: Tables,
    /// All passes, where there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// The same with parts of the gate changed or left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablation: Vec<Variant>,
}

/// A corpus and how many units it has.
#[derive(Clone, Debug, Serialize)]
pub struct Counted {
    /// Its name.
    pub name: String,
    /// Its units.
    pub units: usize,
}

/// Whether the judge may have seen the units before: every table says it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The embedded judge's weights as they are compiled in, which may have been fitted to these very units.
    InSample,
    /// The same, about units of which whoever measures says that they took no part in fitting.
    HeldOut,
    /// Each unit scored by weights that were fitted without its family, with the bar at this share of false alarms.
    OutOfFold {
        /// The share of benign units from the wild that may be kept back.
        false_alarms: f64,
    },
    /// A judge that was never fitted to anything here.
    NotFitted,
    /// Verdicts of a judge elsewhere.
    Imported,
}

/// The gate with something changed or left out.
#[derive(Debug, Serialize)]
pub struct Variant {
    /// What is changed, in short.
    pub name: String,
    /// What that means with the judge in use.
    pub meaning: String,
    /// What it comes to.
    pub runs: Runs,
}

impl Evaluation {
    /// An evaluation of one pass.
    pub fn new(engine: &Engine, basis: Basis, corpora: Vec<Counted>, tables: Tables) -> Self {
        Self {
            report: MARK,
            schema: 1,
            version: env!("CARGO_PKG_VERSION"),
            judge: engine.judge().to_owned(),
            basis,
            ruleset: engine.ruleset_digest,
            policy: engine.policy_digest,
            corpora,
            resamples: RESAMPLES,
            tables,
            runs: None,
            ablation: Vec::new(),
        }
    }
}

impl Basis {
    /// What stands in the title of each table.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::InSample => "in-sample",
            Self::HeldOut => "held out",
            Self::OutOfFold { .. } => "out of fold",
            Self::NotFitted => "judge not fitted",
            Self::Imported => "imported verdicts",
        }
    }

    /// What that means.
    pub fn meaning(self) -> String {
        match self {
            Self::InSample => "In-sample: the embedded judge's weights may have been fitted to these very units \
                               (docs/judge.md names the corpora). Read the figures as an upper bound, and see \
                               --out-of-fold and --held-out."
                .to_owned(),
            Self::HeldOut => "Held out: whoever measured says that these units took no part in fitting the embedded \
                              judge's weights or in writing rules."
                .to_owned(),
            Self::OutOfFold { false_alarms } => format!(
                "Out of fold: each unit is judged by weights that were fitted without its family and without the unit \
                 it was made from. The bar lies where {} % of the benign units from the wild are kept back (of all \
                 benign units where none is from the wild). The rules are those that were written with these corpora \
                 at hand.",
                (10_000.0 * false_alarms).round() / 100.0
            ),
            Self::Imported => "Imported verdicts: a judge elsewhere gave them, and what it has seen of these units is not \
                               known here."
                .to_owned(),
            Self::NotFitted => {
                "The judge was not fitted to any of these units; the rules were written with the development corpora \
                 at hand."
                    .to_owned()
            }
        }
    }
}
