//! What stands between letters and shows nothing: terminal sequences, control characters, U+FFFD.
//!
//! `cu\e[0mrl` is `curl` on a terminal and to a model. A backspace can be read in two ways: as nothing, and as the end of
//! the character before it; there is a text for each. White space and line ends stay.

use super::map::{Map, Rewrite};
use crate::base::Span;

/// The longest title or link that a sequence carries without an end in sight.
const LONGEST: usize = 4096;

/// The text without such characters, once or, where backspaces are among them, in both readings. Empty where it has none.
pub(super) fn without(text: &str) -> Vec<Rewrite> {
    if !may_hold(text.as_bytes()) {
        return Vec::new();
    }
    let mut kept = vec![Vec::new(), Vec::new()];
    let mut has_backspace = false;
    let mut at = 0;
    while at < text.len() {
        let len = dropped(&text[at..]);
        if text[at..].starts_with('\u{8}') {
            has_backspace = true;
            erase(text, &mut kept[1]);
        } else if len == 0 {
            let end = at + plain(&text[at..]);
            for kept in &mut kept {
                kept.push(Span::new(at, end));
            }
            at = end;
            continue;
        }
        at += len.max(1);
    }
    let lost =
        |kept: &[Span]| !kept.is_empty() && kept.iter().map(|span| span.len()).sum::<usize>() < text.len();
    kept.truncate(if has_backspace { 2 } else { 1 });
    kept.retain(|kept| lost(kept));
    kept.iter().map(|kept| copies(text, kept)).collect()
}

/// One rewrite made of another one's text.
pub(super) fn after(outer: Rewrite, inner: Option<Rewrite>) -> Rewrite {
    let Some(inner) = inner else { return outer };
    let (_, outer): (String, Map) = outer.into_parts();
    let (text, inner) = inner.into_parts();
    Rewrite::of(text, outer.extend(&inner))
}

/// A cheap look that goes through most texts without a branch for each byte.
fn may_hold(bytes: &[u8]) -> bool {
    // The last two begin the C1 controls and U+FFFD among others.
    let odd = |byte: u8| matches!(byte, 0..=0x08 | 0x0b | 0x0c | 0x0e..=0x1f | 0x7f | 0xc2 | 0xef);
    bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |found, byte| found | odd(*byte)))
}

fn copies(text: &str, kept: &[Span]) -> Rewrite {
    let mut rewrite = Rewrite::with_capacity(text.len());
    for span in kept {
        rewrite.copy(text, *span);
    }
    rewrite
}

/// Takes the last character back, as a terminal does, within its line.
fn erase(text: &str, kept: &mut Vec<Span>) {
    let Some(last) = kept.last_mut() else { return };
    let Some(c) = text[last.start..last.end].chars().next_back().filter(|c| *c != '\n') else { return };
    last.end -= c.len_utf8();
    if last.is_empty() {
        kept.pop();
    }
}

/// How far the text goes on without anything that could be dropped; one character at least.
fn plain(text: &str) -> usize {
    text.char_indices().skip(1).find(|(_, c)| is_control(*c)).map_or(text.len(), |(at, _)| at)
}

/// The length of what is dropped at the beginning of the text; 0 where that shows.
fn dropped(text: &str) -> usize {
    let mut chars = text.chars();
    let Some(first) = chars.next().filter(|c| is_control(*c)) else { return 0 };
    let rest = chars.as_str();
    let len = match first {
        '\u{1b}' => escape(rest),
        '\u{9b}' => parameters(rest),
        '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => string(rest),
        '\u{b}' | '\u{c}' if !rest.starts_with(char::is_alphanumeric) => return 0,
        _ => 0,
    };
    first.len_utf8() + len
}

fn is_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')) || c == char::REPLACEMENT_CHARACTER
}

/// The length of an escape sequence after its first character. A letter after it is left, though a terminal takes it for
/// a command: a model reads it.
fn escape(rest: &str) -> usize {
    match rest.as_bytes() {
        [b'[', ..] => match parameters(&rest[1..]) {
            0 => 0,
            len => 1 + len,
        },
        [b']' | b'P' | b'X' | b'^' | b'_', ..] => match string(&rest[1..]) {
            0 => usize::from(!rest.as_bytes()[0].is_ascii_alphabetic()),
            len => 1 + len,
        },
        [b' '..=b'/', b'0'..=b'~', ..] => 2,
        [b'0'..=b'?' | b'\\', ..] => 1,
        _ => 0,
    }
}

/// The length of `0;31m` and the like; 0 where that has no end.
fn parameters(rest: &str) -> usize {
    let body = rest.bytes().take_while(|byte| matches!(byte, b' '..=b'?')).take(64).count();
    match rest.as_bytes().get(body) {
        Some(b'@'..=b'~') => body + 1,
        _ => 0,
    }
}

/// The length of a string up to its terminator in the same line; 0 where it has none.
fn string(rest: &str) -> usize {
    let window = &rest.as_bytes()[..rest.len().min(LONGEST)];
    let Some(end) = window.iter().position(|byte| matches!(byte, 0x07 | b'\n' | 0x1b | 0xc2)) else {
        return 0;
    };
    match &window[end..] {
        [0x07, ..] => end + 1,
        [0x1b, b'\\', ..] | [0xc2, 0x9c, ..] => end + 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[track_caller]
    fn check(text: &str, shown: &[&str]) {
        let made: Vec<String> = without(text).into_iter().map(|rewrite| rewrite.into_parts().0).collect();
        assert_eq!(made, shown, "{text:?}");
    }

    #[test]
    fn what_stands_between_letters_is_dropped() {
        for text in [
            "cu\u{1b}[0mrl x",
            "\u{1b}[1;31mcurl\u{1b}[m x",
            "cu\u{9b}31mrl x",
            "cu\u{1b}]0;title\u{7}rl x",
            "cu\u{1b}]8;;https://a.example\u{1b}\\rl\u{1b}]8;;\u{1b}\\ x",
            "cu\u{1b}(Brl\u{1b}7 x",
            "cu\u{1b}rl x",
            "c\0u\u{1}r\u{7f}l x",
            "cu\u{fffd}rl x",
            "cu\u{c}rl x",
            "cu\u{1b}]rl x",
        ] {
            check(text, &["curl x"]);
        }
    }

    #[test]
    fn backspaces_are_read_both_ways() {
        check("cu\u{8}rl", &["curl", "crl"]);
        check("cux\u{8}rl\nb\u{8}\u{8}a", &["cuxrl\nba", "curl\na"]);
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in ["plain\ttext\r\n", "naïve © ﬁ", "a\u{c}\nb", "a\u{85}b", ""] {
            check(text, &[]);
        }
    }

    #[test]
    fn a_sequence_without_an_end_takes_nothing_along() {
        check("\u{1b}[12", &["[12"]);
        check("a\u{1b}]8;;curl\nb", &["a8;;curl\nb"]);
        check("\u{1b}", &[]);
    }
}
