//! What a base64 member holds: text, a picture, a program, an archive.
//!
//! Told by the bytes and never by the declared type: an agent shows what it finds. Decoded leniently, as common decoders
//! do.

use std::borrow::Cow;

use crate::base::text::{Encoding, decode as decode_text, text_beside, text_within};
use crate::base::{Compression, UnreadReason};

/// Lines of base64 are at least this long.
const LINE: usize = 32;

/// Decoded content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// It is text.
    Text(String),
    /// It is an archive, or a stream of one file; whoever screens the message opens it.
    Packed(Vec<u8>),
    /// It is something else.
    Other {
        /// Why it is not read.
        reason: UnreadReason,
        /// The format.
        what: &'static str,
        /// The text that stands between its bytes.
        text: String,
    },
}

/// Reads a base64 string; nothing where it is none.
pub(super) fn read(encoded: &str) -> Option<Content> {
    let is_base64 = |b: &u8| sextet(*b).is_some() || matches!(b, b'=' | b'\n' | b'\r' | b' ' | b'\t');
    if encoded.len() < 8 || !encoded.as_bytes().iter().all(is_base64) {
        return None;
    }
    let head = decode(encoded.as_bytes().get(..64).unwrap_or(encoded.as_bytes()));
    let kind = magic(&head);
    let bytes = decode(encoded.as_bytes());
    // What is text from end to end is text, whatever letters it begins with.
    let is_packed = is_packed(&bytes);
    let text = if kind.is_none() && !is_packed { as_text(&bytes) } else { whole_text(&bytes) };
    Some(match (text, kind) {
        (Some(text), _) => Content::Text(text.into_owned()),
        (None, _) if is_packed => Content::Packed(bytes),
        (None, kind) => {
            let (reason, what) = kind.unwrap_or((UnreadReason::Binary, "unknown"));
            Content::Other { reason, what, text: text_within(&bytes) }
        }
    })
}

/// True where the string can hardly be anything but base64: no blanks, long lines, and more than letters. Anything else
/// is read as it stands as well, since a few words without digits are base64 to a decoder.
pub(super) fn is_solid(encoded: &str) -> bool {
    let mut lines = encoded.trim_end().split(['\n', '\r']).filter(|line| !line.is_empty()).rev();
    let _last = lines.next();
    !encoded.contains([' ', '\t'])
        && lines.all(|line| line.len() >= LINE)
        && encoded.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}

/// True for zip, tar and compressed streams that cannot be mistaken.
fn is_packed(bytes: &[u8]) -> bool {
    let is_stream = || Compression::of(bytes).is_some_and(|compression| compression != Compression::Zlib);
    bytes.starts_with(b"PK\x03\x04") || bytes.get(257..262) == Some(b"ustar") || is_stream()
}

/// UTF-8 without control characters other than those of text.
fn whole_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}');
    text.chars().all(is_plain).then_some(Cow::Borrowed(text))
}

fn sextet(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

/// Decodes both alphabets, passing over padding and white space.
fn decode(encoded: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(encoded.len() / 4 * 3 + 3);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for sextet in encoded.iter().filter_map(|byte| sextet(*byte)) {
        buffer = buffer << 6 | sextet;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits) as u8);
            buffer &= (1 << bits) - 1;
        }
    }
    bytes
}

/// The text that the bytes are: UTF-8, UTF-16, UTF-32, or mostly printable ASCII.
fn as_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let text = decode_text(bytes);
    let printable = || bytes.iter().filter(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t')).count();
    if text.encoding == Encoding::Lossy && printable() * 10 < bytes.len() * 8 {
        return None;
    }
    let beside = text_beside(bytes, &text);
    Some(Cow::Owned(if beside.is_empty() {
        text.text.to_string()
    } else {
        format!("{}\n{beside}", text.text)
    }))
}

