//! All figures of a sample of units, each with its interval.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::bootstrap;
use super::counts::Counts;
use super::ranking::{Curve, Ranked};

/// One unit as metrics see it.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The probability that it works against its user, as the judge sees it.
    pub score: f64,
    /// The paper's score (III-G2).
    pub paper_score: f64,
    /// What it is.
    pub is_malicious: bool,
    /// Kept back by policy.
    pub is_flagged: bool,
    /// The number of its family, from 0.
    pub family: usize,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The share of what was flagged that is malicious.
    Precision,
    /// The share of what is malicious that was flagged.
    Recall,
    /// Their harmonic mean.
    F1,
    /// The share of what is benign that was flagged.
    FalsePositiveRate,
    /// Matthews' correlation.
    Correlation,
    /// Average precision over our score.
    AveragePrecision,
    /// Average precision over the paper's score.
    PaperAveragePrecision,
    /// The area under the receiver's curve, over our score.
    Area,
    /// Recall where 1 % of the benign units are flagged, over our score.
    RecallAtOne,
    /// Recall where 3 % of the benign units are flagged, over our score.
    RecallAtThree,
}

impl Measure {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Precision,
        Self::Recall,
        Self::F1,
        Self::FalsePositiveRate,
        Self::Correlation,
        Self::AveragePrecision,
        Self::PaperAveragePrecision,
        Self::Area,
        Self::RecallAtOne,
        Self::RecallAtThree,
    ];

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "f1",
            Self::FalsePositiveRate => "false_positive_rate",
            Self::Correlation => "mcc",
            Self::AveragePrecision => "auprc",
            Self::PaperAveragePrecision => "auprc_paper_score",
            Self::Area => "auroc",
            Self::RecallAtOne => "recall_at_fpr_1_percent",
            Self::RecallAtThree => "recall_at_fpr_3_percent",
        }
    }

    /// The head of its column.
    pub const fn head(self) -> &'static str {
        match self {
            Self::Precision => "PRECISION",
            Self::Recall => "RECALL",
            Self::F1 => "F1",
            Self::FalsePositiveRate => "FPR",
            Self::Correlation => "MCC",
            Self::AveragePrecision => "AUPRC",
            Self::PaperAveragePrecision => "AUPRC (PAPER'S SCORE)",
            Self::Area => "AUROC",
            Self::RecallAtOne => "RECALL AT FPR 1 %",
            Self::RecallAtThree => "RECALL AT FPR 3 %",
        }
    }
}

/// A value for each measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures<T>([T; Measure::ALL.len()]);

/// A figure with the interval in which it lies in 95 of 100 resamples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure; nothing where it cannot be said.
    pub value: Option<f64>,
    /// The interval; nothing where too few resamples could say it.
    pub interval: Option<(f64, f64)>,
}

impl<T> Figures<T> {
    /// The value that this gives for each measure.
    pub fn each(value: impl FnMut(Measure) -> T) -> Self {
        Self(Measure::ALL.map(value))
    }

    /// The value of a measure.
    pub const fn get(&self, measure: Measure) -> &T {
        &self.0[measure as usize]
    }
}

impl<T: Serialize> Serialize for Figures<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for measure in Measure::ALL {
            map.serialize_entry(measure.name(), self.get(measure))?;
        }
        map.end()
    }
}

/// Units that are measured together.
#[derive(Clone, Debug)]
pub struct Sample {
    items: Vec<Item>,
    by_score: Vec<usize>,
    by_paper_score: Vec<usize>,
    families: usize,
}

impl Sample {
    /// A sample of these units.
    pub fn new(items: Vec<Item>) -> Self {
        let order = |score: fn(&Item) -> f64| {
            let mut order: Vec<usize> = (0..items.len()).collect();
            order.sort_by(|a, b| score(&items[*b]).total_cmp(&score(&items[*a])));
            order
        };
        let by_score = order(|item| item.score);
        let by_paper_score = order(|item| item.paper_score);
        let families = items.iter().map(|item| item.family + 1).max().unwrap_or(0);
        Self { items, by_score, by_paper_score, families }
    }

    /// The figures as they are.
    pub fn figures(&self) -> Figures<Option<f64>> {
        self.weighed(&vec![1.0; self.families])
    }

    /// The figures with their intervals.
    pub fn estimates(&self) -> Figures<Estimate> {
        let mut seen: [Vec<f64>; Measure::ALL.len()] = Default::default();
        for weights in bootstrap::draws(self.families) {
            for (values, value) in seen.iter_mut().zip(self.weighed(&weights).0) {
                values.extend(value);
            }
        }
        let values = self.figures().0;
        let mut intervals = seen.into_iter().map(bootstrap::interval);
        Figures(values.map(|value| {
            let interval = intervals.next().flatten();
            Estimate { value, interval: interval.filter(|_| value.is_some()) }
        }))
    }

