//! The repairs that agents make when front matter is no strict YAML.
//!
//! Tabs that indent count as spaces. What is still no YAML is taken key by key: a key whose lines are YAML by
//! themselves has that value; any other has the words that stand there, as text. Nothing is dropped without a
//! diagnostic, and each repair has its own.

use super::fences::{Line, lines};
use super::value::{Entry, Node, Spanned, Style, Value};
use super::yaml::{self, Fault, Strict};
use super::{MOST_REPAIRS, key_line};
use crate::base::{Diagnostic, Span};
use crate::skill::codes;

/// The most maps within each other that are repaired.
const NESTING: usize = 8;

/// Reads front matter that strict YAML refuses for this fault.
pub(super) fn read(text: &str, yaml: Span, fault: &Fault, diagnostics: &mut Vec<Diagnostic>) -> Strict {
    let original = yaml.of(text).unwrap_or_default();
    let source = without_tabs(original);
    let mut repair =
        Repair { source: &source, base: yaml.start, strict: Strict::default(), complaints: Vec::new() };
    if source != original {
        repair.complain_of_tab(original);
        if let Ok(strict) = yaml::parse(&source, yaml.start) {
            diagnostics.append(&mut repair.complaints);
            return strict;
        }
    }
    let within = Span::new(0, source.len());
    repair.strict.entries = repair.entries(within, 0, NESTING);
    if repair.complaints.is_empty() {
        repair.complain(
            codes::FRONT_MATTER_INVALID,
            Span::new(fault.at - yaml.start, fault.at - yaml.start),
            fault.message.clone(),
        );
    }
    repair.complaints.truncate(MOST_REPAIRS);
    diagnostics.append(&mut repair.complaints);
    repair.strict
}

/// The text with each tab that indents a line as one space, so that offsets stay.
fn without_tabs(yaml: &str) -> String {
    let mut indenting = true;
    let swap = |c: char| {
        indenting = c == '\n' || (indenting && (c == ' ' || c == '\t'));
        if indenting && c == '\t' { ' ' } else { c }
    };
    yaml.chars().map(swap).collect()
}

/// A key with all lines that belong to it.
struct Raw<'a> {
    key: Span,
    lines: Vec<Line<'a>>,
}

impl Raw<'_> {
    fn span(&self) -> Span {
        let end = self.lines.last().map_or(self.key.end, |line| line.next);
        Span::new(self.lines.first().map_or(self.key.start, |line| line.start), end)
    }
}

/// Spans within are bytes of `source`; `base` makes bytes of the file of them.
struct Repair<'a> {
    source: &'a str,
    base: usize,
    strict: Strict,
    complaints: Vec<Diagnostic>,
}

impl<'a> Repair<'a> {
    /// The keys that are indented by just so many spaces, each with its value.
    fn entries(&mut self, within: Span, indent: usize, nesting: usize) -> Vec<Entry> {
        let raws = self.split(within, indent);
        raws.iter().flat_map(|raw| self.entry(raw, indent, nesting)).collect()
    }

