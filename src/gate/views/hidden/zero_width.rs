//! Zero-width characters as bits.
//!
//! Rows of them between visible characters are read one by one; a text spread one symbol at a time is read
//! over the whole source. Joiners between letters and pictures are of one kind each and spell nothing.

use super::bits;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::unfold::{Found, Groups, Source};
use crate::gate::views::{Layer, foreign};

/// The fewest symbols of one row, and of a text spread over the source.
const ROW: usize = 21;
const SPREAD: usize = 32;

/// The texts that zero-width characters spell.
pub(super) fn decode(source: &Source<'_>) -> Vec<Found> {
    let text = source.text;
    let all: Vec<(usize, char)> = foreign::chars(text).filter(|(_, c)| is_symbol(*c)).collect();
    if all.len() < ROW {
        return Vec::new();
    }
    let mut groups = Groups::default();
    let mut decoded = false;
    for row in all.chunk_by(|(at, c), (next, _)| at + c.len_utf8() == *next).filter(|row| row.len() >= ROW) {
        decoded |= read(source, row, &mut groups);
    }
    if !decoded && all.len() >= SPREAD {
        read(source, &all, &mut groups);
    }
    groups.finish(ViewKind::Hidden)
}

fn read(source: &Source<'_>, row: &[(usize, char)], groups: &mut Groups) -> bool {
    let (Some((start, _)), Some((last, c))) = (row.first(), row.last()) else { return false };
    let span = Span::new(*start, last + c.len_utf8());
    let spelled = numbered(row).as_deref().and_then(bits::read).filter(|_| source.is_new(span));
    if let Some(text) = &spelled {
        groups.add(span, text, vec![Layer::ZeroWidth]);
    }
    spelled.is_some()
}

/// The symbols by order of first use; nothing where there are more than four.
fn numbered(row: &[(usize, char)]) -> Option<Vec<u8>> {
    let mut kinds: Vec<char> = Vec::new();
    let mut numbers = Vec::with_capacity(row.len());
    for (_, c) in row {
        let number = kinds.iter().position(|kind| kind == c).unwrap_or_else(|| {
            kinds.push(*c);
            kinds.len() - 1
        });
        if number > 3 {
            return None;
        }
        numbers.push(number as u8);
    }
    Some(numbers)
}

/// True for characters that can stand for bits.
pub(super) fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{180E}' | '\u{AD}' | '\u{34F}'
        | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{61C}' | '\u{17B4}' | '\u{17B5}')
}
