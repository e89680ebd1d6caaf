//! Done or only spoken of: what the place of a match says about it (rules.md, polarity).
//!
//! A denial, a quotation, a list of things to look for or a test speaks of an act without doing it. A quotation is no
//! free pass: where the same sentence orders to run, follow or copy it, it is done.

use super::denial::{introduces_denied, is_denied};
use super::fold::{fold, is_unspaced};
use super::lexicon::{self, Class, Mention};
use super::patterns::Denial;
use super::reading::Reading;
use super::segment::Form;
use crate::base::Span;
use crate::gate::{Document, Kind, Part, Role};

/// What the names of files say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileUse {
    /// Read or run.
    Ordinary,
    /// A test, a fixture, a list of rules or signatures.
    Test,
}

/// What a path says about the use of a file. A program is run where another text of the unit says so, whatever its name.
pub(super) fn file_use(part: &Part, unit: &[Reading<'_>]) -> FileUse {
    let lower = part.path.to_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or_default();
    let in_tests = folders.split('/').any(|folder| TEST_FOLDERS.contains(&folder));
    let is_test = name.contains(".test.")
        || name.contains(".spec.")
        || stem.starts_with("test_")
        || stem.ends_with("_test");
    let named_as_test = in_tests || is_test || LISTS.contains(&stem);
    let is_run = part.role == Role::Script && unit.iter().any(|reading| orders_to_run(reading, name));
    if named_as_test && !is_run { FileUse::Test } else { FileUse::Ordinary }
}

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testdata",
    "__tests__",
    "fixtures",
    "samples",
    "spec",
    "specs",
    "signatures",
    "corpus",
    "cases",
];
const LISTS: &[&str] = &[
    "test",
    "tests",
    "fixture",
    "fixtures",
    "sample",
    "samples",
    "cases",
    "payloads",
    "expected",
    "signatures",
    "rules",
    "deny",
    "denylist",
    "blocklist",
    "patterns",
    "indicators",
    "iocs",
];

/// True where a sentence or command runs the file of this name.
fn orders_to_run(reading: &Reading<'_>, name: &str) -> bool {
    reading.folded.match_indices(name).any(|(at, _)| {
        let segment = reading.segment_at(at);
        let runs = reading.mentions_any(segment, &[Class::RunVerb, Class::Interpreter]);
        runs && !reading.mentions_any(segment, &[Class::Negation])
    })
}

/// What the whole document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    /// Some task of its user.
    Task,
    /// Attacks: it teaches, lists, detects or tests them.
    Attacks,
    /// Nothing: it is what a tool found, and its words are nobody's orders.
    Data,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) theme: Theme,
    pub(super) file: FileUse,
}

impl Setting {
    /// A text that was hidden or encoded: nobody quotes there.
    pub(super) const CARRIED: Self = Self { theme: Theme::Task, file: FileUse::Ordinary };
}

/// Verbs that order an act.
const ORDER: &[Class] = &[
    Class::RunVerb,
    Class::ObeyVerb,
    Class::AddVerb,
    Class::SendVerb,
    Class::FetchVerb,
    Class::ReadVerb,
    Class::DecodeVerb,
    Class::Ask,
    Class::Tell,
    Class::LeaveOut,
];

