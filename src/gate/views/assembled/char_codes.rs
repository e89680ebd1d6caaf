//! Characters given by number: `chr(99)`, `String.fromCharCode(99, 117)`, `[char]0x63`, plain lists of codes.
//!
//! Each call or list is replaced by a literal where it stands, so that what joins literals joins these too. A
//! plain list counts where it is long and spells words.

use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::in_place::InPlace;
use crate::gate::views::unfold::{Found, Source};

/// The fewest codes of a list that no call names as characters.
const PLAIN: usize = 6;

/// What may stand before the first code of characters, in lower case.
const CALLS: &[&str] = &[
    "string.fromcharcode(",
    "string.fromcodepoint(",
    "fromcharcode(",
    "fromcodepoint(",
    "[char[]](",
    "[char[]]@(",
    "[char](",
    "[char]",
    "chrw(",
    "chr(",
    "char(",
];

/// The lines with characters given by number, as literals.
pub(super) fn decode(source: &Source<'_>) -> impl Iterator<Item = Found> {
    let text = source.text;
    let mut lines = InPlace::new(text, ViewKind::Assembled);
    let mut from = 0;
    while let Some(list) = next_list(text, from) {
        from = list.span.end;
        if let Some((span, spelled)) = spelled(text, &list).filter(|(span, _)| source.is_new(*span)) {
            let quote = if spelled.contains('"') { '\'' } else { '"' };
            lines.edit(span, &format!("{quote}{spelled}{quote}"), Layer::CharCodes);
        }
    }
    lines.finish()
}

/// Numbers with nothing but commas and blanks between.
struct List {
    span: Span,
    codes: Vec<u32>,
}

/// The next list, of one number or more.
fn next_list(text: &str, from: usize) -> Option<List> {
    let bytes = text.as_bytes();
    let mut at = from;
    let first = loop {
        at += bytes[at..].iter().position(u8::is_ascii_digit)?;
        let is_inside =
            at > from && (bytes[at - 1].is_ascii_alphanumeric() || b"_.#".contains(&bytes[at - 1]));
        match number(bytes, at).filter(|_| !is_inside) {
            Some(first) => break first,
            None => at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count(),
        }
    };
    let mut list = List { span: Span::new(at, first.1), codes: vec![first.0] };
    while let Some((code, end)) = next_number(bytes, list.span.end) {
        list.codes.push(code);
        list.span.end = end;
    }
    Some(list)
}

fn next_number(bytes: &[u8], end: usize) -> Option<(u32, usize)> {
    let gap = bytes[end..].iter().take(24).position(|byte| !b" \t\r\n,".contains(byte))?;
    number(bytes, end + gap).filter(|_| gap > 0)
}

/// The code at a place, decimal or hex, and its end; nothing where it is part of a word or stands for no
/// character.
fn number(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let is_hex = bytes[at..].starts_with(b"0x") || bytes[at..].starts_with(b"0X");
    let (start, radix) = if is_hex { (at + 2, 16) } else { (at, 10) };
    let digits = bytes[start..].iter().take(7).take_while(|byte| char::from(**byte).is_digit(radix)).count();
    let end = start + digits;
    let digits = std::str::from_utf8(&bytes[start..end]).ok()?;
    let is_word = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| !is_word)?;
    let c = char::from_u32(code)?;
    (!c.is_control() || c.is_ascii_whitespace()).then_some((code, end))
}

/// The text that a list spells and what it replaces, where it spells one.
fn spelled(text: &str, list: &List) -> Option<(Span, String)> {
    let call = call_before(text, list.span.start);
    if call.is_none() && list.codes.len() < PLAIN {
        return None;
    }
    let spelled: String = list.codes.iter().copied().filter_map(char::from_u32).collect();
    let wordy = spelled.bytes().filter(|byte| byte.is_ascii_alphabetic() || *byte == b' ').count();
    if call.is_none() && wordy * 10 < list.codes.len() * 6 {
        return None;
    }
    let start = list.span.start - call.map_or(0, str::len);
    let opens = call.is_some_and(|call| call.ends_with('('));
    let closes = usize::from(opens && text[list.span.end..].starts_with(')'));
    Some((Span::new(start, list.span.end + closes), spelled))
}

/// The call whose first argument starts at a place.
fn call_before(text: &str, at: usize) -> Option<&'static str> {
    let bytes = &text.as_bytes()[..at];
    CALLS.iter().copied().find(|call| {
        let before = bytes.len().checked_sub(call.len());
        before.is_some_and(|start| bytes[start..].eq_ignore_ascii_case(call.as_bytes()))
    })
}
