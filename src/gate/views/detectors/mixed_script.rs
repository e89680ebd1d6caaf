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

/// Runs of letters that hold a letter beyond ASCII.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let ends = |c: char| !c.is_alphabetic();
    let mut end = 0;
    foreign::chars(text).filter_map(move |(at, c)| {
        if at < end || ends(c) {
            return None;
        }
        let before = text[end..at].rfind(ends).map(|last| end + last);
        let start = before.map_or(end, |last| last + text[last..].chars().next().map_or(0, char::len_utf8));
        end = text[at..].find(ends).map_or(text.len(), |len| at + len);
        Some(Span::new(start, end))
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
        check("the client’s level, backward‑compatible, l’équipe — “quoted” text…", &[]);
        check("", &[]);
    }
}
