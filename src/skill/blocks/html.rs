//! Comments within HTML, as browsers end them.

use crate::base::Span;

/// The comments in these bytes of the text, in order. One that is never closed reaches to the end.
pub(super) fn comments(text: &str, within: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = within.start;
    while let Some(rest) = text.get(at..within.end) {
        let Some(open) = rest.find("<!--") else { break };
        let start = at + open;
        at = comment_end(text, start, within.end);
        found.push(Span::new(start, at));
    }
    found
}

/// True where the bytes are comments and white space only, and at least one comment.
pub(super) fn only_comments(text: &str, within: Span) -> bool {
    let comments = comments(text, within);
    let mut at = within.start;
    let mut gaps = comments.iter().map(|comment| {
        let gap = Span::new(at, comment.start);
        at = comment.end;
        gap
    });
    let blank = |gap: Span| gap.of(text).is_some_and(|gap| gap.trim().is_empty());
    !comments.is_empty()
        && gaps.by_ref().all(blank)
        && blank(Span::new(comments.last().map_or(within.start, |last| last.end), within.end))
}

/// `-->`, but also `--!>`, and `<!-->` and `<!--->` are whole comments.
fn comment_end(text: &str, start: usize, limit: usize) -> usize {
    let inner = text.get(start + 4..limit).unwrap_or_default();
    if inner.starts_with('>') {
        return start + 5;
    }
    if inner.starts_with("->") {
        return start + 6;
    }
    let mut at = 0;
    while let Some(dashes) = inner.get(at..).and_then(|rest| rest.find("--")) {
        let after = inner.get(at + dashes + 2..).unwrap_or_default();
        match after.as_bytes() {
            [b'>', ..] => return start + 4 + at + dashes + 3,
            [b'!', b'>', ..] => return start + 4 + at + dashes + 4,
            _ => at += dashes + 1,
        }
    }
    limit
}

#[cfg(test)]
mod tests {
    use super::{comments, only_comments};
    use crate::base::Span;

    #[test]
    fn comments_end_where_browsers_end_them() {
        for (html, expected) in [
            ("<p><!-- a --><!--b--></p>", &["<!-- a -->", "<!--b-->"][..]),
            ("<!-- a --!> b", &["<!-- a --!>"]),
            ("<!--> a <!---> b", &["<!-->", "<!--->"]),
            ("<!-- a -- > b --- -->", &["<!-- a -- > b --- -->"]),
            ("<!-- never", &["<!-- never"]),
            ("<!- no -->", &[]),
        ] {
            let whole = Span::new(0, html.len());
            let found: Vec<_> = comments(html, whole).iter().map(|span| span.of(html).unwrap()).collect();
            assert_eq!(found, expected, "{html}");
        }
    }

    #[test]
    fn text_beside_a_comment_is_no_comment() {
        let only = |html: &str| only_comments(html, Span::new(0, html.len()));
        assert!(only("<!-- a -->\n <!-- b -->\n") && only("<!-- a"));
        assert!(
            !only("<!-- a --> b") && !only("a <!-- b -->") && !only("<!-- a --> b <!-- c -->") && !only("")
        );
    }
}
