//! The fields of a payload while they grow.
//!
//! Data reads as lines: `key: value`, keys of nested containers before their first member (`address city: Bern`), words and
//! numbers of a list side by side. Words of a sentence that is cut over keys or elements so stand next to each other,
//! as a model reads them. The number of fields is bounded: beyond [`MOST_FIELDS`] all further text goes into one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::{Field, FieldKind};

/// The most fields of one message.
pub(super) const MOST_FIELDS: usize = 2000;

/// A string of a list up to this length stands beside its neighbours, a longer one on its own line.
const WORD: usize = 32;

/// How the last line of a field ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// With its line feed.
    Whole,
    /// With the key of a container, waiting for what is in that.
    Key,
    /// With a short string of a list.
    Word,
    /// With a number of a list.
    Number,
}

/// Blocks shorter than this on average are read side by side as well: a client that joins them shows one text.
const SHORT_BLOCK: usize = 64;

/// All fields so far.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    all: Vec<Field<'a>>,
    ends: Vec<End>,
    /// Where blocks of prose were joined by a line feed, by field.
    joints: BTreeMap<usize, Vec<usize>>,
}

/// The text without the line feeds at these places; nothing where its blocks are no short ones.
fn side_by_side(text: &str, joints: &[usize]) -> Option<String> {
    let is_short = text.len() / (joints.len() + 1) < SHORT_BLOCK;
    let mut start = 0;
    let mut joined = String::with_capacity(text.len());
    for joint in joints.iter().filter(|_| is_short) {
        joined.push_str(text.get(start..*joint)?);
        start = joint + 1;
    }
    joined.push_str(text.get(start..)?);
    is_short.then_some(joined)
}

impl<'a> Fields<'a> {
    /// A new field, or the last one where there are as many as there may be.
    pub(super) fn add(&mut self, path: String, kind: FieldKind) -> usize {
        if self.all.len() <= MOST_FIELDS {
            let path = if self.all.len() == MOST_FIELDS { "…".to_owned() } else { path };
            self.all.push(Field { path, text: Cow::Borrowed(""), kind });
            self.ends.push(End::Whole);
        }
        self.all.len() - 1
    }

    /// Gives a field another path.
    pub(super) fn rename(&mut self, slot: usize, path: &str) {
        path.clone_into(&mut self.all[slot].path);
    }

    /// A field's text so far.
    pub(super) fn text(&self, slot: usize) -> &str {
        &self.all[slot].text
    }

    /// Puts a text in a field's place.
    pub(super) fn replace(&mut self, slot: usize, text: Cow<'a, str>) {
        self.all[slot].text = text;
    }

    /// The texts of one kind, with their slots.
    pub(super) fn of_kind(&self, kind: FieldKind) -> impl Iterator<Item = (usize, &str)> {
        let fields = self.all.iter().enumerate();
        fields.filter(move |(_, field)| field.kind == kind).map(|(slot, field)| (slot, &*field.text))
    }

    /// The fields that hold anything, and after each that was joined of short blocks the same without line feeds.
    pub(super) fn into_vec(self) -> Vec<Field<'a>> {
        let mut all = Vec::with_capacity(self.all.len());
        for (slot, field) in self.all.into_iter().enumerate().filter(|(_, field)| !field.text.is_empty()) {
            let side_by_side = self.joints.get(&slot).and_then(|joints| side_by_side(&field.text, joints));
            let path = field.path.clone();
            all.push(field);
            all.extend(side_by_side.map(|text| Field {
                path,
                text: Cow::Owned(text),
                kind: FieldKind::Prose,
            }));
        }
        all
    }

    /// Adds a text that is read after what is there.
    pub(super) fn prose(&mut self, slot: usize, text: Cow<'a, str>) {
        let field = &mut self.all[slot];
        if field.text.is_empty() {
            field.text = text;
        } else {
            let joined = field.text.to_mut();
            self.joints.entry(slot).or_default().push(joined.len());
            joined.push('\n');
            joined.push_str(&text);
        }
    }

    /// Adds a member of an object and gives the value's place in the text.
    pub(super) fn member(&mut self, slot: usize, key: &str, value: &str) -> Range<usize> {
        let text = self.line(slot, End::Whole);
        text.push_str(key);
        text.push_str(": ");
        let start = text.len();
        text.push_str(value);
        text.push('\n');
        start..text.len() - 1
    }

    /// Adds the key of a container whose content follows.
    pub(super) fn container(&mut self, slot: usize, key: &str) {
        let text = self.line(slot, End::Key);
        text.push_str(key);
        text.push(' ');
    }

    /// Adds a string of a list and gives its place in the text.
    pub(super) fn element(&mut self, slot: usize, value: &str) -> Range<usize> {
        let is_word = value.len() <= WORD && !value.contains('\n');
        let text = self.line(slot, if is_word { End::Word } else { End::Whole });
        let start = text.len();
        text.push_str(value);
        let end = text.len();
        if !is_word {
            text.push('\n');
        }
        start..end
    }

    /// Adds a number of a list.
    pub(super) fn number(&mut self, slot: usize, number: &str) {
        self.line(slot, End::Number).push_str(number);
    }

    /// The text of a field, made ready for what comes next, which will end as `next` says.
    fn line(&mut self, slot: usize, next: End) -> &mut String {
        let text = self.all[slot].text.to_mut();
        match (self.ends[slot], next) {
            (End::Whole | End::Key, _) => {}
            (End::Number, End::Number) => text.push_str(", "),
            (End::Word | End::Number, End::Word | End::Number) => text.push(' '),
            (End::Word | End::Number, End::Whole | End::Key) => text.push('\n'),
        }
        self.ends[slot] = next;
        text
    }
}
