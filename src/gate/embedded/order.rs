//! Who is told to do something: sentences that order, sentences that lead to what is ordered, and calls on the agent.
//!
//! A sentence orders where it begins with a verb, or where the agent or the reader is its subject; what it quotes orders
//! nobody.

use super::denial::is_denied;
use super::fold::is_unspaced;
use super::lexicon::{Class, Mention};
use super::patterns::Denial;
use super::reading::{Reading, Told};
use super::segment::Form;
use crate::base::Span;

/// Verbs that order an act.
const ORDER: &[Class] = &[
    Class::RunVerb,
    Class::ObeyVerb,
    Class::AddVerb,
    Class::SendVerb,
    Class::FetchVerb,
    Class::ReadVerb,
    Class::DecodeVerb,
    Class::DoVerb,
    Class::Ask,
    Class::Tell,
    Class::LeaveOut,
    Class::Ignore,
];

/// True for verbs that order an act.
pub(super) fn is_verb(class: Class) -> bool {
    ORDER.contains(&class)
}

/// True for a sentence that tells somebody to do something: it begins with a verb, or the agent or the reader is its
/// subject. Languages without blanks put the verb last. What is quoted orders nobody.
pub(super) fn is_order(reading: &Reading<'_>, segment: usize) -> bool {
    let find = || orders(reading, segment);
    reading.told(segment).is_some_and(|told| Told::once(&told.order, find))
}

fn orders(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let text = reading.folded(place.span);
    let opening = text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
    let offset = |mention: &Mention| mention.span.start.saturating_sub(place.span.start + opening);
    // The verb of "auto-approve mode" orders nothing.
    let is_compound = |mention: &Mention| reading.folded[..mention.span.start].ends_with('-');
    let said = |mention: &&Mention| {
        !in_quotation(reading.text, place.span.start, mention.span) && !is_compound(mention)
    };
    let mentions = reading.mentions(segment);
    let commands = || tells_to_run_a_quotation(reading, segment);
    let verb = |from: usize, to: usize| {
        let verbs = mentions.iter().filter(|mention| ORDER.contains(&mention.class));
        verbs.filter(|mention| (from..=to).contains(&offset(mention))).any(|mention| said(&mention))
    };
    let unspaced = text.chars().skip(opening).take(8).any(is_unspaced);
    let subject = mentions
        .iter()
        .filter(|mention| matches!(mention.class, Class::Agent | Class::You) && offset(mention) <= 40)
        .find(said)
        .map(offset);
    // "Asks for the password: `…`" tells what something does; only with its subject is it what the agent is to do.
    let imperative = |from: usize, to: usize| {
        let verbs = mentions.iter().filter(|mention| ORDER.contains(&mention.class));
        let near = verbs.filter(|mention| (from..=to).contains(&offset(mention)));
        near.filter(|mention| !is_third_person(reading.folded(mention.span))).any(|mention| said(&mention))
    };
    let clause = || clauses(text).take(3).map(|at| at.saturating_sub(opening)).any(|at| imperative(at, at));
    // "Silently read …"
    let adverb = mentions.iter().find(|mention| mention.class == Class::Silently && offset(mention) <= 2);
    let after_adverb = adverb.map_or(0, |adverb| adverb.span.end - adverb.span.start + 2);
    imperative(0, 8 + after_adverb)
        || commands()
        || clause()
        || subject.is_some_and(|at| verb(at, at + 60))
        || (unspaced && verb(0, text.len()))
}

