//! Done or only spoken of: what the place of a match says about it (rules.md, polarity).
//!
//! A denial, a quotation, a list of things to look for or a test speaks of an act without doing it. A quotation is no
//! free pass: where the same sentence orders to run, follow or copy it, it is done.

use super::denial::{denies, introduces_denied, words_around};
use super::excuse::Excuse;
use super::lexicon::{Class, Mention};
use super::order::{code_span, in_quotation, is_led, is_order};
use super::patterns::Denial;
use super::printed::is_printed;
use super::reading::{Reading, Told};
use super::samples::shows_samples;
use super::segment::Form;
use super::setting::{FileUse, Setting, Theme};
use crate::base::Span;

/// Why a match in a segment is neither done nor ordered; nothing where it is.
pub(super) fn excuse(
    reading: &Reading<'_>,
    segment: usize,
    found: Span,
    denial: Denial,
    setting: Setting,
) -> Option<Excuse> {
    let place = reading.segments.get(segment)?;
    let about = heading_is_about_attacks(reading, segment, setting);
    let ordered = is_order(reading, segment);
    let at_once = [
        (setting.file == FileUse::Data, Excuse::Entry),
        (setting.file == FileUse::Test, Excuse::TestFile),
        (setting.theme == Theme::Attacks && reading.is_plain, Excuse::PlainList),
        (place.form == Form::Heading, Excuse::Heading),
        (denies(reading, segment, found, denial), Excuse::Denied),
        (place.lead.is_some_and(|lead| introduces_denied(reading, lead)), Excuse::DeniedByLead),
        (place.quoted && (setting.theme != Theme::Task || about || !ordered), Excuse::Quoted),
    ];
    let form = if is_bare_command(reading, segment) { Form::Code } else { place.form };
    let by_form = || match form {
        Form::Code => excuse_of_code(reading, segment, about, setting.theme),
        Form::Cell => excuse_of_cell(reading, segment, about, setting.theme),
        _ => excuse_of_prose(reading, segment, found, about, setting.theme),
    };
    let in_samples = || shows_samples(reading, segment, setting).then_some(Excuse::Sample);
    at_once
        .into_iter()
        .find(|(holds, _)| *holds)
        .map(|(_, excuse)| excuse)
        .or_else(by_form)
        .or_else(in_samples)
}

fn excuse_of_code(reading: &Reading<'_>, segment: usize, about: bool, theme: Theme) -> Option<Excuse> {
    let is_task = theme == Theme::Task;
    let led = is_led(reading, segment);
    let heads = |class| heading_mentions(reading, segment, class);
    let excuses = if reading.is_script {
        [
            (is_pattern(reading, segment), Excuse::Pattern),
            (!is_task && is_data(reading, segment), Excuse::Entry),
            (is_printed(reading, segment), Excuse::Printed),
            (false, Excuse::Unordered),
            (false, Excuse::Unordered),
        ]
    } else {
        [
            // A heading about attacks makes no example of what the text says to run.
            (about && !(is_task && led), Excuse::AboutAttacks),
            (heads(Class::Negation), Excuse::DeniedByHeading),
            (is_task && is_pattern(reading, segment), Excuse::Pattern),
            (is_printed(reading, segment), Excuse::Printed),
            (!is_task && !led && !heads(Class::Usage), Excuse::Unordered),
        ]
    };
    excuses.into_iter().find(|(holds, _)| *holds).map(|(_, excuse)| excuse)
}

fn excuse_of_cell(reading: &Reading<'_>, segment: usize, about: bool, theme: Theme) -> Option<Excuse> {
    let to_somebody = theme == Theme::Task || reading.mentions_any(segment, &[Class::Agent, Class::You]);
    let excuses = [
        (about && theme == Theme::Task, Excuse::AboutAttacks),
        (!is_order(reading, segment) || !to_somebody, Excuse::Unordered),
    ];
    excuses.into_iter().find(|(holds, _)| *holds).map(|(_, excuse)| excuse)
}

