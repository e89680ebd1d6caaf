//! JSON tokens over raw bytes: where each begins and ends, and nothing about what it means.
//!
//! Reads what any agent's parser may read (NaN, raw control characters, bytes that are no UTF-8), so that nothing an
//! agent accepts is overlooked; what no parser accepts is [`Broken`]. Linear, without recursion or copies.

use std::ops::Range;

/// The two kinds of bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `{ }`
    Object,
    /// `[ ]`
    Array,
}

/// One token; ranges are byte offsets, those of texts with their quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Open(Bracket),
    Close(Bracket),
    Colon,
    Comma,
    Text(Range<usize>),
    Scalar(Range<usize>),
    End,
}

/// The bytes are no JSON, not even leniently read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no JSON at byte {at}: {why}")]
pub struct Broken {
    /// The offset where it shows.
    pub at: usize,
    /// What was wrong, in our words.
    pub why: &'static str,
}

/// Reads tokens from the front.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// A carriage return stood between two tokens: who reads by universal newlines sees several lines here.
    pub(super) carriage_return: bool,
}

impl<'a> Lexer<'a> {
    /// Reads `bytes` from `at`.
    pub(super) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, carriage_return: false }
    }

    /// One past the last token.
    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// The next token.
    pub(super) fn token(&mut self) -> Result<Token, Broken> {
        let carriage_return = self.skip_space();
        let Some(&first) = self.bytes.get(self.at) else { return Ok(Token::End) };
        self.carriage_return |= carriage_return;
        let start = self.at;
        self.at += 1;
        Ok(match first {
            b'{' => Token::Open(Bracket::Object),
            b'[' => Token::Open(Bracket::Array),
            b'}' => Token::Close(Bracket::Object),
            b']' => Token::Close(Bracket::Array),
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => Token::Text(start..self.end_of_text()?),
            _ => Token::Scalar(start..self.end_of_scalar(start)?),
        })
    }

    /// Moves to the next token and tells whether a carriage return was passed.
    fn skip_space(&mut self) -> bool {
        let mut carriage_return = false;
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            carriage_return |= self.bytes[self.at] == b'\r';
            self.at += 1;
        }
        carriage_return
    }

    fn end_of_text(&mut self) -> Result<usize, Broken> {
        let start = self.at - 1;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                return Err(Broken { at: start, why: "a string does not end" });
            };
            self.at += found + 1;
            if rest[found] == b'"' {
                return Ok(self.at);
            }
            self.at += 1;
        }
    }

    fn end_of_scalar(&mut self, start: usize) -> Result<usize, Broken> {
        let is_scalar = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = self.bytes[start..].iter().take_while(|byte| is_scalar(byte)).count();
        self.at = start + length;
        match &self.bytes[start..self.at] {
            b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity" => Ok(self.at),
            [b'-' | b'0'..=b'9', rest @ ..] if rest.iter().all(|byte| b"0123456789+-.eE".contains(byte)) => {
                Ok(self.at)
            }
            _ => Err(Broken { at: start, why: "neither a value nor punctuation" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bracket, Lexer, Token};

    fn tokens(text: &str) -> Option<Vec<Token>> {
        let mut lexer = Lexer::new(text.as_bytes(), 0);
        let mut tokens = Vec::new();
        loop {
            match lexer.token().ok()? {
                Token::End => return Some(tokens),
                token => tokens.push(token),
            }
        }
    }

    #[test]
    fn strings_end_at_the_first_bare_quotation_mark() {
        assert_eq!(tokens(r#""a\"b" "\\""#), Some(vec![Token::Text(0..6), Token::Text(7..11)]));
        assert_eq!(tokens(r#""a\""#), None);
    }

    #[test]
    fn what_no_parser_takes_is_broken() {
        for text in ["nul", "'a'", "{a:1}", "/* */", "-x", "\u{feff}", "0x1F"] {
            assert_eq!(tokens(text), None, "{text}");
        }
        for text in ["NaN", "-Infinity", "-1.5e+9", "01", "null"] {
            assert_eq!(tokens(text), Some(vec![Token::Scalar(0..text.len())]), "{text}");
        }
    }

    #[test]
    fn only_a_carriage_return_between_tokens_is_told() {
        let told = |text: &str| {
            let mut lexer = Lexer::new(text.as_bytes(), 0);
            while lexer.token() != Ok(Token::End) {}
            lexer.carriage_return
        };
        assert!(told("[1,\r2]"));
        assert!(!told("[1,2]\r\n"));
        assert_eq!(tokens("[]"), Some(vec![Token::Open(Bracket::Array), Token::Close(Bracket::Array)]));
    }
}
