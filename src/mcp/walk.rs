//! A tolerant walk over raw JSON: every key, string and scalar in order, each with its path.
//!
//! Iterative, linear, bounded: nesting costs no stack, and beyond [`DEEPEST`] the walk stops and says so. What parsers
//! could disagree about is collected on the way (duplicate keys, half surrogates, deep nesting, …). It knows JSON and
//! nothing of MCP.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use super::anomaly::{Anomaly, AnomalyCode, Notes};
use super::lex::{Bracket, Broken, Lexer, Token};
use super::text;

/// Nesting beyond this is an anomaly: common parsers stop at 128.
const DEEP: usize = 128;

/// Nesting beyond this is not read.
pub(super) const DEEPEST: usize = 10_000;

/// Paths are cut here, and each key in them at [`LONGEST_KEY`]: a path is for people, and the author chooses the keys.
const LONGEST_PATH: usize = 400;
const LONGEST_KEY: usize = 64;

/// What the walk came upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    /// An object or array begins; its path is [`Walker::path_to`] one less than the depth.
    Open(Bracket),
    /// The innermost one ends; the path is its own.
    Close(Bracket),
    /// A key of the innermost object; the path ends with it.
    Key(Cow<'a, str>),
    /// A string value.
    Text(Cow<'a, str>),
    /// A number, `true`, `false`, `null`.
    Scalar(&'a [u8]),
}

/// Where the innermost container stands.
#[derive(Clone, Debug)]
enum Step<'a> {
    Start,
    Key(Cow<'a, str>),
    Index(usize),
}

#[derive(Clone, Debug)]
struct Frame<'a> {
    bracket: Bracket,
    step: Step<'a>,
    /// Where this object's keys begin among the keys of all open objects.
    keys: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Value,
    FirstElement,
    FirstKey,
    Key,
    CommaOrClose,
    Nothing,
}

/// A walk over one JSON value.
#[derive(Clone, Debug)]
pub(super) struct Walker<'a> {
    bytes: &'a [u8],
    lexer: Lexer<'a>,
    expect: Expect,
    frames: Vec<Frame<'a>>,
    keys: Vec<Cow<'a, str>>,
    range: Range<usize>,
    notes: Notes,
}

