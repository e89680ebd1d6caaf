//! Text whose letters were moved or turned round: rot13 and reversed lines.
//!
//! Both look like nothing, so only lines near a word that names the decoder are tried.

use super::super::hints::Hint;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::map::Rewrite;
use crate::gate::views::unfold::{Found, Source};

/// How far from the word lines are tried, in bytes.
const NEAR: usize = 1_200;

/// The lines near a word for rot13, moved by thirteen letters.
pub(super) fn rot13(source: &Source<'_>) -> Option<Found> {
    near_lines(source, Hint::Rot13, Layer::Rot13, |line| Some(line.chars().map(moved).collect()))
}

/// The lines near a word for reversal, from their ends, where they read better so.
pub(super) fn reversed(source: &Source<'_>) -> Option<Found> {
    let turn = |line: &str| reads_backwards(line).then(|| line.chars().rev().collect());
    near_lines(source, Hint::Reversed, Layer::Reversed, turn)
}

/// Pairs of letters that words have far more often in this order than in the other.
const PAIRS: &[[u8; 2]] = &[
    *b"th", *b"he", *b"in", *b"an", *b"nd", *b"ng", *b"st", *b"ch", *b"sh", *b"ck", *b"qu", *b"ou", *b"ur",
    *b"cu", *b"rl", *b"tp", *b"ex", *b"co", *b"ba", *b"wg",
];

/// True where a line has more such pairs read from its end.
fn reads_backwards(line: &str) -> bool {
    let (mut onwards, mut backwards) = (0, 0);
    for pair in line.as_bytes().windows(2) {
        onwards += usize::from(PAIRS.contains(&[pair[0], pair[1]]));
        backwards += usize::from(PAIRS.contains(&[pair[1], pair[0]]));
    }
    backwards > onwards
}

fn moved(c: char) -> char {
    let base = match c {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return c,
    };
    char::from(base + (c as u8 - base + 13) % 26)
}

/// Reads lines near the hint in another way; nothing where the hint is not in the source, or was seen
/// before.
fn near_lines(
    source: &Source<'_>,
    hint: Hint,
    layer: Layer,
    read: fn(&str) -> Option<String>,
) -> Option<Found> {
    let mut rewrite = Rewrite::default();
    let mut done = 0;
    for place in source.hints.places(hint) {
        let window = Span::new(place.saturating_sub(NEAR).max(done), place + NEAR).on_boundaries(source.text);
        done = done.max(window.end);
        write_lines(source, window, &mut rewrite, read);
    }
    (!rewrite.text.is_empty()).then(|| Found { kind: ViewKind::Decoded, layers: vec![layer], rewrite })
}

fn write_lines(source: &Source<'_>, window: Span, rewrite: &mut Rewrite, read: fn(&str) -> Option<String>) {
    let mut end = window.start;
    for line in window.of(source.text).unwrap_or_default().split_inclusive('\n') {
        let span = Span::new(end, end + line.trim_end().len());
        end += line.len();
        if let Some(text) = read(line.trim_end()).filter(|text| !text.is_empty() && source.is_new(span)) {
            rewrite.break_line(span.start);
            rewrite.put(&text, span);
        }
    }
}
