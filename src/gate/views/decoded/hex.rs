//! Runs of hex digits: plain, in pairs or groups with a space between, and as lists of `0x41`.
//!
//! Hashes, keys and ids decode to no text and give nothing.

use super::text;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::unfold::{Found, Groups, Source};

/// The fewest digits that are tried.
const SHORTEST: usize = 12;

/// The texts in hex, one rewrite for each way in which they are carried.
pub(super) fn decode(source: &Source<'_>) -> Vec<Found> {
    let bytes = source.text.as_bytes();
    let mut groups = Groups::default();
    for span in runs(bytes).filter(|span| source.is_new(*span)) {
        if let Some((text, inner)) = text::of(&pairs(&bytes[span.start..span.end])) {
            groups.add(span, &text, [Layer::Hex].into_iter().chain(inner).collect());
        }
    }
    groups.finish(ViewKind::Decoded)
}

/// The runs of so many characters or more with the bytes they stand for, text or not.
pub(super) fn blobs(source: &Source<'_>, shortest: usize) -> impl Iterator<Item = (Span, Vec<u8>)> {
    let bytes = source.text.as_bytes();
    let long = runs(bytes).filter(move |span| span.len() >= shortest);
    long.map(move |span| (span, pairs(&bytes[span.start..span.end])))
}

/// Runs that are long enough, in order.
fn runs(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (span, count) = next_run(bytes, at)?;
            at = span.end;
            if count >= SHORTEST {
                return Some(span);
            }
        }
    })
}

/// The next run of groups of hex digits of one even length, and the number of its digits.
fn next_run(bytes: &[u8], from: usize) -> Option<(Span, usize)> {
    let first = first_group(bytes, from)?;
    let (mut end, mut count) = (first.end, first.len());
    while let Some(next) = next_group(bytes, end).filter(|next| next.len() == first.len()) {
        count += next.len();
        end = next.end;
    }
    Some((Span::new(first.start, end), count))
}

/// The next word that is nothing but an even number of hex digits.
fn first_group(bytes: &[u8], from: usize) -> Option<Span> {
    let mut at = from;
    loop {
        at += bytes[at..].iter().position(u8::is_ascii_hexdigit)?;
        let group = group_at(bytes, at);
        let is_inside = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if !is_inside && ends_word(bytes, group.end) && group.len().is_multiple_of(2) {
            return Some(group);
        }
        at = skip_word(bytes, group.end);
    }
}

/// The digits at a place, without `0x` before them.
fn group_at(bytes: &[u8], at: usize) -> Span {
    let start = if bytes[at..].starts_with(b"0x") || bytes[at..].starts_with(b"0X") { at + 2 } else { at };
    let len = bytes[start..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    Span::new(start, start + len)
}

/// The group that follows after one or a few separators.
fn next_group(bytes: &[u8], end: usize) -> Option<Span> {
    let rest = &bytes[end..];
    let gap = rest.iter().take(24).position(|byte| !b" \t\r\n,:;-".contains(byte))?;
    let group = group_at(bytes, end + gap);
    (gap > 0 && !group.is_empty() && ends_word(bytes, group.end)).then_some(group)
}

fn ends_word(bytes: &[u8], end: usize) -> bool {
    bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

fn skip_word(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// The bytes that a run stands for; what stands between its groups is skipped.
fn pairs(run: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(run.len() / 2);
    let mut at = 0;
    while at + 1 < run.len() {
        let digits = [run[at], run[at + 1]].map(|byte| char::from(byte).to_digit(16));
        match digits {
            [Some(high), Some(low)] => {
                bytes.push((high << 4 | low) as u8);
                at += 2;
            }
            [Some(0), None] => at += 2,
            _ => at += 1,
        }
    }
    bytes
}
