//! Words that look ASCII and are not.
//!
//! A word of four letters or more that holds ASCII letters and look-alikes of another script, and reads as
//! plain ASCII once they are folded. Units, formulas and words with endings of another alphabet do not.

use super::{StructuralHit, cut, raw};
use crate::base::Span;
use crate::gate::views::confusables::letter;
use crate::gate::views::foreign;

/// One hit for each such word.
pub(super) fn find(text: &str) -> Vec<StructuralHit> {
    if text.is_ascii() {
        return Vec::new();
    }
    let words = words(text).filter_map(|span| {
        let word = span.of(text)?;
        let folded = folded(word)?;
        Some(raw("mixed-script-word", text, span, format!("reads as `{}`", cut(&folded))))
    });
    words.collect()
}

/// Runs of letters that hold a character beyond ASCII.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = foreign::next(text, at)?;
        let letters = |c: char| !c.is_alphabetic();
        let start = text[at..found].rfind(letters).map_or(at, |last| {
            let last = at + last;
            last + text[last..].chars().next().map_or(0, char::len_utf8)
        });
        let len = text[found..].find(letters).unwrap_or(text.len() - found);
        at = found + len.max(text[found..].chars().next().map_or(1, char::len_utf8));
        Some(Span::new(start, found + len))
    })
}

/// The word in ASCII letters, where it mixes both kinds and nothing else.
fn folded(word: &str) -> Option<String> {
    let foreign = word.chars().filter(|c| !c.is_ascii()).count();
    let all = word.chars().count();
    if all < 4 || foreign == all {
        return None;
    }
    word.chars().map(|c| if c.is_ascii() { Some(c) } else { letter(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::find;

    fn check(text: &str, words: &[&str]) {
        let found: Vec<String> =
            find(text).into_iter().map(|hit| hit.span.of(text).unwrap().to_owned()).collect();
        assert_eq!(found, words, "{text:?}");
    }

    #[test]
    fn mixed_words_are_found_and_honest_ones_are_not() {
        check("please іgnore all, and pаssword too", &["іgnore", "pаssword"]);
        check("μm, naïve, α-helix, Nginxом, Привет, 使用curl, ΔT", &[]);
        check("", &[]);
    }
}
