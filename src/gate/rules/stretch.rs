//! Stretches of a text: lines, logical lines, blocks, and the windows around anchors in which matches can lie.
//!
//! Everything is byte offsets, and everything is found in time linear in the text, however many anchors stand in one
//! endless line. Nothing here knows patterns.

use std::ops::Range;

use super::pattern::Reach;

/// Lines beyond which the whole text is searched instead.
const MOST_LINES: usize = 64;

/// The windows of one rule in one text, in order, none touching another.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    ranges: Vec<Range<usize>>,
    /// The line of the last anchor, and the lines that it reaches: the next anchor in it needs no new search for them.
    line: Range<usize>,
    lines: Range<usize>,
}

impl Windows {
    /// One window over everything.
    pub(super) fn whole(text: &str) -> Self {
        Self { ranges: std::iter::once(0..text.len()).collect(), ..Self::default() }
    }

    /// Adds what can be reached from an anchor: as many bytes, and no more lines. Anchors come in the order of their
    /// ends.
    pub(super) fn add(&mut self, text: &[u8], anchor: Range<usize>, reach: Reach) {
        let mut window = 0..text.len();
        if let Some(bytes) = reach.bytes {
            let end = anchor.start.saturating_add(bytes).min(text.len()).max(anchor.end);
            window = anchor.end.saturating_sub(bytes).min(anchor.start)..end;
        }
        if let Some(lines) = reach.lines.filter(|lines| *lines <= MOST_LINES) {
            let lines = self.lines_around(text, &anchor, lines);
            window = window.start.max(lines.start)..window.end.min(lines.end);
        }
        self.push(window);
    }

    /// The windows.
    pub(super) fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// The lines that so many steps from an anchor lead to; all that it touches itself are among them.
    fn lines_around(&mut self, text: &[u8], anchor: &Range<usize>, steps: usize) -> Range<usize> {
        if !self.line.contains(&anchor.start) {
            self.line = line_start(text, anchor.start)..line_end(text, anchor.start) + 1;
            let (start, end) = (self.line.start, self.line.end - 1);
            self.lines = lines_before(text, start, steps)..lines_after(text, end, steps);
        }
        self.lines.start..self.lines.end.max(anchor.end)
    }

    fn push(&mut self, new: Range<usize>) {
        match self.ranges.last_mut() {
            Some(last) if new.start <= last.end => {
                last.start = last.start.min(new.start);
                last.end = last.end.max(new.end);
            }
            _ => self.ranges.push(new),
        }
    }
}

/// The first place in a range at which a match can begin that ends where the range does.
pub(super) fn back(text: &[u8], range: &Range<usize>, reach: Reach) -> usize {
    let by_bytes = range.start.max(range.end.saturating_sub(reach.bytes.unwrap_or(usize::MAX)));
    let Some(steps) = reach.lines.filter(|lines| *lines <= MOST_LINES) else { return by_bytes };
    let last_line = line_start(text, range.end);
    if last_line <= by_bytes {
        return by_bytes;
    }
    by_bytes.max(lines_before(text, last_line, steps))
}

/// Where the line of a position starts.
fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1)
}

/// Where the line of a position ends, without its line feed.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline)
}

/// The start of the line that so many steps up lead to; white space is stepped over as one.
fn lines_before(text: &[u8], mut start: usize, steps: usize) -> usize {
    for _ in 0..steps {
        if start == 0 {
            break;
        }
        let last = text[..start].iter().rposition(|byte| !is_space(*byte)).unwrap_or(0);
        start = line_start(text, last);
    }
    start
}

/// The end of the line that so many steps down lead to; white space is stepped over as one.
fn lines_after(text: &[u8], mut end: usize, steps: usize) -> usize {
    for _ in 0..steps {
        if end == text.len() {
            break;
        }
        let next = text[end..].iter().position(|byte| !is_space(*byte)).map_or(text.len(), |skip| end + skip);
        end = line_end(text, next);
    }
    end
}

/// What `\s` matches.
const fn is_space(byte: u8) -> bool {
    matches!(byte, 9..=13 | 32)
}

/// The logical line of a position: lines that end with a backslash go on in the next one.
pub(super) fn logical_line(text: &str, at: usize) -> Range<usize> {
    let text = text.as_bytes();
    let mut start = line_start(text, at);
    while start > 0 && is_continued(&text[..start - 1]) {
        start = line_start(text, start - 1);
    }
    let mut end = line_end(text, at);
    while end < text.len() && is_continued(&text[..end]) {
        end = line_end(text, end + 1);
    }
    start..end
}

