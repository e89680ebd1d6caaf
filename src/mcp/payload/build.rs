//! Builds a payload in one walk over the message.
//!
//! Invariant: every key and string of the message ends up in a field, in a hole ([`Place::is_opaque`]) or in a list of
//! words that say nothing; nothing is left out for its place or its size.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::anomaly::AnomalyCode;
use super::super::lex::{Bracket, Broken};
use super::super::notice::NOTICE_MARK;
use super::super::walk::{Event, TOO_DEEP, Walker};
use super::blob::{self, Content};
use super::fields::{Fields, MOST_FIELDS};
use super::repeat::same_json;
use super::vocabulary::{self, Place};
use super::{Blob, FieldKind, Payload};
use crate::base::{Unread, UnreadReason};

/// Strings of data from this length on are compared with the text blocks.
const WORTH_COMPARING: usize = 40;

/// Base64 up to this length that stands for nothing known is read as it is, too.
const SHORT_BLOB: usize = 4096;

/// Reads a message.
pub(super) fn payload<'a>(method: &str, target: &str, raw: &'a [u8]) -> Payload<'a> {
    let mut builder = Builder { raw, ..Builder::default() };
    let mut walker = Walker::new(raw);
    let broken = builder.walk(&mut walker).err();
    if let Some(broken) = broken {
        builder.broken(broken);
    }
    builder.keep_once();
    Payload {
        method: method.to_owned(),
        target: target.to_owned(),
        fields: builder.fields.into_vec(),
        blobs: builder.blobs,
        anomalies: walker.into_anomalies(),
        unread: builder.unread,
        raw,
        holes: builder.holes,
    }
}

/// An open object or array.
#[derive(Debug)]
struct Frame<'a> {
    bracket: Bracket,
    place: Place,
    /// The outermost open container that is all data, as an index; nothing outside of data.
    root: Option<usize>,
    /// It is a `_meta` object.
    meta: bool,
    /// It is the value of structuredContent, from this byte on.
    structured: Option<usize>,
    /// The key that is being read.
    key: Cow<'a, str>,
    /// The field that the data of this container goes into.
    slot: Option<usize>,
    /// The outermost list around it whose blocks are joined.
    list: Option<usize>,
}

/// A list of blocks that are read one after the other.
#[derive(Debug)]
struct List {
    path: String,
    slot: Option<usize>,
}

#[derive(Debug, Default)]
struct Builder<'a> {
    raw: &'a [u8],
    frames: Vec<Frame<'a>>,
    fields: Fields<'a>,
    lists: Vec<List>,
    holes: Vec<(String, Range<usize>)>,
    blobs: Vec<Blob>,
    unread: Vec<Unread>,
    /// The bytes of each structuredContent, and the long strings in it with their fields.
    structured: Vec<Range<usize>>,
    strings: Vec<(usize, Range<usize>)>,
}

impl<'a> Builder<'a> {
    fn walk(&mut self, walker: &mut Walker<'a>) -> Result<(), Broken> {
        while let Some(event) = walker.next()? {
            match event {
                Event::Open(bracket) => self.open(bracket, walker),
                Event::Close(_) => self.close(walker),
                Event::Key(key) => self.key(key, walker),
                Event::Text(text) => self.text(text, walker),
                Event::Scalar(bytes) => self.scalar(bytes, walker),
            }
        }
        Ok(())
    }

    fn open(&mut self, bracket: Bracket, walker: &Walker<'a>) {
        let parent = self.frames.last();
        let key = parent.filter(|parent| parent.bracket == Bracket::Object).map(|parent| parent.key.clone());
        let named = key.as_deref().unwrap_or_default();
        let inherited = parent.and_then(|parent| parent.root);
        let strange = key.as_deref().is_some_and(|key| !vocabulary::is_known(key));
        let is_root = inherited.is_none() && (vocabulary::is_data(named) || strange);
        if let (Some(_), Some(key)) = (inherited, &key) {
            let slot = self.data_slot(walker);
            self.fields.container(slot, key);
        }
        let parent = self.frames.last();
        self.frames.push(Frame {
            bracket,
            place: parent.map_or(Place::Message, |parent| parent.place.below(named)),
            root: inherited.or_else(|| is_root.then_some(self.frames.len())),
            meta: named == "_meta",
            structured: (is_root && named == "structuredContent").then(|| walker.range().start),
            key: Cow::Borrowed(""),
            slot: None,
            list: parent.and_then(|parent| parent.list),
        });
        match key {
            Some(key) if is_root && strange => {
                let slot = self.data_slot(walker);
                self.fields.container(slot, &key);
            }
            Some(key) if vocabulary::is_list(&key) => self.begin_list(walker),
            _ => {}
        }
    }

