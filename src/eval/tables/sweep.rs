//! Other thresholds: what each group comes to where everything from some score on is flagged (papers/skillgate.txt,
//! Figure 5).

use serde::Serialize;

use super::Group;
use crate::eval::metrics::Counts;
use crate::eval::metrics::ranking::{Curve, Point};
use crate::eval::unit::{self, Unit, View};

/// The thresholds of a group.
#[derive(Debug, Serialize)]
pub struct Sweep {
    /// The group's name.
    pub group: String,
    /// Thresholds from 0.05 to 0.95 over our score.
    pub steps: Vec<Step>,
    /// The threshold with the best F1; nothing where there is none. It is chosen on the units themselves.
    pub best: Option<Step>,
    /// All points of the curve over our score.
    #[serde(skip)]
    pub curve: Curve,
    /// The same over the paper's score.
    #[serde(skip)]
    pub paper_curve: Curve,
}

/// One threshold.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    /// What scores so much or more is flagged.
    pub threshold: f64,
    /// The share of what is flagged that is malicious.
    pub precision: Option<f64>,
    /// The share of what is malicious that is flagged.
    pub recall: Option<f64>,
    /// Their harmonic mean.
    pub f1: Option<f64>,
    /// The share of what is benign that is flagged.
    pub false_positive_rate: Option<f64>,
}

impl Sweep {
    /// Sweeps over a group.
    pub(super) fn of(group: &Group, units: &[Unit<'_>]) -> Self {
        let sample = unit::sample(units, &group.members, View::of_gate);
        let (curve, paper_curve) = (sample.curve(), sample.paper_curve());
        let totals = curve.totals();
        let flagged = |threshold: f64| {
            let at = curve.points().iter().take_while(|point| point.threshold >= threshold).last();
            Step::at(
                Point {
                    threshold,
                    ..at.copied().unwrap_or(Point { threshold, malicious: 0.0, benign: 0.0 })
                },
                totals,
            )
        };
        let steps = (1..20).map(|nth| flagged(f64::from(nth) / 20.0)).collect();
        let all = curve.points().iter().map(|point| Step::at(*point, totals));
        let best = all
            .filter(|step| step.f1.is_some() && totals.0 > 0.0)
            .reduce(|best, step| if step.f1 > best.f1 { step } else { best });
        Self { group: group.name(), steps, best, curve, paper_curve }
    }
}

impl Step {
    /// What is flagged at a point, of so much malicious and benign weight.
    pub fn at(point: Point, (malicious, benign): (f64, f64)) -> Self {
        let counts = Counts {
            true_positives: point.malicious,
            false_positives: point.benign,
            true_negatives: benign - point.benign,
            false_negatives: malicious - point.malicious,
        };
        Self {
            threshold: point.threshold,
            precision: counts.precision(),
            recall: counts.recall(),
            f1: counts.f1(),
            false_positive_rate: counts.false_positive_rate(),
        }
    }
}
