//! What is reported of judged units: figures by group, counts by kind, pairs, campaigns, false alarms, cost.
//!
//! Sets, skills and messages, and what is from the wild, made by hand or synthetic are never thrown together: each is a
//! group with figures of its own. Units that are reported apart are in no figure but their own count.

mod alarms;
mod breakdown;
mod cost;
mod groups;
mod length;
mod pairs;
mod runs;
mod sweep;

pub use alarms::{Alarms, Culprit, SetAlarms};
pub use breakdown::{Breakdown, Row, Tally};
pub use cost::{Calls, Latency, SetCalls, Tokens};
pub use groups::{Group, GroupFigures, Side, groups};
pub use length::Length;
pub use pairs::{Campaign, Pairs};
pub use runs::{GroupRuns, Runs};
pub use sweep::{Step, Sweep};

use serde::Serialize;

use super::unit::Unit;

/// Everything that is counted of one pass over the units.
#[derive(Debug, Serialize)]
pub struct Tables {
    /// The figures of each group, with intervals.
    pub groups: Vec<GroupFigures>,
    /// Counts by set, category, and more.
    pub breakdowns: Vec<Breakdown>,
    /// What is reported apart.
    pub apart: Breakdown,
    /// Minimal pairs.
    pub pairs: Vec<Pairs>,
    /// What campaigns in the wild came to.
    pub campaigns: Vec<Campaign>,
    /// What honest units were kept back for.
    pub alarms: Alarms,
    /// What was asked, and what a cascade would ask.
    pub calls: Vec<SetCalls>,
    /// What asking costs, where tokens were counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Tokens>,
    /// How long it took.
    pub latency: Vec<Latency>,
    /// What length alone would tell.
    pub lengths: Vec<Length>,
    /// Other thresholds.
    pub sweeps: Vec<Sweep>,
}

impl Tables {
    /// The tables of these units.
    pub fn of(units: &[Unit<'_>]) -> Self {
        let groups = groups(units);
        Self {
            breakdowns: breakdown::all(units),
            apart: breakdown::apart(units),
            pairs: pairs::of_sets(units),
            campaigns: pairs::campaigns(units),
            alarms: Alarms::of(units),
            calls: cost::calls(units),
            tokens: cost::tokens(units),
            latency: cost::latency(units),
            lengths: groups.iter().map(|group| Length::of(group, units)).collect(),
            sweeps: groups.iter().map(|group| Sweep::of(group, units)).collect(),
            groups: groups.into_iter().map(|group| GroupFigures::of(group, units)).collect(),
        }
    }
}

/// Skills or messages: what is never counted together.
pub(super) fn kind(unit: &Unit<'_>) -> &'static str {
    if unit.case.is_message() { "messages" } else { "skills" }
}

/// The set and what kind its units are.
pub(super) fn set<'u>(unit: &'u Unit<'_>) -> (&'u str, &'static str) {
    (&unit.case.set, kind(unit))
}
