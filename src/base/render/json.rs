//! Diagnostics for programs.
//!
//! [`text`] is the one way in which the project writes JSON that a person may see on a terminal: every character
//! that is invisible or controls the terminal is a `\u` escape, so nothing is lost and nothing is obeyed.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::base::diagnostic::{Diagnostic, Source};
use crate::base::printable::is_invisible;

/// One diagnostic as a JSON object; without `source` there are bytes but no lines.
pub fn value(diagnostic: &Diagnostic, source: Option<&Source<'_>>) -> Value {
    let mut object = Map::new();
    object.insert("code".into(), json!(diagnostic.code));
    object.insert("level".into(), json!(diagnostic.level));
    object.insert("message".into(), json!(diagnostic.message));
    if let Some(file) = &diagnostic.file {
        object.insert("file".into(), json!(file));
    }
    if let Some(span) = diagnostic.span {
        object.insert("span".into(), json!(span));
        if let Some(source) = source {
            let (start, end) = (source.place(span.start), source.place(span.end));
            object.insert("start".into(), json!({ "line": start.line, "column": start.column }));
            object.insert("end".into(), json!({ "line": end.line, "column": end.column }));
        }
    }
    if let Some(help) = &diagnostic.help {
        object.insert("help".into(), json!(help));
    }
    if !diagnostic.notes.is_empty() {
        object.insert("notes".into(), json!(diagnostic.notes));
    }
    if let Some(url) = &diagnostic.url {
        object.insert("url".into(), json!(url));
    }
    Value::Object(object)
}

/// A value as JSON on one line, safe on a terminal.
///
/// A value that cannot be written as JSON (a map with keys that are no text) gives `null`.
pub fn text(value: &impl Serialize) -> String {
    escape(&serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()))
}

/// A value as indented JSON, safe on a terminal.
pub fn pretty(value: &impl Serialize) -> String {
    escape(&serde_json::to_string_pretty(value).unwrap_or_else(|_| "null".to_owned()))
}

/// Outside of strings JSON is plain ASCII, so whatever needs an escape stands in a string.
fn escape(json: &str) -> String {
    let mut units = [0; 2];
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        if is_invisible(c) || (c.is_control() && c != '\n') {
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{pretty, text, value};
    use crate::base::diagnostic::{Diagnostic, Source};
    use crate::base::{Span, printable};

    #[test]
    fn what_is_written_reads_back_and_is_plain() {
        let hostile = "a\u{1b}[31m\u{202e}b\u{e0041}\u{7f}\u{9b}\n\"\\ é";
        for json in [text(&hostile), pretty(&hostile)] {
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
            assert_eq!(printable(&json), json);
        }
    }

    #[test]
    fn places_are_lines_and_characters() {
        let source = Source::new("x\né: y\n");
        let diagnostic = Diagnostic::error("some-code", "it is so")
            .in_file("SKILL.md")
            .at(Span::new(4, 7))
            .help("do that")
            .and("since");
        let expected = serde_json::json!({
            "code": "some-code", "level": "error", "message": "it is so", "file": "SKILL.md",
            "span": { "start": 4, "end": 7 },
            "start": { "line": 2, "column": 2 }, "end": { "line": 2, "column": 5 },
            "help": "do that", "notes": ["since"],
        });
        assert_eq!(value(&diagnostic, Some(&source)), expected);
        let bare = value(&Diagnostic::note("c", "m"), None);
        assert_eq!(bare, serde_json::json!({ "code": "c", "level": "note", "message": "m" }));
        assert!(matches!(bare, Value::Object(_)));
    }
}
