//! A small logistic model over facts: the probability that a document works against its user.
//!
//! Named features, one table of weights, two cut points. Nothing in it depends on length, on single hosts or on wording;
//! every feature is a behaviour that a person can check in the text. Sums run in table order, so the result is the same
//! on every machine.

use super::Behaviour;
use super::facts::{Facts, Place};
use crate::gate::Label;
use crate::gate::rules::Severity;

/// What the model says of one document.
pub(super) struct Assessment<'a> {
    /// P(malicious), 0 to 1.
    pub(super) probability: f64,
    /// What speaks for it, heaviest first.
    pub(super) reasons: Vec<Reason<'a>>,
}

/// One feature that weighed in.
pub(super) struct Reason<'a> {
    /// What it is, in words.
    pub(super) words: &'static str,
    /// Its share in the sum; negative speaks for the document.
    pub(super) weight: f64,
    /// Where it shows.
    pub(super) places: &'a [Place],
}

/// Below this SAFE, at and above it SUSPICIOUS.
const SUSPICIOUS: f64 = 0.35;
/// At and above this MALICIOUS.
const MALICIOUS: f64 = 0.7;
/// The sum of a document of which nothing is known but that a rule hit.
const BIAS: f64 = -2.5;
/// A behaviour that is only spoken of weighs this much of one that is done.
const SPOKEN: f64 = 0.1;

/// What one live behaviour adds to the sum.
const fn weight(behaviour: Behaviour) -> f64 {
    match behaviour {
        Behaviour::Conceals
        | Behaviour::OverridesInstructions
        | Behaviour::RunsDecoded
        | Behaviour::CoversTracks
        | Behaviour::AsksForSecrets => 2.0,
        Behaviour::RunsDownload
        | Behaviour::RunsPrerequisite
        | Behaviour::ObeysData
        | Behaviour::OpensChannel
        | Behaviour::BypassesConsent
        | Behaviour::ReadsWallet
        | Behaviour::ReadsBrowser
        | Behaviour::ReadsKeychain
        | Behaviour::SendsDns
        | Behaviour::SendsBeacon
        | Behaviour::RedirectsEndpoint
        | Behaviour::HidesText
        | Behaviour::ShadowsTools => 1.5,
        Behaviour::ReadsCredentials
        | Behaviour::Persists
        | Behaviour::RunsBinary
        | Behaviour::RunsOnInstall
        | Behaviour::WritesAgentConfig
        | Behaviour::DisablesProtection
        | Behaviour::Destroys => 1.0,
        _ => 0.5,
    }
}

/// Weighs the facts; `worst` is the gravest severity among live hits.
pub(super) fn assess(facts: &Facts, worst: Option<Severity>) -> Assessment<'_> {
    let mut reasons: Vec<Reason<'_>> = facts
        .seen
        .iter()
        .map(|fact| Reason {
            words: fact.behaviour.words(),
            weight: weight(fact.behaviour) * if fact.live > 0 { 1.0 } else { SPOKEN },
            places: &fact.places,
        })
        .collect();
    let severity = match worst {
        Some(Severity::Critical) => 1.5,
        Some(Severity::High) => 0.7,
        _ => 0.0,
    };
    let sum = BIAS + severity + reasons.iter().map(|reason| reason.weight).sum::<f64>();
    reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    Assessment { probability: 1.0 / (1.0 + (-sum).exp()), reasons }
}

/// The label of a probability, and how sure it is of that label.
pub(super) fn label(probability: f64) -> (Label, f64) {
    if probability >= MALICIOUS {
        (Label::Malicious, probability)
    } else if probability >= SUSPICIOUS {
        (Label::Suspicious, 0.5 + (probability - SUSPICIOUS) / (MALICIOUS - SUSPICIOUS) / 2.0)
    } else {
        (Label::Safe, 1.0 - probability)
    }
}
