//! What the place of a rule's hit says of it by itself, before the sentence around it is read.

use super::excuse::Excuse;
use super::facts::Polarity;
use crate::gate::Hit;
use crate::gate::context::Context;
use crate::gate::rules::Severity;

/// True for a hit that data has no reason to hold: an order to keep something from the user, or a critical act on
/// secrets, that nobody quotes or forbids. What holds it is no longer taken for mere data.
pub(super) fn gives_orders(hit: &Hit) -> bool {
    let spoken_of =
        hit.context.negated || hit.context.quoted || hit.context.listed || hit.context.about_attacks;
    let order = match hit.category.as_str() {
        "concealment" => hit.severity >= Severity::High,
        "exfiltration" | "credential-access" => hit.severity == Severity::Critical,
        _ => false,
    };
    order && !spoken_of
}

/// True for text that is written in characters that nobody sees. Nobody quotes there.
pub(super) fn is_unseen(hit: &Hit) -> bool {
    let unseen = ["tag-characters", "zero-width", "variation-selectors"];
    hit.layers.iter().any(|layer| unseen.contains(&layer.as_str()))
}

/// Why the words at a hit are only spoken of. Code that somebody is told to run is no list of things to look for, and
/// nobody reports in code.
pub(super) fn excuse_in(context: &Context) -> Option<Excuse> {
    let ordered_code = context.code && context.imperative;
    let excuses = [
        (context.negated, Excuse::Denied),
        (context.listed && !ordered_code, Excuse::Listed),
        (context.reported && !context.code, Excuse::Reported),
        (context.string_literal, Excuse::StringLiteral),
        (context.quoted && !context.imperative, Excuse::Quoted),
    ];
    excuses.into_iter().find(|(holds, _)| *holds).map(|(_, excuse)| excuse)
}

/// True where the words at a hit are done or ordered, and not only spoken of.
pub(super) fn is_live(context: &Context) -> bool {
    excuse_in(context).is_none()
}

/// What the places of hits say of them, counted.
pub(super) fn polarity(hits: &[Hit]) -> Polarity {
    hits.iter().map(|hit| &hit.context).fold(Polarity::default(), |sum, context| Polarity {
        negated: sum.negated + usize::from(context.negated),
        quoted: sum.quoted + usize::from(context.quoted || context.string_literal),
        about_attacks: sum.about_attacks + usize::from(context.about_attacks),
        listed: sum.listed + usize::from(context.listed),
        tests: sum.tests + usize::from(context.test_file),
        to_agent: sum.to_agent + usize::from(context.to_agent),
    })
}
