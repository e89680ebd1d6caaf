//! The facts of a place in Markdown.

use std::cell::OnceCell;

use super::blocks::{apply, in_code, token_at};
use super::language::{SHELL, family};
use super::lexer::{Token, TokenKind, tokens};
use super::polarity::{denies_what_follows, read, speaks_of};
use super::vocabulary::Meaning;
use super::{Context, Scope, Scopes, quotes, sentence};
use crate::base::Span;
use crate::skill::blocks::{self, Block, BlockKind, InlineKind};

/// How far a line of front matter is followed to either side, in bytes, so that one endless line is not read again for each
/// place in it.
const FAR: usize = 4_000;

/// A Markdown text with its blocks.
pub(super) struct Markdown<'a> {
    text: &'a str,
    front_matter: Span,
    blocks: Vec<Block>,
    /// For each block the one before it in the same container.
    previous: Vec<Option<usize>>,
    /// Comments and strings of the code fences.
    tokens: Vec<Token>,
    /// What leads and headings say of each block, read when the first hit in it asks.
    above: Vec<OnceCell<Context>>,
}

impl<'a> Markdown<'a> {
    /// Reads a text.
    pub(super) fn of(text: &'a str) -> Self {
        let front_matter = front_matter(text);
        let blocks = blocks::parse_within(text, Span::new(front_matter.end, text.len()));
        let code = blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Code { language, content, .. } => {
                let family = if language.is_empty() { SHELL } else { family(language) };
                Some(tokens(text, *content, family))
            }
            _ => None,
        });
        let tokens = code.flatten().collect();
        let above = vec![OnceCell::new(); blocks.len()];
        Self { text, front_matter, previous: previous(&blocks), blocks, tokens, above }
    }

    /// The scopes of a place.
    pub(super) fn scopes(&self, offset: usize) -> Scopes {
        let prose = Scopes::NONE.with(Scope::Prose);
        if self.front_matter.contains(offset) {
            return prose.with(Scope::Frontmatter);
        }
        let Some(block) = self.block_at(offset).map(|nth| &self.blocks[nth]) else { return prose };
        let code = Scopes::NONE.with(Scope::Code);
        match &block.kind {
            BlockKind::Code { .. } => match token_at(&self.tokens, offset) {
                Some(token) if token.kind == TokenKind::Comment => code.with(Scope::Comment),
                _ => code,
            },
            BlockKind::HtmlComment | BlockKind::Reference { .. } => prose.with(Scope::Comment),
            BlockKind::Html => code.with(Scope::Prose),
            _ => match inline_at(block, offset) {
                Some(InlineKind::Code { .. }) => code.with(Scope::Prose),
                Some(InlineKind::HtmlComment) => prose.with(Scope::Comment),
                _ => prose,
            },
        }
    }

    /// What stands around a span.
    pub(super) fn context(&self, span: Span) -> Context {
        if self.front_matter.contains(span.start) {
            return self.front_matter_context(span);
        }
        let Some(nth) = self.block_at(span.start) else {
            let mut context = Context::default();
            apply(&mut context, &read(sentence::around(self.text, Span::new(0, self.text.len()), span)));
            return context;
        };
        let mut context = self.block_context(&self.blocks[nth], span);
        context.quoted |= self.blocks[nth].quoted;
        let above = self.above[nth].get_or_init(|| self.above(nth));
        context.about_attacks |= above.about_attacks;
        context.listed |= above.listed;
        apply(&mut context, above);
        context
    }

    /// What the words before a block and the headings above it say.
    fn above(&self, nth: usize) -> Context {
        let mut context = Context::default();
        self.add_leads(nth, &mut context);
        self.add_headings(nth, &mut context);
        context
    }

    fn front_matter_context(&self, span: Span) -> Context {
        let bytes = self.text.as_bytes();
        let far =
            Span::new(span.start.saturating_sub(FAR), span.end.saturating_add(FAR)).on_boundaries(self.text);
        let (ahead, behind) = (&bytes[far.start..span.start], &bytes[span.end..far.end]);
        let start = memchr::memrchr(b'\n', ahead).map_or(far.start, |at| far.start + at + 1);
        let end = memchr::memchr(b'\n', behind).map_or(far.end, |at| span.end + at);
        let line = Span::new(start, end);
        let before = &self.text[start..span.start];
        let mut context = Context { front_matter: true, ..Context::default() };
        context.comment = before.trim_start().starts_with('#') || before.contains(" #");
        apply(&mut context, &read(sentence::around(self.text, line, span)));
        context
    }

    /// The facts that the block itself gives.
    fn block_context(&self, block: &Block, span: Span) -> Context {
        match &block.kind {
            BlockKind::Code { language, .. } => {
                Context { language: language.clone(), ..in_code(self.text, &self.tokens, span) }
            }
            BlockKind::Table { rows } => self.table_context(rows, block, span),
            kind => {
                let is_comment = matches!(kind, BlockKind::HtmlComment | BlockKind::Reference { .. });
                self.prose_context(block, block.span, span, is_comment)
            }
        }
    }

    /// The facts of running text within a stretch.
    fn prose_context(&self, block: &Block, within: Span, span: Span, is_comment: bool) -> Context {
        let inline = inline_at(block, span.start);
        let mut context = Context {
            comment: is_comment || matches!(inline, Some(InlineKind::HtmlComment)),
            quoted: matches!(inline, Some(InlineKind::Code { .. }))
                || quotes::quoted(self.text, within, span),
            ..Context::default()
        };
        apply(&mut context, &read(sentence::around(self.text, within, span)));
        context
    }

    /// The facts of a table's cell: its row reads as one sentence, its columns' names say what it lists.
    fn table_context(&self, rows: &[Vec<Span>], block: &Block, span: Span) -> Context {
        let starts_before = |row: &Vec<Span>| row.first().is_some_and(|cell| cell.start <= span.start);
        let nth = rows.partition_point(starts_before).saturating_sub(1);
        let row = rows.get(nth).and_then(|row| Some(row.first()?.join(*row.last()?))).unwrap_or(block.span);
        let mut context = self.prose_context(block, row.join(span), span, false);
        let head = rows.first().and_then(|head| head.first()?.join(*head.last()?).of(self.text));
        context.listed = head.is_some_and(|head| speaks_of(head, Meaning::Listing));
        context
    }

    /// Adds what the words before a list, a table, a quote or code say.
    fn add_leads(&self, nth: usize, context: &mut Context) {
        let chain = std::iter::successors(Some(nth), |nth| self.blocks[*nth].parent);
        for block in chain {
            let kind = &self.blocks[block].kind;
            let leads_on = matches!(
                kind,
                BlockKind::List { .. } | BlockKind::Code { .. } | BlockKind::Table { .. } | BlockKind::Quote
            );
            let lead = self.previous[block].filter(|_| leads_on).and_then(|lead| self.lead(lead, kind));
            if let Some(lead) = lead {
                context.negated |= denies_what_follows(lead);
                context.listed |= !matches!(kind, BlockKind::Quote) && speaks_of(lead, Meaning::Listing);
                context.reported |= speaks_of(lead, Meaning::Report);
                context.imperative |= matches!(kind, BlockKind::Code { .. }) && orders(lead);
            }
        }
    }

    /// The last sentence of a paragraph that leads to what follows.
    fn lead(&self, nth: usize, to: &BlockKind) -> Option<&str> {
        let block = &self.blocks[nth];
        let text = block.span.of(self.text).filter(|_| block.kind == BlockKind::Paragraph)?.trim_end();
        let last = sentence::last_sentence(text.trim_end_matches(['.', '!', '。']));
        let announces = text.trim_end_matches(['*', '_']).ends_with([':', '：']);
        (announces || !matches!(to, BlockKind::List { .. })).then_some(last)
    }

    /// Adds what the headings above say. The title of the whole text names its topic and no section.
    fn add_headings(&self, nth: usize, context: &mut Context) {
        let sections = std::iter::successors(self.blocks[nth].heading, |nth| self.blocks[*nth].heading);
        let sections = sections.filter_map(|nth| match &self.blocks[nth].kind {
            BlockKind::Heading { level, text } if *level > 1 => Some(text.as_str()),
            _ => None,
        });
        let is_listed = matches!(self.blocks[nth].kind, BlockKind::Code { .. } | BlockKind::Table { .. })
            || blocks::containers(&self.blocks, nth)
                .any(|block| matches!(block.kind, BlockKind::List { .. }));
        for (depth, heading) in sections.enumerate() {
            context.about_attacks |= speaks_of(heading, Meaning::Topic);
            if depth == 0 && is_listed {
                context.negated |= denies_what_follows(heading);
                context.listed |= speaks_of(heading, Meaning::Listing);
            }
        }
    }

    fn block_at(&self, offset: usize) -> Option<usize> {
        blocks::at(&self.blocks, offset)
    }
}

