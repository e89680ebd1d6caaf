//! What is wrong with a policy file, where, and what was probably meant.

use std::fmt;

use super::lines::Lines;
use crate::base::{Diagnostic, LineColumn, LineIndex, Span, nearest, printable};

/// One mistake in a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The key that it is about (`verdict.malicious.threshold`).
    pub key: Option<String>,
    /// Bytes of the file.
    pub span: Option<Span>,
    /// The place as people count it.
    pub place: Option<LineColumn>,
    /// What to try.
    pub help: Option<String>,
}

/// All mistakes that were found; at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PolicyErrors(Vec<PolicyError>);

impl PolicyErrors {
    pub(super) fn new(first: PolicyError) -> Self {
        Self(vec![first])
    }

    pub(super) fn of(errors: Vec<PolicyError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }

    /// The mistakes, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &PolicyError> {
        self.0.iter()
    }
}

impl fmt::Display for PolicyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            let gap = if at == 0 { "" } else { "\n" };
            write!(f, "{gap}{error}")?;
        }
        Ok(())
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(LineColumn { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&printable(&self.message))?;
        if let Some(key) = &self.key {
            write!(f, " (at `{}`)", printable(key))?;
        }
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {}", printable(help)))
    }
}

impl PolicyError {
    /// The mistake as a diagnostic about a file of this name.
    pub fn diagnostic(&self, file: &str) -> Diagnostic {
        Diagnostic {
            span: self.span,
            help: self.help.clone(),
            notes: self.key.iter().map(|key| format!("at `{key}`")).collect(),
            ..Diagnostic::error("policy", self.message.clone()).in_file(file)
        }
    }

    /// A mistake at a place of the text.
    pub(super) fn at(text: &str, span: Option<Span>, message: impl Into<String>) -> Self {
        let place = span.map(|span| LineIndex::new(text).line_column(text, span.start));
        Self { message: message.into(), key: None, span, place, help: None }
    }

    /// What the TOML reader says, in our words.
    pub(super) fn of_toml(text: &str, lines: &Lines, error: &toml::de::Error) -> Self {
        let span = error.span().map(Span::from);
        let is_key = span.is_some_and(|span| lines.is_key(span));
        let (message, help) = reworded(error.message(), is_key);
        let key = span.and_then(|span| lines.key_at(span)).map(str::to_owned);
        Self { key, help, ..Self::at(text, span, message) }
    }
}

/// Serde's words as ours, with the nearest known name.
fn reworded(message: &str, is_key: bool) -> (String, Option<String>) {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let Some(name) = message.strip_prefix("missing field ") {
        return (format!("the key {name} is missing"), None);
    }
    if let (true, [name, known @ ..]) = (message.starts_with("unknown "), names.as_slice()) {
        let what = if is_key || message.starts_with("unknown field") { "key" } else { "value" };
        return (format!("unknown {what} `{name}`"), Some(suggestion(name, known)));
    }
    (message.to_owned(), None)
}

/// The nearest known name, or all of them.
pub(super) fn suggestion(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", known.join(", ")),
    }
}