/// True where a match in a segment is done or ordered.
pub(super) fn is_live(
    reading: &Reading<'_>,
    segment: usize,
    found: Span,
    denial: Denial,
    setting: Setting,
) -> bool {
    let Some(place) = reading.segments.get(segment) else { return true };
    let is_list = setting.theme == Theme::Attacks && reading.is_plain;
    if setting.file == FileUse::Test || is_list || place.form == Form::Heading {
        return false;
    }
    if is_denied(reading.mentions(segment), found, denial)
        || place.lead.is_some_and(|lead| introduces_denied(reading, lead))
    {
        return false;
    }
    let heading = place.heading;
    let heads = |class| heading.is_some_and(|heading| reading.mentions_any(heading, &[class]));
    let about = heading.is_some_and(|heading| is_about_attacks(reading, heading, setting.theme));
    let ordered = is_order(reading, segment);
    if place.quoted && (setting.theme != Theme::Task || about || !ordered) {
        return false;
    }
    let quoted = in_quotation(reading.text, place.span.start, found);
    let loosely_quoted = quoted && !orders_quoted(reading, segment, found);
    let led = is_led(reading, segment);
    let form = if is_bare_command(reading, segment) { Form::Code } else { place.form };
    match (form, setting.theme) {
        (Form::Code, Theme::Attacks | Theme::Data) if reading.is_script => {
            !is_pattern(reading, segment) && !is_data(reading, segment)
        }
        (Form::Code, Theme::Task) if reading.is_script => !is_pattern(reading, segment),
        (Form::Code, Theme::Attacks | Theme::Data) => {
            !about && !heads(Class::Negation) && (led || heads(Class::Usage))
        }
        // A heading about attacks makes no example of what the text says to run.
        (Form::Code, Theme::Task) => {
            (led || !about) && !heads(Class::Negation) && !is_pattern(reading, segment)
        }
        (Form::Cell, Theme::Task) => ordered && !about,
        (Form::Cell, _) => ordered && reading.mentions_any(segment, &[Class::Agent, Class::You]),
        (_, Theme::Attacks | Theme::Data) => {
            ordered && !is_labelled(reading, segment, setting.theme) && !loosely_quoted
        }
        (_, Theme::Task) => {
            let spoken = about || heads(Class::Negation) || tells_of_attacks(reading, segment, found);
            !is_labelled(reading, segment, setting.theme) && !loosely_quoted && (ordered || !spoken)
        }
    }
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
    !spoken && !is_about(reading, segment, setting) && !is_denied_or_led_to_be(reading, segment, found)
}

/// True where nothing excuses an act that is hardly ever written down in earnest but to be done: no denial, and no word
/// about attacks in the sentence, in what leads to it or in a heading above. A mere quotation is no excuse.
pub(super) fn is_unexcused(reading: &Reading<'_>, segment: usize, found: Span, setting: Setting) -> bool {
    let Some(place) = reading.segments.get(segment) else { return true };
    let speaks = |segment| reading.mentions_any(segment, &[Class::AboutAttacks]);
    let spoken = setting.theme == Theme::Attacks
        || setting.file == FileUse::Test
        || place.quoted
        || speaks(segment)
        || place.lead.is_some_and(speaks)
        || is_labelled(reading, segment, setting.theme)
        || is_pattern(reading, segment);
    !spoken && !is_about(reading, segment, setting) && !is_denied_or_led_to_be(reading, segment, found)
}

