//! The curves of a report: precision against recall, and what other thresholds come to (papers/skillgate.txt, Figures 3
//! and 5).

use super::chart::{Chart, Line};
use crate::eval::evaluation::Evaluation;
use crate::eval::metrics::Measure;
use crate::eval::metrics::ranking::Curve;
use crate::eval::tables::{GroupFigures, Step, Sweep};

/// A chart and the name of its file, which is ours alone: no name from a corpus is part of it.
pub(super) struct Drawn {
    pub(super) file: String,
    pub(super) chart: Chart,
}

/// The two charts of each group that has units of both kinds.
pub(super) fn drawn(evaluation: &Evaluation) -> Vec<Drawn> {
    let tables = &evaluation.tables;
    let groups = tables.groups.iter().zip(&tables.sweeps);
    let groups = groups.filter(|(_, sweep)| {
        let (malicious, benign) = sweep.curve.totals();
        malicious > 0.0 && benign > 0.0
    });
    let charts = groups.enumerate().flat_map(|(nth, (group, sweep))| {
        let nth = nth + 1;
        let title = format!("{} ({})", group.name(), evaluation.basis.tag());
        [
            Drawn {
                file: format!("{PRECISION_RECALL}{nth}.svg"),
                chart: precision_recall(format!("Precision and recall: {title}"), group, sweep),
            },
            Drawn {
                file: format!("{THRESHOLDS}{nth}.svg"),
                chart: thresholds(format!("Thresholds: {title}"), sweep),
            },
        ]
    });
    charts.collect()
}

const PRECISION_RECALL: &str = "precision-recall-";
const THRESHOLDS: &str = "thresholds-";

/// True for the file names that [`drawn`] gives.
pub(super) fn is_ours(file: &str) -> bool {
    let number = file
        .strip_suffix(".svg")
        .and_then(|name| name.strip_prefix(PRECISION_RECALL).or_else(|| name.strip_prefix(THRESHOLDS)));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

fn precision_recall(title: String, group: &GroupFigures, sweep: &Sweep) -> Chart {
    let value = |measure| group.figures.get(measure).value;
    let line = |name: &str, measure, curve: &Curve| {
        let precision = value(measure).map(|value| format!(", AUPRC {value:.3}")).unwrap_or_default();
        Line { name: format!("{name}{precision}"), points: points(curve) }
    };
    let (malicious, benign) = sweep.curve.totals();
    let chance = malicious / (malicious + benign);
    let here = value(Measure::Recall).zip(value(Measure::Precision));
    Chart {
        title,
        across: "recall",
        up: "precision",
        lines: vec![
            line("our score", Measure::AveragePrecision, &sweep.curve),
            line("the paper's score", Measure::PaperAveragePrecision, &sweep.paper_curve),
            Line { name: format!("chance, {chance:.3}"), points: vec![(0.0, chance), (1.0, chance)] },
        ],
        marks: here
            .map(|point| Line { name: "policy as it is".to_owned(), points: vec![point] })
            .into_iter()
            .collect(),
    }
}

/// Recall and precision at each score.
fn points(curve: &Curve) -> Vec<(f64, f64)> {
    let steps = curve.points().iter().map(|point| Step::at(*point, curve.totals()));
    steps.filter_map(|step| step.recall.zip(step.precision)).collect()
}

fn thresholds(title: String, sweep: &Sweep) -> Chart {
    let totals = sweep.curve.totals();
    let steps: Vec<Step> = sweep.curve.points().iter().map(|point| Step::at(*point, totals)).collect();
    let line = |name: &str, value: fn(&Step) -> Option<f64>| Line {
        name: name.to_owned(),
        points: stairs(steps.iter().filter_map(|step| Some((step.threshold, value(step)?)))),
    };
    Chart {
        title,
        across: "flagged from this score on",
        up: "share",
        lines: vec![
            line("recall", |step| step.recall),
            line("precision", |step| step.precision),
            line("F1", |step| step.f1),
            line("false positive rate", |step| step.false_positive_rate),
        ],
        marks: Vec::new(),
    }
}

/// Points in falling order of their thresholds with the corners between them: nothing changes until the next score.
fn stairs(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    points.fold(Vec::new(), |mut path, (threshold, value)| {
        let corner = path.last().map(|(_, before): &(f64, f64)| (threshold, *before));
        path.extend(corner);
        path.push((threshold, value));
        path
    })
}

#[cfg(test)]
mod tests {
    use super::{is_ours, stairs};

    #[test]
    fn nothing_changes_between_two_scores() {
        let path = stairs([(0.9, 0.25), (0.5, 1.0)].into_iter());
        assert_eq!(path, [(0.9, 0.25), (0.5, 0.25), (0.5, 1.0)]);
    }

    #[test]
    fn only_names_that_are_given_here_are_ours() {
        assert!(is_ours("precision-recall-1.svg") && is_ours("thresholds-12.svg"));
        for other in
            ["precision-recall-.svg", "thresholds-1.svg.bak", "thresholds-../x.svg", "my-thresholds-1.svg"]
        {
            assert!(!is_ours(other), "{other}");
        }
    }
}
