//! One text as the extractor reads it: folded, with its mentions and segments side by side.

use std::cell::Cell;
use std::ops::Range;

use super::fold::fold;
use super::lexicon::{self, Class, Mention};
use super::segment::{self, Segment};
use crate::base::Span;
use crate::gate::{Part, Role};

/// A part, or a text that a hit carries, taken apart.
pub(super) struct Reading<'a> {
    /// The text as it is.
    pub(super) text: &'a str,
    /// The folded text; offsets are those of `text`.
    pub(super) folded: String,
    /// Sentences and statements, in order.
    pub(super) segments: Vec<Segment>,
    /// A program, of which all that is no comment is run.
    pub(super) is_script: bool,
    /// Written for agents to read, so that calling on them says nothing.
    pub(super) is_for_agents: bool,
    /// Neither Markdown nor program nor configuration: a log, a table, a list.
    pub(super) is_plain: bool,
    mentions: Vec<Mention>,
    /// The mentions of each segment.
    ranges: Vec<Range<usize>>,
    told: Vec<Told>,
}

/// What was found out about a segment as a whole: every hit in it asks the same, and one may hold hundreds.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// It holds patterns to look for.
    pub(super) pattern: Cell<Option<bool>>,
    /// It orders something.
    pub(super) order: Cell<Option<bool>>,
}

impl Told {
    /// The answer that is known, or the one that is found now and kept.
    pub(super) fn once(known: &Cell<Option<bool>>, find: impl FnOnce() -> bool) -> bool {
        let answer = known.get().unwrap_or_else(find);
        known.set(Some(answer));
        answer
    }
}

impl<'a> Reading<'a> {
    /// Reads a part.
    pub(super) fn of_part(part: &'a Part) -> Self {
        Self {
            is_script: part.role == Role::Script,
            is_plain: is_plain(part),
            is_for_agents: is_for_agents(part),
            ..Self::new(&part.text, segment::segments(part))
        }
    }

    /// Reads a text that was hidden or encoded.
    pub(super) fn of_carried(text: &'a str) -> Self {
        Self::new(text, segment::loose_lines(text))
    }

    fn new(text: &'a str, segments: Vec<Segment>) -> Self {
        let folded = fold(text);
        let mentions = lexicon::mentions(&folded);
        let ranges = segments
            .iter()
            .map(|segment| {
                let start = mentions.partition_point(|mention| mention.span.start < segment.span.start);
                let end = mentions.partition_point(|mention| mention.span.start < segment.span.end);
                start..end
            })
            .collect();
        Self {
            told: vec![Told::default(); segments.len()],
            text,
            folded,
            segments,
            is_script: false,
            is_plain: false,
            is_for_agents: false,
            mentions,
            ranges,
        }
    }

    /// The mentions that start in a segment, by start.
    pub(super) fn mentions(&self, segment: usize) -> &[Mention] {
        self.ranges.get(segment).and_then(|range| self.mentions.get(range.clone())).unwrap_or_default()
    }

    /// What was found out about a segment so far.
    pub(super) fn told(&self, segment: usize) -> Option<&Told> {
        self.told.get(segment)
    }

    /// The segment at an offset, or the last one before it.
    pub(super) fn segment_at(&self, offset: usize) -> usize {
        self.segments.partition_point(|segment| segment.span.start <= offset).saturating_sub(1)
    }

    /// True where a segment mentions one of the classes.
    pub(super) fn mentions_any(&self, segment: usize, classes: &[Class]) -> bool {
        self.mentions(segment).iter().any(|mention| classes.contains(&mention.class))
    }

    /// The folded text of a span.
    pub(super) fn folded(&self, span: Span) -> &str {
        span.of(&self.folded).unwrap_or_default()
    }
}

fn is_plain(part: &Part) -> bool {
    let extension = part.path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    part.role == Role::Reference
        && !matches!(extension.as_str(), "md" | "mdx" | "markdown" | "mdc" | "rst" | "html")
}

fn is_for_agents(part: &Part) -> bool {
    matches!(part.role, Role::Instructions | Role::Reference) && !is_plain(part)
}
