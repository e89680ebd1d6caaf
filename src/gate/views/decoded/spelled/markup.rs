//! Markup in the middle of a word: `R<b></b>ead`, `**Re**ad`.

use memchr::{memchr, memchr_iter, memmem};

use super::Edit;
use crate::base::Span;
use crate::gate::views::Layer;

/// Tags that show nothing of their own; what breaks a line or makes a cell stands between words.
const INLINE: &[&str] = &[
    "a", "b", "big", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "s", "small", "span", "strong",
    "sub", "sup", "tt", "u", "wbr",
];

/// The longest tag or comment, and the longest part of a word in bold.
const LONGEST_TAG: usize = 80;
const LONGEST_PART: usize = 24;

/// What takes the markup out.
pub(super) fn edits(text: &str) -> Vec<Edit<'_>> {
    let bytes = text.as_bytes();
    let mut edits = Vec::new();
    let mut from = 0;
    for at in memchr_iter(b'<', bytes) {
        if at < from || !at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphabetic()) {
            continue;
        }
        let mut end = at;
        while let Some(len) = tag(&text[end..]) {
            end += len;
        }
        if end > at && bytes.get(end).is_some_and(u8::is_ascii_alphabetic) {
            edits.push((Span::new(at, end), "", Layer::MarkupInWord));
            from = end;
        }
    }
    let bold = memmem::find_iter(bytes, b"**").filter(|at| is_in_word(bytes, *at));
    edits.extend(bold.map(|at| (Span::new(at, at + 2), "", Layer::MarkupInWord)));
    edits
}

/// The length of the inline tag or comment that a text starts with.
fn tag(text: &str) -> Option<usize> {
    let window = &text.as_bytes()[..text.len().min(LONGEST_TAG)];
    if window.starts_with(b"<!--") {
        return memmem::find(window, b"-->").map(|at| at + 3);
    }
    let body = window.strip_prefix(b"<")?;
    let close = memchr(b'>', body)?;
    let inner = body[..close].strip_prefix(b"/").unwrap_or(&body[..close]);
    let len = inner.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_inline = INLINE.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(&inner[..len]));
    let ends = match inner.get(len) {
        None | Some(b'/') => true,
        Some(b' ') => inner[len..].contains(&b'='),
        Some(_) => false,
    };
    (is_inline && ends).then_some(close + 2)
}

/// True where a sign for bold stands between letters, and its fellow around a part of the same word.
fn is_in_word(bytes: &[u8], at: usize) -> bool {
    let (before, after) = (&bytes[..at], &bytes[at + 2..]);
    let left = before.iter().rev().take(LONGEST_PART).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let right = after.iter().take(LONGEST_PART).take_while(|byte| byte.is_ascii_alphabetic()).count();
    left > 0 && right > 0 && (before[..at - left].ends_with(b"**") || after[right..].starts_with(b"**"))
}
