//! Where front matter begins and ends.
//!
//! Looks for what agents' loaders accept between them, and says where they differ: the rules of one are the
//! blind spot of another.

use super::key_line;
use crate::base::{Diagnostic, Span};
use crate::skill::codes;

/// A block of front matter in a file.
#[derive(Debug, Default)]
pub(super) struct Fences {
    /// All of it, fences and line break included; empty where there is none.
    pub span: Span,
    /// What stands between the fences.
    pub yaml: Span,
    pub diagnostics: Vec<Diagnostic>,
}

/// One line of the text and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Without line break.
    pub text: &'a str,
    pub start: usize,
    /// After the line break.
    pub next: usize,
}

impl Line<'_> {
    pub(super) fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }
}

/// The lines of these bytes of the text.
pub(super) fn lines(text: &str, within: Span) -> impl Iterator<Item = Line<'_>> {
    let part = within.of(text).unwrap_or_default();
    part.split_inclusive('\n').scan(within.start, |at, line| {
        let start = *at;
        *at += line.len();
        let bare = line.strip_suffix('\n').unwrap_or(line);
        Some(Line { text: bare.strip_suffix('\r').unwrap_or(bare), start, next: *at })
    })
}

/// Finds the front matter at the start of a file.
pub(super) fn find(text: &str) -> Fences {
    let mut fences = Fences::default();
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut all = lines(text, Span::new(mark, text.len()));
    let Some(opening) = all.by_ref().find(|line| !line.text.trim().is_empty()) else { return fences };
    if opening.text.trim() != "---" {
        return fences;
    }
    let body = Span::new(opening.next, text.len());
    match lines(text, body).find(|line| line.text.trim_end() == "---") {
        Some(closing) => {
            fences.span = Span::new(opening.start, closing.next);
            fences.yaml = Span::new(opening.next, closing.start);
            fences.complain_of_fence(closing);
        }
        None => fences.close_unclosed(text, opening),
    }
    if !fences.span.is_empty() {
        fences.complain_of_fence(opening);
        fences.complain(text, mark, opening);
    }
    fences
}

impl Fences {
    /// Front matter that nothing closes reaches as far as its lines look like it.
    fn close_unclosed(&mut self, text: &str, opening: Line<'_>) {
        let rest = Span::new(opening.next, text.len());
        let belongs = |line: &Line<'_>| {
            key_line(line.text, 0).is_some()
                || line.text.starts_with([' ', '\t', '#', '-']) && line.text.trim() != ""
        };
        if lines(text, rest).next().is_none_or(|line| key_line(line.text, 0).is_none()) {
            return;
        }
        let end = lines(text, rest).take_while(belongs).last().map_or(rest.start, |line| line.next);
        self.span = Span::new(opening.start, end);
        self.yaml = Span::new(opening.next, end);
        self.diagnostics.push(
            Diagnostic::error(
                codes::FRONT_MATTER_UNCLOSED,
                "no line of three dashes closes the front matter",
            )
            .at(opening.span())
            .help("add a line `---` after the last key")
            .and("read as far as its lines look like keys; most agents do not load the skill"),
        );
    }

    fn complain_of_fence(&mut self, fence: Line<'_>) {
        if fence.text != "---" {
            self.diagnostics.push(
                Diagnostic::warning(codes::FENCE_SPACE, "white space stands beside the three dashes")
                    .at(fence.span())
                    .help("leave nothing but `---` on the line")
                    .and("some agents do not see the skill"),
            );
        }
    }

    fn complain(&mut self, text: &str, mark: usize, opening: Line<'_>) {
        if mark > 0 {
            self.diagnostics.push(
                Diagnostic::warning(
                    codes::FRONT_MATTER_BOM,
                    "a byte order mark stands before the front matter",
                )
                .at(Span::new(0, mark))
                .help("save the file as UTF-8 without a mark")
                .and("some agents do not see the skill"),
            );
        }
        if opening.start > mark {
            self.diagnostics.push(
                Diagnostic::warning(codes::FRONT_MATTER_LATE, "empty lines stand before the front matter")
                    .at(opening.span())
                    .help("begin the file with `---`"),
            );
        }
        let block = self.span.of(text).unwrap_or_default();
        if let Some(at) = block.find("\r\n") {
            let start = self.span.start + at;
            self.diagnostics.push(
                Diagnostic::note(codes::FRONT_MATTER_CRLF, "lines of the front matter end with CR LF")
                    .at(Span::new(start, start + 2))
                    .help("save the file with LF line ends"),
            );
        }
        if let Some(line) = lines(text, self.yaml).find(|line| line.text.trim() == "---") {
            self.diagnostics.push(
                Diagnostic::warning(
                    codes::INNER_FENCE,
                    "an indented line of dashes ends the front matter for some agents",
                )
                .at(line.span())
                .help("write something other than three dashes alone"),
            );
        }
        self.complain_of_second(text);
    }

    /// Tools that do not recognise the first front matter write another one below it.
    fn complain_of_second(&mut self, text: &str) {
        let body = Span::new(self.span.end, text.len());
        let mut rest = lines(text, body).skip_while(|line| line.text.trim().is_empty());
        let Some(fence) = rest.next().filter(|line| line.text.trim_end() == "---") else { return };
        let keys = rest.by_ref().take_while(|line| line.text.trim_end() != "---");
        if keys.take(64).any(|line| key_line(line.text, 0).is_some()) {
            self.diagnostics.push(
                Diagnostic::warning(codes::FRONT_MATTER_SECOND, "a second front matter follows the first")
                    .at(fence.span())
                    .help("merge the two")
                    .and("agents read the first one only and show the second as text"),
            );
        }
    }
}
