//! A part cut into sentences and statements, each with what is known about its place.
//!
//! Prose is cut at the ends of sentences, code into logical lines: lines are joined by a backslash at the end and while
//! a bracket is open, up to a limit. Segments are in order and do not overlap. Linear in the text.

use crate::base::Span;
use crate::gate::{Part, Role};
use crate::skill::blocks::{self, Block, BlockKind};

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A sentence.
    Prose,
    /// A heading.
    Heading,
    /// A cell of a table.
    Cell,
    /// A statement of code or configuration.
    Code,
    /// A comment in code, or in HTML.
    Comment,
    /// A line of front matter.
    FrontMatter,
}

/// One sentence or statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Its bytes.
    pub(super) span: Span,
    /// What it is.
    pub(super) form: Form,
    /// The heading it stands under, as an index into the segments.
    pub(super) heading: Option<usize>,
    /// The sentence that introduces the list or fence it is in, as an index into the segments.
    pub(super) lead: Option<usize>,
    /// In a block quote.
    pub(super) quoted: bool,
}

/// The most lines that one statement takes.
const MOST_LINES: usize = 24;

/// The most bytes of a sentence. What is asked of a place looks at all of its segment, so that a whole file without a
/// full stop must not be one.
const LONGEST_SENTENCE: usize = 1_500;
/// The most bytes of a statement.
const LONGEST_STATEMENT: usize = 8_000;

/// The segments of a part, in order.
pub(super) fn segments(part: &Part) -> Vec<Segment> {
    let mut cutter = Cutter { text: &part.text, made: Vec::new() };
    match part.role {
        Role::Script => cutter.code(Span::new(0, part.text.len()), comment_marks(&part.path)),
        Role::Config => cutter.code(Span::new(0, part.text.len()), &["#", "//"]),
        Role::Instructions | Role::Reference | Role::Field => cutter.markdown(),
    }
    cutter.made
}

/// The segments of a text of which nothing is known: each line is a sentence and a statement at once.
pub(super) fn loose_lines(text: &str) -> Vec<Segment> {
    let mut cutter = Cutter { text, made: Vec::new() };
    cutter.sentences(Span::new(0, text.len()), Form::Prose, Place::default());
    cutter.made
}

fn comment_marks(path: &str) -> &'static [&'static str] {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" | "mjs" | "cjs" | "ts" | "tsx" | "jsx" | "go" | "rs" | "java" | "kt" | "kts" | "c" | "h"
        | "cpp" | "cs" | "swift" | "scala" | "php" | "dart" | "gradle" => &["//", "/*", "*"],
        "lua" | "sql" | "hs" => &["--"],
        "bat" | "cmd" => &["rem ", "REM ", "::"],
        _ => &["#"],
    }
}

/// What a block hands on to its segments.
#[derive(Clone, Copy, Default)]
struct Place {
    heading: Option<usize>,
    lead: Option<usize>,
    quoted: bool,
}

struct Cutter<'a> {
    text: &'a str,
    made: Vec<Segment>,
}