    /// The curve over our score.
    pub fn curve(&self) -> Curve {
        self.ranked(&self.by_score, |item| item.score, &vec![1.0; self.families])
    }

    /// The curve over the paper's score.
    pub fn paper_curve(&self) -> Curve {
        self.ranked(&self.by_paper_score, |item| item.paper_score, &vec![1.0; self.families])
    }

    fn weighed(&self, weights: &[f64]) -> Figures<Option<f64>> {
        let mut counts = Counts::default();
        for item in &self.items {
            counts.add(item.is_malicious, item.is_flagged, weights[item.family]);
        }
        let curve = self.ranked(&self.by_score, |item| item.score, weights);
        let of_paper = self.ranked(&self.by_paper_score, |item| item.paper_score, weights);
        // Where nothing is benign nothing can be mistaken, and a perfect precision would say nothing.
        let has_benign = counts.false_positives + counts.true_negatives > 0.0;
        Figures::each(|measure| match measure {
            Measure::Precision | Measure::F1 | Measure::AveragePrecision | Measure::PaperAveragePrecision
                if !has_benign =>
            {
                None
            }
            Measure::Precision => counts.precision(),
            Measure::Recall => counts.recall(),
            Measure::F1 => counts.f1(),
            Measure::FalsePositiveRate => counts.false_positive_rate(),
            Measure::Correlation => counts.correlation(),
            Measure::AveragePrecision => curve.average_precision(),
            Measure::PaperAveragePrecision => of_paper.average_precision(),
            Measure::Area => curve.area(),
            Measure::RecallAtOne => curve.recall_at(0.01),
            Measure::RecallAtThree => curve.recall_at(0.03),
        })
    }

    fn ranked(&self, order: &[usize], score: fn(&Item) -> f64, weights: &[f64]) -> Curve {
        let items = order.iter().map(|at| &self.items[*at]).filter(|item| weights[item.family] > 0.0);
        Curve::over(items.map(|item| Ranked {
            score: score(item),
            is_malicious: item.is_malicious,
            weight: weights[item.family],
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Measure, Sample};

    fn item(score: f64, is_malicious: bool, is_flagged: bool, family: usize) -> Item {
        Item { score, paper_score: 1.0 - score, is_malicious, is_flagged, family }
    }

    #[test]
    fn every_measure_is_taken_of_its_own_score() {
        let sample = Sample::new(vec![
            item(0.9, true, true, 0),
            item(0.5, false, true, 1),
            item(0.1, false, false, 2),
        ]);
        let figures = sample.figures();
        let value = |measure| figures.get(measure).unwrap();
        assert!((value(Measure::Precision) - 0.5).abs() < 1e-9);
        assert!((value(Measure::FalsePositiveRate) - 0.5).abs() < 1e-9);
        assert!((value(Measure::AveragePrecision) - 1.0).abs() < 1e-9);
        // The paper's score has the order turned round: the find comes last of three.
        assert!((value(Measure::PaperAveragePrecision) - 1.0 / 3.0).abs() < 1e-9);
        assert!((value(Measure::RecallAtOne) - 1.0).abs() < 1e-9);
        let json = serde_json::to_value(figures).unwrap();
        assert!(json["recall"] == 1.0 && json.as_object().unwrap().len() == Measure::ALL.len(), "{json}");
    }

    #[test]
    fn intervals_hold_the_figure_and_widen_with_fewer_families() {
        let units = |families: usize| {
            let unit = |nth: usize| item(0.5, true, nth.is_multiple_of(2), nth % families);
            Sample::new((0..200).map(unit).collect())
        };
        let width = |families| {
            let recall = *units(families).estimates().get(Measure::Recall);
            let (low, high) = recall.interval.unwrap();
            assert!((low..=high).contains(&recall.value.unwrap()), "{recall:?}");
            high - low
        };
        // By units the interval is about 0.14 wide; in four families each of which stands or falls as one, far wider.
        assert!((0.10..0.18).contains(&width(200)) && width(4) > 0.5, "{} {}", width(200), width(4));
    }

    #[test]
    fn what_cannot_be_said_has_no_interval() {
        let benign = Sample::new(vec![item(0.0, false, false, 0), item(0.0, false, false, 1)]);
        let recall = *benign.estimates().get(Measure::Recall);
        assert_eq!((recall.value, recall.interval), (None, None));
        let hostile = Sample::new(vec![item(0.9, true, true, 0)]).figures();
        assert_eq!((*hostile.get(Measure::Precision), *hostile.get(Measure::AveragePrecision)), (None, None));
        assert_eq!(*hostile.get(Measure::Recall), Some(1.0));
        assert_eq!(Sample::new(Vec::new()).estimates().get(Measure::F1).value, None);
    }
}