fn excuse_of_prose(
    reading: &Reading<'_>,
    segment: usize,
    found: Span,
    about: bool,
    theme: Theme,
) -> Option<Excuse> {
    let ordered = is_order(reading, segment);
    let start = reading.segments.get(segment)?.span.start;
    let quoted = in_quotation(reading.text, start, found)
        && !is_run_on_loading(reading, start, found)
        && !orders_quoted(reading, segment, found);
    let spoken = !ordered && theme == Theme::Task;
    let excuses = [
        (is_labelled(reading, segment, theme), Excuse::Labelled),
        (quoted, Excuse::Quoted),
        (spoken && about, Excuse::AboutAttacks),
        (spoken && heading_mentions(reading, segment, Class::Negation), Excuse::DeniedByHeading),
        (spoken && tells_of_attacks(reading, segment, found), Excuse::TellsOfAttacks),
        (!ordered && theme != Theme::Task, Excuse::Unordered),
    ];
    excuses.into_iter().find(|(holds, _)| *holds).map(|(_, excuse)| excuse)
}

fn heading_mentions(reading: &Reading<'_>, segment: usize, class: Class) -> bool {
    let heading = reading.segments.get(segment).and_then(|place| place.heading);
    heading.is_some_and(|heading| reading.mentions_any(heading, &[class]))
}

/// True where a match in a segment is done or ordered.
pub(super) fn is_live(
    reading: &Reading<'_>,
    segment: usize,
    found: Span,
    denial: Denial,
    setting: Setting,
) -> bool {
    excuse(reading, segment, found, denial, setting).is_none()
}

/// True for a line or list item that is nothing but one command in backticks: it stands for a line of code.
pub(super) fn is_bare_command(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment).filter(|place| place.form == Form::Prose) else {
        return false;
    };
    let line =
        reading.folded(place.span).trim_start_matches(|c: char| c.is_ascii_digit() || " -*+.)\t".contains(c));
    let command = line.strip_prefix('`').and_then(|rest| rest.trim_end_matches(['.', ' ']).strip_suffix('`'));
    command.is_some_and(|command| !command.contains('`') && command.contains(' '))
}

/// True where words to an agent stand in a text that is no place for them, and nobody quotes, denies or labels them.
/// Unlike [`is_live`] it asks for no order: to be spoken to from inside of data is odd enough.
pub(super) fn is_planted(reading: &Reading<'_>, segment: usize, found: Span, setting: Setting) -> bool {
    let Some(place) = reading.segments.get(segment) else { return true };
    let spoken = place.quoted
        || in_quotation(reading.text, place.span.start, found)
        || is_labelled(reading, segment, setting.theme)
        || is_pattern(reading, segment);
    !spoken
        && !heading_is_about_attacks(reading, segment, setting)
        && !is_denied_or_led_to_be(reading, segment, found)
}

/// True where nothing excuses an act that is hardly ever written down in earnest but to be done: no denial, and no word
/// about attacks in the sentence, in what leads to it or in a heading above. A mere quotation is no excuse.
pub(super) fn is_unexcused(reading: &Reading<'_>, segment: usize, found: Span, setting: Setting) -> bool {
    let Some(place) = reading.segments.get(segment) else { return true };
    let speaks = |segment| reading.mentions_any(segment, &[Class::AboutAttacks]);
    let around = words_around(reading, segment, found);
    let spoken = setting.theme == Theme::Attacks
        || (setting.file == FileUse::Test && (setting.is_topical || !reading.is_script))
        || place.quoted
        || around.iter().any(|mention| mention.class == Class::AboutAttacks)
        || place.lead.is_some_and(speaks)
        || is_labelled(reading, segment, setting.theme)
        || is_pattern(reading, segment);
    !spoken
        && !heading_is_about_attacks(reading, segment, setting)
        && !is_denied_or_led_to_be(reading, segment, found)
}