impl Cutter<'_> {
    /// Adds a segment; one that is longer than any sentence or statement is cut.
    fn push(&mut self, span: Span, form: Form, place: Place) {
        let longest = if form == Form::Code { LONGEST_STATEMENT } else { LONGEST_SENTENCE };
        let mut rest = span;
        while rest.len() > longest {
            let mut cut = rest.start + longest;
            while !self.text.is_char_boundary(cut) {
                cut += 1;
            }
            self.push_whole(Span::new(rest.start, cut), form, place);
            rest = Span::new(cut, rest.end);
        }
        self.push_whole(rest, form, place);
    }

    fn push_whole(&mut self, span: Span, form: Form, place: Place) {
        let text = span.of(self.text).unwrap_or_default();
        let start = span.start + (text.len() - text.trim_start().len());
        let span = Span::new(start, start + text.trim().len());
        if !span.is_empty() {
            let Place { heading, lead, quoted } = place;
            self.made.push(Segment { span, form, heading, lead, quoted });
        }
    }

    fn markdown(&mut self) {
        let body = front_matter_end(self.text);
        for line in lines(self.text, Span::new(0, body)) {
            self.push(line, Form::FrontMatter, Place::default());
        }
        let blocks = blocks::parse_within(self.text, Span::new(body, self.text.len()));
        let mut headings = vec![None; blocks.len()];
        for (index, block) in blocks.iter().enumerate() {
            let heading = block.heading.and_then(|above| headings.get(above).copied().flatten());
            if matches!(block.kind, BlockKind::Heading { .. }) {
                headings[index] = Some(self.made.len());
            }
            let place = Place { heading, lead: self.lead(&blocks, index), quoted: block.quoted };
            self.markdown_block(block, place);
        }
    }

    fn markdown_block(&mut self, block: &Block, place: Place) {
        match &block.kind {
            BlockKind::Heading { .. } => self.push(block.span, Form::Heading, place),
            BlockKind::Paragraph | BlockKind::Html => self.sentences(block.span, Form::Prose, place),
            BlockKind::Reference { .. } | BlockKind::HtmlComment => {
                self.sentences(block.span, Form::Comment, place);
            }
            BlockKind::Code { content, .. } => self.statements(*content, &["#", "//"], place),
            BlockKind::Table { rows } => {
                for row in rows {
                    for cell in row {
                        self.push(*cell, Form::Cell, place);
                    }
                }
            }
            BlockKind::List { .. } | BlockKind::Item { .. } | BlockKind::Quote | BlockKind::ThematicBreak => {
            }
        }
    }

    /// The last sentence before the outermost list, or before the fence or table itself.
    fn lead(&self, blocks: &[Block], index: usize) -> Option<usize> {
        let in_list =
            blocks::containers(blocks, index).any(|block| matches!(block.kind, BlockKind::List { .. }));
        let before = match (in_list, &blocks[index].kind) {
            (true, _) => blocks::containers(blocks, index).last()?.span.start,
            (false, BlockKind::Code { .. } | BlockKind::Table { .. }) => blocks[index].span.start,
            _ => return None,
        };
        let last = self.made.partition_point(|segment| segment.span.start < before).checked_sub(1)?;
        let segment = &self.made[last];
        (segment.form == Form::Prose && !segment.quoted).then_some(last)
    }

    fn sentences(&mut self, span: Span, form: Form, place: Place) {
        let mut start = span.start;
        for end in sentence_ends(self.text, span) {
            self.push(Span::new(start, end), form, place);
            start = end;
        }
        self.push(Span::new(start, span.end), form, place);
    }

    fn code(&mut self, span: Span, comments: &[&str]) {
        self.statements(span, comments, Place::default());
    }

    fn statements(&mut self, span: Span, comments: &[&str], place: Place) {
        let mut open = 0_i32;
        let mut start = span.start;
        let mut joined = 0;
        let mut lines = lines(self.text, span).peekable();
        while let Some(line) = lines.next() {
            let text = line.of(self.text).unwrap_or_default();
            let trimmed = text.trim();
            let next = lines.peek().and_then(|next| next.of(self.text)).unwrap_or_default();
            let is_comment = comments.iter().any(|mark| trimmed.starts_with(mark));
            if joined == 0 {
                start = line.start;
                if trimmed.is_empty() {
                    continue;
                }
                if is_comment {
                    self.push(line, Form::Comment, place);
                    continue;
                }
            }
            joined += 1;
            open = (open + depth_change(trimmed)).max(0);
            if (open == 0 && !goes_on(trimmed) && !is_chained(next)) || joined >= MOST_LINES {
                self.commands(Span::new(start, line.end), place);
                (open, joined) = (0, 0);
            }
        }
        if joined > 0 {
            self.commands(Span::new(start, span.end), place);
        }
    }

    /// Cuts a logical line at `;`, `&&` and `||` outside of quotation marks and brackets.
    fn commands(&mut self, span: Span, place: Place) {
        let mut start = span.start;
        for end in command_ends(span.of(self.text).unwrap_or_default()) {
            self.push(Span::new(start, span.start + end), Form::Code, place);
            start = span.start + end;
        }
        self.push(Span::new(start, span.end), Form::Code, place);
    }
}

/// True for a line that goes on with the value of the one before: `.map(…)`.
fn is_chained(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('.') && line[1..].starts_with(|c: char| c.is_ascii_lowercase())
}

/// True where a statement goes on after this line for another reason than a bracket.
fn goes_on(line: &str) -> bool {
    line.ends_with(['\\', '|']) || line.ends_with("&&")
}

/// Offsets past `;`, `&&` and `||` that separate commands.
fn command_ends(line: &str) -> Vec<usize> {
    let bytes = line.as_bytes();
    let mut quote = None;
    let mut escaped = false;
    let mut depth = 0_usize;
    let mut ends = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        let doubled = at > 0 && bytes[at - 1] == byte;
        match (quote, byte) {
            _ if escaped => escaped = false,
            (_, b'\\') => escaped = true,
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'{' | b'[') => depth += 1,
            (None, b')' | b'}' | b']') => depth = depth.saturating_sub(1),
            (None, b';') if depth == 0 => ends.push(at + 1),
            (None, b'&' | b'|') if depth == 0 && doubled => ends.push(at + 1),
            _ => {}
        }
    }
    ends
}

/// Round brackets that a line opens more often than it closes, those in quotation marks left out. Other brackets are
/// left alone: a whole function or object is no statement.
fn depth_change(line: &str) -> i32 {
    let mut quote = None;
    let mut escaped = false;
    line.bytes().fold(0, |depth, byte| {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (_, b'\\') => escaped = true,
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => return depth + 1,
            (None, b')') => return depth - 1,
            _ => {}
        }
        depth
    })
}