    fn split(&mut self, within: Span, indent: usize) -> Vec<Raw<'a>> {
        let mut raws: Vec<Raw<'a>> = Vec::new();
        for line in lines(self.source, within) {
            if let Some(key) = key_line(line.text, indent) {
                let key = Span::new(line.start + key.start, line.start + key.end);
                raws.push(Raw { key, lines: vec![line] });
            } else if let Some(raw) = raws.last_mut() {
                raw.lines.push(line);
            } else if !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#') {
                let message = "a line belongs to no key".to_owned();
                self.complain(codes::FRONT_MATTER_INVALID, line.span(), message);
            }
        }
        raws
    }

    fn entry(&mut self, raw: &Raw<'a>, indent: usize, nesting: usize) -> Vec<Entry> {
        let span = raw.span();
        if let Ok(mut strict) = yaml::parse(span.of(self.source).unwrap_or_default(), self.base + span.start)
        {
            self.strict.comments.append(&mut strict.comments);
            self.strict.tags.append(&mut strict.tags);
            return strict.entries;
        }
        let quotes = ['"', '\''];
        let key = raw.key.of(self.source).unwrap_or_default().trim_matches(quotes).to_owned();
        let value = self.value(raw, &key, indent, nesting);
        vec![Entry { key: Spanned { value: key, span: self.in_file(raw.key) }, value }]
    }

    fn value(&mut self, raw: &Raw<'a>, key: &str, indent: usize, nesting: usize) -> Node {
        let first = self.first_words(raw);
        let rest: Vec<Line<'a>> =
            raw.lines.iter().skip(1).filter(|line| !line.text.trim().is_empty()).copied().collect();
        let end = rest.last().map_or(first.end, |line| line.start + line.text.trim_end().len());
        let span = Span::new(first.start, end.max(first.start));
        let inner = rest.first().map_or(0, |line| line.text.len() - line.text.trim_start_matches(' ').len());
        let holds_keys = rest.first().is_some_and(|line| key_line(line.text, inner).is_some());
        if first.is_empty() && inner > indent && holds_keys && nesting > 0 {
            let below = Span::new(raw.lines.get(1).map_or(end, |line| line.start), raw.span().end);
            let value = Value::Map(self.entries(below, inner, nesting - 1));
            return Node { value, span: self.in_file(span), style: Style::Block };
        }
        let words = first.of(self.source).unwrap_or_default();
        let is_bar = words.starts_with(['|', '>']) && words.len() < 4;
        self.complain_of_value(key, first, &rest, indent);
        let lines = rest.iter().map(|line| line.text.trim());
        let (text, style) = if is_bar {
            (lines.collect::<Vec<_>>().join("\n"), Style::Block)
        } else {
            let all: Vec<&str> =
                std::iter::once(words).chain(lines).filter(|line| !line.is_empty()).collect();
            (unquoted(&all.join(" ")).to_owned(), Style::Plain)
        };
        Node { value: Value::Text(text), span: self.in_file(span), style }
    }

    /// What stands after the key and its colon on the same line.
    fn first_words(&self, raw: &Raw<'a>) -> Span {
        let Some(line) = raw.lines.first() else { return raw.key };
        let line_end = line.start + line.text.len();
        let after = Span::new(raw.key.end, line_end).of(self.source).unwrap_or_default();
        let words = after.trim_start_matches(' ').trim_start_matches(':').trim();
        let start = line_end - (after.trim_start_matches(' ').trim_start_matches(':').trim_start().len());
        Span::new(start, start + words.len())
    }

    fn complain_of_value(&mut self, key: &str, first: Span, rest: &[Line<'a>], indent: usize) {
        let is_flush =
            |line: &&Line<'a>| !line.text.get(..=indent).is_some_and(|lead| lead.trim().is_empty());
        let flush = rest.iter().find(is_flush).map(|line| line.span());
        let colon = std::iter::once(first).chain(rest.iter().map(|line| line.span())).find_map(|span| {
            let words = span.of(self.source)?;
            let at = words.find(": ").or_else(|| words.ends_with(':').then(|| words.len() - 1))?;
            Some(Span::new(span.start + at, span.start + at + 1))
        });
        let (code, at, message) = match (flush, colon) {
            (Some(line), _) => {
                let message = format!("the value of `{key}` goes on in a line that is not indented");
                (codes::FRONT_MATTER_WRAPPED, line, message)
            }
            (None, Some(colon)) => {
                let message = format!("the value of `{key}` holds a colon, which YAML takes for another key");
                (codes::FRONT_MATTER_COLON, colon, message)
            }
            (None, None) if rest.is_empty() => {
                let message = format!("the value of `{key}` begins like something other than text");
                (codes::FRONT_MATTER_UNQUOTED, first, message)
            }
            (None, None) => {
                let message = format!("the value of `{key}` is no YAML");
                (codes::FRONT_MATTER_INVALID, first, message)
            }
        };
        self.complain(code, at, message);
    }

    fn complain(&mut self, code: &'static str, at: Span, message: String) {
        if self.complaints.len() > MOST_REPAIRS {
            return;
        }
        let (help, lost) = match code {
            codes::FRONT_MATTER_WRAPPED => ("put the value on one line, in double quotes", false),
            codes::FRONT_MATTER_INVALID => ("write `key: \"value\"`, one key a line", true),
            _ => ("put the value in double quotes", false),
        };
        let diagnostic =
            if lost { Diagnostic::error(code, message) } else { Diagnostic::warning(code, message) };
        let note = "strict loaders drop the skill, or all of its keys";
        self.complaints.push(diagnostic.at(self.in_file(at)).help(help).and(note));
    }

    fn complain_of_tab(&mut self, original: &str) {
        let Some(at) = self.source.bytes().zip(original.bytes()).position(|(a, b)| a != b) else { return };
        self.complaints.push(
            Diagnostic::warning(
                codes::FRONT_MATTER_TAB,
                "a tab indents the front matter, which YAML forbids",
            )
            .at(self.in_file(Span::new(at, at + 1)))
            .help("indent with spaces")
            .and("strict loaders drop the skill, or all of its keys"),
        );
    }

    fn in_file(&self, span: Span) -> Span {
        Span::new(span.start + self.base, span.end + self.base)
    }
}

/// The text without one pair of quotes around it.
fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}
