//! From a document and its hits to facts.
//!
//! Pure and linear. Nothing is decided here: each behaviour is listed with the places that show it, live ones apart
//! from spoken ones.

use std::collections::BTreeMap;

use super::Behaviour;
use super::facts::{Fact, Facts, Place, Polarity};
use crate::base::LineIndex;
use crate::gate::context::Context;
use crate::gate::{Document, Hit};

/// The behaviour facts of a document. `hits` are in the order of the Evidence's hits: places name them by index.
pub fn extract(document: &Document, hits: &[Hit]) -> Facts {
    let mut seen = BTreeMap::new();
    let lines: Vec<LineIndex> = document.parts.iter().map(|part| LineIndex::new(&part.text)).collect();
    for (index, hit) in hits.iter().enumerate() {
        let Some(behaviour) = Behaviour::of_category(&hit.category) else { continue };
        if let Some(place) = place_of(document, &lines, index, hit) {
            add(&mut seen, behaviour, place);
        }
    }
    Facts {
        seen: seen.into_values().collect(),
        layers: hits.iter().map(|hit| u8::try_from(hit.layers.len()).unwrap_or(u8::MAX)).max().unwrap_or(0),
        polarity: polarity(hits),
        ..Facts::default()
    }
}

fn place_of(document: &Document, lines: &[LineIndex], index: usize, hit: &Hit) -> Option<Place> {
    Some(Place {
        file: document.parts.get(hit.part)?.path.clone(),
        line: lines.get(hit.part)?.line(hit.span.start),
        what: hit.matched.chars().take(80).collect(),
        hit: Some(index),
        live: is_live(&hit.context),
    })
}

fn add(seen: &mut BTreeMap<Behaviour, Fact>, behaviour: Behaviour, place: Place) {
    let fact = seen.entry(behaviour).or_insert(Fact { behaviour, live: 0, spoken: 0, places: Vec::new() });
    if place.live {
        fact.live += 1;
        let first_spoken = fact.places.iter().position(|kept| !kept.live).unwrap_or(fact.places.len());
        fact.places.insert(first_spoken, place);
    } else {
        fact.spoken += 1;
        fact.places.push(place);
    }
    fact.places.truncate(Fact::MAX_PLACES);
}

/// True where the words at a place are done or ordered, and not only spoken of.
pub(super) fn is_live(context: &Context) -> bool {
    !(context.negated
        || context.listed
        || context.test_file
        || context.reported
        || context.about_attacks
        || context.string_literal
        || (context.quoted && !context.imperative))
}

fn polarity(hits: &[Hit]) -> Polarity {
    hits.iter().map(|hit| &hit.context).fold(Polarity::default(), |sum, context| Polarity {
        live: sum.live + usize::from(is_live(context)),
        negated: sum.negated + usize::from(context.negated),
        quoted: sum.quoted + usize::from(context.quoted || context.string_literal),
        about_attacks: sum.about_attacks + usize::from(context.about_attacks),
        listed: sum.listed + usize::from(context.listed),
        tests: sum.tests + usize::from(context.test_file),
        to_agent: sum.to_agent + usize::from(context.to_agent),
    })
}
