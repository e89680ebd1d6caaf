//! From words near each other to signs of a behaviour.

use super::Behaviour;
use super::dataflow;
use super::destination;
use super::facts::Destination;
use super::lexicon::{Class, Mention};
use super::order;
use super::patterns::{Denial, PATTERNS, Pattern, SaidIn, Strength};
use super::reading::Reading;
use super::segment::Form;
use super::setting::Setting;
use super::stance;
use crate::base::Span;

/// One sign of a behaviour in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signal {
    /// What is done.
    pub(super) behaviour: Behaviour,
    /// How much it says.
    pub(super) strength: Strength,
    /// Done or ordered, and not only spoken of.
    pub(super) live: bool,
    /// Where, in bytes of the text.
    pub(super) span: Span,
}

/// No literal of the lexicon is longer, in bytes.
const LONGEST: usize = 64;

/// The signs that single sentences and statements give.
pub(super) fn signals(reading: &Reading<'_>, setting: Setting) -> Vec<Signal> {
    let segments = 0..reading.segments.len();
    let matched = segments.clone().flat_map(|segment| matches(reading, segment, setting));
    matched.chain(segments.filter_map(|segment| call_to_agent(reading, segment, setting))).collect()
}

/// The patterns of the table that match in a segment.
fn matches(reading: &Reading<'_>, segment: usize, setting: Setting) -> impl Iterator<Item = Signal> {
    let mentions = reading.mentions(segment);
    let present = mentions.iter().fold(0_u128, |set, mention| set | bit(mention.class));
    let is_code = reading.segments[segment].form == Form::Code;
    let applies = move |pattern: &&Pattern| {
        could_match(pattern, present) && !(is_code && pattern.said_in == SaidIn::Words)
    };
    PATTERNS.iter().filter(applies).filter_map(move |pattern| {
        let span = find(pattern, mentions)?;
        if pattern.behaviour == Behaviour::BypassesConsent && awaits_consent(reading, segment, span) {
            return None;
        }
        let live = stance::is_live(reading, segment, span, pattern.denial, setting);
        let (behaviour, strength) = match fetched_from(reading, segment, pattern.behaviour) {
            // An installer of a vendor that everybody knows, fetched from the vendor.
            Some(kind) if kind.is_chosen() => (pattern.behaviour, Strength::Faint),
            Some(kind) if kind.is_untraceable() && pattern.strength == Strength::Clear => {
                let told = is_code || order::is_order(reading, segment);
                (Behaviour::RunsUntraceable, if told { Strength::Clear } else { Strength::Faint })
            }
            _ => (pattern.behaviour, pattern.strength),
        };
        Some(Signal { behaviour, strength, live, span })
    })
}

/// True where consent is a condition: "until the user has approved", "if they have agreed".
fn awaits_consent(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let sentence = reading.segments[segment].span;
    let Some(claim) = reading
        .mentions(segment)
        .iter()
        .find(|mention| mention.class == Class::ConsentClaim && found.covers(mention.span))
    else {
        return false;
    };
    let ahead = reading.folded(Span::new(sentence.start, claim.span.start));
    let near = ahead.char_indices().rev().nth(AWAITED).map_or(ahead, |(at, _)| &ahead[at..]);
    near.split(|c: char| !c.is_alphanumeric()).any(|word| CONDITIONS.contains(&word))
}

/// How far before a claim of consent its condition stands, in characters.
const AWAITED: usize = 40;
const CONDITIONS: &[&str] = &[
    "until",
    "unless",
    "once",
    "after",
    "if",
    "when",
    "before",
    "whether",
    "bis",
    "falls",
    "wenn",
    "sobald",
    "nachdem",
    "hasta",
    "si",
    "cuando",
    "jusqu",
    "quand",
    "até",
    "se",
    "quando",
    "если",
    "когда",
    "пока",
    "finché",
];

/// Where what is run comes from, as far as its sentence or statement says.
fn fetched_from(reading: &Reading<'_>, segment: usize, behaviour: Behaviour) -> Option<Destination> {
    let folded = reading.folded(reading.segments[segment].span);
    let kinds = || destination::addresses(folded).map(|(_, kind)| kind);
    (behaviour == Behaviour::RunsDownload).then(|| kinds().max()).flatten()
}

