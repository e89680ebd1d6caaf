//! Stretches of Markdown and HTML that rendering does not show: comments, link titles, alternative texts.
//!
//! A scan for the few openings, not a parser: an unclosed comment reaches to the end. Markup inside code
//! fences is shown as it is and does not count.

use memchr::{memchr, memmem, memrchr};

use super::Excerpt;
use super::fences::fences;
use crate::base::Span;
use crate::gate::views::Layer;

/// The longest alternative text and title that is looked for.
const REACH: usize = 4_000;

/// All stretches that rendering hides.
pub(super) fn spans(text: &str) -> Vec<Excerpt> {
    let fences = fences(text);
    let mut spans: Vec<Excerpt> = html_comments(text, &fences).collect();
    spans.extend(links(text, &fences));
    spans.extend(definitions(text, &fences));
    spans.extend(front_matter_comments(text));
    spans
}

/// What stands in HTML comments.
pub(super) fn html_comments<'t>(text: &'t str, fences: &'t [Span]) -> impl Iterator<Item = Excerpt> + 't {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + memmem::find(&text.as_bytes()[from..], b"<!--")?;
            from = start + 4;
            if !is_within(fences, start) {
                let len = memmem::find(&text.as_bytes()[from..], b"-->").unwrap_or(text.len() - from);
                let inner = Span::new(from, from + len);
                from = (inner.end + 3).min(text.len());
                return Some((Layer::HtmlComment, inner));
            }
        }
    })
}

/// Titles of links and alternative texts of images.
fn links(text: &str, fences: &[Span]) -> Vec<Excerpt> {
    let mut spans = Vec::new();
    let mut floor = 0;
    for middle in memmem::find_iter(text.as_bytes(), b"](").filter(|at| !is_within(fences, *at)) {
        if middle < floor {
            continue;
        }
        let before = &text.as_bytes()[floor.max(middle.saturating_sub(REACH))..middle];
        if let Some(open) = memrchr(b'[', before).map(|at| middle - before.len() + at)
            && text[..open].ends_with('!')
            && open + 1 < middle
        {
            spans.push((Layer::ImageAlt, Span::new(open + 1, middle)));
        }
        floor = middle + 2;
        if let Some(title) = title(text, floor) {
            floor = title.end;
            spans.push((Layer::LinkTitle, title));
        }
    }
    spans
}

/// The title after the destination that starts at `from`.
fn title(text: &str, from: usize) -> Option<Span> {
    let bytes = &text.as_bytes()[..text.len().min(from + REACH)];
    let gap = from + bytes[from..].iter().position(|byte| b" \t\n)".contains(byte))?;
    let open = gap + bytes[gap..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let close = match bytes[open] {
        b'"' => b'"',
        b'\'' => b'\'',
        b'(' => b')',
        _ => return None,
    };
    let len = memchr(close, &bytes[open + 1..])?;
    let title = Span::new(open + 1, open + 1 + len);
    title.of(text).is_some_and(|title| !title.is_empty() && !title.contains("\n\n")).then_some(title)
}

/// Reference definitions: a comment where they lead nowhere, a title where they lead somewhere.
fn definitions(text: &str, fences: &[Span]) -> Vec<Excerpt> {
    let mut spans = Vec::new();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let bare = line.trim_start();
        if bare.starts_with('[') && !bare.starts_with("[^") && !is_within(fences, start) {
            spans.extend(definition(text, Span::new(end - bare.len(), end)));
        }
    }
    spans
}

/// What one definition hides.
fn definition(text: &str, line: Span) -> Option<Excerpt> {
    let bare = line.of(text)?;
    let middle = bare.find("]:")? + 2;
    let target = bare[middle..].trim_start();
    let title = title(text, line.end - target.len()).filter(|_| !target.is_empty())?;
    let is_comment = bare.starts_with("[//") || target.starts_with("# ") || target.starts_with("<>");
    Some((if is_comment { Layer::ReferenceComment } else { Layer::LinkTitle }, title))
}

/// Comments in a YAML block at the start.
fn front_matter_comments(text: &str) -> Vec<Excerpt> {
    let mut spans = Vec::new();
    let Some(body) =
        text.strip_prefix("---").filter(|rest| rest.trim_start_matches(' ').starts_with(['\n', '\r']))
    else {
        return spans;
    };
    let mut end = 3;
    for (nth, line) in body.split_inclusive('\n').enumerate() {
        let start = end;
        end += line.len();
        if nth > 0 && matches!(line.trim_end(), "---" | "...") {
            break;
        }
        let comment = if line.trim_start().starts_with('#') { line.find('#') } else { line.find(" #") };
        if let Some(at) = comment.filter(|_| end < text.len()) {
            spans.push((Layer::FrontMatterComment, Span::new(start + at, start + line.trim_end().len())));
        }
    }
    spans
}

fn is_within(fences: &[Span], at: usize) -> bool {
    fences.get(fences.partition_point(|fence| fence.end <= at)).is_some_and(|fence| fence.contains(at))
}
