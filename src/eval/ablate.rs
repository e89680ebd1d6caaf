//! The gate with parts changed or left out (papers/skillgate.txt V, Table VI).
//!
//! Each change goes the way of every other document: an engine that differs in one thing judges the units anew. What a
//! change means depends on the judge, since the embedded one reads facts of the whole document and not the windows; each
//! says so in its own words.

use super::evaluation::Variant;
use super::tables::Runs;
use super::unit::{self, Unit, View};
use crate::daemon::engine::Engine;
use crate::gate::Document;
use crate::gate::policy::WindowOrder;
use crate::gate::rules::{RuleErrors, RuleSet, Severity};

/// One thing that is different.
pub struct Change {
    /// In short.
    pub name: String,
    /// What it means with the judge in use.
    pub meaning: String,
    what: What,
}

enum What {
    WholeFile { by_embedded: bool },
    Windows(usize),
    Order(WindowOrder),
}

/// A cap that no cut text reaches, whatever redaction and escapes add.
const NO_CAP: usize = 20 * unit::WHOLE_FILE;

/// The changes that need the units judged anew.
pub fn changes(engine: &Engine) -> Vec<Change> {
    let by_embedded = !engine.asks_another();
    let windows = &engine.policy.windows;
    let meaning = |asked: &str| {
        if !by_embedded {
            return asked.to_owned();
        }
        format!(
            "{asked} The embedded judge reads facts of the whole document and no windows: only what a language model \
             would be sent can change, never a verdict."
        )
    };
    let mut changes = vec![whole_file(by_embedded)];
    for most in [5, 20].into_iter().filter(|most| *most != windows.ms) {
        changes.push(Change {
            name: format!("ms = {most}"),
            meaning: meaning(&format!("At most {most} windows in place of {}.", windows.ms)),
            what: What::Windows(most),
        });
    }
    let (name, asked, order) = match windows.order {
        WindowOrder::Severity => (
            "the paper's order",
            "Windows by position, as in the paper, in place of the most severe and varied first.",
            WindowOrder::Paper,
        ),
        WindowOrder::Paper => (
            "our order",
            "The most severe and varied windows first, in place of those by position.",
            WindowOrder::Severity,
        ),
    };
    changes.push(Change { name: name.to_owned(), meaning: meaning(asked), what: What::Order(order) });
    changes
}

fn whole_file(by_embedded: bool) -> Change {
    let most = "cut at 12,000 characters of all texts together, instructions first";
    let meaning = if by_embedded {
        format!(
            "The same judge on every document, {most}, with no prefilter gate. The embedded judge reads facts and the hits \
             of rules, so the rules still speak; what changes is the cut, and that documents without hits are judged too."
        )
    } else {
        format!(
            "The judge on the whole text of every document, {most}, in place of windows; no rule runs, and no match is \
             named to it."
        )
    };
    Change { name: "B2, whole file".to_owned(), meaning, what: What::WholeFile { by_embedded } }
}

impl Change {
    /// The engine with this change.
    pub fn apply(&self, mut engine: Engine) -> Result<Engine, RuleErrors> {
        match self.what {
            What::WholeFile { by_embedded } => {
                engine.policy.prefilter.judge_everything = true;
                if !by_embedded {
                    engine.rules = RuleSet::from_sources([])?;
                    engine.policy.windows.cap = NO_CAP;
                    engine.policy.windows.ms = NO_CAP;
                }
            }
            What::Windows(most) => engine.policy.windows.ms = most,
            What::Order(order) => engine.policy.windows.order = order,
        }
        Ok(engine)
    }

    /// A document as this change would have it judged.
    pub fn reshape(&self, document: Document) -> Document {
        match self.what {
            What::WholeFile { .. } => unit::cut(document),
            What::Windows(_) | What::Order(_) => document,
        }
    }

    /// What it comes to.
    pub fn result(self, passes: &[Vec<Unit<'_>>]) -> Variant {
        let mut runs = Runs::of(passes, View::of_gate);
        if matches!(self.what, What::WholeFile { by_embedded: true }) {
            // Windows of a document that is not sent in windows would be counted here.
            runs.sent = None;
        }
        Variant { name: self.name, meaning: self.meaning, runs }
    }
}

/// The gate as it is, and the rules without a judge: what needs no further pass.
pub fn baselines(engine: &Engine, passes: &[Vec<Unit<'_>>]) -> Vec<Variant> {
    let order = match engine.policy.windows.order {
        WindowOrder::Severity => "the most severe and varied windows first",
        WindowOrder::Paper => "windows by position",
    };
    let windows = &engine.policy.windows;
    let mut variants = vec![Variant {
        name: "as it is".to_owned(),
        meaning: format!(
            "The judge `{}` on what has hits; at most {} windows, {order}.",
            engine.judge(),
            windows.ms
        ),
        runs: Runs::of(passes, View::of_gate),
    }];
    let bars = [
        (
            "B1, any hit",
            Severity::Info,
            "No judge: what any rule hits is flagged. AUPRC is over the gravest severity.",
        ),
        (
            "B1, high and critical",
            Severity::High,
            "No judge: what a rule of high or critical severity hits is flagged.",
        ),
    ];
    for (name, bar, meaning) in bars {
        let view = |unit: &Unit<'_>| View::by_score(rank(unit.severity()), unit.severity() >= Some(bar));
        let mut runs = Runs::of(&passes[..passes.len().min(1)], view);
        // Nobody is asked, whatever these units were asked before.
        (runs.asked, runs.failed, runs.sent) = (0.0, 0, runs.sent.map(|_| 0));
        variants.push(Variant { name: name.to_owned(), meaning: meaning.to_owned(), runs });
    }
    variants
}

fn rank(severity: Option<Severity>) -> f64 {
    let milder = |severity| Severity::ALL.iter().filter(|other| **other <= severity).count();
    severity.map_or(0, milder) as f64
}

#[cfg(test)]
mod tests {
    use super::rank;
    use crate::gate::rules::Severity;

    #[test]
    fn graver_ranks_higher_and_none_lowest() {
        let ranks = [None, Some(Severity::Info), Some(Severity::High), Some(Severity::Critical)].map(rank);
        assert!(ranks.windows(2).all(|pair| pair[0] < pair[1]), "{ranks:?}");
    }
}
