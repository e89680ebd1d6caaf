//! Where each value of a policy stands, so that a decision can name its line.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

use super::DEFAULT_TEXT;
use crate::base::{LineIndex, Span};

/// The file that a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyFile {
    /// The default policy that is compiled in.
    Default,
    /// The user's.
    User,
    /// None: a floor that no policy lowers, or a person's release.
    Builtin,
}

/// One line of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyLine {
    /// The key (`verdict.malicious.below`, `override[0]`), or `release`.
    pub key: String,
    /// The line in the file, from 1.
    pub line: Option<usize>,
    /// The file.
    pub file: PolicyFile,
}

impl PolicyLine {
    /// A line that stands in no file.
    pub fn builtin(key: &str) -> Self {
        Self { key: key.to_owned(), line: None, file: PolicyFile::Builtin }
    }
}

impl fmt::Display for PolicyLine {
    /// `policy.toml:12 verdict.safe`, `default verdict.safe`, `built-in release`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file, self.line) {
            (PolicyFile::User, Some(line)) => write!(f, "policy.toml:{line} {}", self.key),
            (PolicyFile::User, None) => write!(f, "policy.toml {}", self.key),
            (PolicyFile::Default, _) => write!(f, "default {}", self.key),
            (PolicyFile::Builtin, _) => write!(f, "built-in {}", self.key),
        }
    }
}

/// The keys of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines(BTreeMap<String, Place>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    key: Span,
    value: Span,
}

impl Lines {
    /// Reads where the keys of a parsed text stand.
    pub(super) fn of(text: &str, table: &DeTable<'_>) -> Self {
        let mut lines = Self::default();
        lines.add_table("", table, &LineIndex::new(text));
        lines
    }

    /// Where a key's value comes from, this file being the user's.
    pub(super) fn line(&self, key: &str) -> PolicyLine {
        let (file, place) = match (self.0.get(key), default_lines().0.get(key)) {
            (Some(place), _) => (PolicyFile::User, place),
            (None, Some(place)) => (PolicyFile::Default, place),
            (None, None) => return PolicyLine::builtin(key),
        };
        PolicyLine { key: key.to_owned(), line: Some(place.line), file }
    }

    /// Where this key, or the nearest table around it, stands in this file.
    pub(super) fn span(&self, key: &str) -> Option<Span> {
        let outer = |key: &str| key.rfind(['.', '[']).map(|at| key[..at].to_owned());
        std::iter::successors(Some(key.to_owned()), |key| outer(key))
            .find_map(|key| self.0.get(&key))
            .map(|place| place.key)
    }

    /// The innermost key whose name or value holds all of this span.
    pub(super) fn key_at(&self, span: Span) -> Option<&str> {
        self.0
            .iter()
            .filter(|(_, place)| place.key.covers(span) || place.value.covers(span))
            .min_by_key(|(key, place)| (place.key.join(place.value).len(), std::cmp::Reverse(key.len())))
            .map(|(key, _)| key.as_str())
    }

    /// True where the span is the name of a key.
    pub(super) fn is_key(&self, span: Span) -> bool {
        self.0.values().any(|place| place.key == span && place.key != place.value)
    }

    /// All keys.
    #[cfg(test)]
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    fn add_table(&mut self, path: &str, table: &DeTable<'_>, index: &LineIndex) {
        for (name, value) in table {
            let key = if path.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{path}.{}", name.get_ref())
            };
            self.add(key, name.span().into(), value.span().into(), value.get_ref(), index);
        }
    }

    fn add(&mut self, path: String, key: Span, value: Span, content: &DeValue<'_>, index: &LineIndex) {
        match content {
            DeValue::Table(table) => self.add_table(&path, table, index),
            DeValue::Array(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    let span = element.span().into();
                    self.add(format!("{path}[{at}]"), span, span, element.get_ref(), index);
                }
            }
            _ => {}
        }
        self.0.insert(path, Place { line: index.line(key.start), key, value });
    }
}

/// The keys of the default file.
pub(super) fn default_lines() -> &'static Lines {
    static LINES: OnceLock<Lines> = OnceLock::new();
    LINES.get_or_init(|| {
        let table = DeTable::parse(DEFAULT_TEXT).expect("a test parses the default policy");
        Lines::of(DEFAULT_TEXT, table.get_ref())
    })
}
