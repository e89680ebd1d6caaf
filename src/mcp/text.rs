//! The text that a JSON string stands for, decoded the way lenient parsers do.
//!
//! Half a surrogate pair and bytes that are no UTF-8 become U+FFFD, an unknown escape stays as it is written, and each
//! of them is told. Plain strings are borrowed.

use std::borrow::Cow;

use super::anomaly::AnomalyCode;

/// What had to be guessed while decoding, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Flaws(Vec<AnomalyCode>);

impl Flaws {
    /// The anomalies that these flaws are.
    pub(super) fn codes(&self) -> impl Iterator<Item = AnomalyCode> {
        self.0.iter().copied()
    }

    fn add(&mut self, code: AnomalyCode) {
        if !self.0.contains(&code) {
            self.0.push(code);
        }
    }
}

/// Decodes what stands between the quotation marks.
pub(super) fn decode(inner: &[u8]) -> (Cow<'_, str>, Flaws) {
    let mut flaws = Flaws::default();
    // Without an early exit the compiler looks at many bytes at once, and most strings have none.
    if inner.iter().copied().fold(u8::MAX, u8::min) < 0x20 {
        flaws.add(AnomalyCode::RawControl);
    }
    if memchr::memchr(b'\\', inner).is_none() {
        return (lossy(inner, &mut flaws), flaws);
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(backslash) = memchr::memchr(b'\\', rest) {
        text.push_str(&lossy(&rest[..backslash], &mut flaws));
        let taken = escape(&rest[backslash..], &mut text, &mut flaws);
        rest = rest.get(backslash + taken..).unwrap_or_default();
    }
    text.push_str(&lossy(rest, &mut flaws));
    (Cow::Owned(text), flaws)
}

fn lossy<'a>(bytes: &'a [u8], flaws: &mut Flaws) -> Cow<'a, str> {
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        flaws.add(AnomalyCode::InvalidUtf8);
    }
    text
}

/// Decodes the escape at the front and gives its length in bytes.
fn escape(at: &[u8], text: &mut String, flaws: &mut Flaws) -> usize {
    let plain = match at.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&c @ (b'"' | b'\\' | b'/')) => char::from(c),
        Some(b'u') => return unicode(at, text, flaws),
        _ => {
            flaws.add(AnomalyCode::BadEscape);
            text.push('\\');
            return 1;
        }
    };
    text.push(plain);
    2
}

fn unicode(at: &[u8], text: &mut String, flaws: &mut Flaws) -> usize {
    let Some(first) = four_digits(at) else {
        flaws.add(AnomalyCode::BadEscape);
        text.push('\\');
        return 1;
    };
    if let Some(c) = char::from_u32(first) {
        text.push(c);
        return 6;
    }
    let second = at.get(6..).and_then(four_digits).filter(|low| (0xDC00..0xE000).contains(low));
    let pair =
        second.filter(|_| first < 0xDC00).map(|low| 0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00));
    if let Some(c) = pair.and_then(char::from_u32) {
        text.push(c);
        return 12;
    }
    flaws.add(AnomalyCode::LoneSurrogate);
    text.push(char::REPLACEMENT_CHARACTER);
    6
}

/// The number in a `\u` escape at the front.
fn four_digits(at: &[u8]) -> Option<u32> {
    let digits = at.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{AnomalyCode, decode};

    fn check(inner: &[u8], text: &str, codes: &[&str]) {
        let (decoded, flaws) = decode(inner);
        assert_eq!(decoded, text);
        assert_eq!(flaws.codes().map(AnomalyCode::name).collect::<Vec<_>>(), codes);
    }

    #[test]
    fn escapes_become_what_they_stand_for() {
        check(br#"a\n\u0041\\\/\"\uD83D\uDE00\ud83d\ude00z"#, "a\nA\\/\"\u{1f600}\u{1f600}z", &[]);
    }

    #[test]
    fn guesses_are_told() {
        check(br"x\ud83dy", "x\u{fffd}y", &["lone-surrogate"]);
        check(br"\ude00\ud83d", "\u{fffd}\u{fffd}", &["lone-surrogate"]);
        check(br"\ud83d\u0041", "\u{fffd}A", &["lone-surrogate"]);
        check(b"a\x01b", "a\u{1}b", &["raw-control"]);
        check(b"a\xffb", "a\u{fffd}b", &["invalid-utf8"]);
        check(br"\x41 \u12G4 \", r"\x41 \u12G4 \", &["bad-escape"]);
        check(b"\xff\\n\xed\xa0\x80", "\u{fffd}\n\u{fffd}\u{fffd}\u{fffd}", &["invalid-utf8"]);
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(decode("naïve".as_bytes()).0, Cow::Borrowed("naïve")));
    }
}
