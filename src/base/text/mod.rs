//! From bytes to text, the one way in which all rooms do it.
//!
//! UTF-8 stays as it is, a byte order mark included, so that offsets in the text are offsets in the file. UTF-16 and
//! UTF-32 are decoded where a mark or their zeros give them away; lines stay the lines of the file. Anything else becomes
//! text with U+FFFD in place of what is no UTF-8, and says so: it is still screened.

mod wide;
mod within;

use std::sync::Arc;

use wide::Wide;
pub use within::text_within;

/// How bytes became text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// UTF-8 without a mark.
    Utf8,
    /// UTF-8 after a byte order mark, which stays in the text as U+FEFF.
    Utf8Mark,
    /// UTF-16; a mark does not stay; offsets are those of the text, not of the file.
    Utf16,
    /// UTF-32, as UTF-16.
    Utf32,
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
    if let Some(wide) = Wide::of(bytes) {
        return of(&wide.text(bytes), wide.encoding());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.starts_with('\u{feff}') => of(text, Encoding::Utf8Mark),
        Ok(text) => of(text, Encoding::Utf8),
        Err(_) => of(&String::from_utf8_lossy(bytes), Encoding::Lossy),
    }
}

/// What else wide bytes may be to a reader who takes them for UTF-8; empty where that is the same text with zeros in it.
pub fn text_beside(bytes: &[u8], text: &Text) -> String {
    let is_wide = matches!(text.encoding, Encoding::Utf16 | Encoding::Utf32);
    let letters = bytes.iter().copied().filter(|byte| *byte != 0 && byte.is_ascii());
    if is_wide && letters.ne(text.text.bytes().filter(u8::is_ascii)) {
        text_within(bytes)
    } else {
        String::new()
    }
}

/// True for UTF-16 and UTF-32.
pub fn is_wide(bytes: &[u8]) -> bool {
    Wide::of(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::{Encoding, decode};

    #[test]
    fn each_encoding_is_told_by_its_bytes() {
        let cases: [(&[u8], &str, Encoding); 9] = [
            (b"a\xc3\xa9", "aé", Encoding::Utf8),
            (b"\xef\xbb\xbfa", "\u{feff}a", Encoding::Utf8Mark),
            (b"\xff\xfea\0\xe9\0", "aé", Encoding::Utf16),
            (b"\xfe\xff\0a\0\xe9", "aé", Encoding::Utf16),
            (b"\xff\xfea\0\0\xd8b", "a\u{fffd}\u{fffd}", Encoding::Utf16),
            (b"w\0i\0d\0e\0\n\0", "wide\n", Encoding::Utf16),
            (b"\xff\xfe\0\0a\0\0\0", "a", Encoding::Utf32),
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