    fn begin_list(&mut self, walker: &Walker<'a>) {
        let path = walker.path_to(self.frames.len() - 1);
        let Some(frame) = self.frames.last_mut() else { return };
        let begins = frame.bracket == Bracket::Array && frame.root.is_none() && frame.list.is_none();
        if begins && self.lists.len() < MOST_FIELDS {
            frame.list = Some(self.lists.len());
            self.lists.push(List { path, slot: None });
        }
    }

    fn close(&mut self, walker: &Walker<'a>) {
        let Some(frame) = self.frames.pop() else { return };
        self.structured.extend(frame.structured.map(|start| start..walker.range().end));
    }

    fn key(&mut self, key: Cow<'a, str>, walker: &mut Walker<'a>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let ours = key.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("skillgate/"));
        if frame.meta && ours {
            walker.note(AnomalyCode::ForgedMeta);
        }
        frame.key = key;
    }

    fn text(&mut self, text: Cow<'a, str>, walker: &mut Walker<'a>) {
        if text.contains(NOTICE_MARK) {
            walker.note(AnomalyCode::ForgedNotice);
        }
        let data = self.frames.last().is_none_or(|frame| frame.root.is_some());
        let Some(key) = self.member_key() else { return self.string(None, &text, walker) };
        if self.hole(&key, text.len(), walker) || self.encoded(&key, &text, walker) {
            return;
        }
        match (data, vocabulary::is_prose(&key), vocabulary::is_word(&key, &text)) {
            (false, true, _) => self.prose(text, walker),
            (false, _, true) => {}
            _ => self.string(Some(&key), &text, walker),
        }
    }

    /// Adds a string to the data of the innermost container.
    fn string(&mut self, key: Option<&str>, text: &str, walker: &Walker<'a>) {
        let slot = self.data_slot(walker);
        let place = match key {
            Some(key) => self.fields.member(slot, key, text),
            None => self.fields.element(slot, text),
        };
        if place.len() >= WORTH_COMPARING && self.in_structured() {
            self.strings.push((slot, place));
        }
    }

    fn scalar(&mut self, bytes: &'a [u8], walker: &Walker<'a>) {
        let number = String::from_utf8_lossy(bytes);
        let data = self.frames.last().is_none_or(|frame| frame.root.is_some());
        match self.member_key() {
            None => {
                let slot = self.data_slot(walker);
                self.fields.number(slot, &number);
            }
            Some(key) => {
                if !self.hole(&key, bytes.len(), walker) && (data || !vocabulary::is_known(&key)) {
                    self.string(Some(&key), &number, walker);
                }
            }
        }
    }

    /// The key of the value that is being read; nothing in a list.
    fn member_key(&self) -> Option<Cow<'a, str>> {
        let object = self.frames.last().filter(|frame| frame.bracket == Bracket::Object);
        object.map(|frame| frame.key.clone())
    }

    /// Leaves a value out where no model sees it.
    fn hole(&mut self, key: &str, length: usize, walker: &Walker<'a>) -> bool {
        let in_object = self.frames.last().filter(|frame| frame.bracket == Bracket::Object);
        let opaque = in_object.is_some_and(|frame| frame.place.is_opaque(key, length));
        if opaque {
            self.holes.push((walker.path(), walker.range()));
        }
        opaque
    }

    /// Reads a base64 member; false where it is to be read as it stands.
    fn encoded(&mut self, key: &str, text: &str, walker: &Walker<'a>) -> bool {
        let Some(content) = Some(text).filter(|_| vocabulary::is_encoded(key)).and_then(blob::read) else {
            return false;
        };
        match content {
            Content::Text(decoded) => {
                let slot = self.field(walker, FieldKind::Decoded);
                self.fields.prose(slot, Cow::Owned(decoded));
                blob::is_solid(text)
            }
            Content::Packed(bytes) => {
                self.packed(walker.path(), bytes);
                blob::is_solid(text)
            }
            Content::Other { reason, what, text: within } => {
                let detail = format!("{what}, {} bytes of base64", text.len());
                self.unread(Unread { path: walker.path(), reason, detail });
                if !within.is_empty() {
                    let slot = self.field(walker, FieldKind::Decoded);
                    self.fields.prose(slot, Cow::Owned(within));
                }
                blob::is_solid(text) && (reason != UnreadReason::Binary || text.len() > SHORT_BLOB)
            }
        }
    }

    /// Keeps an archive for whoever opens it.
    fn packed(&mut self, path: String, bytes: Vec<u8>) {
        if self.blobs.len() < MOST_FIELDS {
            self.blobs.push(Blob { path, bytes });
        } else {
            let detail = format!("more than {MOST_FIELDS} archives in one message");
            self.unread(Unread { path, reason: UnreadReason::TooMany, detail });
        }
    }

    /// Lists what is not read; in a flood, one of each reason at least.
    fn unread(&mut self, unread: Unread) {
        let room = self.unread.len() < MOST_FIELDS;
        if room || self.unread.iter().all(|listed| listed.reason != unread.reason) {
            self.unread.push(unread);
        }
    }

    fn prose(&mut self, text: Cow<'a, str>, walker: &Walker<'a>) {
        let list = self.frames.last().and_then(|frame| frame.list);
        let known = list.and_then(|list| self.lists[list].slot);
        let slot = known.unwrap_or_else(|| self.field(walker, FieldKind::Prose));
        if let Some(list) = list.map(|list| &mut self.lists[list]) {
            if list.slot.is_some() {
                self.fields.rename(slot, &list.path);
            }
            list.slot = Some(slot);
        }
        self.fields.prose(slot, text);
    }

    fn in_structured(&self) -> bool {
        let root = self.frames.last().and_then(|frame| frame.root);
        root.is_some_and(|root| self.frames[root].structured.is_some())
    }

    /// The field for data of the innermost container: its own, or that of the outermost container that is all data.
    fn data_slot(&mut self, walker: &Walker<'a>) -> usize {
        let root = self.frames.last().and_then(|frame| frame.root).or(self.frames.len().checked_sub(1));
        if let Some(slot) = root.and_then(|root| self.frames[root].slot) {
            return slot;
        }
        let slot = self.fields.add(walker.path_to(root.unwrap_or_default()), FieldKind::Data);
        if let Some(root) = root {
            self.frames[root].slot = Some(slot);
        }
        slot
    }

    fn field(&mut self, walker: &Walker<'a>, kind: FieldKind) -> usize {
        self.fields.add(walker.path(), kind)
    }

    /// Reads what is no JSON as text.
    fn broken(&mut self, broken: Broken) {
        let reason = if broken.why == TOO_DEEP { UnreadReason::TooDeep } else { UnreadReason::Undecodable };
        self.unread(Unread { path: String::new(), reason, detail: broken.to_string() });
        let slot = self.fields.add(String::new(), FieldKind::Prose);
        self.fields.prose(slot, String::from_utf8_lossy(self.raw));
    }

    /// Takes out of the data what is a text block as well, and the text block that is the data as JSON.
    fn keep_once(&mut self) {
        // One message has one structuredContent; more are an anomaly, and not worth comparing with each.
        let structured = &self.structured[..self.structured.len().min(4)];
        let is_structured =
            |text: &str| structured.iter().any(|range| same_json(text, &self.raw[range.clone()]));
        let prose = self.fields.of_kind(FieldKind::Prose);
        let doubles: Vec<_> = prose.filter(|(_, text)| is_structured(text)).map(|(slot, _)| slot).collect();
        for slot in doubles {
            self.fields.replace(slot, Cow::Borrowed(""));
        }
        let blocks: BTreeSet<&str> = self.fields.of_kind(FieldKind::Prose).map(|(_, text)| text).collect();
        let mut repeated: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for (slot, range) in &self.strings {
            if blocks.contains(&self.fields.text(*slot)[range.clone()]) {
                repeated.entry(*slot).or_default().push(range.clone());
            }
        }
        for (slot, cuts) in repeated {
            let text = without(self.fields.text(slot), &cuts);
            self.fields.replace(slot, Cow::Owned(text));
        }
    }
}

/// The text without these ranges, which are in order.
fn without(text: &str, cuts: &[Range<usize>]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for cut in cuts {
        kept.push_str(text.get(from..cut.start).unwrap_or_default());
        from = cut.end;
    }
    kept + text.get(from..).unwrap_or_default()
}
