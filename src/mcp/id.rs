//! The id of a request, compared the way JSON-RPC peers compare it.
//!
//! The text `"1"` and the number `1` are two ids; `1` and `1.0`, or `"a"` and `"\u0061"`, are one. The bytes are kept as
//! the requester wrote them, for an answer that we make ourselves.

use std::cmp::Ordering;

use super::text;

/// A request's id.
#[derive(Clone, Debug)]
pub struct Id {
    raw: Vec<u8>,
    key: Key,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Whole(i64),
    Other(String),
    Text(String),
}

impl Id {
    /// Reads an id from its bytes; nothing where they are neither a string nor a number.
    pub fn read(raw: &[u8]) -> Option<Self> {
        let key = match raw.strip_prefix(b"\"").and_then(|raw| raw.strip_suffix(b"\"")) {
            Some(inner) => Key::Text(text::decode(inner).0.into_owned()),
            None => number(std::str::from_utf8(raw).ok()?)?,
        };
        Some(Self { raw: raw.to_vec(), key })
    }

    /// The bytes as the requester wrote them.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }
}

fn number(text: &str) -> Option<Key> {
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    if let Ok(whole) = text.parse() {
        return Some(Key::Whole(whole));
    }
    let value: f64 = text.parse().ok()?;
    // Up to 2^53 a float is exactly the whole number it shows.
    let exact = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
    Some(if exact { Key::Whole(value as i64) } else { Key::Other(text.to_owned()) })
}

impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Id {}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

#[cfg(test)]
mod tests {
    use super::Id;

    #[test]
    fn ids_are_one_where_peers_take_them_as_one() {
        let check = |a: &str, b: &str, same: bool| {
            assert_eq!(Id::read(a.as_bytes()).unwrap() == Id::read(b.as_bytes()).unwrap(), same, "{a} {b}");
        };
        check("1", "1.0", true);
        check("0", "-0", true);
        check("1e2", "100", true);
        check(r#""a""#, r#""\u0061""#, true);
        check(r#""1""#, "1", false);
        check("1.5", "1", false);
        check("9007199254740993", "9007199254740992", false);
        check("18446744073709551615", "18446744073709551614", false);
        check("1e400", "2e400", false);
    }

    #[test]
    fn other_values_are_no_ids() {
        for raw in ["null", "true", "{}", "[1]", "NaN", "", "\"", "Infinity"] {
            assert!(Id::read(raw.as_bytes()).is_none(), "{raw}");
        }
        assert_eq!(Id::read(b"1.50").unwrap().raw(), b"1.50");
    }
}
