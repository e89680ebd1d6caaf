//! Text that leaves the screen: below very many blank lines, or to the right of very many spaces.

use memchr::memmem;

use super::Excerpt;
use crate::base::Span;
use crate::gate::views::Layer;

/// How many blank lines push text off the screen.
const LINES: usize = 20;

/// How many spaces do, and how many of them a tab is worth.
const SPACES: usize = 120;
const TAB: usize = 8;

/// The stretches off the screen.
pub(super) fn spans(text: &str) -> Vec<Excerpt> {
    let mut spans = Vec::new();
    spans.extend(below(text).map(|span| (Layer::BlankLines, span)));
    spans.extend(right(text).into_iter().map(|span| (Layer::WideSpace, span)));
    spans
}

/// Everything after the first run of blank lines that is long enough and has text after it.
fn below(text: &str) -> Option<Span> {
    let mut blank = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            blank += 1;
        } else if blank >= LINES {
            return Some(Span::new(end, text.len()));
        } else {
            blank = 0;
        }
        end += line.len();
    }
    None
}

/// The rest of each line after a gap that is wide enough.
fn right(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for gap in [[b' '; SPACES].as_slice(), [b'\t'; SPACES / TAB].as_slice()] {
        let mut from = 0;
        while let Some(at) = memmem::find(&text.as_bytes()[from..], gap).map(|at| from + at) {
            from = at + text[at..].find('\n').unwrap_or(text.len() - at);
            let rest = text[at..from].trim();
            if rest.contains(char::is_alphanumeric) {
                spans.push(Span::new(from - text[at..from].trim_start().len(), from));
            }
        }
    }
    spans
}