fn heading_is_about_attacks(reading: &Reading<'_>, segment: usize, setting: Setting) -> bool {
    // A comment is no part of what a section tells its readers.
    let place = reading.segments.get(segment).filter(|place| place.form != Form::Comment);
    let heading = place.and_then(|place| place.heading);
    heading.is_some_and(|heading| is_about_attacks(reading, heading, setting.theme))
}

/// True where neither the sentence nor what leads to it denies a match, and no block quote or label makes an example of
/// it.
pub(super) fn is_undenied(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let Some(place) = reading.segments.get(segment) else { return true };
    !place.quoted
        && !is_denied_or_led_to_be(reading, segment, found)
        && !is_labelled(reading, segment, Theme::Attacks)
        && !is_pattern(reading, segment)
}

fn is_denied_or_led_to_be(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let lead = reading.segments.get(segment).and_then(|place| place.lead);
    denies(reading, segment, found, Denial::Cancels)
        || lead.is_some_and(|lead| introduces_denied(reading, lead))
}

/// True under a heading about attacks; in a document about them a heading about safety does too.
fn is_about_attacks(reading: &Reading<'_>, heading: usize, theme: Theme) -> bool {
    let classes: &[Class] = match theme {
        Theme::Task => &[Class::AboutAttacks],
        Theme::Attacks | Theme::Data => &[Class::AboutAttacks, Class::Safety],
    };
    let mut next = Some(heading);
    while let Some(heading) = next {
        if reading.mentions_any(heading, classes) {
            return true;
        }
        next = reading
            .segments
            .get(heading)
            .and_then(|segment| segment.heading)
            .filter(|above| *above < heading);
    }
    false
}

/// True where the sentence speaks of attacks before it comes to the match: "A malicious skill might run …".
pub(super) fn tells_of_attacks(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let before = |mention: &&Mention| mention.span.end <= found.start;
    let around = words_around(reading, segment, found);
    around.iter().filter(before).any(|mention| mention.class == Class::AboutAttacks)
}

/// True for a command in backticks behind an exclamation mark, which agents run when they load the text.
fn is_run_on_loading(reading: &Reading<'_>, sentence: usize, found: Span) -> bool {
    let open = code_span(reading.text, sentence, found);
    open.is_some_and(|open| reading.text[..open].ends_with('!'))
}

/// True where a sentence orders to do with a quotation what it says: a verb outside of it, near and not denied.
fn orders_quoted(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let mentions = reading.mentions(segment);
    let opening = code_span(reading.text, place.span.start, found).unwrap_or(found.start);
    if is_order(reading, segment) && is_introduced(reading, place.span.start, found) {
        return true;
    }
    mentions
        .iter()
        .filter(|mention| {
            matches!(
                mention.class,
                Class::RunVerb | Class::ObeyVerb | Class::AddVerb | Class::SendVerb | Class::DoVerb
            )
        })
        .filter(|verb| !in_quotation(reading.text, place.span.start, verb.span))
        .filter(|verb| verb.span.end <= found.start + 60 && opening <= verb.span.end + 60)
        .any(|verb| {
            let denies = |mention: &&Mention| {
                mention.class == Class::Negation && mention.span.end <= verb.span.start + 12
            };
            !mentions.iter().filter(denies).any(|mention| verb.span.start <= mention.span.end + 40)
        })
}

/// True where the words before a command in backticks say that it is how the sentence is carried out: "take the files:
/// `…`", "with `…`".
fn is_introduced(reading: &Reading<'_>, sentence: usize, found: Span) -> bool {
    let before = reading.folded(Span::new(sentence, found.start));
    let Some(open) = before.rfind('`') else { return false };
    let words = before[..open].trim_end();
    let last = words.rsplit([' ', '*', '_', '(', '\n']).next().unwrap_or_default();
    words.ends_with([':', '：']) || INTRODUCING.contains(&last)
}

const INTRODUCING: &[&str] = &[
    "with",
    "using",
    "by",
    "via",
    "through",
    "run",
    "execute",
    "use",
    "mit",
    "avec",
    "con",
    "com",
    "командой",
];

