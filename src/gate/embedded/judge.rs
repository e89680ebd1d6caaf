//! The embedded judge as a [`Judge`]: facts in, verdict out, at once.

use std::collections::BTreeSet;
use std::future::ready;

use super::facts::{Account, Flow, Place};
use super::model::{self, Feature, Reason};
use crate::gate::judge::{JudgeFuture, Judged};
use crate::gate::{Evidence, Judge, Label, Verdict};

/// The version of facts and weights together; it changes when a verdict could.
pub(super) const VERSION: &str = "5";
/// How many reasons the rationale names.
const REASONS: usize = 4;

/// The judge that needs no key, no network and no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedJudge;

impl EmbeddedJudge {
    /// The name in policy, audit and output.
    pub const ID: &'static str = "embedded";

    /// The verdict of a model whose features come to this sum, without reasons: for weights that are only being tried.
    pub fn verdict_of_sum(sum: f64) -> Verdict {
        bare(model::probability(sum))
    }

    /// The verdict, without a future.
    pub fn verdict(self, evidence: &Evidence) -> Verdict {
        let assessment = model::assess(evidence);
        let bare = bare(assessment.probability);
        let told = assessment.reasons.iter().filter(|reason| sentence(reason, evidence).is_some());
        // What says less comes last, whatever it weighs.
        let (plain, telling): (Vec<&Reason>, Vec<&Reason>) =
            told.partition(|reason| matches!(reason.feature, Feature::Live(_)));
        let telling: Vec<&Reason> =
            telling.into_iter().chain(plain.into_iter().take(1)).take(REASONS).collect();
        Verdict {
            rationale: rationale(bare.label, &telling, evidence),
            relied_on: relied_on(&telling),
            ..bare
        }
    }
}

/// A verdict that gives no reasons.
fn bare(probability: f64) -> Verdict {
    let (label, confidence) = model::label(probability);
    Verdict {
        label,
        confidence,
        rationale: String::new(),
        relied_on: Vec::new(),
        judge: EmbeddedJudge::ID.to_owned(),
        version: VERSION.to_owned(),
        tokens_in: 0,
        tokens_out: 0,
    }
}

impl Judge for EmbeddedJudge {
    fn id(&self) -> &str {
        Self::ID
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn judge<'a>(&'a self, evidence: &'a Evidence) -> JudgeFuture<'a> {
        Box::pin(ready(Ok(Judged::fresh(self.verdict(evidence)))))
    }
}

/// The reasons as sentences for a person.
fn rationale(label: Label, telling: &[&Reason], evidence: &Evidence) -> String {
    let mut sentences: Vec<String> = telling.iter().filter_map(|reason| sentence(reason, evidence)).collect();
    // Flows that differ in what a person is not told read the same.
    let mut told = BTreeSet::new();
    sentences.retain(|sentence| told.insert(sentence.clone()));
    match evidence.facts.account {
        Account::Silent => sentences.push("the description does not mention it".to_owned()),
        Account::Denied => sentences.push("its own words deny it".to_owned()),
        Account::Nothing | Account::Accounted => {}
    }
    match (label, sentences.is_empty()) {
        (_, true) => "nothing that was found is done or ordered".to_owned(),
        (Label::Safe, false) => format!("little speaks against it: {}", sentences.join("; ")),
        (_, false) => sentences.join("; "),
    }
}

fn sentence(reason: &Reason, evidence: &Evidence) -> Option<String> {
    let at = |places: &[Place]| match places {
        [] => String::new(),
        [first, ..] => format!(" ({first})"),
    };
    Some(match reason.feature {
        Feature::Clear(behaviour) => format!("{}{}", behaviour.words(), at(&reason.places)),
        Feature::Faint(behaviour) => format!("seems to do this: {}{}", behaviour.words(), at(&reason.places)),
        Feature::Flow(..) => flow_sentence(evidence.facts.flows.iter().find(|flow| {
            reason.places.first() == Some(&flow.source_place)
                && reason.places.last() == Some(&flow.sink_place)
        })?),
        Feature::Rule(category, _) => format!("matches rules on {}{}", spoken(category), at(&reason.places)),
        Feature::Themed(category, _) | Feature::Doubtful(category, _) => {
            format!("may be meant to be done: matches rules on {}{}", spoken(category), at(&reason.places))
        }
        Feature::Live(severity) => format!("matches a rule of {severity} severity{}", at(&reason.places)),
        Feature::Covert | Feature::GraveCovert => {
            format!("does it without the user's knowledge{}", at(&reason.places))
        }
        Feature::Unasked => format!("does it without asking{}", at(&reason.places)),
        Feature::Hidden(category) => {
            format!("hides text that matches rules on {}{}", spoken(category), at(&reason.places))
        }
        Feature::Encoded => format!("encodes text that matches rules{}", at(&reason.places)),
        Feature::Description => format!("asks for more than calls in its description{}", at(&reason.places)),
        Feature::Kinds(_) | Feature::Unsaid => return None,
    })
}

fn spoken(category: &str) -> String {
    category.replace('-', " ")
}

/// "reads credential files (a.sh:3) and sends data over the network to a fixed host (a.sh:9)".
fn flow_sentence(flow: &Flow) -> String {
    let Flow { source, source_place, sink, sink_place, destination, .. } = flow;
    format!("{} ({source_place}) and {} {} ({sink_place})", source.words(), sink.words(), destination.words())
}

fn relied_on(telling: &[&Reason]) -> Vec<usize> {
    let mut hits: Vec<usize> =
        telling.iter().flat_map(|reason| &reason.places).filter_map(|place| place.hit).collect();
    hits.sort_unstable();
    hits.dedup();
    hits
}
