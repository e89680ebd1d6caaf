//! Unicode tag characters: each stands for one ASCII character and shows nothing.
//!
//! Flags of regions (a black flag, a few tags, the cancel tag) are the one honest use.

use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::map::Rewrite;
use crate::gate::views::unfold::{Found, Source};

/// Runs from this length on stand on a line of their own; shorter ones may be one text spread over the
/// visible one.
const RUN: usize = 8;

/// The ASCII text that tag characters spell.
pub(super) fn decode(source: &Source<'_>) -> Option<Found> {
    let text = source.text;
    let mut rewrite = Rewrite::default();
    let mut end = 0;
    let mut was_long = false;
    while let Some(start) = text[end..].find(is_tag).map(|at| end + at) {
        end = start + text[start..].find(|c| !is_tag(c)).unwrap_or(text.len() - start);
        let span = Span::new(start, end);
        if is_flag(text, span) || !source.is_new(span) {
            continue;
        }
        let is_long = span.len() >= 4 * RUN;
        if is_long || was_long {
            rewrite.break_line(start);
        }
        was_long = is_long;
        for (at, c) in text[start..end].char_indices() {
            let ascii = ascii(c);
            rewrite.put(ascii.encode_utf8(&mut [0; 4]), Span::new(start + at, start + at + c.len_utf8()));
        }
    }
    (!rewrite.text.is_empty()).then(|| Found {
        kind: ViewKind::Hidden,
        layers: vec![Layer::TagCharacters],
        rewrite,
    })
}

/// True for characters that stand for an ASCII character or end a flag.
pub(super) fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0001}' | '\u{E0009}' | '\u{E000A}' | '\u{E000D}' | '\u{E0020}'..='\u{E007F}')
}

/// The character that a tag stands for; a space for those that stand for none.
fn ascii(c: char) -> char {
    char::from_u32(c as u32 & 0x7F).filter(|c| !c.is_control() || c.is_whitespace()).unwrap_or(' ')
}

/// A flag's tags: after a black flag, a region code, the cancel tag.
fn is_flag(text: &str, span: Span) -> bool {
    let Some(tags) = span.of(text).and_then(|tags| tags.strip_suffix('\u{E007F}')) else { return false };
    let code: String = tags.chars().map(ascii).collect();
    text[..span.start].ends_with('\u{1F3F4}')
        && (3..=6).contains(&code.len())
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}
