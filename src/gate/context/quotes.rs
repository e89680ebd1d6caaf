//! Whether a place of running text stands in quotation marks.

use crate::base::Span;

/// How far marks are looked for, in bytes.
const REACH: usize = 1_000;

/// Marks that open and close with different signs.
const PAIRS: &[(char, char)] =
    &[('“', '”'), ('„', '“'), ('«', '»'), ('‹', '›'), ('「', '」'), ('『', '』'), ('《', '》')];

/// True where marks stand around `hit`, both within the stretch.
pub(super) fn quoted(text: &str, within: Span, hit: Span) -> bool {
    let before = Span::new(within.start.max(hit.start.saturating_sub(REACH)), hit.start.max(within.start));
    let after = Span::new(hit.end.min(within.end), within.end.min(hit.end + REACH));
    let before = before.on_boundaries(text).of(text).unwrap_or_default();
    let after = after.on_boundaries(text).of(text).unwrap_or_default();
    let straight = |mark: char| before.matches(mark).count() % 2 == 1 && after.contains(mark);
    straight('"')
        || straight('`')
        || PAIRS.iter().any(|(open, close)| is_between(before, after, *open, *close))
}

fn is_between(before: &str, after: &str, open: char, close: char) -> bool {
    let last_open = before.rfind(open);
    let last_close = before.rfind(close);
    let next_close = after.find(close);
    last_open.is_some_and(|at| last_close.is_none_or(|closed| closed <= at)) && next_close.is_some()
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use crate::base::Span;

    fn check(text: &str, word: &str, expected: bool) {
        let start = text.find(word).unwrap();
        let found = quoted(text, Span::new(0, text.len()), Span::new(start, start + word.len()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn marks_on_both_sides_quote() {
        check("He wrote \"run it now\" twice.", "run it", true);
        check("“A” and “run it” there", "run it", true);
        check("„lauf jetzt“ sagte er", "lauf", true);
        check("「実行して」と書く", "実行", true);
        check("a \"b\" run it \"c\"", "run it", false);
        check("the 5\" disk run it", "run it", false);
    }
}
