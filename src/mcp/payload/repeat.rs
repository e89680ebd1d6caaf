//! Text that a server sends twice, once as a text block and once as structuredContent, is kept once.
//!
//! Only what is equal byte for byte, or token for token as JSON: what differs in one character is kept twice.

use super::super::lex::{Lexer, Token};

/// True where `text` is the JSON that stands in `raw`, white space between tokens aside.
pub(super) fn same_json(text: &str, raw: &[u8]) -> bool {
    let (mut left, mut right) = (Lexer::new(text.as_bytes(), 0), Lexer::new(raw, 0));
    loop {
        let (Ok(ours), Ok(theirs)) = (left.token(), right.token()) else { return false };
        let same = match (&ours, &theirs) {
            (Token::Text(a), Token::Text(b)) | (Token::Scalar(a), Token::Scalar(b)) => {
                text.as_bytes()[a.clone()] == raw[b.clone()]
            }
            _ => ours == theirs,
        };
        match (same, ours) {
            (false, _) => return false,
            (true, Token::End) => return true,
            (true, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::same_json;

    #[test]
    fn white_space_between_tokens_is_all_that_may_differ() {
        let raw = br#"{"a":[1,"b\n"],"c":null}"#;
        assert!(same_json("{ \"a\": [1, \"b\\n\"],\n \"c\": null }\n", raw));
        assert!(!same_json(r#"{"a":[1,"b\n"],"c":0}"#, raw));
        assert!(!same_json(r#"{"a":[1,"b\n"],"c":null} x"#, raw));
        assert!(!same_json(r#"{"a":[1,"b"#, raw));
    }
}
