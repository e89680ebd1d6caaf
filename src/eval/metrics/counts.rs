//! What was flagged against what should have been: the four cells, and the shares made of them.
//!
//! Cells are weights, so that a resampled unit counts as often as it was drawn.

/// How much weight lies in each of the four cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Malicious and flagged.
    pub true_positives: f64,
    /// Benign and flagged.
    pub false_positives: f64,
    /// Benign and passed.
    pub true_negatives: f64,
    /// Malicious and passed.
    pub false_negatives: f64,
}

impl Counts {
    /// Counts a unit with its weight.
    pub fn add(&mut self, is_malicious: bool, is_flagged: bool, weight: f64) {
        let cell = match (is_malicious, is_flagged) {
            (true, true) => &mut self.true_positives,
            (false, true) => &mut self.false_positives,
            (false, false) => &mut self.true_negatives,
            (true, false) => &mut self.false_negatives,
        };
        *cell += weight;
    }

    /// The share of what was flagged that is malicious.
    pub fn precision(self) -> Option<f64> {
        part(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of what is malicious that was flagged.
    pub fn recall(self) -> Option<f64> {
        part(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall; 0 where nothing malicious was flagged, nothing where there is neither
    /// a malicious nor a flagged unit.
    pub fn f1(self) -> Option<f64> {
        let twice = 2.0 * self.true_positives;
        part(twice, twice + self.false_positives + self.false_negatives)
    }

    /// The share of what is benign that was flagged.
    pub fn false_positive_rate(self) -> Option<f64> {
        part(self.false_positives, self.false_positives + self.true_negatives)
    }

    /// Matthews' correlation, -1 to 1 (papers/skillgate.txt III-G2); nothing where a row or a column of the table is
    /// empty.
    pub fn correlation(self) -> Option<f64> {
        let Self { true_positives, false_positives, true_negatives, false_negatives } = self;
        let flagged = true_positives + false_positives;
        let passed = true_negatives + false_negatives;
        let malicious = true_positives + false_negatives;
        let benign = true_negatives + false_positives;
        let root = flagged.sqrt() * passed.sqrt() * malicious.sqrt() * benign.sqrt();
        part(true_positives * true_negatives - false_positives * false_negatives, root)
    }
}

/// A part of a whole; nothing where there is no whole.
pub(super) fn part(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::Counts;

    fn close(value: Option<f64>, expected: f64) {
        assert!(value.is_some_and(|value| (value - expected).abs() < 5e-4), "{value:?} is not {expected}");
    }

    #[test]
    fn shares_are_those_of_the_papers_regex_row() {
        // Table VI, B1: 135 of 150 malicious and 406 of 1,500 benign files are flagged.
        let counts = Counts {
            true_positives: 135.0,
            false_positives: 406.0,
            true_negatives: 1094.0,
            false_negatives: 15.0,
        };
        close(counts.precision(), 0.2495);
        close(counts.recall(), 0.900);
        close(counts.f1(), 0.3907);
        close(counts.false_positive_rate(), 0.2707);
        close(counts.correlation(), 0.385);
    }

    #[test]
    fn what_cannot_be_said_is_nothing() {
        let mut counts = Counts::default();
        assert_eq!((counts.precision(), counts.f1(), counts.correlation()), (None, None, None));
        counts.add(false, false, 3.0);
        assert_eq!(counts.recall(), None);
        close(counts.false_positive_rate(), 0.0);
        counts.add(true, false, 1.0);
        assert_eq!((counts.precision(), counts.correlation()), (None, None));
        close(counts.f1(), 0.0);
        counts.add(true, true, 1.0);
        close(counts.precision(), 1.0);
        // 1 of 2 malicious, none of 3 benign: (1 * 3 - 0) / sqrt(1 * 2 * 3 * 4).
        close(counts.correlation(), 3.0 / 24.0_f64.sqrt());
    }
}
