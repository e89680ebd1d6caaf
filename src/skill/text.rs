//! From bytes to text, the one way in which all rooms do it.
//!
//! UTF-8 stays as it is, a byte order mark included, so that offsets in the text are offsets in the file. UTF-16 is
//! decoded where its mark says so. Anything else becomes text with U+FFFD in place of what is no UTF-8, and says so:
//! it is still screened.

use std::sync::Arc;

/// How bytes became text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// UTF-8 without a mark.
    Utf8,
    /// UTF-8 after a byte order mark, which stays in the text as U+FEFF.
    Utf8Mark,
    /// UTF-16 after a mark, which does not stay; offsets are those of the text, not of the file.
    Utf16,
    /// Bytes that are no UTF-8, each replaced by U+FFFD.
    Lossy,
}

/// A file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: Arc<str>,
    /// How it was written.
    pub encoding: Encoding,
}

impl Text {
    /// True where more than a tenth of the characters are replacements: this was not meant as text.
    pub fn is_garbled(&self) -> bool {
        let replaced = self.text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
        self.encoding != Encoding::Utf8 && replaced * 10 > self.text.chars().count()
    }
}

/// The text that these bytes stand for.
pub fn decode(bytes: &[u8]) -> Text {
    let of = |text: &str, encoding| Text { text: Arc::from(text), encoding };
    match bytes {
        [0xff, 0xfe, rest @ ..] => of(&utf16(rest, u16::from_le_bytes), Encoding::Utf16),
        [0xfe, 0xff, rest @ ..] => of(&utf16(rest, u16::from_be_bytes), Encoding::Utf16),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) if text.starts_with('\u{feff}') => of(text, Encoding::Utf8Mark),
            Ok(text) => of(text, Encoding::Utf8),
            Err(_) => of(&String::from_utf8_lossy(bytes), Encoding::Lossy),
        },
    }
}

/// Half units and lone surrogates become U+FFFD.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Encoding, decode};

    #[test]
    fn each_encoding_is_told_by_its_bytes() {
        let cases: [(&[u8], &str, Encoding); 7] = [
            (b"a\xc3\xa9", "aé", Encoding::Utf8),
            (b"\xef\xbb\xbfa", "\u{feff}a", Encoding::Utf8Mark),
            (b"\xff\xfea\0\xe9\0", "aé", Encoding::Utf16),
            (b"\xfe\xff\0a\0\xe9", "aé", Encoding::Utf16),
            (b"\xff\xfea\0\0\xd8b", "a\u{fffd}\u{fffd}", Encoding::Utf16),
            (b"caf\xe9", "caf\u{fffd}", Encoding::Lossy),
            (b"", "", Encoding::Utf8),
        ];
        for (bytes, text, encoding) in cases {
            let decoded = decode(bytes);
            assert_eq!((&*decoded.text, decoded.encoding), (text, encoding));
        }
    }

    #[test]
    fn one_odd_letter_is_not_garbage() {
        assert!(!decode(b"a long enough caf\xe9 it is").is_garbled());
        assert!(decode(&[0x80; 40]).is_garbled());
        assert!(!decode(b"").is_garbled());
    }
}
