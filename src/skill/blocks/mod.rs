//! Markdown as a list of blocks, each with its bytes in the file.
//!
//! The list is a tree in reading order: a container (list, item, quote) stands before what it holds, and what it
//! holds names it as parent. Starts never go back, spans nest and lie between characters, and outside of the blocks
//! of the top level there is only white space. Parsing never fails and takes linear time; containers nested deeper
//! than [`DEPTH`] are not listed, what they hold is. Nothing here knows what the words mean.

mod builder;
mod html;
mod parse;
#[cfg(test)]
mod tests;

use crate::base::Span;

pub use parse::{parse, parse_within};

/// The most containers within each other that are listed.
pub const DEPTH: usize = 32;

/// A block of Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its bytes, from its first marker on, without white space at the end.
    pub span: Span,
    /// Index of the container that holds it.
    pub parent: Option<usize>,
    /// Index of the heading it stands under; for a heading, that of the heading above.
    pub heading: Option<usize>,
    /// True inside a block quote.
    pub quoted: bool,
    /// Code spans, links, images and HTML of its text, by start; none in containers.
    pub inlines: Vec<Inline>,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text without markup.
        text: String,
    },
    /// Running text, also that of a list item.
    Paragraph,
    /// A list; holds items.
    List {
        /// The first number of an ordered list.
        start: Option<u64>,
    },
    /// A list item; holds blocks.
    Item {
        /// The state of a task's box.
        done: Option<bool>,
    },
    /// A block quote; holds blocks.
    Quote,
    /// A code block.
    Code {
        /// The first word after the fence, lower-cased; empty where there is none.
        language: String,
        /// False for code by indentation.
        fenced: bool,
        /// False where the fence never ends and all that follows is code.
        closed: bool,
        /// The code's bytes, without the fences; the markers of containers around it are still between its lines.
        content: Span,
    },
    /// A table: its rows' cells, the header row first.
    Table {
        /// Bytes of each cell.
        rows: Vec<Vec<Span>>,
    },
    /// HTML that is more than comments.
    Html,
    /// HTML comments and nothing else.
    HtmlComment,
    /// A definition of a link target. It is shown nowhere, which makes it a place to hide text.
    Reference {
        /// Where it leads; empty for one that an earlier definition overrides.
        destination: String,
        /// Its title.
        title: String,
    },
    /// A rule across the page.
    ThematicBreak,
}

impl BlockKind {
    /// True for blocks that hold blocks.
    pub const fn is_container(&self) -> bool {
        matches!(self, Self::List { .. } | Self::Item { .. } | Self::Quote)
    }
}

/// Something within a block's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// What it is.
    pub kind: InlineKind,
    /// Its bytes, markup included.
    pub span: Span,
}

/// What an inline is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlineKind {
    /// Code between backticks.
    Code {
        /// Bytes between the backticks.
        content: Span,
    },
    /// A link.
    Link {
        /// Where it leads.
        destination: String,
        /// Its title, which is seldom shown.
        title: String,
        /// Bytes of its text; empty where it has none.
        text: Span,
    },
    /// A picture.
    Image {
        /// Where it lies.
        destination: String,
        /// Its title.
        title: String,
        /// The text shown in its place.
        alt: String,
    },
    /// A tag.
    Html,
    /// A comment.
    HtmlComment,
}

/// Index of the innermost block that holds a byte offset.
pub fn at(blocks: &[Block], offset: usize) -> Option<usize> {
    let mut candidate = blocks.partition_point(|block| block.span.start <= offset).checked_sub(1);
    while let Some(index) = candidate.filter(|index| !blocks[*index].span.contains(offset)) {
        candidate = blocks[index].parent;
    }
    candidate
}

/// The containers of a block, innermost first.
pub fn containers(blocks: &[Block], index: usize) -> impl Iterator<Item = &Block> {
    let parent = |index: usize| blocks.get(index).and_then(|block| block.parent);
    std::iter::successors(parent(index), move |index| parent(*index)).filter_map(|index| blocks.get(index))
}

/// The texts of the headings that a block stands under, innermost first.
pub fn headings(blocks: &[Block], index: usize) -> impl Iterator<Item = &str> {
    let above = |index: usize| blocks.get(index).and_then(|block| block.heading);
    std::iter::successors(above(index), move |index| above(*index)).filter_map(|index| {
        match &blocks.get(index)?.kind {
            BlockKind::Heading { text, .. } => Some(text.as_str()),
            _ => None,
        }
    })
}