/// True for "sends", "uploads": an English verb as it stands after he, she or it.
fn is_third_person(verb: &str) -> bool {
    verb.len() > 3
        && verb != "always"
        && verb.ends_with('s')
        && !verb.ends_with("ss")
        && verb.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// True where a verb of running stands right before a command in backticks: "Before anything else run `…`".
fn tells_to_run_a_quotation(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let mentions = reading.mentions(segment);
    let runs = |verb: &&Mention| {
        let after = reading.folded(Span::new(verb.span.end, place.span.end));
        verb.class == Class::RunVerb && after.trim_start_matches([' ', ':']).starts_with('`')
    };
    // "The check host has to get in: `…`"
    let needs = |must: &&Mention| {
        let after = reading.folded(Span::new(must.span.end, place.span.end));
        let colon = after.find([':', '：', '`']).filter(|at| *at <= NEEDED);
        must.class == Class::Must
            && colon.is_some_and(|at| {
                after[at..].trim_start_matches([':', '：', ' ']).starts_with('`')
                    && !after[at..].starts_with('`')
            })
    };
    let denied = |verb: &Mention| is_denied(mentions, verb.span, Denial::Before);
    // "It runs `…`" tells what something does.
    let tells = |verb: &&Mention| reading.folded(verb.span).ends_with('s');
    mentions
        .iter()
        .filter(|verb| (runs(verb) && !tells(verb)) || needs(verb))
        .any(|verb| !denied(verb) && !in_quotation(reading.text, place.span.start, verb.span))
}

/// The most bytes between "has to" and the colon before a command.
const NEEDED: usize = 40;

/// True where a sentence that is not about attacks leads to this segment with an order: "Run:".
pub(super) fn is_led(reading: &Reading<'_>, segment: usize) -> bool {
    let lead = reading.segments.get(segment).and_then(|place| place.lead);
    lead.is_some_and(|lead| is_order(reading, lead) && !reading.mentions_any(lead, &[Class::AboutAttacks]))
}

/// True where a segment is run, orders something or is led to by an order.
pub(super) fn is_ordered(reading: &Reading<'_>, segment: usize) -> bool {
    reading.is_script || is_order(reading, segment) || is_led(reading, segment)
}

/// True for a text in which some sentence orders something.
pub(super) fn gives_an_order(reading: &Reading<'_>) -> bool {
    (0..reading.segments.len()).any(|segment| is_order(reading, segment))
}

/// Where the clauses of a sentence begin after its first: "Before you start, send …".
fn clauses(text: &str) -> impl Iterator<Item = usize> {
    [", ", ": ", "; ", " then ", " and "]
        .into_iter()
        .flat_map(|mark| text.match_indices(mark))
        .map(|(at, mark)| at + mark.len())
}

/// Where a sentence calls the agent by its name and then tells it to do something: "Note for assistants: send …".
pub(super) fn call(reading: &Reading<'_>, segment: usize) -> Option<Span> {
    let place = reading.segments.get(segment).filter(|place| place.form != Form::Code)?;
    let mentions = reading.mentions(segment);
    let calls = |mention: &&Mention| {
        let offset = mention.span.start - place.span.start;
        // "model: …" is a key and "The agent runs: …" no call.
        offset <= CALL_BEGINS
            && (mention.class == Class::Agent || (mention.class == Class::Model && offset > 4))
    };
    mentions.iter().filter(calls).find_map(|called| {
        let distance =
            reading.folded(Span::new(called.span.end, place.span.end)).find(CALL).filter(|at| *at <= 32)?;
        let colon = called.span.end + distance;
        let between = |m: &&Mention| m.span.start >= called.span.end && m.span.end <= colon;
        let is_told = |m: &Mention| m.class == Class::Must || ORDER.contains(&m.class);
        if mentions.iter().filter(between).any(is_told) {
            return None;
        }
        let verb = mentions.iter().find(|verb| verb.span.start > colon && ORDER.contains(&verb.class))?;
        (verb.span.start <= colon + 80).then(|| called.span.join(verb.span))
    })
}

/// How far into its sentence a call begins, in bytes.
const CALL_BEGINS: usize = 40;

/// What ends a call.
const CALL: [char; 4] = [':', '：', '—', '–'];

/// Where the code span in backticks opens that a place of a sentence is in.
pub(super) fn code_span(text: &str, sentence: usize, found: Span) -> Option<usize> {
    let before = text.get(sentence..found.start)?;
    let is_open = before.matches('`').count() % 2 == 1;
    before.rfind('`').filter(|_| is_open).map(|at| sentence + at)
}

/// True where a span lies between quotation marks or backticks that open in its sentence.
pub(super) fn in_quotation(text: &str, sentence: usize, found: Span) -> bool {
    let before = text.get(sentence..found.start).unwrap_or_default();
    let odd = |mark: char| before.matches(mark).count() % 2 == 1;
    let open = |left: char, right: char| before.matches(left).count() > before.matches(right).count();
    odd('"')
        || odd('`')
        || open('“', '”')
        || open('«', '»')
        || open('„', '“')
        || open('「', '」')
        || open('『', '』')
}
