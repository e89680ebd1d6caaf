//! Diagnostics for a person at a terminal.
//!
//! Each shows its code and message, the line it points at with the place underlined, then help and notes. Lines are
//! made printable first, with the span moved along, and cut to what fits on a screen; a span over several lines is
//! underlined on its first. Whether there is colour is the caller's decision.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as SnippetLevel, Origin, Renderer, Snippet};

use crate::base::diagnostic::{Diagnostic, Level, Source};
use crate::base::{Span, printable};

/// Whether the text carries terminal styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    #[default]
    Plain,
    /// Text with ANSI styles.
    Styled,
}

/// The most characters of a source line that are shown.
const LINE_WIDTH: usize = 110;

/// How many characters are kept before the place where a long line is cut.
const LEAD: usize = 40;

/// The diagnostic as lines of text, with a line break at the end.
pub fn render(diagnostic: &Diagnostic, source: Option<&Source<'_>>, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Styled => Renderer::styled(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(2 * LINE_WIDTH);
    let excerpt = diagnostic.span.zip(source).map(|(span, source)| Excerpt::new(source, span));
    let mut text = renderer.render(&[title(diagnostic)]);
    text.push('\n');
    if let Some(file) = &diagnostic.file {
        let indent = excerpt.as_ref().map_or(1, |excerpt| excerpt.line.to_string().len());
        text.push_str(&" ".repeat(indent));
        // Rendered on its own: beside a snippet it would take its line and column from the excerpt.
        let place = Group::with_level(SnippetLevel::NOTE).element(origin(file, diagnostic, source));
        text.push_str(&renderer.render(&[place]));
        text.push('\n');
    }
    let body = body(diagnostic, excerpt.as_ref());
    if !body.is_empty() {
        text.push_str(&renderer.render(&[body]));
        text.push('\n');
    }
    text
}

fn title(diagnostic: &Diagnostic) -> Group<'_> {
    let title = snippet_level(diagnostic.level).primary_title(printable(&diagnostic.message));
    Group::with_title(title.id(printable(&diagnostic.code)))
}

fn body<'a>(diagnostic: &'a Diagnostic, excerpt: Option<&'a Excerpt>) -> Group<'a> {
    let snippet = excerpt.map(|excerpt| {
        let underline = AnnotationKind::Primary.span(excerpt.mark.start..excerpt.mark.end);
        Snippet::source(excerpt.text.as_str()).line_start(excerpt.line).annotation(underline)
    });
    let help = diagnostic.help.iter().map(|help| SnippetLevel::HELP.message(printable(help)));
    let notes = diagnostic.notes.iter().map(|note| SnippetLevel::NOTE.message(printable(note)));
    let url = diagnostic.url.iter().map(|url| SnippetLevel::NOTE.message(format!("see {}", printable(url))));
    Group::with_level(snippet_level(diagnostic.level))
        .elements(snippet)
        .elements(help)
        .elements(notes)
        .elements(url)
}

fn origin<'a>(file: &'a str, diagnostic: &Diagnostic, source: Option<&Source<'_>>) -> Origin<'a> {
    let origin = Origin::path(printable(file));
    match diagnostic.span.zip(source).map(|(span, source)| source.place(span.start)) {
        Some(place) => origin.line(place.line).char_column(place.column),
        None => origin,
    }
}

fn snippet_level(level: Level) -> SnippetLevel<'static> {
    match level {
        Level::Note => SnippetLevel::NOTE,
        Level::Warning => SnippetLevel::WARNING,
        Level::Error => SnippetLevel::ERROR,
    }
}

/// One line of source, made printable and cut, with the place to underline.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    line: usize,
    mark: Span,
}

