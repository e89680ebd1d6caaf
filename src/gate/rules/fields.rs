//! Reads the keys of one TOML table, and remembers every fault with its place instead of stopping at the first.
//!
//! Invariant: a key that is not among the known ones is a fault, so a slip of the hand never becomes a default. Knows
//! TOML and nothing of rules.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::base::nearest;

/// One thing wrong at a place of a TOML text.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// A permanent kebab-case code.
    pub code: &'static str,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: Option<String>,
}

/// One table being read.
pub(super) struct Fields<'a, 'f> {
    table: &'a DeTable<'a>,
    span: Range<usize>,
    faults: &'f mut Vec<Fault>,
}

impl<'a, 'f> Fields<'a, 'f> {
    /// Begins with a table, all of whose keys must be known.
    pub(super) fn new(
        table: &'a DeTable<'a>,
        span: Range<usize>,
        known: &[&str],
        faults: &'f mut Vec<Fault>,
    ) -> Self {
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let help = nearest(name, known.iter().copied()).map_or_else(
                    || format!("known keys: {}", known.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                let message = format!("unknown key `{name}`");
                faults.push(Fault { code: "unknown-key", span: key.span(), message, help: Some(help) });
            }
        }
        Self { table, span, faults }
    }

    /// Notes a fault.
    pub(super) fn fault(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.faults.push(Fault { code, span, message: message.into(), help });
    }

    /// Where all faults go, to read a table inside this one.
    pub(super) fn faults(&mut self) -> &mut Vec<Fault> {
        self.faults
    }

    /// The value of a key as it is.
    pub(super) fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// Where a key's value stands, or the table where it is absent.
    pub(super) fn span_of(&self, key: &str) -> Range<usize> {
        self.value(key).map_or_else(|| self.span.clone(), Spanned::span)
    }

    /// A text; absent is nothing, and so is a value of another type, after a fault.
    pub(super) fn text(&mut self, key: &str) -> Option<&'a str> {
        let value = self.value(key)?;
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, value, "a string");
        }
        text
    }

    /// A text that must be there and not blank.
    pub(super) fn required(&mut self, key: &str) -> Option<&'a str> {
        if self.value(key).is_none() {
            self.fault("missing-key", self.span.clone(), format!("`{key}` is missing"), None);
            return None;
        }
        let text = self.text(key)?;
        if text.trim().is_empty() {
            self.fault("bad-value", self.span_of(key), format!("`{key}` is empty"), None);
            return None;
        }
        Some(text)
    }

    /// A truth value; absent is false.
    pub(super) fn flag(&mut self, key: &str) -> bool {
        let Some(value) = self.value(key) else { return false };
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        flag.unwrap_or(false)
    }

    /// A list of values; absent is empty.
    pub(super) fn list(&mut self, key: &str) -> Vec<&'a Spanned<DeValue<'a>>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let list = value.get_ref().as_array();
        if list.is_none() {
            self.wrong_type(key, value, "a list");
        }
        list.map_or_else(Vec::new, |list| list.iter().collect())
    }

    /// A list of texts with their places; absent is empty. Blank ones are faults.
    pub(super) fn texts(&mut self, key: &str) -> Vec<(&'a str, Range<usize>)> {
        let mut texts = Vec::new();
        for item in self.list(key) {
            match item.get_ref().as_str() {
                Some("") => {
                    self.fault("bad-value", item.span(), format!("`{key}` holds an empty string"), None);
                }
                Some(text) => texts.push((text, item.span())),
                None => self.wrong_type(key, item, "a list of strings"),
            }
        }
        texts
    }

    /// One of a few names; absent is nothing.
    pub(super) fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?;
        self.chosen(key, text, self.span_of(key), choices)
    }

    /// A list of some of a few names; absent is empty.
    pub(super) fn choices<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Vec<T> {
        let texts = self.texts(key);
        texts.into_iter().filter_map(|(text, span)| self.chosen(key, text, span, choices)).collect()
    }

    fn chosen<T: Copy>(
        &mut self,
        key: &str,
        text: &str,
        span: Range<usize>,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let names = || choices.iter().map(|(name, _)| *name);
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice);
        if found.is_none() {
            let help = nearest(text, names()).map_or_else(
                || format!("one of {}", names().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.fault("bad-value", span, format!("`{text}` is no {key}"), Some(help));
        }
        found
    }

    fn wrong_type(&mut self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let message = format!("`{key}` takes {wanted}, not {}", value.get_ref().type_str());
        self.fault("bad-value", value.span(), message, None);
    }
}
