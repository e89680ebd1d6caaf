//! Strict YAML, from parser events to nodes with spans.
//!
//! No recursion while reading, and everything is bounded: nesting by the parser, size (aliases unfolded) by
//! [`NODES`]. So neither depth nor an alias bomb costs more than the text is long.

use std::collections::BTreeMap;

use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, StructureStyle, Tag};

use super::value::{Entry, Node, Spanned, Style, Value, plain};
use crate::base::Span;

/// The most values in one front matter, with aliases unfolded.
const NODES: usize = 20_000;

/// The most lists and maps within each other.
const NESTING: usize = 48;

/// What strict YAML gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Strict {
    pub entries: Vec<Entry>,
    pub comments: Vec<Span>,
    /// Tags other than those of the core schema: loaders make objects of them, or refuse.
    pub tags: Vec<Span>,
}

/// Why it is no strict YAML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub message: String,
    /// Where, as an offset in the file.
    pub at: usize,
}

/// Reads the YAML of `yaml`, which stands at `base` in the file. Nothing but a map is front matter.
pub(super) fn parse(yaml: &str, base: usize) -> Result<Strict, Fault> {
    let mut reader = Reader { yaml, base, ..Reader::default() };
    for event in Parser::new_from_str_with_options(yaml, options()) {
        let (event, span) = event.map_err(|error| fault_of(&error, base))?;
        let range = span.byte_range().unwrap_or(0..0);
        let tag = span.tag_span().and_then(|tag| tag.byte_range());
        let tag = tag.map(|tag| Span::new(base + tag.start, base + tag.end));
        reader.event(event, Span::new(base + range.start, base + range.end), tag)?;
    }
    reader.finish()
}

fn options() -> Options {
    let mut options = Options::default();
    options.disallow_directives = true;
    options.flow_nesting_limit = NESTING;
    options.block_nesting_limit = NESTING;
    options.max_buffered_comment_events = NODES;
    options
}

fn fault_of(error: &ScanError, base: usize) -> Fault {
    Fault { message: error.info(), at: base + error.marker().byte_offset().unwrap_or(0) }
}

/// A list or map that is open.
struct Frame {
    span: Span,
    style: Style,
    anchor: usize,
    holds: Holds,
}

enum Holds {
    Items(Vec<Node>),
    Entries(Vec<Entry>, Option<Node>),
}

#[derive(Default)]
struct Reader<'a> {
    yaml: &'a str,
    base: usize,
    open: Vec<Frame>,
    anchors: BTreeMap<usize, (Node, usize)>,
    root: Option<Node>,
    nodes: usize,
    strict: Strict,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, span: Span, tag_span: Option<Span>) -> Result<(), Fault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.note_tag(tag.as_deref(), tag_span);
                let node = Node { value: scalar(&text, style, tag.as_deref()), span, style: style_of(style) };
                self.anchor(anchor, &node)?;
                self.place(node)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.note_tag(tag.as_deref(), tag_span);
                self.open(span, style, anchor, Holds::Items(Vec::new()))
            }
            Event::MappingStart(style, anchor, tag) => {
                self.note_tag(tag.as_deref(), tag_span);
                self.open(span, style, anchor, Holds::Entries(Vec::new(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(anchor) => self.alias(anchor, span),
            Event::Comment(..) => {
                self.strict.comments.push(span);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn note_tag(&mut self, tag: Option<&Tag>, span: Option<Span>) {
        if tag.is_some_and(|tag| !tag.is_yaml_core_schema() && tag.is_custom()) {
            self.strict.tags.extend(span);
        }
    }

    fn open(&mut self, span: Span, style: StructureStyle, anchor: usize, holds: Holds) -> Result<(), Fault> {
        let style = match style {
            StructureStyle::Block => Style::Block,
            StructureStyle::Flow => Style::Flow,
        };
        self.open.push(Frame { span, style, anchor, holds });
        self.count(1, span)
    }

    fn close(&mut self, end: Span) -> Result<(), Fault> {
        let Some(frame) = self.open.pop() else { return Ok(()) };
        let last = match &frame.holds {
            Holds::Items(items) => items.last().map(|item| item.span.end),
            Holds::Entries(entries, _) => entries.last().map(|entry| entry.span().end),
        };
        // The end of a block collection is only noticed at what follows it.
        let end = if frame.style == Style::Flow { end.end } else { last.unwrap_or(frame.span.start) };
        let value = match frame.holds {
            Holds::Items(items) => Value::List(items),
            Holds::Entries(entries, _) => Value::Map(entries),
        };
        let node = Node { value, span: Span::new(frame.span.start, end), style: frame.style };
        self.anchor(frame.anchor, &node)?;
        self.place(node)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Fault> {
        let Some((node, size)) = self.anchors.get(&anchor) else {
            return Err(Fault {
                message: "an alias stands inside of what it stands for".to_owned(),
                at: span.start,
            });
        };
        let (mut node, size) = (node.clone(), *size);
        node.span = span;
        self.count(size, span)?;
        self.place(node)
    }

    fn anchor(&mut self, anchor: usize, node: &Node) -> Result<(), Fault> {
        if anchor == 0 {
            return Ok(());
        }
        let size = size_of(node);
        self.count(size, node.span)?;
        self.anchors.insert(anchor, (node.clone(), size));
        Ok(())
    }

    fn count(&mut self, more: usize, span: Span) -> Result<(), Fault> {
        self.nodes += more;
        if self.nodes > NODES {
            return Err(Fault { message: format!("there are more than {NODES} values"), at: span.start });
        }
        Ok(())
    }

    /// Puts a finished node where it belongs.
    fn place(&mut self, node: Node) -> Result<(), Fault> {
        self.count(1, node.span)?;
        match self.open.last_mut().map(|frame| &mut frame.holds) {
            Some(Holds::Items(items)) => items.push(node),
            Some(Holds::Entries(entries, key)) => match key.take() {
                None => *key = Some(node),
                Some(name) => {
                    let key = key_of(&name, self.yaml, self.base);
                    entries.push(Entry { key, value: node });
                }
            },
            None if self.root.is_none() => self.root = Some(node),
            None => {
                let message = "a second YAML document begins".to_owned();
                return Err(Fault { message, at: node.span.start });
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Strict, Fault> {
        match self.root.map(|root| (root.span, root.value)) {
            None | Some((_, Value::Null)) => {}
            Some((_, Value::Map(entries))) => self.strict.entries = entries,
            Some((span, _)) => {
                return Err(Fault { message: "it is no list of keys and values".to_owned(), at: span.start });
            }
        }
        Ok(self.strict)
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let is_text = style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.core_suffix() == Some("str"));
    if is_text { Value::Text(text.to_owned()) } else { plain(text) }
}

const fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
    }
}

fn key_of(node: &Node, yaml: &str, base: usize) -> Spanned<String> {
    let source = || yaml.get(node.span.start - base..node.span.end - base).unwrap_or_default().to_owned();
    Spanned { value: node.as_text().map_or_else(source, str::to_owned), span: node.span }
}

/// The values in a node, itself included. As deep as the parser's nesting, times aliases within [`NODES`].
fn size_of(node: &Node) -> usize {
    match &node.value {
        Value::List(items) => 1 + items.iter().map(size_of).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|entry| 1 + size_of(&entry.value)).sum::<usize>(),
        _ => 1,
    }
}