impl Excerpt {
    fn new(source: &Source<'_>, span: Span) -> Self {
        let (line_start, line) = source.line_at(span.start);
        let from = span.start.saturating_sub(line_start).min(line.len());
        let to = span.end.saturating_sub(line_start).clamp(from, line.len());
        let mark = Span::new(from, to).on_boundaries(line);
        let (cut_start, cut) = window(line, mark.start);
        let mut text = if cut_start > 0 { "...".to_owned() } else { String::new() };
        let mut shown = Span::new(0, 0);
        for (at, c) in cut.char_indices() {
            if cut_start + at == mark.start {
                shown.start = text.len();
            }
            push_shown(&mut text, c);
            if cut_start + at < mark.end {
                shown.end = text.len();
            }
        }
        if mark.start >= cut_start + cut.len() {
            shown.start = text.len();
        }
        if cut_start + cut.len() < line.len() {
            text.push_str("...");
        }
        Self { text, line: source.place(span.start).line, mark: Span::new(shown.start, shown.end) }
    }
}

/// The part of a long line around `at`, and where it starts.
fn window(line: &str, at: usize) -> (usize, &str) {
    let before = line.get(..at).unwrap_or_default();
    let lead = before.char_indices().rev().nth(LEAD - 1).map_or(0, |(start, _)| start);
    let fits = line.char_indices().nth(LINE_WIDTH).is_none();
    let start = if fits { 0 } else { lead };
    let rest = line.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(LINE_WIDTH).map_or(rest.len(), |(end, _)| end);
    (start, rest.get(..end).unwrap_or_default())
}

/// Tabs of source are shown as room; all else as [`printable()`] has it.
fn push_shown(text: &mut String, c: char) {
    if c == '\t' {
        text.push_str("    ");
    } else {
        text.push_str(&printable(c.encode_utf8(&mut [0; 4])));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Excerpt, Style, render};
    use crate::base::diagnostic::{Diagnostic, Source};
    use crate::base::{Span, printable};

    #[test]
    fn a_person_sees_place_help_and_notes() {
        let source = Source::new("name: x\ndescription: a: b\n");
        let diagnostic = Diagnostic::warning("front-matter-colon", "a plain value holds a colon")
            .in_file("SKILL.md")
            .at(Span::new(21, 25))
            .help("put the value in double quotes")
            .and("strict loaders drop the skill");
        let expected = [
            "warning[front-matter-colon]: a plain value holds a colon",
            " --> SKILL.md:2:14",
            "  |",
            "2 | description: a: b",
            "  |              ^^^^",
            "  |",
            "  = help: put the value in double quotes",
            "  = note: strict loaders drop the skill",
        ];
        let shown = render(&diagnostic, Some(&source), Style::Plain);
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
        assert!(render(&diagnostic, Some(&source), Style::Styled).contains("\u{1b}["));
    }

    #[test]
    fn without_a_source_the_file_is_named() {
        let diagnostic = Diagnostic::error("skill-file-missing", "no SKILL.md").in_file("x");
        let shown = render(&diagnostic, None, Style::Plain);
        assert_eq!(shown, "error[skill-file-missing]: no SKILL.md\n --> x\n");
    }

    #[test]
    fn hostile_text_reaches_no_terminal() {
        let text = "a\u{1b}[2J\u{202e}\u{200b}b\tc";
        let source = Source::new(text);
        let diagnostic =
            Diagnostic::error("c\u{7}", "m\u{1b}[0m").in_file("f\u{1b}").at(Span::new(0, 1)).help("h\r");
        for line in render(&diagnostic.and("n\u{9b}"), Some(&source), Style::Plain).lines() {
            assert_eq!(printable(line), line);
        }
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}HERE{}", "é".repeat(5000), "y".repeat(5000));
        let excerpt = Excerpt::new(&Source::new(&text), Span::new(10_000, 10_004));
        assert!(excerpt.text.chars().count() < 120, "{}", excerpt.text);
        assert_eq!(excerpt.mark.of(&excerpt.text), Some("HERE"));
    }

    proptest! {
        #[test]
        fn no_span_in_no_text_panics(text in any::<String>(), start in 0_usize..80, length in 0_usize..80) {
            let source = Source::new(&text);
            let span = Span::new(start, start + length);
            let excerpt = Excerpt::new(&source, span);
            prop_assert!(excerpt.mark.of(&excerpt.text).is_some());
            let shown = render(&Diagnostic::note("c", "m").at(span), Some(&source), Style::Plain);
            prop_assert!(shown.lines().all(|line| printable(line) == line));
        }
    }
}
