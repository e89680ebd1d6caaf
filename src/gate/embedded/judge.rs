//! The embedded judge as a [`Judge`]: facts in, verdict out, at once.

use std::future::ready;

use super::facts::Place;
use super::model::{self, Reason};
use crate::gate::judge::JudgeFuture;
use crate::gate::rules::Severity;
use crate::gate::{Evidence, EvidenceHit, Judge, Verdict};

/// The version of facts and weights together; it changes when a verdict could.
const VERSION: &str = "1";
/// How many reasons the rationale names.
const REASONS: usize = 4;

/// The judge that needs no key, no network and no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedJudge;

impl EmbeddedJudge {
    /// The name in policy, audit and output.
    pub const ID: &'static str = "embedded";

    /// The verdict, without a future.
    pub fn verdict(self, evidence: &Evidence) -> Verdict {
        let assessment = model::assess(&evidence.facts, worst_live(&evidence.hits));
        let (label, confidence) = model::label(assessment.probability);
        let telling: Vec<&Reason<'_>> =
            assessment.reasons.iter().filter(|reason| reason.weight > 0.0).take(REASONS).collect();
        Verdict {
            label,
            confidence,
            rationale: rationale(&telling),
            relied_on: relied_on(&telling),
            judge: Self::ID.to_owned(),
            version: VERSION.to_owned(),
            tokens_in: 0,
            tokens_out: 0,
        }
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
        Box::pin(ready(Ok(self.verdict(evidence))))
    }
}

fn worst_live(hits: &[EvidenceHit]) -> Option<Severity> {
    hits.iter().filter(|hit| super::extract::is_live(&hit.context)).map(|hit| hit.severity).max()
}

fn rationale(telling: &[&Reason<'_>]) -> String {
    if telling.is_empty() {
        return "nothing that was found works against the user".to_owned();
    }
    let sentences: Vec<String> = telling.iter().map(|reason| sentence(reason)).collect();
    sentences.join("; ")
}

fn sentence(reason: &Reason<'_>) -> String {
    let places: Vec<String> = reason.places.iter().take(2).map(Place::to_string).collect();
    if places.is_empty() {
        reason.words.to_owned()
    } else {
        format!("{} ({})", reason.words, places.join(", "))
    }
}

fn relied_on(telling: &[&Reason<'_>]) -> Vec<usize> {
    let mut hits: Vec<usize> =
        telling.iter().flat_map(|reason| reason.places).filter_map(|place| place.hit).collect();
    hits.sort_unstable();
    hits.dedup();
    hits
}
