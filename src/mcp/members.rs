//! Where the members of one object, or the elements of one array, stand in the bytes.
//!
//! For looking something up and for splicing: ranges are byte offsets of the whole message. A key that stands twice
//! gives its last value, as most parsers read it.

use std::borrow::Cow;
use std::ops::Range;

use super::lex::{Bracket, Broken};
use super::walk::{Event, Walker};

/// One member of an object; the key of an element is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member<'a> {
    /// The decoded key.
    pub(super) key: Cow<'a, str>,
    /// From the key's quotation mark (for an element: from the value) to the value's end.
    pub(super) whole: Range<usize>,
    /// The value's bytes.
    pub(super) value: Range<usize>,
}

/// An object or array with what stands directly in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Container<'a> {
    pub(super) bracket: Bracket,
    /// From bracket to bracket.
    pub(super) range: Range<usize>,
    pub(super) members: Vec<Member<'a>>,
}

impl<'a> Container<'a> {
    /// The value's range under the key, the last one where it stands twice.
    pub(super) fn get(&self, key: &str) -> Option<Range<usize>> {
        self.members.iter().rfind(|member| member.key == key).map(|member| member.value.clone())
    }

    /// Reads the container that is the value at `range` of `bytes`; nothing where that is no container.
    pub(super) fn read(bytes: &'a [u8], range: Range<usize>) -> Option<Self> {
        Self::read_with(&mut Walker::new(bytes.get(range.clone())?), range.start).ok().flatten()
    }

    /// Walks one value to its end. The walk's offsets are moved on by `base`.
    pub(super) fn read_with(walker: &mut Walker<'a>, base: usize) -> Result<Option<Self>, Broken> {
        let Some(Event::Open(bracket)) = walker.next()? else {
            while walker.next()?.is_some() {}
            return Ok(None);
        };
        let mut members: Vec<Member<'a>> = Vec::new();
        let start = walker.range().start + base;
        let (mut key, mut whole_start, mut value_start) = (None, None, start);
        while let Some(event) = walker.next()? {
            let at = walker.range().start + base..walker.range().end + base;
            match (event, walker.depth()) {
                (Event::Close(_), 0) => {
                    while walker.next()?.is_some() {}
                    return Ok(Some(Self { bracket, range: start..at.end, members }));
                }
                (Event::Key(name), 1) => {
                    key = Some(name);
                    whole_start = Some(at.start);
                }
                (Event::Open(_), 2) => value_start = at.start,
                (Event::Close(_), 1) => members.push(Member {
                    key: key.take().unwrap_or_default(),
                    whole: whole_start.take().unwrap_or(value_start)..at.end,
                    value: value_start..at.end,
                }),
                (Event::Text(_) | Event::Scalar(_), 1) => members.push(Member {
                    key: key.take().unwrap_or_default(),
                    whole: whole_start.take().unwrap_or(at.start)..at.end,
                    value: at,
                }),
                _ => {}
            }
        }
        Ok(None)
    }
}

/// The value that the keys lead to from the value at `range`, one object deeper with each key.
pub(super) fn find(bytes: &[u8], range: Range<usize>, keys: &[&str]) -> Option<Range<usize>> {
    keys.iter().try_fold(range, |range, key| Container::read(bytes, range)?.get(key))
}

/// The decoded text of a string value at `range`; nothing where it is no string.
pub(super) fn text_at(bytes: &[u8], range: Range<usize>) -> Option<Cow<'_, str>> {
    let inner = bytes.get(range)?.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    Some(super::text::decode(inner).0)
}

#[cfg(test)]
mod tests {
    use super::{Container, find, text_at};

    #[test]
    fn ranges_cover_key_and_value() {
        let text = br#"  {"a" : [1, {"x":2}] , "b":"y","c":{}} "#;
        let container = Container::read(text, 0..text.len()).unwrap();
        let show = |range: std::ops::Range<usize>| std::str::from_utf8(&text[range]).unwrap();
        let shown: Vec<_> = container
            .members
            .iter()
            .map(|member| (show(member.whole.clone()), show(member.value.clone())))
            .collect();
        let expected =
            [(r#""a" : [1, {"x":2}]"#, r#"[1, {"x":2}]"#), (r#""b":"y""#, r#""y""#), (r#""c":{}"#, "{}")];
        assert_eq!(shown, expected);
        assert_eq!(show(container.range), r#"{"a" : [1, {"x":2}] , "b":"y","c":{}}"#);
    }

    #[test]
    fn lookups_go_by_decoded_keys_and_take_the_last() {
        let text = br#"{"p":{"n":"old","\u006e":"new"},"q":1}"#;
        let found = find(text, 0..text.len(), &["p", "n"]).unwrap();
        assert_eq!(text_at(text, found).unwrap(), "new");
        assert_eq!(find(text, 0..text.len(), &["q", "n"]), None);
        assert_eq!(find(text, 0..text.len() - 1, &["p"]), None);
        assert_eq!(text_at(text, 0..1), None);
    }
}
