//! Markdown read: what each event's block is.
//!
//! Knows the parser; how blocks come to stand in a list is the builder's affair.

use pulldown_cmark::{CodeBlockKind, HeadingLevel, OffsetIter, Options, Parser, Tag};

use super::builder::Builder;
use super::{Block, BlockKind};
use crate::base::Span;

/// The blocks of a Markdown text.
pub fn parse(text: &str) -> Vec<Block> {
    parse_within(text, Span::new(0, text.len()))
}

/// The blocks of a part of a text; their spans are bytes of the whole.
pub fn parse_within(text: &str, within: Span) -> Vec<Block> {
    let within = within.on_boundaries(text);
    let part = within.of(text).unwrap_or_default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_ext(part, options).into_offset_iter();
    let mut builder = Builder::new(text, within, definitions(&events, within.start));
    for (event, range) in events {
        builder.event(event, Span::new(range.start + within.start, range.end + within.start));
    }
    builder.finish(within.end)
}

/// A definition of a link target, which the parser gives no event for.
pub(super) struct Definition {
    pub span: Span,
    pub destination: String,
    pub title: String,
}

/// The definitions, the last one first.
fn definitions(events: &OffsetIter<'_>, base: usize) -> Vec<Definition> {
    let all = events.reference_definitions().iter();
    let mut definitions: Vec<Definition> = all
        .map(|(_, definition)| Definition {
            span: Span::new(definition.span.start + base, definition.span.end + base),
            destination: definition.dest.to_string(),
            title: definition.title.as_ref().map(ToString::to_string).unwrap_or_default(),
        })
        .collect();
    definitions.sort_unstable_by_key(|definition| std::cmp::Reverse(definition.span));
    definitions
}

/// What a block's tag says it is.
pub(super) fn kind_of(text: &str, tag: Tag<'_>, span: Span) -> BlockKind {
    match tag {
        Tag::Heading { level, .. } => BlockKind::Heading { level: level_of(level), text: String::new() },
        Tag::BlockQuote(_) => BlockKind::Quote,
        Tag::List(start) => BlockKind::List { start },
        Tag::Item => BlockKind::Item { done: None },
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
            let language = info
                .trim_start_matches(['{', '.'])
                .split(NO_LANGUAGE)
                .next()
                .unwrap_or_default()
                .to_lowercase();
            let closed = is_closed(text, span);
            BlockKind::Code { language, fenced: true, closed, content: Span::new(span.start, span.start) }
        }
        Tag::CodeBlock(CodeBlockKind::Indented) => {
            let content = Span::new(span.start, span.start);
            BlockKind::Code { language: String::new(), fenced: false, closed: true, content }
        }
        Tag::Table(_) => BlockKind::Table { rows: Vec::new() },
        Tag::HtmlBlock => BlockKind::Html,
        _ => BlockKind::Paragraph,
    }
}

/// What ends the language in the words after a fence.
const NO_LANGUAGE: [char; 6] = [' ', '\t', ',', '{', '}', ':'];

const fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// True where the last line of a fenced block is its closing fence.
fn is_closed(text: &str, span: Span) -> bool {
    let block = span.on_boundaries(text).of(text).unwrap_or_default().trim_end();
    let Some((_, last)) = block.rsplit_once(['\n', '\r']) else { return false };
    let fence = last.trim_start_matches([' ', '\t', '>']);
    fence.len() >= 3 && (fence.bytes().all(|byte| byte == b'`') || fence.bytes().all(|byte| byte == b'~'))
}

/// The bytes between the backticks of a code span.
pub(super) fn backticked(text: &str, span: Span) -> Span {
    let code = span.of(text).unwrap_or_default();
    let ticks = code.len() - code.trim_start_matches('`').len();
    Span::new(span.start + ticks, span.end.saturating_sub(ticks).max(span.start + ticks))
}