fn lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let inside = span.of(text).unwrap_or_default();
    inside.split_inclusive('\n').scan(span.start, |start, line| {
        let span = Span::new(*start, *start + line.len());
        *start = span.end;
        Some(span)
    })
}

/// Where the front matter ends: past its closing line, or at the start where there is none.
fn front_matter_end(text: &str) -> usize {
    let mut all = lines(text, Span::new(0, text.len()));
    let first = all.next().and_then(|line| line.of(text));
    if first.is_none_or(|line| line.trim_start_matches('\u{feff}').trim_end() != "---") {
        return 0;
    }
    all.find(|line| line.of(text).is_some_and(|line| line.trim_end() == "---")).map_or(0, |line| line.end)
}

/// Offsets past the end of each sentence but the last.
fn sentence_ends(text: &str, span: Span) -> Vec<usize> {
    let inside = span.of(text).unwrap_or_default();
    let mut ends = Vec::new();
    let mut chars = inside.char_indices().peekable();
    let mut word_length = 0;
    while let Some((at, c)) = chars.next() {
        let end = span.start + at + c.len_utf8();
        match c {
            '。' | '！' | '？' | '；' => ends.push(end),
            // A word of one letter before a full stop is an abbreviation: e.g., i.e., z. B.
            '.' | '!' | '?' | ';'
                if word_length != 1 && chars.peek().is_some_and(|(_, next)| next.is_whitespace()) =>
            {
                ends.push(end);
            }
            '\n' if chars.peek().is_some_and(|(_, next)| *next == '\n') => ends.push(end),
            _ => {}
        }
        word_length = if c.is_alphanumeric() { word_length + 1 } else { 0 };
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Form, segments};
    use crate::gate::{Part, Role};

    fn part(path: &str, role: Role, text: &str) -> Part {
        Part { path: path.to_owned(), role, text: text.into() }
    }

    fn cut(path: &str, role: Role, text: &str) -> Vec<(Form, String)> {
        let part = part(path, role, text);
        let of = |span: crate::base::Span| span.of(&part.text).unwrap().to_owned();
        segments(&part).into_iter().map(|segment| (segment.form, of(segment.span))).collect()
    }

    fn texts(path: &str, role: Role, text: &str) -> Vec<String> {
        cut(path, role, text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn prose_is_cut_at_sentences() {
        let text = "---\nname: x\n---\n# Head\n\nOne, e.g. this. Two\nlines? 三。四\n";
        let expected = ["---", "name: x", "---", "# Head", "One, e.g. this.", "Two\nlines?", "三。", "四"];
        assert_eq!(texts("SKILL.md", Role::Instructions, text), expected);
    }

    #[test]
    fn code_is_cut_at_statements() {
        let text = "# note\ncurl \\\n  -d x\nf(a,\n  b)\ng()\n";
        let expected = ["# note", "curl \\\n  -d x", "f(a,\n  b)", "g()"];
        assert_eq!(texts("x.rb", Role::Script, "a = b\n  .map(c)\nd\n"), ["a = b\n  .map(c)", "d"]);
        assert_eq!(texts("x.py", Role::Script, text), expected);
    }

    #[test]
    fn lists_and_fences_know_what_introduces_them() {
        let text = "# H\n\nNever run:\n\n- one\n- two\n\n```sh\nthree\n```\n";
        let part = part("SKILL.md", Role::Instructions, text);
        let made = segments(&part);
        let of = |index: usize| made[index].span.of(&part.text).unwrap();
        let leads: Vec<_> = made.iter().map(|segment| segment.lead.map(of)).collect();
        assert_eq!(leads, [None, None, Some("Never run:"), Some("Never run:"), Some("two")]);
        assert!(made[1..].iter().all(|segment| segment.heading == Some(0)));
    }

    #[test]
    fn a_file_without_a_full_stop_is_no_sentence() {
        let cut = cut("SKILL.md", Role::Instructions, &"é said ".repeat(2_000));
        assert!(cut.len() > 8 && cut.iter().all(|(_, text)| text.len() <= super::LONGEST_SENTENCE + 1));
    }

    proptest! {
        #[test]
        fn segments_are_in_order_and_inside(text in "([a-z.(#`|-]|\\PC|\n|\\\\| ){0,200}", script in any::<bool>()) {
            let role = if script { Role::Script } else { Role::Instructions };
            let part = part("a.sh", role, &text);
            let mut end = 0;
            for segment in segments(&part) {
                prop_assert!(segment.span.start >= end && segment.span.of(&text).is_some());
                end = segment.span.end;
            }
        }
    }
}
