//! Which denial governs what: "never run", "do not tell", "do not go on without".
//!
//! A denial takes back what follows it in its sentence, but for three: one that is part of what is meant ("without
//! asking"), one that forbids to tell, and one that a second takes back.

use super::lexicon::{Class, Mention};
use super::order::code_span;
use super::patterns::Denial;
use super::reading::Reading;
use super::segment::Form;
use crate::base::Span;

/// True where the words around a match deny it: those of its sentence outside of the command that it is in, and in code
/// those of a comment. `echo "do not worry"; …` denies nothing.
pub(super) fn denies(reading: &Reading<'_>, segment: usize, found: Span, denial: Denial) -> bool {
    let mut around = words_around(reading, segment, found);
    around.retain(|mention| !is_left_behind(reading, segment, mention, found));
    is_denied(&around, found, denial)
}

/// True for a denial that stays in a clause of its own, after which somebody is told to act: "to see whether nobody was
/// hurt, the assistant packs the same files and sends them with `…`", "if it has not been done yet, run `…`".
fn is_left_behind(reading: &Reading<'_>, segment: usize, denial: &Mention, found: Span) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    if denial.class != Class::Negation || denial.span.end > found.start {
        return false;
    }
    let opening = reading.folded(Span::new(place.span.start, denial.span.start));
    let opening = opening.trim_start_matches(|c: char| !c.is_alphanumeric());
    let subordinate = SUBORDINATE.iter().any(|word| {
        opening.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    });
    if subordinate && reading.folded(Span::new(denial.span.end, found.start)).contains([',', '，', '、']) {
        return true;
    }
    let told = |mention: &&Mention| {
        matches!(mention.class, Class::Agent | Class::You)
            && mention.span.start >= denial.span.end
            && mention.span.end <= found.start
    };
    reading.mentions(segment).iter().filter(told).any(|told| {
        let between = reading.folded(Span::new(denial.span.end, told.span.start));
        between.trim_end().ends_with(',') && between.len() > CLAUSE
    })
}

/// Words that open a clause which what follows its comma does not belong to.
const SUBORDINATE: &[&str] = &[
    "if",
    "when",
    "to",
    "since",
    "as",
    "because",
    "in case",
    "where",
    "should",
    "so that",
    "unless",
    "once",
    "wenn",
    "falls",
    "um",
    "da",
    "si",
    "pour",
    "quand",
    "para",
    "cuando",
    "se",
    "quando",
    "per",
    "если",
    "чтобы",
    "когда",
    "якщо",
    "щоб",
    "jeśli",
    "aby",
    "如果",
    "为了",
    "若",
    "als",
    "om",
    "jika",
    "agar",
    "nếu",
    "để",
];

/// The least bytes of a clause that a denial fills.
const CLAUSE: usize = 12;

/// The mentions of a segment that may say something of a match in it.
pub(super) fn words_around(reading: &Reading<'_>, segment: usize, found: Span) -> Vec<Mention> {
    let Some(place) = reading.segments.get(segment) else { return Vec::new() };
    let mentions = reading.mentions(segment).iter().copied();
    if place.form == Form::Code {
        let comment = |at: usize| {
            let before = reading.folded(Span::new(place.span.start, at));
            before.contains("# ") || before.contains("// ") || before.starts_with('#')
        };
        let is_word = |mention: &Mention| mention.class != Class::Negation || comment(mention.span.start);
        return mentions.filter(is_word).collect();
    }
    let Some(open) = code_span(reading.text, place.span.start, found) else { return mentions.collect() };
    let close = reading
        .folded(Span::new(found.end, place.span.end))
        .find('`')
        .map_or(place.span.end, |at| found.end + at);
    mentions.filter(|mention| mention.span.end <= open || close <= mention.span.start).collect()
}

