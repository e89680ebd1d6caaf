//! Variation selectors as bytes: 256 of them, one for each value, in a row after any character.
//!
//! One selector after a picture or an ideograph picks its form and says nothing; text needs several in a row.

use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::unfold::{Found, Groups, Source};

/// The fewest selectors in a row that are text.
const SHORTEST: usize = 3;

/// The texts that rows of variation selectors spell.
pub(super) fn decode(source: &Source<'_>) -> Vec<Found> {
    let text = source.text;
    let mut groups = Groups::default();
    let mut end = 0;
    while let Some(start) = text[end..].find(is_selector).map(|at| end + at) {
        end = start + text[start..].find(|c| byte(c).is_none()).unwrap_or(text.len() - start);
        let span = Span::new(start, end);
        let bytes: Vec<u8> = text[start..end].chars().filter_map(byte).collect();
        if bytes.len() >= SHORTEST && source.is_new(span) {
            let shown = String::from_utf8_lossy(&bytes);
            let is_text = shown.chars().filter(|c| !c.is_control()).count() * 10 >= shown.chars().count() * 9
                && !shown.contains(char::REPLACEMENT_CHARACTER);
            if is_text {
                groups.add(span, &shown, vec![Layer::VariationSelectors]);
            }
        }
    }
    groups.finish(ViewKind::Hidden)
}

/// True for characters that stand for a byte.
pub(super) fn is_selector(c: char) -> bool {
    byte(c).is_some()
}

/// The byte that a selector stands for.
fn byte(c: char) -> Option<u8> {
    match c {
        '\u{FE00}'..='\u{FE0F}' => u8::try_from(c as u32 - 0xFE00).ok(),
        '\u{E0100}'..='\u{E01EF}' => u8::try_from(c as u32 - 0xE0100 + 16).ok(),
        _ => None,
    }
}
