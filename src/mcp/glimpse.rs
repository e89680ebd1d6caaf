//! What the first and last bytes of a message tell when the whole of it is not read.
//!
//! For an error answer to a message that is too long or nested too deep. A guess is never made: an id counts only
//! where it stands at the top level of the object.

use std::borrow::Cow;

use super::id::Id;
use super::lex::{Lexer, Token};
use super::members::text_at;

/// What could be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// The message's id.
    pub id: Option<Id>,
    /// The message's method, which an answer has not.
    pub method: Option<String>,
}

/// Looks at the front of a message and, where that shows no id, at its end.
pub(super) fn ends(head: &[u8], tail: &[u8]) -> Glimpse {
    let mut seen = front(head);
    seen.id = seen.id.or_else(|| id_at_the_end(tail));
    seen
}

/// Reads the members of the outermost object as far as the bytes go.
fn front(head: &[u8]) -> Glimpse {
    let mut seen = Glimpse::default();
    let mut lexer = Lexer::new(head, 0);
    let (mut depth, mut key, mut after_colon) = (0_usize, None, false);
    while let Ok(token) = lexer.token() {
        // A number that ends where the bytes end may go on.
        let whole = lexer.offset() < head.len();
        match token {
            Token::End => break,
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth = depth.saturating_sub(1),
            Token::Colon => after_colon = true,
            Token::Comma => after_colon = false,
            Token::Text(range) if depth == 1 && !after_colon => key = text_at(head, range),
            Token::Text(range) | Token::Scalar(range) if depth == 1 && whole => match key.as_deref() {
                Some("id") => seen.id = head.get(range).and_then(Id::read),
                Some("method") => seen.method = text_at(head, range).map(Cow::into_owned),
                _ => {}
            },
            Token::Text(_) | Token::Scalar(_) => {}
        }
    }
    seen
}

/// Reads `"id": …` where it is the last member of the outermost object, or only `"jsonrpc": "2.0"` follows.
///
/// The last bracket of a message closes its outermost object, so the member before it is one of that object's; inside a
/// string no bare quotation mark could stand before the colon.
fn id_at_the_end(tail: &[u8]) -> Option<Id> {
    let body = tail.trim_ascii_end().strip_suffix(b"}")?.trim_ascii_end();
    let body = without_version(body).unwrap_or(body);
    let at = memchr::memmem::rfind(body, b"\"id\"")?;
    let before = body[..at].trim_ascii_end();
    let value = body[at + 4..].trim_ascii_start().strip_prefix(b":")?.trim_ascii();
    let is_plain = value.strip_prefix(b"\"").map_or(!value.is_empty(), |rest| {
        memchr::memchr2(b'"', b'\\', rest) == rest.len().checked_sub(1) && rest.ends_with(b"\"")
    });
    Id::read(value).filter(|_| is_plain && before.ends_with(b","))
}

fn without_version(body: &[u8]) -> Option<&[u8]> {
    let body = body.strip_suffix(b"\"2.0\"")?.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    body.strip_suffix(b"\"jsonrpc\"")?.trim_ascii_end().strip_suffix(b",").map(<[u8]>::trim_ascii_end)
}

#[cfg(test)]
mod tests {
    use super::{Glimpse, ends};

    fn check(head: &str, tail: &str, id: Option<&str>, method: Option<&str>) {
        let Glimpse { id: seen, method: seen_method } = ends(head.as_bytes(), tail.as_bytes());
        let seen = seen.map(|id| String::from_utf8_lossy(id.raw()).into_owned());
        assert_eq!((seen.as_deref(), seen_method.as_deref()), (id, method), "{head} … {tail}");
    }

    #[test]
    fn only_the_outermost_object_counts() {
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"id":2,"te"#,
            "",
            Some("1"),
            Some("tools/call"),
        );
        check(r#"{"result":{"id":2,"text":"xx"#, r#"x","id":3}}"#, None, None);
        check(r#"{"result":{"text":"xx"#, r#"x"},"id": "a" } "#, Some("\"a\""), None);
        check(r#"{"result":"xx"#, r#"x","id":3,"jsonrpc":"2.0"}"#, Some("3"), None);
        check(r#"{"result":"xx"#, r#"x \"id\":3}"#, None, None);
        check(r#"{"result":"xx"#, r#"x","a":["id",3}"#, None, None);
        check(r#"{"id":12"#, "", None, None);
        check("not json", "at all", None, None);
    }
}