fn is_continued(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

/// The run of lines around a position that are not blank.
pub(super) fn block(text: &str, at: usize) -> Range<usize> {
    let text = text.as_bytes();
    let (mut start, mut end) = (line_start(text, at), line_end(text, at));
    while start > 0 {
        let above = line_start(text, start - 1);
        if text[above..start].iter().all(|byte| is_space(*byte)) {
            break;
        }
        start = above;
    }
    while end < text.len() {
        let below = line_end(text, end + 1);
        if text[end..below].iter().all(|byte| is_space(*byte)) {
            break;
        }
        end = below;
    }
    start..end
}

/// The stretch of so many characters before and after a range.
pub(super) fn characters_around(text: &str, range: &Range<usize>, characters: usize) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default().char_indices().rev();
    let after = text.get(range.end..).unwrap_or_default().char_indices();
    let start = before.take(characters).last().map_or(range.start, |(at, _)| at);
    let end = after.take(characters).last().map_or(range.end, |(at, c)| range.end + at + c.len_utf8());
    start..end
}

#[cfg(test)]
mod tests {
    use super::{Windows, back, block, characters_around, logical_line};
    use crate::gate::rules::pattern::Reach;

    #[track_caller]
    fn check_windows(text: &str, anchor: &str, reach: Reach, expected: &[&str]) {
        let mut windows = Windows::default();
        for (at, found) in text.match_indices(anchor) {
            windows.add(text.as_bytes(), at..at + found.len(), reach);
        }
        let texts: Vec<_> = windows.ranges().iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(texts, expected, "{text:?} {reach:?}");
    }

    #[test]
    fn windows_reach_as_far_as_a_match_can_and_merge() {
        let bytes = |n| Reach { bytes: Some(n), lines: None };
        let lines = |n| Reach { bytes: None, lines: Some(n) };
        check_windows("0123xx6789", "xx", bytes(4), &["23xx67"]);
        check_windows("..xx.xx..........xx", "xx", bytes(3), &[".xx.xx.", ".xx"]);
        check_windows("a\nb xx xx\nc\n", "xx", lines(0), &["b xx xx"]);
        check_windows("a\nb\n\n \nxx\n\n\nc\nd", "xx", lines(1), &["b\n\n \nxx\n\n\nc"]);
        check_windows("a\nxx", "xx", Reach { bytes: None, lines: None }, &["a\nxx"]);
        check_windows("xx", "xx", bytes(2), &["xx"]);
        let both = Reach { bytes: Some(4), lines: Some(0) };
        check_windows("0123xx6789\nxx\nabc", "xx", both, &["23xx67", "xx"]);
    }

    #[test]
    fn a_match_begins_no_further_back_than_it_can_reach() {
        let check = |text: &str, bytes, lines, from: &str| {
            let start = back(text.as_bytes(), &(0..text.len()), Reach { bytes, lines });
            assert_eq!(&text[start..], from, "{text:?}");
        };
        check("a\nb\nc d", None, Some(0), "c d");
        check("a\nb\nc d", Some(2), Some(0), " d");
        check("a\nb\n \n\nc d", None, Some(1), "b\n \n\nc d");
        check("a\nb\n", None, Some(1), "b\n");
        check("a\nb", None, None, "a\nb");
        assert_eq!(back(b"a\nb\nc", &(1..5), Reach { bytes: None, lines: Some(9) }), 1);
    }

    #[test]
    fn logical_lines_go_on_after_a_backslash() {
        let text = "a\ncurl \\\n -d \\\r\n x\nb\\";
        assert_eq!(&text[logical_line(text, 12)], "curl \\\n -d \\\r\n x");
        assert_eq!(&text[logical_line(text, 0)], "a");
        assert_eq!(&text[logical_line(text, text.len())], "b\\");
    }

    #[test]
    fn blocks_end_at_blank_lines() {
        let text = "a\nb\n \t\nc\nd\n\n";
        assert_eq!(&text[block(text, 2)], "a\nb");
        assert_eq!(&text[block(text, 8)], "c\nd");
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let text = "éééXéé";
        assert_eq!(&text[characters_around(text, &(6..7), 2)], "ééXéé");
        assert_eq!(&text[characters_around(text, &(6..7), 0)], "X");
    }
}