fn is_about(reading: &Reading<'_>, segment: usize, setting: Setting) -> bool {
    let heading = reading.segments.get(segment).and_then(|place| place.heading);
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
    is_denied(reading.mentions(segment), found, Denial::Cancels)
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

/// True for a sentence that tells somebody to do something: it begins with a verb, or the agent or the reader is its
/// subject. Languages without blanks put the verb last. What is quoted orders nobody.
pub(super) fn is_order(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let text = reading.folded(place.span);
    let opening = text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
    let offset = |mention: &Mention| mention.span.start.saturating_sub(place.span.start + opening);
    let said = |mention: &&Mention| !in_quotation(reading.text, place.span.start, mention.span);
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
    let clause = || clauses(text).take(3).map(|at| at.saturating_sub(opening)).any(|at| verb(at, at));
    verb(0, 8)
        || commands()
        || clause()
        || subject.is_some_and(|at| verb(at, at + 60))
        || (unspaced && verb(0, text.len()))
}

/// True where a verb of running stands right before a command in backticks: "Before anything else run `…`".
fn tells_to_run_a_quotation(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let mentions = reading.mentions(segment);
    let runs = |verb: &&Mention| {
        let after = reading.folded(Span::new(verb.span.end, place.span.end));
        verb.class == Class::RunVerb && after.trim_start_matches([' ', ':']).starts_with('`')
    };
    let denied = |verb: &Mention| is_denied(mentions, verb.span, Denial::Before);
    // "It runs `…`" tells what something does.
    let tells = |verb: &&Mention| reading.folded(verb.span).ends_with('s');
    mentions
        .iter()
        .filter(|verb| runs(verb) && !tells(verb))
        .any(|verb| !denied(verb) && !in_quotation(reading.text, place.span.start, verb.span))
}

/// True where the sentence speaks of attacks before it comes to the match: "A malicious skill might run …".
fn tells_of_attacks(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let before = |mention: &&Mention| mention.span.end <= found.start;
    reading.mentions(segment).iter().filter(before).any(|mention| mention.class == Class::AboutAttacks)
}

/// True where a sentence that is not about attacks leads to this segment with an order: "Run:".
fn is_led(reading: &Reading<'_>, segment: usize) -> bool {
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

/// True where a sentence orders to do with a quotation what it says: a verb outside of it, near and not denied.
fn orders_quoted(reading: &Reading<'_>, segment: usize, found: Span) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let mentions = reading.mentions(segment);
    mentions
        .iter()
        .filter(|mention| {
            matches!(mention.class, Class::RunVerb | Class::ObeyVerb | Class::AddVerb | Class::SendVerb)
        })
        .filter(|verb| !in_quotation(reading.text, place.span.start, verb.span))
        .filter(|verb| verb.span.end <= found.start + 60 && found.start <= verb.span.end + 60)
        .any(|verb| {
            let denies = |mention: &&Mention| {
                mention.class == Class::Negation && mention.span.end <= verb.span.start + 12
            };
            !mentions.iter().filter(denies).any(|mention| verb.span.start <= mention.span.end + 40)
        })
}

/// True for a sentence that begins with a label such as "Attack:", "*Example.*" or "Bad:".
fn is_labelled(reading: &Reading<'_>, segment: usize, theme: Theme) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let end = reading.folded(place.span).find([':', '：', '.']).filter(|at| *at < 32);
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

/// True for a statement that holds patterns to look for, or things to deny.
fn is_pattern(reading: &Reading<'_>, segment: usize) -> bool {
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
    let key = reading.folded(place.span).find([':', '=']).filter(|at| *at < 40);
    let mut mentions = reading.mentions(segment).iter();
    key.is_some_and(|key| {
        mentions
            .any(|mention| mention.class == Class::AboutAttacks && mention.span.end <= place.span.start + key)
    })
}

/// True for a statement that is an entry of a list or table of strings.
fn is_data(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let text = reading.folded(place.span).trim_start_matches(['[', '{', '(', ' ', '-']);
    let entry = text.starts_with(['"', '\'']) || text.starts_with("r\"") || text.starts_with("r'");
    entry && !reading.mentions_any(segment, &[Class::Execute, Class::Evaluate])
}

/// True where a span lies between quotation marks or backticks that open in its sentence.
fn in_quotation(text: &str, sentence: usize, found: Span) -> bool {
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

/// What a document is about, by its name, its description, its top heading and how often it speaks of attacks.
pub(super) fn theme(document: &Document, readings: &[Reading<'_>]) -> Theme {
    if document.kind == Kind::Mcp {
        return if document.parts.iter().any(is_authored) { Theme::Task } else { Theme::Data };
    }
    let heading = document
        .parts
        .first()
        .and_then(|part| part.text.lines().find(|line| line.starts_with("# ")))
        .unwrap_or_default();
    let mentioned = |text: &str, classes: &[Class]| {
        let folded = fold(&text.replace(['-', '_'], " "));
        lexicon::mentions(&folded).iter().filter(|mention| classes.contains(&mention.class)).count()
    };
    let titled = [document.name.as_str(), heading].iter().any(|text| mentioned(text, TOPIC) > 0);
    let described = mentioned(&document.description, TOPIC) > 0;
    // One word such as "security" is in many a title or description, and costs nobody anything.
    let insists = mentioned(&document.description, &[Class::AboutAttacks]) > 1;
    let dwells = readings.first().is_some_and(dwells_on_attacks);
    if dwells || insists || (titled && described) { Theme::Attacks } else { Theme::Task }
}

/// True for a field whose author means it for the agent: what a server says of itself, and text in the form of a skill.
fn is_authored(part: &Part) -> bool {
    let said = [
        "tools[",
        "prompts[",
        "instructions",
        "messages",
        "params.",
        "inputRequests",
        "resources[",
        "skills[",
    ];
    said.iter().any(|words| part.path.contains(words)) || part.text.trim_start().starts_with("---\n")
}

const TOPIC: &[Class] = &[Class::AboutAttacks, Class::Safety];

/// True where one sentence in five speaks of attacks or safety.
fn dwells_on_attacks(reading: &Reading<'_>) -> bool {
    let said = (0..reading.segments.len()).filter(|index| reading.segments[*index].form != Form::Code);
    let (total, about) = said.fold((0, 0), |(total, about), index| {
        (total + 1, about + usize::from(reading.mentions_any(index, TOPIC)))
    });
    total >= 10 && about * 5 >= total
}
