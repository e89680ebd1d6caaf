//! Bidi overrides: text that shows in another order than it is read.
//!
//! Marks and isolates are everyday signs of right-to-left prose. An override (LRO, RLO) or an embedding or
//! isolate that is left open at the end of its line is what hides code, so only these count.

use super::{StructuralHit, raw};
use crate::base::Span;

/// One hit for each line that holds an override or leaves an embedding open.
pub(super) fn find(text: &str) -> impl Iterator<Item = StructuralHit> {
    let lines = text.contains(is_control).then(|| text.split_inclusive('\n')).into_iter().flatten();
    let mut end = 0;
    lines.filter_map(move |line| {
        let start = end;
        end += line.len();
        let from = reordered(line)?;
        let span = Span::new(start + from, start + line.trim_end().len().max(from));
        Some(raw("bidi-override", text, span, String::new()))
    })
}

/// Where a line starts to show in another order than it is read.
fn reordered(line: &str) -> Option<usize> {
    let mut open = 0_usize;
    let mut first = None;
    for (at, c) in line.char_indices() {
        match c {
            '\u{202D}' | '\u{202E}' => return Some(at),
            '\u{202A}' | '\u{202B}' | '\u{2066}'..='\u{2068}' => {
                open += 1;
                first = first.or(Some(at));
            }
            '\u{202C}' | '\u{2069}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    first.filter(|_| open > 0)
}

fn is_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::find;

    fn check(text: &str, hits: usize) {
        assert_eq!(find(text).count(), hits, "{text:?}");
    }

    #[test]
    fn overrides_and_open_embeddings_count_and_closed_ones_do_not() {
        check("if x: \u{202e}# }code\nok\n", 1);
        check("a \u{2066}// admin\n b \u{2066}", 2);
        check("\u{2067}שלום\u{2069} and \u{200f}ok", 0);
        check("plain", 0);
    }
}
