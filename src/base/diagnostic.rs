//! A diagnostic: what is wrong, where, and what to do about it, as a value.
//!
//! Rooms make diagnostics and never print them; the renderers of [`render`](super::render) show them to people, to
//! programs and to code hosts. Messages and notes may hold words of the text that is complained about: the renderers
//! make them safe. A diagnostic does not know what policy thinks of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{LineColumn, LineIndex, Span};

/// How much a diagnostic matters, least first. The names are SARIF's levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Some reader will take it otherwise than it was meant.
    Warning,
    /// It does not work, or must not.
    Error,
}

impl Level {
    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing to say about a place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A permanent kebab-case code, or a rule id.
    pub code: Cow<'static, str>,
    /// How much it matters.
    pub level: Level,
    /// One sentence in lower case, without a full stop.
    pub message: String,
    /// The file, relative to what was looked at.
    pub file: Option<String>,
    /// Bytes of that file's text.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
    /// What else a person should know.
    pub notes: Vec<String>,
    /// Where to read more.
    pub url: Option<String>,
}

impl Diagnostic {
    /// A diagnostic of this level, without a place.
    pub fn new(level: Level, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            level,
            message: message.into(),
            file: None,
            span: None,
            help: None,
            notes: Vec::new(),
            url: None,
        }
    }

    /// An error.
    pub fn error(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Level::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Level::Warning, code, message)
    }

    /// A note.
    pub fn note(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Level::Note, code, message)
    }

    /// Names the file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Points at bytes of the file.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds something else that a person should know.
    #[must_use]
    pub fn and(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says where to read more.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }
}

/// A file's text and its line starts, so that many diagnostics in it are placed in one reading.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    text: &'a str,
    lines: LineIndex,
}

impl<'a> Source<'a> {
    /// Reads the text once for its line starts.
    pub fn new(text: &'a str) -> Self {
        Self { text, lines: LineIndex::new(text) }
    }

    /// The text.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Line and column of a byte offset; one that lies in a character or past the end is moved to a boundary.
    pub fn place(&self, offset: usize) -> LineColumn {
        let offset = Span::new(offset, offset).on_boundaries(self.text).start;
        self.lines.line_column(self.text, offset)
    }

    /// The line that holds a byte offset, and where it starts, without its line break.
    pub fn line_at(&self, offset: usize) -> (usize, &'a str) {
        let offset = offset.min(self.text.len());
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = self.text.get(start..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
        (start, line.strip_suffix('\r').unwrap_or(line))
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn any_offset_has_a_line() {
        let source = Source::new("ab\r\néx");
        assert_eq!(source.line_at(1), (0, "ab"));
        assert_eq!(source.line_at(4), (4, "éx"));
        assert_eq!(source.line_at(5), (4, "éx"));
        assert_eq!(source.line_at(99), (4, "éx"));
        assert_eq!(source.place(5), source.place(6), "an offset inside a character moves on");
        assert_eq!(Source::new("").line_at(0), (0, ""));
    }
}
