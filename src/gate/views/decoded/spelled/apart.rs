//! Letters set apart: `R e a d   t h i s`, `i-g-n-o-r-e`.
//!
//! A run counts where it is long enough and made mostly of different letters; lists of options and drawings are not.

use memchr::{memchr_iter, memchr3_iter};

use super::Edit;
use crate::base::Span;
use crate::gate::views::Layer;

/// The fewest characters of a run with blanks between, and of a word with signs between.
const SHORTEST_RUN: usize = 8;
const SHORTEST_WORD: usize = 4;

/// The widest gap that still stands between two words.
const WIDEST: usize = 8;

/// What takes the gaps out.
pub(super) fn edits(text: &str) -> Vec<Edit<'_>> {
    let bytes = text.as_bytes();
    let mut edits = Vec::new();
    let mut from = 0;
    for at in memchr_iter(b' ', bytes) {
        if at > from && is_single(bytes, at - 1) {
            from = blanks(bytes, at - 1, &mut edits);
        }
    }
    from = 0;
    for at in memchr3_iter(b'-', b'.', b'_', bytes) {
        if at > from
            && is_letter(bytes, at - 1)
            && !at.checked_sub(2).is_some_and(|before| is_joined(bytes, before))
        {
            from = signs(bytes, at, &mut edits);
        }
    }
    edits
}

/// Follows characters with blanks between them from the first one on; says where they end.
fn blanks(bytes: &[u8], first: usize, edits: &mut Vec<Edit<'_>>) -> usize {
    let mut gaps = Vec::new();
    let mut shown = vec![bytes[first]];
    let mut at = first;
    loop {
        let width = bytes[at + 1..].iter().take(WIDEST + 1).take_while(|byte| **byte == b' ').count();
        let next = at + 1 + width;
        if width == 0 || width > WIDEST || !is_single(bytes, next) {
            break;
        }
        gaps.push((Span::new(at + 1, next), if width == 1 { "" } else { " " }));
        shown.push(bytes[next]);
        at = next;
    }
    if shown.len() >= SHORTEST_RUN && is_mostly_letters(&shown) {
        edits.extend(gaps.into_iter().map(|(span, with)| (span, with, Layer::LettersApart)));
    }
    at
}

/// Follows letters with one sign between them from the first sign on; says where they end.
fn signs(bytes: &[u8], first: usize, edits: &mut Vec<Edit<'_>>) -> usize {
    let sign = bytes[first];
    let mut gaps = Vec::new();
    let mut at = first;
    while bytes.get(at) == Some(&sign) && is_letter(bytes, at + 1) && !is_letter(bytes, at + 2) {
        gaps.push(Span::new(at, at + 1));
        at += 2;
    }
    if gaps.len() + 1 >= SHORTEST_WORD {
        edits.extend(gaps.into_iter().map(|span| (span, "", Layer::LettersApart)));
    }
    at
}

/// True for a character that has blanks, line ends or nothing on both sides.
fn is_single(bytes: &[u8], at: usize) -> bool {
    let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(u8::is_ascii_whitespace);
    bytes.get(at).is_some_and(u8::is_ascii_graphic) && blank(at.checked_sub(1)) && blank(at.checked_add(1))
}

fn is_letter(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
}

/// True for what makes the letter after it part of a longer word or a path.
fn is_joined(bytes: &[u8], at: usize) -> bool {
    bytes
        .get(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'/'))
}

fn is_mostly_letters(shown: &[u8]) -> bool {
    let mut letters: Vec<u8> = shown.iter().copied().filter(u8::is_ascii_alphabetic).collect();
    let count = letters.len();
    letters.sort_unstable();
    letters.dedup();
    count * 3 >= shown.len() * 2 && letters.len() >= 4
}