/// A sentence that calls on the agent from where nobody should.
fn call_to_agent(reading: &Reading<'_>, segment: usize, setting: Setting) -> Option<Signal> {
    if reading.is_for_agents && reading.segments[segment].form != Form::Comment {
        return None;
    }
    let span = order::call(reading, segment)?;
    let live = stance::is_live(reading, segment, span, Denial::Cancels, setting);
    Some(Signal { behaviour: Behaviour::SpeaksToAgent, strength: Strength::Clear, live, span })
}

/// Data that a sentence has somebody send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Errand {
    /// What is sent.
    pub(super) source: Behaviour,
    /// What kind of place it goes to.
    pub(super) destination: Destination,
    /// Ordered, and not only spoken of.
    pub(super) live: bool,
    /// The sentence.
    pub(super) span: Span,
}

/// Bytes between a verb of sending and what is sent.
const ERRAND: usize = 120;

/// What sentences have somebody send.
pub(super) fn errands(reading: &Reading<'_>, setting: Setting) -> Vec<Errand> {
    let mut found = Vec::new();
    for (index, segment) in
        reading.segments.iter().enumerate().filter(|(_, segment)| segment.form != Form::Code)
    {
        let mentions = reading.mentions(index);
        let verbs = || mentions.iter().filter(|mention| mention.class == Class::SendVerb);
        let near = |what: &Mention| verbs().find(|verb| gap(verb.span, what.span) <= ERRAND).copied();
        for mention in mentions {
            let source = dataflow::source_of(mention.class).or_else(|| secret(mention.class));
            let (Some(source), Some(verb)) = (source, near(mention)) else { continue };
            let denial = Denial::Cancels;
            let live = stance::is_live(reading, index, verb.span, denial, setting)
                && order::is_order(reading, index);
            let destination =
                destination::addresses(reading.folded(segment.span)).map(|(_, kind)| kind).max();
            let destination = destination.unwrap_or_default();
            if !found.iter().any(|errand: &Errand| errand.source == source && errand.span == segment.span) {
                found.push(Errand { source, destination, live, span: segment.span });
            }
        }
    }
    found
}

fn secret(class: Class) -> Option<Behaviour> {
    matches!(class, Class::SecretWord | Class::Credential2Fa).then_some(Behaviour::ReadsCredentials)
}

const fn gap(a: Span, b: Span) -> usize {
    if a.start <= b.start { b.start.saturating_sub(a.end) } else { a.start.saturating_sub(b.end) }
}

const fn bit(class: Class) -> u128 {
    1 << class as u8
}

fn could_match(pattern: &Pattern, present: u128) -> bool {
    pattern.steps.iter().all(|step| step.iter().any(|class| present & bit(*class) != 0))
}

/// The first stretch of mentions that a pattern matches.
fn find(pattern: &Pattern, mentions: &[Mention]) -> Option<Span> {
    let (first, rest) = pattern.steps.split_first()?;
    mentions
        .iter()
        .enumerate()
        .filter(|(_, mention)| first.contains(&mention.class))
        .find_map(|(index, mention)| extend(pattern, rest, mentions, index, mention.span))
}

/// Adds the nearest mention of each further step.
fn extend(
    pattern: &Pattern,
    rest: &[&[Class]],
    mentions: &[Mention],
    first: usize,
    start: Span,
) -> Option<Span> {
    let mut span = start;
    let mut last = first;
    for step in rest {
        let after = nearest(&mentions[last + 1..], step, span, pattern.gap).map(|at| at + last + 1);
        let found = match after {
            Some(at) => Some(at),
            None if !pattern.ordered => nearest_before(&mentions[..first], step, span, pattern.gap),
            None => None,
        }?;
        if pattern.ordered {
            last = found;
        }
        span = span.join(mentions[found].span);
    }
    Some(span)
}

fn nearest(mentions: &[Mention], step: &[Class], span: Span, gap: usize) -> Option<usize> {
    mentions
        .iter()
        .take_while(|mention| mention.span.start <= span.end + gap)
        .position(|mention| step.contains(&mention.class) && mention.span != span)
}

fn nearest_before(mentions: &[Mention], step: &[Class], span: Span, gap: usize) -> Option<usize> {
    let near = mentions.iter().rev().take_while(|mention| mention.span.start + gap + LONGEST >= span.start);
    let back = near.enumerate().find(|(_, mention)| step.contains(&mention.class) && mention.span != span);
    back.map(|(back, _)| mentions.len() - 1 - back)
}
