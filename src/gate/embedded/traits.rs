//! What the model could weigh of an Evidence, by name: what weights are fitted to.
//!
//! A name is the feature as it stands in the table of weights. Only the program that fits them asks for this.

use std::collections::BTreeSet;

use super::model::{self, Feature};
use crate::gate::Evidence;
use crate::gate::rules::{Category, Severity};

/// The sum at which the judge holds that a document is to be kept back: where a suspicion is as strong as policy's
/// default asks for (see [`crate::gate::policy`]).
pub const KEPT_BACK: f64 = 0.1;

/// The names of the features that an Evidence shows, in order.
pub fn traits(evidence: &Evidence) -> BTreeSet<String> {
    let shown = candidates(evidence).into_iter().filter(|feature| model::shown(*feature, evidence).is_some());
    shown.map(|feature| format!("{feature:?}")).collect()
}

/// The names of the features that a live rule of any category is.
pub fn rule_features() -> impl Iterator<Item = String> {
    let severities = [Severity::Medium, Severity::High, Severity::Critical];
    Category::all().flat_map(move |category| {
        severities.map(|severity| format!("{:?}", Feature::Rule(category.name(), severity)))
    })
}

/// Everything that it could show.
fn candidates(evidence: &Evidence) -> Vec<Feature> {
    let facts = &evidence.facts;
    let mut all = vec![
        Feature::Covert,
        Feature::GraveCovert,
        Feature::Unasked,
        Feature::Encoded,
        Feature::Description,
        Feature::Unsaid,
    ];
    all.extend((2..=4).map(Feature::Kinds));
    all.extend(
        facts.seen.iter().flat_map(|fact| [Feature::Clear(fact.behaviour), Feature::Faint(fact.behaviour)]),
    );
    all.extend(facts.flows.iter().map(model::of_flow));
    let named: BTreeSet<&str> = evidence.hits.iter().map(|hit| hit.category.as_str()).collect();
    let categories = named.into_iter().filter_map(Category::named).map(Category::name);
    let severities = [Severity::Medium, Severity::High, Severity::Critical];
    all.extend(severities.map(Feature::Live));
    for category in categories {
        all.push(Feature::Hidden(category));
        for severity in severities {
            all.push(Feature::Rule(category, severity));
            all.push(Feature::Themed(category, severity));
            all.push(Feature::Doubtful(category, severity));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::KEPT_BACK;
    use crate::gate::embedded::model::label;
    use crate::gate::{Label, Policy};

    #[test]
    fn what_is_kept_back_is_where_the_default_policy_begins_to() {
        let bar = Policy::default().verdict.suspicious.threshold.get();
        let at = |sum: f64| label(1.0 / (1.0 + (-sum).exp()));
        assert!(matches!(at(KEPT_BACK + 0.01), (Label::Suspicious, sure) if sure >= bar));
        assert!(matches!(at(KEPT_BACK - 0.01), (Label::Suspicious, sure) if sure < bar));
    }
}