/// True for a sentence that begins with a label such as "Attack:", "*Example.*" or "Bad:".
fn is_labelled(reading: &Reading<'_>, segment: usize, theme: Theme) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let end = end_of_label(reading.folded(place.span)).filter(|at| *at < 32);
    let is_label = |class| match theme {
        Theme::Task => class == Class::AboutAttacks,
        Theme::Attacks | Theme::Data => {
            matches!(class, Class::AboutAttacks | Class::Safety | Class::TestWord)
        }
    };
    end.is_some_and(|end| {
        let mentions = reading.mentions(segment).iter();
        mentions
            .filter(|mention| mention.span.end <= place.span.start + end)
            .any(|mention| is_label(mention.class))
    })
}

/// Where what may be a label ends: at a colon or stop before a blank, and before any command.
fn end_of_label(sentence: &str) -> Option<usize> {
    let end = sentence.char_indices().find(|(at, c)| {
        let after = sentence[at + c.len_utf8()..].trim_start_matches(['*', '_']);
        match c {
            '`' | '：' => true,
            ':' | '.' => after.is_empty() || after.starts_with([' ', '`']),
            _ => false,
        }
    });
    end.filter(|(_, c)| *c != '`').map(|(at, _)| at)
}

/// True for a statement that holds patterns to look for, or things to deny.
fn is_pattern(reading: &Reading<'_>, segment: usize) -> bool {
    let find = || holds_patterns(reading, segment);
    reading.told(segment).is_some_and(|told| Told::once(&told.pattern, find))
}

fn holds_patterns(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let text = reading.folded(place.span);
    let regex = [
        "re.search",
        "re.match",
        "(r\"",
        "(r'",
        "\\s",
        "\\b",
        "[^",
        "(?:",
        "(?i)",
        "\\w",
        ".*",
        "= r\"",
        " r\"",
        " r'",
        "= r'",
        "re.",
        "regex",
        "grep",
    ];
    regex.iter().filter(|mark| text.contains(**mark)).count() >= 2 || is_denied_key(reading, segment)
}

/// True for an entry whose key says that it lists what is bad: `deny_examples: [...]`.
fn is_denied_key(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let text = reading.folded(place.span);
    let Some(key) = text.find([':', '=']).filter(|at| *at < 40) else { return false };
    let names_what_is_bad = |mention: &Mention| {
        mention.class == Class::AboutAttacks && mention.span.end <= place.span.start + key
    };
    reading.mentions(segment).iter().any(names_what_is_bad)
        && !runs_variable(reading, segment, text[..key].trim())
}

/// True where a script runs what it keeps under a name.
fn runs_variable(reading: &Reading<'_>, segment: usize, key: &str) -> bool {
    let name = key.rsplit(' ').next().unwrap_or_default();
    let runs = [Class::Execute, Class::Evaluate, Class::PipeToShell, Class::Interpreter];
    reading.is_script
        && name.len() > 2
        && reading.folded.match_indices(name).take(MOST_USES).map(|(at, _)| reading.segment_at(at)).any(
            |used| {
                used != segment
                    && (reading.mentions_any(used, &runs) || is_bare_variable(reading, used, name))
            },
        )
}

/// How many places where a name stands are looked at: each entry of a list asks.
const MOST_USES: usize = 64;

/// True for a statement of a shell script that is nothing but a variable: `$CHECK`, `eval "$CHECK"`.
fn is_bare_variable(reading: &Reading<'_>, segment: usize, name: &str) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let statement = reading.folded(place.span).trim();
    let statement = statement.strip_prefix("eval ").unwrap_or(statement);
    let variable = statement.trim_matches(['"', ' ']).strip_prefix('$').unwrap_or_default();
    variable.trim_matches(['{', '}']) == name
}

/// True for a statement that is an entry of a list or table of strings.
fn is_data(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let text = reading.folded(place.span).trim_start_matches(['[', '{', '(', ' ', '-']);
    let entry = text.starts_with(['"', '\'']) || text.starts_with("r\"") || text.starts_with("r'");
    entry && !reading.mentions_any(segment, &[Class::Execute, Class::Evaluate])
}
