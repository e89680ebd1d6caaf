//! Changes to a message that leave every other byte as it is.

use std::ops::Range;

use super::lex::Bracket;
use super::members::Container;

/// Replacements in a message, in any order, that do not overlap.
#[derive(Debug, Default)]
pub(super) struct Splice(Vec<(Range<usize>, Vec<u8>)>);

impl Splice {
    /// Puts bytes in the place of others.
    pub(super) fn replace(&mut self, range: Range<usize>, with: impl Into<Vec<u8>>) {
        self.0.push((range, with.into()));
    }

    /// Puts a member or element at the end of a container.
    pub(super) fn last(&mut self, container: &Container<'_>, item: &str) {
        let at = container.members.last().map_or(container.range.start + 1, |member| member.whole.end);
        let comma = if container.members.is_empty() { "" } else { "," };
        self.replace(at..at, format!("{comma}{item}"));
    }

    /// Takes out the members for which `out` holds, each with one comma.
    pub(super) fn remove(&mut self, container: &Container<'_>, out: impl Fn(usize) -> bool) {
        let spans: Vec<_> = container.members.iter().map(|member| member.whole.clone()).collect();
        let mut kept_before = false;
        for (index, span) in spans.iter().enumerate() {
            let next = spans.get(index + 1).map(|next| next.start);
            match (out(index), kept_before) {
                (false, _) => kept_before = true,
                (true, false) => self.replace(span.start..next.unwrap_or(span.end), ""),
                (true, true) => self.replace(spans[index - 1].end..span.end, ""),
            }
        }
    }

    /// Sets a member of an object to a value, adding it where it is missing.
    pub(super) fn set(&mut self, object: &Container<'_>, key: &str, value: &str) {
        match object.get(key) {
            Some(range) => self.replace(range, value),
            None if object.bracket == Bracket::Object => self.last(object, &format!("\"{key}\":{value}")),
            None => {}
        }
    }

    /// The message with all changes.
    pub(super) fn apply(mut self, raw: &[u8]) -> Vec<u8> {
        // Stable: what is inserted in one place stands in the order it was asked for.
        self.0.sort_by_key(|(range, _)| range.start);
        let mut changed = Vec::with_capacity(raw.len() + 512);
        let mut from = 0;
        for (range, with) in self.0 {
            changed.extend_from_slice(raw.get(from..range.start).unwrap_or_default());
            changed.extend_from_slice(&with);
            from = from.max(range.end);
        }
        changed.extend_from_slice(raw.get(from..).unwrap_or_default());
        changed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Container, Splice};

    fn spliced(raw: &str, change: impl FnOnce(&mut Splice, &Container<'_>)) -> String {
        let container = Container::read(raw.as_bytes(), 0..raw.len()).unwrap();
        let mut splice = Splice::default();
        change(&mut splice, &container);
        String::from_utf8(splice.apply(raw.as_bytes())).unwrap()
    }

    #[test]
    fn items_come_last_and_members_are_set_in_place() {
        assert_eq!(spliced("[ 1 , 2 ]", |splice, list| splice.last(list, "3")), "[ 1 , 2,3 ]");
        assert_eq!(spliced("[ ]", |splice, list| splice.last(list, "3")), "[3 ]");
        assert_eq!(spliced(r#"{"a":1}"#, |splice, object| splice.set(object, "a", "2")), r#"{"a":2}"#);
        assert_eq!(spliced("{}", |splice, object| splice.set(object, "a", "2")), r#"{"a":2}"#);
    }

    proptest! {
        #[test]
        fn removal_leaves_the_other_elements(keep in prop::collection::vec(any::<bool>(), 0..8), space in "[ ]{0,2}") {
            let elements: Vec<_> = (0..keep.len()).map(|n| format!("{n}{space}")).collect();
            let raw = format!("[{space}{}]", elements.join(&format!(",{space}")));
            let left = spliced(&raw, |splice, list| splice.remove(list, |index| !keep[index]));
            let expected: Vec<_> = (0..keep.len()).filter(|n| keep[*n]).collect();
            prop_assert_eq!(serde_json::from_str::<Vec<usize>>(&left).unwrap(), expected);
        }
    }
}