impl<'a> Walker<'a> {
    /// Starts at the first byte; a byte order mark before it is passed over and told.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut notes = Notes::default();
        let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        if start > 0 {
            notes.add(AnomalyCode::ByteOrderMark, String::new());
        }
        let lexer = Lexer::new(bytes, start);
        let (frames, keys) = (Vec::new(), Vec::new());
        Self { bytes, lexer, expect: Expect::Value, frames, keys, range: start..start, notes }
    }

    /// The next event, nothing at the end of a whole value, or why this is no JSON.
    pub(super) fn next(&mut self) -> Result<Option<Event<'a>>, Broken> {
        loop {
            let token = self.lexer.token()?;
            let event = match (self.expect, token) {
                (Expect::Nothing, Token::End) => {
                    if self.lexer.carriage_return {
                        self.notes.add(AnomalyCode::RawControl, String::new());
                    }
                    return Ok(None);
                }
                (Expect::CommaOrClose, Token::Comma) => {
                    self.comma();
                    continue;
                }
                (Expect::Value | Expect::FirstElement, Token::Open(bracket)) => self.open(bracket)?,
                (Expect::Value | Expect::FirstElement, Token::Text(range)) => self.text_value(range),
                (Expect::Value | Expect::FirstElement, Token::Scalar(range)) => self.scalar(range),
                (Expect::FirstKey | Expect::Key, Token::Text(range)) => self.key(range)?,
                (Expect::FirstKey, Token::Close(Bracket::Object)) => self.close(Bracket::Object)?,
                (Expect::FirstElement, Token::Close(Bracket::Array)) => self.close(Bracket::Array)?,
                (Expect::CommaOrClose, Token::Close(bracket)) => self.close(bracket)?,
                (_, Token::End) => return Err(self.broken("it ends too early")),
                (Expect::Nothing, _) => return Err(self.broken("something follows the value")),
                _ => return Err(self.broken("a value, key or bracket stands in the wrong place")),
            };
            return Ok(Some(event));
        }
    }

    /// The bytes of the last key, string, scalar or bracket; strings with their quotation marks.
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// How many containers are open.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The path of the last event, as people write it: `result.content[0].text`.
    pub(super) fn path(&self) -> String {
        self.path_to(self.frames.len())
    }

    /// The path of the container at this depth: of the outermost one at 0.
    pub(super) fn path_to(&self, depth: usize) -> String {
        let mut path = String::new();
        for frame in self.frames.iter().take(depth) {
            if path.len() > LONGEST_PATH {
                path.push('…');
                break;
            }
            push_step(&mut path, &frame.step);
        }
        path
    }

    /// What parsers could disagree about, in order.
    pub(super) fn into_anomalies(self) -> Vec<Anomaly> {
        self.notes.into_vec()
    }

    /// Notes an anomaly where the walk stands.
    pub(super) fn note(&mut self, code: AnomalyCode) {
        if !self.notes.full() {
            self.notes.add(code, self.path());
        }
    }

    fn broken(&self, why: &'static str) -> Broken {
        Broken { at: self.lexer.offset(), why }
    }

    fn open(&mut self, bracket: Bracket) -> Result<Event<'a>, Broken> {
        if self.frames.len() >= DEEPEST {
            return Err(self.broken(TOO_DEEP));
        }
        self.range = self.lexer.offset() - 1..self.lexer.offset();
        self.frames.push(Frame { bracket, step: Step::Start, keys: self.keys.len() });
        if self.frames.len() == DEEP + 1 {
            self.note(AnomalyCode::TooDeep);
        }
        self.expect = match bracket {
            Bracket::Object => Expect::FirstKey,
            Bracket::Array => {
                self.step(Step::Index(0));
                Expect::FirstElement
            }
        };
        Ok(Event::Open(bracket))
    }

    fn close(&mut self, bracket: Bracket) -> Result<Event<'a>, Broken> {
        let closed = self.frames.pop_if(|frame| frame.bracket == bracket);
        let Some(closed) = closed else { return Err(self.broken("a bracket closes what it did not open")) };
        self.range = self.lexer.offset() - 1..self.lexer.offset();
        self.report_duplicates(closed.keys);
        self.after_value();
        Ok(Event::Close(bracket))
    }

    fn key(&mut self, range: Range<usize>) -> Result<Event<'a>, Broken> {
        let (key, flaws) = text::decode(&self.bytes[range.start + 1..range.end - 1]);
        self.range = range;
        if self.lexer.token()? != Token::Colon {
            return Err(self.broken("a key without a colon"));
        }
        self.keys.push(key.clone());
        self.step(Step::Key(key.clone()));
        flaws.codes().for_each(|code| self.note(code));
        self.expect = Expect::Value;
        Ok(Event::Key(key))
    }

    fn text_value(&mut self, range: Range<usize>) -> Event<'a> {
        let (text, flaws) = text::decode(&self.bytes[range.start + 1..range.end - 1]);
        flaws.codes().for_each(|code| self.note(code));
        self.range = range;
        self.after_value();
        Event::Text(text)
    }

    fn scalar(&mut self, range: Range<usize>) -> Event<'a> {
        let bytes = &self.bytes[range.clone()];
        if bytes.ends_with(b"NaN") || bytes.ends_with(b"Infinity") {
            self.note(AnomalyCode::NotANumber);
        }
        self.range = range;
        self.after_value();
        Event::Scalar(bytes)
    }

    fn step(&mut self, step: Step<'a>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.step = step;
        }
    }

    fn after_value(&mut self) {
        self.expect = if self.frames.is_empty() { Expect::Nothing } else { Expect::CommaOrClose };
    }

    fn comma(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        self.expect = match &mut frame.step {
            Step::Index(index) => {
                *index += 1;
                Expect::Value
            }
            _ => Expect::Key,
        };
    }

    /// Reports keys that stand twice in the object whose keys begin at `start`, and forgets its keys.
    fn report_duplicates(&mut self, start: usize) {
        let top = self.frames.is_empty();
        let code = if top { AnomalyCode::DuplicateTopLevelKey } else { AnomalyCode::DuplicateKey };
        let keys = self.keys.get_mut(start..).unwrap_or_default();
        if top {
            keys.iter_mut().filter(|key| key.bytes().any(|b| b.is_ascii_uppercase())).for_each(|key| {
                *key = Cow::Owned(key.to_ascii_lowercase());
            });
        }
        keys.sort_unstable();
        let twice: Vec<_> =
            keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect();
        self.keys.truncate(start);
        for key in twice {
            if self.notes.full() {
                break;
            }
            let mut path = self.path();
            push_step(&mut path, &Step::Key(key));
            self.notes.add(code, path);
        }
    }
}

/// Why a walk that is no deeper than [`DEEPEST`] stops.
pub(super) const TOO_DEEP: &str = "nested too deep to be read";

/// Appends one step; keys that could be taken for other paths are quoted.
fn push_step(path: &mut String, step: &Step<'_>) {
    // Writing to a String cannot fail.
    let _ = match step {
        Step::Start => Ok(()),
        Step::Index(index) => write!(path, "[{index}]"),
        Step::Key(key) if is_plain(key) && path.is_empty() => write!(path, "{key}"),
        Step::Key(key) if is_plain(key) => write!(path, ".{key}"),
        Step::Key(key) => match key.char_indices().nth(LONGEST_KEY) {
            Some((end, _)) => write!(path, "[{:?}…]", &key[..end]),
            None => write!(path, "[{key:?}]"),
        },
    };
}

fn is_plain(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.len())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-$/".contains(&b))
}

#[cfg(test)]
mod tests;
