//! What an order by score is worth, whatever the threshold: average precision, areas, recall at a rate of false alarms.
//!
//! Units with equal scores are one step: which of them comes first is nobody's merit.

use super::counts::part;

/// A unit in an order.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The higher, the more it is held for malicious.
    pub score: f64,
    /// What it is.
    pub is_malicious: bool,
    /// How often it counts.
    pub weight: f64,
}

/// What is flagged where everything from this score on is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The score.
    pub threshold: f64,
    /// Weight of malicious units at or above it.
    pub malicious: f64,
    /// Weight of benign units at or above it.
    pub benign: f64,
}

/// An order as a curve: one point for each score that occurs, the highest first.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    points: Vec<Point>,
}

impl Curve {
    /// The curve of units that come in falling order of their scores.
    pub fn over(ranked: impl Iterator<Item = Ranked>) -> Self {
        let mut points: Vec<Point> = Vec::new();
        for Ranked { score, is_malicious, weight } in ranked {
            let so_far =
                points.last().copied().unwrap_or(Point { threshold: score, malicious: 0.0, benign: 0.0 });
            let mut next = Point { threshold: score, ..so_far };
            *(if is_malicious { &mut next.malicious } else { &mut next.benign }) += weight;
            match points.last_mut() {
                Some(last) if last.threshold.total_cmp(&score).is_eq() => *last = next,
                _ => points.push(next),
            }
        }
        Self { points }
    }

    /// Its points, the highest score first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// All malicious and all benign weight.
    pub fn totals(&self) -> (f64, f64) {
        self.points.last().map_or((0.0, 0.0), |last| (last.malicious, last.benign))
    }

    /// Average precision: the mean of the precision at each malicious unit, AUPRC in the paper (III-G2). Nothing
    /// where there is no malicious unit.
    pub fn average_precision(&self) -> Option<f64> {
        let (all, _) = self.totals();
        let mut before = 0.0;
        let sum = self.points.iter().fold(0.0, |sum, point| {
            let gained = point.malicious - before;
            before = point.malicious;
            if gained > 0.0 { sum + gained * point.malicious / (point.malicious + point.benign) } else { sum }
        });
        part(sum, all)
    }

    /// The chance that a malicious unit scores higher than a benign one, ties counted as half. Nothing where either
    /// kind is missing.
    pub fn area(&self) -> Option<f64> {
        let (malicious, benign) = self.totals();
        let mut before = Point { threshold: 0.0, malicious: 0.0, benign: 0.0 };
        let won = self.points.iter().fold(0.0, |won, point| {
            let height = f64::midpoint(point.malicious, before.malicious);
            let step = height * (point.benign - before.benign);
            before = *point;
            won + step
        });
        part(won, malicious * benign)
    }

    /// The best recall that raises false alarms on no more than this share of the benign units. Nothing where either
    /// kind is missing.
    pub fn recall_at(&self, false_positive_rate: f64) -> Option<f64> {
        let (malicious, benign) = self.totals();
        part(1.0, malicious * benign)?;
        // Sums of shares are not exact, and a threshold that fits exactly must count.
        let most = false_positive_rate * benign * (1.0 + 1e-9);
        let best = self.points.iter().take_while(|point| point.benign <= most).last();
        Some(best.map_or(0.0, |point| point.malicious / malicious))
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, Ranked};

    fn curve(scored: &[(f64, bool)]) -> Curve {
        let mut scored = scored.to_vec();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        Curve::over(scored.into_iter().map(|(score, is_malicious)| Ranked {
            score,
            is_malicious,
            weight: 1.0,
        }))
    }

    fn close(value: Option<f64>, expected: f64) {
        assert!(value.is_some_and(|value| (value - expected).abs() < 1e-9), "{value:?} is not {expected}");
    }

    #[test]
    fn average_precision_is_the_mean_of_precisions_at_each_find() {
        // Finds at ranks 1, 3 and 4: (1/1 + 2/3 + 3/4) / 3.
        let ranked = curve(&[(0.9, true), (0.8, false), (0.7, true), (0.6, true), (0.5, false)]);
        close(ranked.average_precision(), (1.0 + 2.0 / 3.0 + 0.75) / 3.0);
        // scikit-learn's own example: labels 0 0 1 1, scores .1 .4 .35 .8.
        close(
            curve(&[(0.1, false), (0.4, false), (0.35, true), (0.8, true)]).average_precision(),
            0.833_333_333_333,
        );
    }

    #[test]
    fn ties_are_one_step() {
        // All tied: precision is the share of malicious units, whichever comes first.
        let tied = curve(&[(0.0, true), (0.0, false), (0.0, false), (0.0, false)]);
        close(tied.average_precision(), 0.25);
        close(tied.area(), 0.5);
        close(tied.recall_at(0.5), 0.0);
        close(tied.recall_at(1.0), 1.0);
        assert_eq!(tied.points().len(), 1);
        close(curve(&[(2.0, true), (0.0, true), (1.0, false)]).area(), 0.5);
        close(curve(&[(1.0, true), (0.0, false)]).area(), 1.0);
    }

    #[test]
    fn recall_stays_within_the_allowed_false_alarms() {
        let mut scored: Vec<(f64, bool)> = (0..100).map(|nth| (f64::from(nth) / 100.0, false)).collect();
        scored.extend([(0.995, true), (0.985, true), (0.975, true), (0.1, true)]);
        let ranked = curve(&scored);
        close(ranked.recall_at(0.0), 0.25);
        close(ranked.recall_at(0.01), 0.5);
        close(ranked.recall_at(0.03), 0.75);
    }

    #[test]
    fn without_one_kind_there_is_nothing_to_say() {
        let none = curve(&[(0.5, false), (0.1, false)]);
        assert_eq!((none.average_precision(), none.area(), none.recall_at(0.01)), (None, None, None));
        let all = curve(&[(0.5, true), (0.1, true)]);
        close(all.average_precision(), 1.0);
        assert_eq!((all.area(), all.recall_at(0.01)), (None, None));
        assert_eq!(curve(&[]).average_precision(), None);
    }

    #[test]
    fn a_weight_counts_as_that_many_units() {
        let weighed = [(0.9, true, 2.0), (0.8, false, 1.0), (0.7, true, 1.0)];
        let ranked = Curve::over(weighed.into_iter().map(|(score, is_malicious, weight)| Ranked {
            score,
            is_malicious,
            weight,
        }));
        close(ranked.average_precision(), (1.0 + 1.0 + 0.75) / 3.0);
        close(ranked.area(), 2.0 / 3.0);
    }
}