/// True where a lead orders to do what follows.
fn orders(lead: &str) -> bool {
    read(super::polarity::Sentence { before: lead, hit: "", after: "" }).imperative
}

/// What stands at a place of a block's text.
fn inline_at(block: &Block, offset: usize) -> Option<&InlineKind> {
    let nth = block.inlines.partition_point(|inline| inline.span.start <= offset).checked_sub(1)?;
    let inlines = block.inlines[..=nth].iter().rev().take(8);
    inlines.clone().find(|inline| inline.span.contains(offset)).map(|inline| &inline.kind)
}

/// For each block the one before it in the same container.
fn previous(blocks: &[Block]) -> Vec<Option<usize>> {
    let mut last_of = vec![None; blocks.len() + 1];
    let mut previous = Vec::with_capacity(blocks.len());
    for (nth, block) in blocks.iter().enumerate() {
        let container = block.parent.map_or(blocks.len(), |parent| parent);
        previous.push(last_of[container].replace(nth));
    }
    previous
}

/// A YAML block at the start of a text, with its fences; empty where there is none.
fn front_matter(text: &str) -> Span {
    let mark = usize::from(text.starts_with('\u{feff}')) * '\u{feff}'.len_utf8();
    let mut end = mark;
    for (nth, line) in text[mark..].split_inclusive('\n').enumerate() {
        end += line.len();
        let is_fence = line.trim_end() == "---";
        if nth == 0 && !is_fence {
            return Span::new(0, 0);
        }
        if nth > 0 && is_fence {
            return Span::new(0, end);
        }
    }
    Span::new(0, 0)
}
