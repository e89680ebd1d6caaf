//! Escapes of URLs, HTML and string literals: `%41`, `&#65;`, `\x41`, `\u0041`, `\u{41}`, `\101`.
//!
//! Decoded where they stand. Bytes that follow one another are read as UTF-8 together. An escape that stands
//! for a control character stays as it is: it is part of a terminal sequence or of binary data.

use memchr::memchr3_iter;

use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::in_place::InPlace;
use crate::gate::views::unfold::{Found, Source};

/// The lines with escapes, decoded.
pub(super) fn decode(source: &Source<'_>) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut lines = InPlace::new(text, ViewKind::Decoded);
    let mut from = 0;
    for at in memchr3_iter(b'%', b'&', b'\\', text.as_bytes()) {
        if at < from {
            continue;
        }
        if let Some((c, len, layer)) = escape(&text[at..]) {
            let span = Span::new(at, at + len);
            from = span.end;
            if is_shown(c) && source.is_new(span) {
                lines.edit(span, c.encode_utf8(&mut [0; 4]), layer);
            }
        }
    }
    lines.finish()
}

/// The character that the text starts with an escape of, and the length of the escape.
fn escape(text: &str) -> Option<(char, usize, Layer)> {
    let bytes = text.as_bytes();
    match (bytes[0], *bytes.get(1)?) {
        (b'%', b'u') => unicode(text, 2, 4, Layer::UnicodeEscape),
        (b'%', _) => utf8(text, 3, Layer::Percent, |unit| Some(hex(unit.strip_prefix('%')?)? as u8)),
        (b'&', b'#') => numeric_entity(text),
        (b'&', _) => named_entity(text),
        (_, b'x') => hex_escape(text),
        (_, b'u') => {
            braced(text).or_else(|| utf16(text)).or_else(|| unicode(text, 2, 4, Layer::UnicodeEscape))
        }
        (_, b'U') => unicode(text, 2, 8, Layer::UnicodeEscape),
        (_, b'0'..=b'3') => utf8(text, 4, Layer::OctalEscape, octal),
        _ => None,
    }
}

/// `\x41`, `\x{41}`, and UTF-8 written so.
fn hex_escape(text: &str) -> Option<(char, usize, Layer)> {
    if text[2..].starts_with('{') {
        return braced(text).map(|(c, len, _)| (c, len, Layer::Hex));
    }
    utf8(text, 4, Layer::Hex, |unit| Some(hex(unit.strip_prefix("\\x")?)? as u8))
}

/// One character of UTF-8 whose bytes are escapes of one length each.
fn utf8(text: &str, unit: usize, layer: Layer, byte: fn(&str) -> Option<u8>) -> Option<(char, usize, Layer)> {
    let nth = |n: usize| byte(text.get(n * unit..(n + 1) * unit)?);
    let first = nth(0)?;
    let count = match first {
        0..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let mut bytes = [first, 0, 0, 0];
    for (n, slot) in bytes.iter_mut().enumerate().take(count).skip(1) {
        *slot = nth(n)?;
    }
    let c = std::str::from_utf8(&bytes[..count]).ok()?.chars().next()?;
    Some((c, count * unit, layer))
}

/// `\u0041` and its like: a prefix and a fixed number of hex digits.
fn unicode(text: &str, prefix: usize, digits: usize, layer: Layer) -> Option<(char, usize, Layer)> {
    let end = prefix + digits;
    Some((char::from_u32(hex(text.get(prefix..end)?)?)?, end, layer))
}

/// `\ud83d\ude00`: a character in two halves.
fn utf16(text: &str) -> Option<(char, usize, Layer)> {
    let high = hex(text.get(2..6)?)?;
    let low = hex(text.get(6..12)?.strip_prefix("\\u")?)?;
    let halves = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    if !(0xD800..0xDC00).contains(&high) {
        return None;
    }
    let c = char::decode_utf16(halves).next()?.ok()?;
    Some((c, 12, Layer::UnicodeEscape))
}

/// `\u{41}` and `\x{41}`.
fn braced(text: &str) -> Option<(char, usize, Layer)> {
    let inner = text.get(2..)?.strip_prefix('{')?;
    let digits = inner.bytes().take(7).position(|byte| byte == b'}')?;
    Some((char::from_u32(hex(&inner[..digits])?)?, digits + 4, Layer::UnicodeEscape))
}

fn octal(unit: &str) -> Option<u8> {
    u8::from_str_radix(unit.strip_prefix('\\').filter(|digits| !digits.starts_with('+'))?, 8).ok()
}

fn numeric_entity(text: &str) -> Option<(char, usize, Layer)> {
    let body = &text[2..];
    let (digits, radix, prefix) = match body.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 3),
        None => (body, 10, 2),
    };
    let len = digits.bytes().take(10).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let c = char::from_u32(u32::from_str_radix(&digits[..len], radix).ok()?)?;
    let semicolon = usize::from(digits[len..].starts_with(';'));
    Some((c, prefix + len + semicolon, Layer::HtmlEntity))
}

/// The named entities that stand for ASCII signs.
const ENTITIES: &[(&str, char)] = &[
    ("amp", '&'),
    ("apos", '\''),
    ("ast", '*'),
    ("bsol", '\\'),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("dollar", '$'),
    ("equals", '='),
    ("excl", '!'),
    ("grave", '`'),
    ("gt", '>'),
    ("hyphen", '-'),
    ("lbrace", '{'),
    ("lbrack", '['),
    ("lcub", '{'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lsqb", '['),
    ("lt", '<'),
    ("nbsp", ' '),
    ("num", '#'),
    ("percnt", '%'),
    ("period", '.'),
    ("plus", '+'),
    ("quest", '?'),
    ("quot", '"'),
    ("rbrace", '}'),
    ("rbrack", ']'),
    ("rcub", '}'),
    ("rpar", ')'),
    ("rsqb", ']'),
    ("semi", ';'),
    ("sol", '/'),
    ("verbar", '|'),
    ("vert", '|'),
];

fn named_entity(text: &str) -> Option<(char, usize, Layer)> {
    let len = text.bytes().skip(1).take(8).position(|byte| byte == b';')?;
    let name = text.get(1..=len)?;
    let found = ENTITIES.binary_search_by_key(&name, |(known, _)| *known).ok()?;
    Some((ENTITIES[found].1, len + 2, Layer::HtmlEntity))
}

/// Hex digits only; `from_str_radix` would also take a sign.
fn hex(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Worth a decoded view: what shows, and line ends.
fn is_shown(c: char) -> bool {
    c == '\n' || c == '\t' || !c.is_control()
}
