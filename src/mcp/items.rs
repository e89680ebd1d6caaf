//! The items of a list result (tools, prompts, resources, skills), each by itself.
//!
//! So that one poisoned tool can be withheld and the list goes on, and that each item can be pinned. A list that stands
//! twice in one result has no items: parsers would disagree about which one it is.

use std::ops::Range;

use super::envelope::Envelope;
use super::lex::Bracket;
use super::members::{Container, find, text_at};
use super::question::Era;
use super::splice::Splice;

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its place in the list, from 0.
    pub index: usize,
    /// Its name, or its URI where it has no name. The author's words.
    pub name: String,
    /// Its bytes in the message.
    pub range: Range<usize>,
}

/// The member of a result that holds the list of this method; nothing for methods that list nothing.
pub fn list_key(method: &str) -> Option<&'static str> {
    Some(match method {
        "tools/list" => "tools",
        "prompts/list" => "prompts",
        "resources/list" => "resources",
        "resources/templates/list" => "resourceTemplates",
        "skills/list" => "skills",
        _ => return None,
    })
}

/// The items of a list result.
pub fn items(method: &str, raw: &[u8]) -> Vec<Item> {
    let list = list_key(method).and_then(|key| list_of(raw, key));
    let elements = list.map(|list| list.members).unwrap_or_default().into_iter().enumerate();
    elements
        .map(|(index, element)| {
            let range = element.value;
            let text = |key| find(raw, range.clone(), &[key]).and_then(|at| text_at(raw, at));
            let name =
                ["name", "uri", "uriTemplate"].into_iter().find_map(text).unwrap_or_default().into_owned();
            Item { index, name, range }
        })
        .collect()
}

/// The result without these items; the rest byte for byte, except that a modern result may not be cached.
pub fn without(method: &str, era: Era, raw: &[u8], indices: &[usize]) -> Vec<u8> {
    let mut splice = Splice::default();
    if let Some(list) = list_key(method).and_then(|key| list_of(raw, key)) {
        splice.remove(&list, |index| indices.contains(&index));
        let result = Envelope::read(raw).result.and_then(|range| Container::read(raw, range));
        if let Some(result) = result.filter(|_| era == Era::Modern) {
            splice.set(&result, "ttlMs", "0");
            splice.set(&result, "cacheScope", "\"private\"");
        }
    }
    splice.apply(raw)
}

fn list_of<'a>(raw: &'a [u8], key: &str) -> Option<Container<'a>> {
    let result = Container::read(raw, Envelope::read(raw).result?)?;
    let mut lists = result.members.iter().filter(|member| member.key == key);
    let only = lists.next().filter(|_| lists.next().is_none())?;
    Container::read(raw, only.value.clone()).filter(|list| list.bracket == Bracket::Array)
}

#[cfg(test)]
mod tests {
    use super::{Era, items, without};

    const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[ {"name":"a","description":"d"}, {"name":"b"},{"title":"c"} ],"nextCursor":"n","ttlMs":60000}}"#;

    #[test]
    fn items_are_named_and_placed() {
        let found = items("tools/list", LIST.as_bytes());
        let shown: Vec<_> =
            found.iter().map(|item| (item.index, item.name.as_str(), &LIST[item.range.clone()])).collect();
        let expected = [
            (0, "a", r#"{"name":"a","description":"d"}"#),
            (1, "b", r#"{"name":"b"}"#),
            (2, "", r#"{"title":"c"}"#),
        ];
        assert_eq!(shown, expected);
        assert_eq!(items("tools/call", LIST.as_bytes()), []);
        let twice = r#"{"result":{"tools":[{"name":"a"}],"tools":[{"name":"b"}]}}"#;
        assert_eq!(items("tools/list", twice.as_bytes()), []);
    }

    #[test]
    fn the_other_items_stay_as_they_are() {
        let left = |era, indices: &[usize]| {
            String::from_utf8(without("tools/list", era, LIST.as_bytes(), indices)).unwrap()
        };
        assert_eq!(left(Era::Legacy, &[]), LIST);
        assert_eq!(
            left(Era::Legacy, &[0, 2]),
            LIST.replace(r#"{"name":"a","description":"d"}, "#, "").replace(r#",{"title":"c"}"#, "")
        );
        assert!(
            left(Era::Modern, &[0, 1, 2])
                .ends_with(r#""tools":[  ],"nextCursor":"n","ttlMs":0,"cacheScope":"private"}}"#)
        );
    }
}
