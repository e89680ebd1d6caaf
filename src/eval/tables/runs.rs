//! Several passes over the same units: means and standard deviations, for judges that do not always say the same.

use serde::Serialize;

use super::{Calls, groups};
use crate::eval::metrics::{Figures, Measure, Spread};
use crate::eval::unit::{self, Unit, View};

/// Passes over the same units.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    /// How many.
    pub runs: usize,
    /// The figures of each group over all of them.
    pub groups: Vec<GroupRuns>,
    /// How often a judge was asked in a pass, on average.
    pub asked: f64,
    /// How often it gave no answer, in all passes together.
    pub failed: usize,
    /// Units that were kept back in some passes and forwarded in others.
    pub undecided: usize,
    /// o200k tokens that were sent in the last pass; nothing where they were not counted.
    pub sent: Option<usize>,
}

/// One group over all passes.
#[derive(Clone, Debug, Serialize)]
pub struct GroupRuns {
    /// The group's name.
    pub group: String,
    /// Its figures.
    pub figures: Figures<Option<Spread>>,
}

impl Runs {
    /// Over these passes, each unit seen this way. All passes are over the same units in the same order.
    pub fn of(passes: &[Vec<Unit<'_>>], view: impl Fn(&Unit<'_>) -> View) -> Self {
        let first: &[Unit<'_>] = passes.first().map_or(&[], |units| units);
        let of_group = |group: super::Group| {
            let figures: Vec<_> =
                passes.iter().map(|units| unit::sample(units, &group.members, &view).figures()).collect();
            let spread = |measure: Measure| {
                let values: Vec<f64> = figures.iter().filter_map(|figures| *figures.get(measure)).collect();
                Spread::of(&values)
            };
            GroupRuns { group: group.name(), figures: Figures::each(spread) }
        };
        let calls: Vec<Calls> = passes.iter().map(|units| Calls::of(units.iter())).collect();
        let undecided = |at: &usize| {
            let flags: Vec<bool> = passes.iter().map(|units| view(&units[*at]).is_flagged).collect();
            flags.iter().any(|flag| *flag) && !flags.iter().all(|flag| *flag)
        };
        Self {
            runs: passes.len(),
            groups: groups(first).into_iter().map(of_group).collect(),
            asked: calls.iter().map(|calls| calls.asked as f64).sum::<f64>() / passes.len().max(1) as f64,
            failed: calls.iter().map(|calls| calls.failed).sum(),
            undecided: (0..first.len()).filter(undecided).count(),
            sent: passes
                .last()
                .and_then(|units| units.iter().map(|unit| Some(unit.cost?.tokens.judge)).sum()),
        }
    }
}
