//! What a whole document is about and what a file of it is for: the same words weigh less in a lesson, a log or a test.

use super::fold::fold;
use super::lexicon::{self, Class, Mention};
use super::reading::Reading;
use super::segment::Form;
use crate::gate::{Document, Kind, Part, Role};

/// What the names of files say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileUse {
    /// Read or run.
    Ordinary,
    /// A log or a table of data.
    Data,
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
    let is_run = || {
        let is_script = part.role == Role::Script;
        unit.iter()
            .any(|reading| (is_script && orders_to_run(reading, name)) || orders_to_follow(reading, name))
    };
    let is_table = name.rsplit_once('.').is_some_and(|(_, end)| TABLES.contains(&end));
    if named_as_test && !is_run() {
        FileUse::Test
    } else if is_table && !unit.iter().any(|reading| orders_to_obey(reading, name)) {
        FileUse::Data
    } else {
        FileUse::Ordinary
    }
}

/// Ends of the names of logs and tables.
const TABLES: &[&str] = &["log", "csv", "tsv", "jsonl", "ndjson"];

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

/// True where a sentence has somebody run, follow or decode what stands in the file of this name.
fn orders_to_obey(reading: &Reading<'_>, name: &str) -> bool {
    reading.folded.match_indices(name).any(|(at, _)| {
        let segment = reading.segment_at(at);
        reading.mentions_any(
            segment,
            &[
                Class::RunVerb,
                Class::ObeyVerb,
                Class::DecodeVerb,
                Class::Evaluate,
                Class::Decode,
                Class::Whatever,
            ],
        )
    })
}

/// True where a sentence has somebody do what the file of this name says: "Do what notes.spec.md says".
fn orders_to_follow(reading: &Reading<'_>, name: &str) -> bool {
    reading.folded.match_indices(name).any(|(at, _)| {
        let mentions = reading.mentions(reading.segment_at(at));
        let obeys = |mention: &Mention| {
            mention.class == Class::ObeyVerb && mention.span.end <= at && at <= mention.span.end + FOLLOWED
        };
        mentions.iter().any(obeys) && !mentions.iter().any(|mention| mention.class == Class::Negation)
    })
}

/// The most bytes between "do what" and the name of a file.
const FOLLOWED: usize = 24;

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
    /// The name, the description or a heading of the document has to do with attacks or safety.
    pub(super) is_topical: bool,
}

impl Setting {
    /// A text that was hidden or encoded: nobody quotes there.
    pub(super) const CARRIED: Self = Self { theme: Theme::Task, file: FileUse::Ordinary, is_topical: false };
}

/// True where the name, the description or some heading has a word of attacks or safety in it.
pub(super) fn is_topical(document: &Document, readings: &[Reading<'_>]) -> bool {
    let says = |text: &str| {
        let folded = fold(&text.replace(['-', '_'], " "));
        lexicon::mentions(&folded).iter().any(|mention| TOPIC.contains(&mention.class))
    };
    let headed = |reading: &Reading<'_>| {
        let mut headings =
            (0..reading.segments.len()).filter(|at| reading.segments[*at].form == Form::Heading);
        headings.any(|heading| reading.mentions_any(heading, TOPIC))
    };
    says(&document.name) || says(&document.description) || readings.iter().any(headed)
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

/// True where one sentence in five speaks of attacks or safety, and one in twenty of attacks.
fn dwells_on_attacks(reading: &Reading<'_>) -> bool {
    let said = (0..reading.segments.len()).filter(|index| reading.segments[*index].form != Form::Code);
    let (total, attacks, about) = said.fold((0, 0, 0), |(total, attacks, about), index| {
        let attacks = attacks + usize::from(reading.mentions_any(index, &[Class::AboutAttacks]));
        (total + 1, attacks, about + usize::from(reading.mentions_any(index, TOPIC)))
    });
    total >= 10 && about * 5 >= total && attacks * 20 >= total
}
