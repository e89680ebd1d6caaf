//! The sentence around a place.
//!
//! Sentences end with a stop and a blank, with an ideographic stop, or with the stretch they are looked for
//! in. Never more than [`REACH`] bytes to either side are looked at.

use super::polarity::Sentence;
use crate::base::Span;

/// How far a sentence is followed to either side, in bytes.
const REACH: usize = 600;

/// The sentence that holds `hit`, within a stretch of the text.
pub(super) fn around(text: &str, within: Span, hit: Span) -> Sentence<'_> {
    let hit = Span::new(hit.start.clamp(within.start, within.end), hit.end.clamp(within.start, within.end));
    let reach = Span::new(within.start.max(hit.start.saturating_sub(REACH)), within.end.min(hit.end + REACH));
    let reach = reach.on_boundaries(text);
    let before = Span::new(reach.start, hit.start).of(text).unwrap_or_default();
    let after = Span::new(hit.end, reach.end).of(text).unwrap_or_default();
    let (before, after) = outside_of_code(last_sentence(before), first_sentence(after));
    Sentence { before, hit: hit.of(text).unwrap_or_default(), after }
}

/// What stands before and after the code span that a place is in. A file called `never.sh` in the same command denies
/// nothing of it.
fn outside_of_code<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let open = before.rfind('`').filter(|_| before.matches('`').count() % 2 == 1);
    match (open, after.find('`')) {
        (Some(open), Some(close)) => (&before[..open], &after[close + 1..]),
        _ => (before, after),
    }
}

/// What follows the last end of a sentence.
pub(super) fn last_sentence(text: &str) -> &str {
    let ends = text.char_indices().rev().find(|(at, c)| ends_sentence(text, *at, *c));
    ends.map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

fn first_sentence(text: &str) -> &str {
    let ends = text.char_indices().find(|(at, c)| ends_sentence(text, *at, *c));
    ends.map_or(text, |(at, _)| &text[..at])
}

/// True where the character at a place ends a sentence there. The stop of an abbreviation does not.
fn ends_sentence(text: &str, at: usize, c: char) -> bool {
    match c {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' => {
            let after = text[at + 1..].trim_start_matches(['`', '"', '\'', '*', ')', '”', '»']);
            let word = text[..at].rsplit(|c: char| !c.is_alphabetic() && c != '.').next().unwrap_or_default();
            let is_short =
                c == '.' && matches!(word, "e.g" | "i.e" | "z.B" | "z. B" | "p. ej" | "etc" | "vs" | "cf");
            after.starts_with(char::is_whitespace) && !is_short
        }
        '\n' => text[at + 1..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r']),
        _ => false,
    }
}