/// A denial that governs the match: before it in the same sentence, near, and no part of it.
pub(super) fn is_denied(mentions: &[Mention], found: Span, denial: Denial) -> bool {
    let starts_with = |class| mentions.iter().any(|m| m.class == class && m.span.start == found.start);
    let holds = |class| {
        mentions.iter().any(|m| m.class == class && found.start < m.span.start && m.span.end <= found.end)
    };
    // "Do not tell": languages say no twice. "Never without asking": that is a denial of a denial.
    if denial == Denial::Inside && !starts_with(Class::Without) {
        return holds(Class::Without);
    }
    let reaches = |mention: &Mention| match denial {
        Denial::Cancels => mention.span.end <= found.end && found.start <= mention.span.end + 64,
        Denial::Before | Denial::Inside => {
            mention.span.end <= found.start && found.start <= mention.span.end + 64
        }
    };
    let denies = |mention: &&Mention| mention.class == Class::Negation && reaches(mention);
    let until = if denial == Denial::Cancels { found.end } else { found.start };
    mentions
        .iter()
        .filter(denies)
        .any(|mention| !is_about_telling(mentions, mention, until) && !is_undone(mentions, mention, until))
}

/// True where a denial before a match is about telling: "run this and do not tell the user: …" denies nothing after it.
fn is_about_telling(mentions: &[Mention], negation: &Mention, until: usize) -> bool {
    let near = negation.span.end..=negation.span.end + TELLING;
    let tells = |m: &Mention| {
        matches!(m.class, Class::Tell | Class::Consent) && near.contains(&m.span.start) && m.span.end <= until
    };
    mentions.iter().any(tells)
}

/// True where a second denial takes a denial back: "do not go on without running …", "never skip this: …", or what stands
/// between denies something else until the match is done: "do not stop before … has run", "never write until …".
fn is_undone(mentions: &[Mention], negation: &Mention, until: usize) -> bool {
    let takes_back = |m: &Mention| {
        let near = match m.class {
            Class::Without | Class::Skip => DOUBLE,
            Class::Until => FAR,
            _ => return false,
        };
        m.span.start >= negation.span.end && m.span.start <= negation.span.end + near && m.span.end <= until
    };
    mentions.iter().any(takes_back)
}

/// The most bytes between a denial and "before" or "until".
const FAR: usize = 64;

/// The most bytes between a denial and the one that takes it back.
const DOUBLE: usize = 40;

/// True where a sentence introduces things that are not to be done: "Never:", "**Do not**", "The agent refuses:".
pub(super) fn introduces_denied(reading: &Reading<'_>, lead: usize) -> bool {
    let text =
        reading.segments.get(lead).and_then(|segment| segment.span.of(reading.text)).unwrap_or_default();
    let is_title = text.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']) || text.len() <= TITLE;
    let mentions = reading.mentions(lead);
    let denies = |mention: &Mention| match mention.class {
        Class::AboutAttacks => true,
        Class::Negation => {
            let end = reading.segments.get(lead).map_or(mention.span.end, |sentence| sentence.span.end);
            !denies_telling(mentions, mention)
                && governs(reading, lead, mention)
                && !is_undone(mentions, mention, end)
        }
        _ => false,
    };
    is_title && mentions.iter().any(denies)
}

/// True where a denial opens or ends its sentence or stands right before what is to be done: "steps that are not part of the
/// plan, as people tend to ask:" forbids nothing.
fn governs(reading: &Reading<'_>, lead: usize, negation: &Mention) -> bool {
    let Some(sentence) = reading.segments.get(lead).map(|segment| segment.span) else { return true };
    let acts = |mention: &Mention| {
        super::order::is_verb(mention.class)
            && mention.span.start >= negation.span.end
            && mention.span.start <= negation.span.end + TELLING
    };
    negation.span.start <= sentence.start + TITLE
        || sentence.end <= negation.span.end + TITLE
        || reading.mentions(lead).iter().any(acts)
}

/// True where a denial is about telling or asking the user: "Run this and do not tell the user:", "It needs no
/// confirmation:" deny nothing of what follows.
fn denies_telling(mentions: &[Mention], negation: &Mention) -> bool {
    let after = |mention: &&Mention| mention.span.start >= negation.span.end;
    let is_near = |mention: &Mention| mention.span.start <= negation.span.end + TELLING;
    let mut after = mentions.iter().filter(after);
    if after.clone().any(|mention| mention.class == Class::Consent && is_near(mention)) {
        return true;
    }
    let tells =
        after.clone().any(|mention| matches!(mention.class, Class::Tell | Class::Ask) && is_near(mention));
    tells && after.any(|mention| matches!(mention.class, Class::User | Class::Pronoun))
}

/// The most bytes between "do not" and "tell".
const TELLING: usize = 16;

/// The most bytes of a sentence that stands as a title above a list.
const TITLE: usize = 40;
