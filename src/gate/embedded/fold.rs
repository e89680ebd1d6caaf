//! Text folded for look-ups, byte for byte as long as before.
//!
//! Letters are lower-cased where that keeps their length, white space becomes blanks. An offset in the folded text is an
//! offset in the text.

/// The folded text.
pub(super) fn fold(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        out.push(fold_char(c));
        out
    })
}

fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return if c.is_ascii_whitespace() { ' ' } else { c.to_ascii_lowercase() };
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(folded), None) if folded.len_utf8() == c.len_utf8() => folded,
        _ => c,
    }
}

/// True where a letter or digit before or after this one makes both one word. Scripts that put no blanks between words
/// have no such letters.
pub(super) fn joins_words(c: char) -> bool {
    c == '_' || (c.is_alphanumeric() && !is_unspaced(c))
}

/// Han, Kana, Hangul, Thai and their neighbours.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0E7F}' | '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::fold;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn folding_keeps_every_offset(text in "\\PC*") {
            let folded = fold(&text);
            let ends = |text: &str| text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
            prop_assert_eq!(ends(&text), ends(&folded));
        }
    }

    #[test]
    fn letters_of_all_scripts_are_folded() {
        assert_eq!(fold("Ä\tОТПРАВЬ\nX"), "ä отправь x");
    }
}
