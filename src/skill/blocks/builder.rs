//! From Markdown events to the list of blocks.
//!
//! Takes events in the order of the text and keeps the promises of the list whatever the parser says: spans nest, starts
//! never go back, and what gave no event is listed all the same.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::parse::{Definition, backticked, kind_of};
use super::{Block, BlockKind, DEPTH, Inline, InlineKind, html};
use crate::base::Span;

/// The most pictures within each other that each get the text of the innermost.
const ALT_DEPTH: usize = 4;

/// A block that is open while its events come in.
struct Open {
    /// Nothing for a container that lies too deep to be listed.
    block: Option<usize>,
    quote: bool,
    end: usize,
    /// The heading that counts again when this container ends.
    heading: Option<usize>,
}

/// Collects the blocks.
pub(super) struct Builder<'a> {
    text: &'a str,
    blocks: Vec<Block>,
    open: Vec<Open>,
    /// The containers among the open blocks that are listed.
    depth: usize,
    /// The paragraph of a tight list item, which has no events of its own.
    bare: Option<usize>,
    heading: Option<usize>,
    quotes: usize,
    definitions: Vec<Definition>,
    /// Where the last block of the top level ended.
    covered: usize,
    /// Links and images that are open, by index in the leaf's inlines.
    spans: Vec<usize>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, within: Span, definitions: Vec<Definition>) -> Self {
        Self {
            text,
            blocks: Vec::new(),
            open: Vec::new(),
            depth: 0,
            bare: None,
            heading: None,
            quotes: 0,
            definitions,
            covered: within.start,
            spans: Vec::new(),
        }
    }

    pub(super) fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag),
            Event::Rule => {
                self.push(BlockKind::ThematicBreak, span);
            }
            Event::TaskListMarker(done) => self.mark_task(done),
            Event::Code(code) => {
                self.read_text(&code);
                let content = backticked(self.text, span);
                self.inline(InlineKind::Code { content }, span);
            }
            Event::InlineHtml(_) => {
                let comment = span.of(self.text).is_some_and(|html| html.starts_with("<!--"));
                self.inline(if comment { InlineKind::HtmlComment } else { InlineKind::Html }, span);
            }
            Event::Text(text) => {
                self.cover(span);
                self.read_text(&text);
            }
            Event::SoftBreak | Event::HardBreak => {
                self.cover(span);
                self.read_text(" ");
            }
            Event::Html(_) | Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                self.cover(span);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, span: Span) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                self.cover(span);
            }
            Tag::Link { dest_url, title, .. } => {
                let (destination, title) = (dest_url.to_string(), title.to_string());
                let text = Span::new(span.start, span.start);
                self.open_inline(InlineKind::Link { destination, title, text }, span);
            }
            Tag::Image { dest_url, title, .. } => {
                let (destination, title) = (dest_url.to_string(), title.to_string());
                self.open_inline(InlineKind::Image { destination, title, alt: String::new() }, span);
            }
            Tag::TableHead | Tag::TableRow => self.add_row(),
            Tag::TableCell => self.add_cell(span),
            block => self.open_block(kind_of(self.text, block, span), span),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link | TagEnd::Image => {
                self.spans.pop();
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell => {}
            _ => self.close_block(),
        }
    }

    /// Lists a block under the innermost container.
    fn push(&mut self, kind: BlockKind, span: Span) -> usize {
        self.bare = None;
        self.define_before(span.start);
        let index = self.add(kind, span);
        if self.open.is_empty() {
            self.covered = self.blocks[index].span.end;
        }
        index
    }

    fn add(&mut self, kind: BlockKind, span: Span) -> usize {
        let parent = self.open.iter().rev().find_map(|open| open.block);
        let span = self.fit(span, parent);
        let heading = match &kind {
            BlockKind::Heading { level, .. } => self.heading_above(*level),
            _ => self.heading,
        };
        let quoted = self.quotes > 0;
        self.blocks.push(Block { kind, span, parent, heading, quoted, inlines: Vec::new() });
        self.blocks.len() - 1
    }

    /// A span that keeps the promises of the list, whatever the parser said.
    fn fit(&self, span: Span, parent: Option<usize>) -> Span {
        let outer = parent.map_or(Span::new(0, self.text.len()), |parent| self.blocks[parent].span);
        let floor = self.blocks.last().map_or(0, |last| last.span.start);
        let start = span.start.max(floor).clamp(outer.start, outer.end);
        let span = Span::new(start, span.end.min(outer.end)).on_boundaries(self.text);
        let kept = span.of(self.text).map_or(0, |text| text.trim_end().len());
        Span::new(span.start, span.start + kept)
    }

    fn heading_above(&self, level: u8) -> Option<usize> {
        let mut above = self.heading;
        while let Some(index) = above {
            match self.blocks[index].kind {
                BlockKind::Heading { level: other, .. } if other < level => break,
                _ => above = self.blocks[index].heading,
            }
        }
        above
    }

    fn open_block(&mut self, kind: BlockKind, span: Span) {
        let container = kind.is_container();
        let heading = self.heading;
        let quote = matches!(kind, BlockKind::Quote);
        let block = (!container || self.depth < DEPTH).then(|| self.push(kind, span));
        self.depth += usize::from(container && block.is_some());
        self.quotes += usize::from(quote);
        self.open.push(Open { block, quote, end: span.end, heading });
    }

    fn close_block(&mut self) {
        let Some(open) = self.open.last() else { return };
        let end = open.end;
        let container = open.block.is_none_or(|block| self.blocks[block].kind.is_container());
        if container {
            self.define_before(end);
        }
        self.bare = None;
        let Some(open) = self.open.pop() else { return };
        match open.block.map(|block| (block, &self.blocks[block].kind)) {
            Some((block, BlockKind::Heading { .. })) => self.heading = Some(block),
            Some((block, BlockKind::Html)) => self.settle_html(block),
            _ => {}
        }
        if container {
            self.leave_container(&open);
        }
    }

    fn leave_container(&mut self, open: &Open) {
        self.heading = open.heading;
        self.depth -= usize::from(open.block.is_some());
        self.quotes -= usize::from(open.quote);
    }

    /// A block of HTML may be a comment, or hold some.
    fn settle_html(&mut self, index: usize) {
        let span = self.blocks[index].span;
        if html::only_comments(self.text, span) {
            self.blocks[index].kind = BlockKind::HtmlComment;
        }
        let comments = html::comments(self.text, span).into_iter();
        self.blocks[index].inlines =
            comments.map(|span| Inline { kind: InlineKind::HtmlComment, span }).collect();
    }

    /// Lists the definitions that stand before this offset, and any other text that gave no event: a definition
    /// whose name an earlier one took.
    fn define_before(&mut self, offset: usize) {
        while let Some(next) = self.definitions.pop_if(|next| next.span.start < offset) {
            self.fill_gap(next.span.start);
            let (destination, title) = (next.destination, next.title);
            let index = self.add(BlockKind::Reference { destination, title }, next.span);
            if self.open.is_empty() {
                self.covered = self.blocks[index].span.end.max(self.covered);
            }
        }
        self.fill_gap(offset);
    }

    fn fill_gap(&mut self, end: usize) {
        if !self.open.is_empty() || self.covered >= end {
            return;
        }
        let gap = Span::new(self.covered, end).on_boundaries(self.text);
        let text = gap.of(self.text).unwrap_or_default();
        let start = gap.start + (text.len() - text.trim_start().len());
        if start < gap.end {
            let (destination, title) = (String::new(), String::new());
            self.add(BlockKind::Reference { destination, title }, Span::new(start, gap.end));
        }
        self.covered = end;
    }

    /// The leaf that inline events belong to; a tight item gets a paragraph for them.
    fn leaf(&mut self, span: Span) -> Option<usize> {
        if let Some(bare) = self.bare {
            return Some(bare);
        }
        let open = self.open.last()?.block;
        match open {
            Some(index) if !self.blocks[index].kind.is_container() => Some(index),
            _ => {
                let paragraph = self.push(BlockKind::Paragraph, span);
                self.bare = Some(paragraph);
                Some(paragraph)
            }
        }
    }

    /// Makes the paragraph of a tight item, the text of a link and the content of code reach to this span's end.
    fn cover(&mut self, span: Span) -> Option<usize> {
        let leaf = self.leaf(span)?;
        let span = span.on_boundaries(self.text);
        if self.bare == Some(leaf) {
            let limit =
                self.blocks[leaf].parent.map_or(self.text.len(), |parent| self.blocks[parent].span.end);
            let block = &mut self.blocks[leaf].span;
            block.end = span.end.min(limit).max(block.end);
        }
        let block = &mut self.blocks[leaf];
        if let Some(Inline { kind: InlineKind::Link { text, .. }, .. }) =
            self.spans.last().and_then(|open| block.inlines.get_mut(*open))
        {
            *text = if text.is_empty() { span } else { text.join(span) };
        }
        if let BlockKind::Code { content, .. } = &mut block.kind {
            *content = if content.is_empty() { span } else { content.join(span) };
        }
        Some(leaf)
    }

    fn inline(&mut self, kind: InlineKind, span: Span) -> Option<usize> {
        let leaf = self.cover(span)?;
        let span = span.on_boundaries(self.text);
        let inlines = &mut self.blocks[leaf].inlines;
        inlines.push(Inline { kind, span });
        Some(inlines.len() - 1)
    }

    fn open_inline(&mut self, kind: InlineKind, span: Span) {
        let index = self.inline(kind, span);
        // A link outside of any block cannot be; its end event still takes one off.
        self.spans.push(index.unwrap_or(usize::MAX));
    }

    /// Text without markup, for headings and for what stands in a picture's place.
    fn read_text(&mut self, text: &str) {
        let Some(leaf) = self.bare.or_else(|| self.open.last().and_then(|open| open.block)) else { return };
        let block = &mut self.blocks[leaf];
        if let BlockKind::Heading { text: heading, .. } = &mut block.kind {
            heading.push_str(text);
        }
        for open in self.spans.iter().rev().take(ALT_DEPTH) {
            if let Some(Inline { kind: InlineKind::Image { alt, .. }, .. }) = block.inlines.get_mut(*open) {
                alt.push_str(text);
            }
        }
    }

    fn mark_task(&mut self, marked: bool) {
        if let Some(Some(index)) = self.open.last().map(|open| open.block)
            && let BlockKind::Item { done } = &mut self.blocks[index].kind
        {
            *done = Some(marked);
        }
    }

    fn rows(&mut self) -> Option<&mut Vec<Vec<Span>>> {
        let index = self.open.last()?.block?;
        match &mut self.blocks[index].kind {
            BlockKind::Table { rows } => Some(rows),
            _ => None,
        }
    }

    fn add_row(&mut self) {
        if let Some(rows) = self.rows() {
            rows.push(Vec::new());
        }
    }

    fn add_cell(&mut self, span: Span) {
        let span = span.on_boundaries(self.text);
        if let Some(row) = self.rows().and_then(|rows| rows.last_mut()) {
            row.push(span);
        }
    }

    pub(super) fn finish(mut self, end: usize) -> Vec<Block> {
        while !self.open.is_empty() {
            self.close_block();
        }
        self.bare = None;
        self.define_before(end);
        self.blocks
    }
}
