//! What a text names that decides how other text in it is read: decoders, reversal, joining.
//!
//! Some carriers look like nothing in particular (moved letters, reversed lines, short base64). They are
//! tried only near a word that says so. One pass finds all such words.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::base::Span;

/// What a word tells about the text near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// Base64 is decoded.
    Base64,
    /// Hex digits are decoded, or bytes unpacked.
    Hex,
    /// Letters are moved by thirteen.
    Rot13,
    /// Text is reversed.
    Reversed,
    /// The items of a list are joined.
    Join,
    /// Bytes are masked, or made of numbers.
    Mask,
}

const WORDS: &[(&str, Hint)] = &[
    ("base64", Hint::Base64),
    ("b64", Hint::Base64),
    ("atob", Hint::Base64),
    ("encodedcommand", Hint::Base64),
    ("-enc ", Hint::Base64),
    ("fromhex", Hint::Hex),
    ("unhexlify", Hint::Hex),
    ("'hex'", Hint::Hex),
    ("\"hex\"", Hint::Hex),
    ("xxd -r", Hint::Hex),
    ("decompress", Hint::Hex),
    ("marshal", Hint::Hex),
    ("rot13", Hint::Rot13),
    ("rot-13", Hint::Rot13),
    ("rot_13", Hint::Rot13),
    ("rot 13", Hint::Rot13),
    ("thirteen", Hint::Rot13),
    ("caesar", Hint::Rot13),
    ("n-za-m", Hint::Rot13),
    ("[::-1]", Hint::Reversed),
    ("revers", Hint::Reversed),
    ("strrev", Hint::Reversed),
    ("| rev", Hint::Reversed),
    ("|rev", Hint::Reversed),
    ("rev <", Hint::Reversed),
    ("backward", Hint::Reversed),
    ("right to left", Hint::Reversed),
    ("join", Hint::Join),
    ("implode", Hint::Join),
    ("concat", Hint::Join),
    ("xor", Hint::Mask),
    (" ^ ", Hint::Mask),
    ("^=", Hint::Mask),
    ("chr(", Hint::Mask),
    ("charcode", Hint::Mask),
    ("bytes(", Hint::Mask),
    ("bytearray", Hint::Mask),
    ("[char]", Hint::Mask),
];

static MATCHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = WORDS.iter().map(|(word, _)| word);
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
});

/// The hints of one text, in order.
#[derive(Debug)]
pub(super) struct Hints(Vec<(usize, Hint)>);

impl Hints {
    /// Reads the text once.
    pub(super) fn of(text: &str) -> Self {
        let matches = MATCHER.iter().flat_map(|matcher| matcher.find_iter(text));
        Self(matches.map(|found| (found.start(), WORDS[found.pattern().as_usize()].1)).collect())
    }

    /// True where the text has the hint at all.
    pub(super) fn any(&self, hint: Hint) -> bool {
        self.0.iter().any(|(_, found)| *found == hint)
    }

    /// Where the hint stands, in order.
    pub(super) fn places(&self, hint: Hint) -> impl Iterator<Item = usize> {
        self.0.iter().filter(move |(_, found)| *found == hint).map(|(at, _)| *at)
    }

    /// The nearest place of the hint within so many bytes of the span.
    pub(super) fn near(&self, hint: Hint, span: Span, bytes: usize) -> Option<usize> {
        let from = self.0.partition_point(|(at, _)| *at + bytes < span.start);
        let reach = self.0[from..].iter().take_while(|(at, _)| *at <= span.end + bytes);
        // A text made of nothing but hints must not make this quadratic.
        let places = reach.take(64).filter(|(_, found)| *found == hint).map(|(at, _)| *at);
        places.min_by_key(|at| at.abs_diff(span.end).min(at.abs_diff(span.start)))
    }
}
