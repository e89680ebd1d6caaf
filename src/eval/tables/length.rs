//! What length alone would tell: the baseline that a judge has to beat before it has shown anything.

use serde::Serialize;

use super::Group;
use crate::eval::metrics::Measure;
use crate::eval::unit::{self, Unit, View};

/// Length as a judge of one group.
#[derive(Debug, Serialize)]
pub struct Length {
    /// The group's name.
    pub group: String,
    /// The area where long units are held for malicious; short ones have what is left of 1.
    pub area: Option<f64>,
    /// Recall where 1 % of the benign units are flagged, the longest first.
    pub recall_longest_first: Option<f64>,
    /// The same, the shortest first.
    pub recall_shortest_first: Option<f64>,
}

impl Length {
    /// Length over a group.
    pub(super) fn of(group: &Group, units: &[Unit<'_>]) -> Self {
        let by = |sign: f64| {
            let view = |unit: &Unit<'_>| View::by_score(sign * unit.bytes as f64, false);
            unit::sample(units, &group.members, view).figures()
        };
        let (longest, shortest) = (by(1.0), by(-1.0));
        Self {
            group: group.name(),
            area: *longest.get(Measure::Area),
            recall_longest_first: *longest.get(Measure::RecallAtOne),
            recall_shortest_first: *shortest.get(Measure::RecallAtOne),
        }
    }
}
