//! A small logistic model over facts: the probability that a document works against its user.
//!
//! Features are behaviours that a person can check in the text; none is a length, a host or a wording. Weights stand in
//! one table and are summed in its order, so the result is the same on every machine. No weight is negative: nothing
//! that an attacker adds makes a document milder.

use std::collections::BTreeSet;

use super::Behaviour;
use super::facts::{Account, Destination, Fact, Flow, Place, Reach};
use super::weights::{BIAS, WEIGHTS};
use crate::gate::rules::Severity;
use crate::gate::{Evidence, EvidenceHit, Label, ViewKind};

/// One thing that the model weighs; present or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// The behaviour shows in a live place beyond doubt.
    Clear(Behaviour),
    /// A live place hints at it, and none shows it beyond doubt.
    Faint(Behaviour),
    /// Data goes from a source to a sink in a live place.
    Flow(Goods, Way, Goal, Link),
    /// A rule of this category and at least this severity hits in a live place.
    Rule(&'static str, Severity),
    /// The same in a place that only the theme of the whole document makes less than live.
    Themed(&'static str, Severity),
    /// The same in a place that is quoted, listed or under a heading about attacks, and that nothing denies.
    Doubtful(&'static str, Severity),
    /// A rule of any category and at least this severity hits in a live place.
    Live(Severity),
    /// Rules of at least so many categories hit in live places.
    Kinds(usize),
    /// Something is done, as rules or flows see it, and right beside it stands that the user is not to know.
    Covert,
    /// The same, and a rule holds what is done for grave.
    GraveCovert,
    /// Something is done, and right beside it stands that nobody is asked.
    Unasked,
    /// A rule of this category hits in hidden text.
    Hidden(&'static str),
    /// A rule hits in decoded or assembled text.
    Encoded,
    /// What a server says of its own tools or prompts has somebody do more than call them.
    Description,
    /// The description does not name what is done, or denies it.
    Unsaid,
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goods {
    /// Keys, passwords, wallets, browser data, the conversation.
    Secrets,
    /// Files that it is given or finds.
    Files,
    /// Personal data, sources, the agent's settings.
    Data,
}

/// How it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Http,
    Dns,
    ByHand,
    Other,
}

/// Where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Somebody else chose the place.
    Foreign,
    /// The user chose it, or everybody knows it.
    Chosen,
    /// No address is in sight.
    Unnamed,
}

/// How source and sink hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Linked,
    Apart,
}

/// What the model says of one document.
#[derive(Debug)]
pub(super) struct Assessment {
    /// P(malicious), 0 to 1.
    pub(super) probability: f64,
    /// What speaks for it, heaviest first.
    pub(super) reasons: Vec<Reason>,
}

/// One feature that is present.
#[derive(Debug)]
pub(super) struct Reason {
    pub(super) feature: Feature,
    pub(super) weight: f64,
    /// Where it shows.
    pub(super) places: Vec<Place>,
}

/// Below this SAFE, at and above it SUSPICIOUS.
const SUSPICIOUS: f64 = 0.35;
/// At and above this MALICIOUS.
const MALICIOUS: f64 = 0.7;

/// Weighs the facts and live hits of an Evidence.
pub(super) fn assess(evidence: &Evidence) -> Assessment {
    let present = WEIGHTS.iter().filter_map(|(feature, weight)| {
        Some(Reason { feature: *feature, weight: *weight, places: shown(*feature, evidence)? })
    });
    let mut reasons: Vec<Reason> = present.collect();
    let sum = reasons.iter().fold(BIAS, |sum, reason| sum + reason.weight);
    reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    Assessment { probability: probability(sum), reasons }
}

/// The probability that a sum stands for.
pub(super) fn probability(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// The label of a probability, and how sure it is of that label. The ranking score of the verdict grows with the
/// probability across all three labels.
pub(super) fn label(probability: f64) -> (Label, f64) {
    if probability >= MALICIOUS {
        (Label::Malicious, probability)
    } else if probability >= SUSPICIOUS {
        (Label::Suspicious, 0.3 + 0.4 * (probability - SUSPICIOUS) / (MALICIOUS - SUSPICIOUS))
    } else {
        (Label::Safe, 1.0 - probability)
    }
}

/// Where a feature shows; nothing where it is absent.
pub(super) fn shown(feature: Feature, evidence: &Evidence) -> Option<Vec<Place>> {
    let fact = |behaviour| evidence.facts.seen.iter().find(|fact| fact.behaviour == behaviour);
    let live = &evidence.facts.live_hits;
    match feature {
        Feature::Clear(behaviour) => fact(behaviour).filter(|fact| fact.clear > 0).map(live_places),
        Feature::Faint(behaviour) => {
            fact(behaviour).filter(|fact| fact.clear == 0 && fact.faint > 0).map(live_places)
        }
        Feature::Flow(goods, way, goal, link) => {
            let same = |flow: &&Flow| flow.sink_place.live && kind(flow) == (goods, way, goal, link);
            let flow = evidence.facts.flows.iter().find(same)?;
            Some(vec![flow.source_place.clone(), flow.sink_place.clone()])
        }
        Feature::Rule(category, severity) => {
            hit_places(evidence, live, |hit| hit.category == category && hit.severity >= severity)
        }
        Feature::Themed(category, severity) => hit_places(evidence, &evidence.facts.themed_hits, |hit| {
            hit.category == category && hit.severity >= severity
        }),
        Feature::Doubtful(category, severity) => hit_places(evidence, &evidence.facts.doubtful_hits, |hit| {
            hit.category == category && hit.severity >= severity
        }),
        Feature::Live(severity) => hit_places(evidence, live, |hit| hit.severity >= severity),
        Feature::Kinds(kinds) => (live_kinds(evidence) >= kinds).then(Vec::new),
        Feature::Covert => beside(evidence, fact(Behaviour::Conceals)?, "concealment", Severity::Medium),
        Feature::GraveCovert => {
            let fact = fact(Behaviour::Conceals).filter(|fact| fact.clear > 0)?;
            beside(evidence, fact, "concealment", Severity::High)
        }
        Feature::Unasked => {
            beside(evidence, fact(Behaviour::BypassesConsent)?, "consent-bypass", Severity::Medium)
        }
        Feature::Hidden(category) => {
            hit_places(evidence, live, |hit| hit.category == category && hit.view == ViewKind::Hidden)
        }
        Feature::Encoded => {
            hit_places(evidence, live, |hit| matches!(hit.view, ViewKind::Decoded | ViewKind::Assembled))
        }
        Feature::Description => hit_places(evidence, live, is_in_description),
        Feature::Unsaid => matches!(evidence.facts.account, Account::Silent | Account::Denied).then(Vec::new),
    }
}

/// True for an act of the machine in what a server says of its tools or prompts.
fn is_in_description(hit: &EvidenceHit) -> bool {
    const OF_SPEECH: &[&str] = &["instruction-override", "tool-poisoning", "tool-shadowing", "concealment"];
    let of_server = hit.file.contains("tools[") || hit.file.contains("prompts[");
    of_server && !OF_SPEECH.contains(&hit.category.as_str())
}

/// How many lines lie at most between an act and what is said of it.
const BESIDE: usize = 4;

/// The acts beside the places of a fact: live hits of other categories, and data that leaves.
fn beside(evidence: &Evidence, fact: &Fact, own: &str, least: Severity) -> Option<Vec<Place>> {
    let said: Vec<&Place> = fact.places.iter().filter(|place| place.live).collect();
    let near = |file: &str, line: usize| {
        said.iter().any(|place| place.file == file && place.line.abs_diff(line) <= BESIDE)
    };
    let acts = hit_places(evidence, &evidence.facts.live_hits, |hit| {
        hit.category != own && hit.severity >= least && near(&hit.file, hit.line)
    });
    let leaves = evidence.facts.flows.iter().map(|flow| &flow.sink_place);
    let leaves = leaves.filter(|sink| sink.live && near(&sink.file, sink.line)).take(1).cloned();
    let places: Vec<Place> = acts.into_iter().flatten().chain(leaves).collect();
    (!places.is_empty()).then_some(places)
}

fn live_places(fact: &Fact) -> Vec<Place> {
    fact.places.iter().filter(|place| place.live).cloned().collect()
}

/// How many categories of rules hit in live places.
fn live_kinds(evidence: &Evidence) -> usize {
    let hits = evidence.facts.live_hits.iter().filter_map(|index| evidence.hits.get(*index));
    let telling = hits.filter(|hit| hit.severity >= Severity::Medium);
    telling.map(|hit| hit.category.as_str()).collect::<BTreeSet<_>>().len()
}

/// The places of those of the hits that are wanted; nothing where there are none.
fn hit_places(
    evidence: &Evidence,
    among: &[usize],
    wanted: impl Fn(&EvidenceHit) -> bool,
) -> Option<Vec<Place>> {
    let hits = among.iter().filter_map(|index| Some((*index, evidence.hits.get(*index)?)));
    let places: Vec<Place> = hits
        .filter(|(_, hit)| hit.severity >= Severity::Medium && wanted(hit))
        .take(Fact::MAX_PLACES)
        .map(|(index, hit)| Place {
            file: hit.file.clone(),
            line: hit.line,
            what: hit.matched.clone(),
            hit: Some(index),
            live: true,
        })
        .collect();
    (!places.is_empty()).then_some(places)
}

/// The feature that a flow is.
pub(super) fn of_flow(flow: &Flow) -> Feature {
    let (goods, way, goal, link) = kind(flow);
    Feature::Flow(goods, way, goal, link)
}

fn kind(flow: &Flow) -> (Goods, Way, Goal, Link) {
    let goods = match flow.source {
        Behaviour::ReadsCredentials
        | Behaviour::ReadsEnvironment
        | Behaviour::ReadsKeychain
        | Behaviour::ReadsBrowser
        | Behaviour::ReadsWallet
        | Behaviour::ReadsChat => Goods::Secrets,
        Behaviour::ReadsFiles => Goods::Files,
        _ => Goods::Data,
    };
    let way = match flow.sink {
        Behaviour::SendsHttp => Way::Http,
        Behaviour::SendsDns => Way::Dns,
        Behaviour::SendsByHand => Way::ByHand,
        _ => Way::Other,
    };
    let goal = match flow.destination {
        Destination::Unnamed => Goal::Unnamed,
        chosen if chosen.is_chosen() => Goal::Chosen,
        _ => Goal::Foreign,
    };
    (goods, way, goal, if flow.reach == Reach::Apart { Link::Apart } else { Link::Linked })
}

#[cfg(test)]
mod tests {
    use super::super::weights::{BIAS, WEIGHTS};
    use super::label;
    use crate::gate::Verdict;

    #[test]
    fn each_feature_is_weighed_once_and_none_speaks_for_a_document() {
        for (index, (feature, weight)) in WEIGHTS.iter().enumerate() {
            assert!(*weight > 0.0 && weight.is_finite(), "{feature:?}");
            assert!(WEIGHTS[..index].iter().all(|(other, _)| other != feature), "{feature:?} stands twice");
        }
        const { assert!(BIAS < -1.0) };
    }

    #[test]
    fn the_score_grows_with_the_probability_across_labels() {
        let score = |probability: f64| {
            let (label, confidence) = label(probability);
            Verdict { label, confidence, judge: "embedded".to_owned(), ..Verdict::no_hits() }.score()
        };
        let scores: Vec<f64> = (0..=1000).map(|step| score(f64::from(step) / 1000.0)).collect();
        assert!(scores.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
