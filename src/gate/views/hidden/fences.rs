//! Where the code fences of a Markdown text are: what looks like markup in them is shown as it is.

use crate::base::Span;

/// The fenced stretches, in order; a fence without an end reaches to the end of the text.
pub(super) fn fences(text: &str) -> Vec<Span> {
    let mut fences = Vec::new();
    if !text.contains("```") && !text.contains("~~~") {
        return fences;
    }
    let mut open: Option<(usize, &str)> = None;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let bare = line.trim_start_matches([' ', '>', '\t']);
        match open {
            None => open = marker(bare).map(|marker| (start, marker)),
            Some((from, fence)) => {
                if bare.starts_with(fence) && bare.trim_end().bytes().all(|byte| byte == fence.as_bytes()[0])
                {
                    fences.push(Span::new(from, end));
                    open = None;
                }
            }
        }
    }
    fences.extend(open.map(|(from, _)| Span::new(from, text.len())));
    fences
}

/// The signs that open a fence.
fn marker(line: &str) -> Option<&str> {
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let len = line.find(|c| c != sign).unwrap_or(line.len());
    (len >= 3).then(|| &line[..len])
}