/// The kinds that are told by their first bytes.
fn magic(head: &[u8]) -> Option<(UnreadReason, &'static str)> {
    use UnreadReason::{Binary, Executable, Media};
    const MARKS: [(&[u8], UnreadReason, &str); 20] = [
        (b"\x89PNG\r\n", Media, "PNG"),
        (b"\xFF\xD8\xFF", Media, "JPEG"),
        (b"GIF87a", Media, "GIF"),
        (b"GIF89a", Media, "GIF"),
        (b"RIFF", Media, "RIFF"),
        (b"OggS", Media, "Ogg"),
        (b"fLaC", Media, "FLAC"),
        (b"ID3", Media, "MP3"),
        (b"\xFF\xFB", Media, "MP3"),
        (b"wOFF", Media, "WOFF"),
        (b"wOF2", Media, "WOFF"),
        (b"\x1A\x45\xDF\xA3", Media, "Matroska"),
        (b"\x7FELF", Executable, "ELF"),
        (b"MZ", Executable, "PE"),
        (b"\xCF\xFA\xED\xFE", Executable, "Mach-O"),
        (b"\xCE\xFA\xED\xFE", Executable, "Mach-O"),
        (b"\xCA\xFE\xBA\xBE", Executable, "Mach-O or Java"),
        (b"\0asm", Executable, "WebAssembly"),
        (b"%PDF-", Binary, "PDF"),
        (b"7z\xBC\xAF", Binary, "7-Zip"),
    ];
    if head.get(4..8) == Some(b"ftyp") {
        return Some((Media, "MP4"));
    }
    // Letters alone make no mark: text may begin with them.
    let found = MARKS.iter().find(|(mark, ..)| head.starts_with(mark))?;
    let is_text = head.iter().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t'));
    (!is_text || found.2 == "PDF").then_some((found.1, found.2))
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine as _};

    use super::{Content, UnreadReason, read};

    #[test]
    fn text_is_text_in_any_alphabet() {
        for text in ["name,value\nä,1", "?>?>~~ÿÿ", "<svg onload=x>", "#!/bin/sh\n"] {
            let expected = Some(Content::Text(text.to_owned()));
            assert_eq!(read(&BASE64_STANDARD.encode(text)), expected);
            assert_eq!(read(&BASE64_URL_SAFE_NO_PAD.encode(text)), expected);
        }
        assert_eq!(read("aGVsbG8g\r\n d29ybGQ="), Some(Content::Text("hello world".to_owned())));
    }

    #[test]
    fn other_encodings_are_read() {
        assert_eq!(
            read(&BASE64_STANDARD.encode(b"\xff\xfeh\0e\0y\0!\0")),
            Some(Content::Text("hey!".to_owned()))
        );
        for wide in [b"h\0e\0y\0!\0\n\0".as_slice(), b"\0\0\0h\0\0\0e\0\0\0y\0\0\0!\0\0\0\n"] {
            assert_eq!(read(&BASE64_STANDARD.encode(wide)), Some(Content::Text("hey!\n".to_owned())));
        }
        let latin = read(&BASE64_STANDARD.encode(b"caf\xe9 au lait, s'il vous plait"));
        assert_eq!(latin, Some(Content::Text("caf\u{fffd} au lait, s'il vous plait".to_owned())));
    }

    #[test]
    fn other_kinds_are_named() {
        let kind = |bytes: &[u8]| match read(&BASE64_STANDARD.encode(bytes)) {
            Some(Content::Other { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), UnreadReason::Media);
        assert_eq!(kind(b"\x7fELF\x02\x01\x01\0"), UnreadReason::Executable);
        assert_eq!(kind(&[0x80; 40]), UnreadReason::Binary);
        let packed = b"PK\x03\x04\x14\0\0\0\x08\0";
        assert_eq!(read(&BASE64_STANDARD.encode(packed)), Some(Content::Packed(packed.to_vec())));
        assert_eq!(
            read(&BASE64_STANDARD.encode("MZ is a name")),
            Some(Content::Text("MZ is a name".to_owned()))
        );
    }

    #[test]
    fn words_are_no_base64() {
        assert_eq!(read("hello, world"), None);
        assert_eq!(read("short"), None);
    }
}
