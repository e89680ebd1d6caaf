//! The words in compiled Python: constants and names, as the `marshal` format has them.
//!
//! The code between them stays unread, and whoever bundles it is told so elsewhere. What is not understood is read as any
//! bytes, for the text that stands in them.

use crate::base::text::text_within;

/// Objects within each other.
const DEEPEST: usize = 256;

/// Words and names that stand next to each other share a line up to this length.
const LONG: usize = 40;

/// Since these numbers code objects have one number more, and again one fewer but other members.
const POSITIONAL_ONLY: u16 = 3400;
const LOCALS_IN_ONE: u16 = 3450;
/// Python 2 counts from here on.
const PYTHON_2: u16 = 50_000;

/// Since these numbers a date and a size stand before the object, and flags.
const WITH_SIZE: u16 = 3190;
const WITH_FLAGS: u16 = 3390;

/// The constants and names of a compiled file, most of them a line each.
pub(super) fn words(bytes: &[u8]) -> String {
    let Some((magic, rest)) = body(bytes) else { return text_within(bytes) };
    let mut reader = Reader { rest, magic, words: String::new() };
    let whole = reader.object(0);
    reader.words + &whole.map_or_else(|| text_within(bytes), |()| text_within(reader.rest))
}

/// The version's number, and what stands after the header.
fn body(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let magic = u16::from_le_bytes([*bytes.first()?, *bytes.get(1)?]);
    let header = match magic {
        PYTHON_2.. => 8,
        WITH_FLAGS.. => 16,
        WITH_SIZE.. => 12,
        _ => 8,
    };
    Some((magic, bytes.get(header..)?))
}

struct Reader<'a> {
    rest: &'a [u8],
    magic: u16,
    words: String,
}

impl<'a> Reader<'a> {
    /// One object; nothing where it is none that is known.
    fn object(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        // The highest bit only says that the object may be meant again.
        match self.take(1)?[0] & 0x7F {
            b'0' | b'N' | b'F' | b'T' | b'S' | b'.' => Some(()),
            b'i' | b'r' | b'R' => self.skip(4),
            b'I' | b'g' => self.skip(8),
            b'y' => self.skip(16),
            b'f' => self.short_text().map(drop),
            b'x' => self.short_text().and_then(|_| self.short_text()).map(drop),
            b'l' => {
                let digits = self.number()?.cast_signed().unsigned_abs() as usize;
                self.skip(digits.checked_mul(2)?)
            }
            b's' | b't' | b'u' | b'a' | b'A' => {
                let length = self.number()? as usize;
                let text = self.take(length)?;
                self.word(text);
                Some(())
            }
            b'z' | b'Z' => {
                let text = self.short_text()?;
                self.word(text);
                Some(())
            }
            b'(' | b'[' | b'<' | b'>' => {
                let count = self.number()? as usize;
                self.objects(count, depth)
            }
            b')' => {
                let count = usize::from(self.take(1)?[0]);
                self.objects(count, depth)
            }
            b':' => self.objects(3, depth),
            b'{' => {
                while self.rest.first()? & 0x7F != b'0' {
                    self.objects(2, depth)?;
                }
                self.skip(1)
            }
            b'c' => self.code(depth),
            _ => None,
        }
    }

    fn objects(&mut self, count: usize, depth: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.object(depth + 1))
    }

    /// A code object: numbers, then its members with the first line's number among them.
    fn code(&mut self, depth: usize) -> Option<()> {
        let (numbers, before, after) = match self.magic {
            PYTHON_2.. => (4, 8, 1),
            LOCALS_IN_ONE.. => (5, 8, 2),
            POSITIONAL_ONLY.. => (6, 8, 1),
            _ => (5, 8, 1),
        };
        self.skip(4 * numbers)?;
        self.objects(before, depth)?;
        self.skip(4)?;
        self.objects(after, depth)
    }

    /// Keeps a text that can be read.
    fn word(&mut self, bytes: &[u8]) {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let is_text = text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{1b}'));
        if text.len() < 2 || !is_text {
            return;
        }
        let is_name = text.len() <= LONG && !text.contains(char::is_whitespace);
        if !is_name && !self.words.is_empty() && !self.words.ends_with('\n') {
            self.words.push('\n');
        }
        self.words.push_str(text);
        self.words.push(if is_name { ' ' } else { '\n' });
    }

    fn short_text(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(self.take(1)?[0]);
        self.take(length)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(drop)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    /// `def f(x): return g(x, 'a sentence of its own')` and `y = 'some words here'`, by Python 3.8 and 3.13.
    const COMPILED: [&[u8]; 2] = [
        include_bytes!("../../../tests/fixtures/packed/words-3.8.pyc"),
        include_bytes!("../../../tests/fixtures/packed/words-3.13.pyc"),
    ];

    #[test]
    fn constants_and_names_are_read() {
        for bytes in COMPILED {
            let words = words(bytes);
            let has = |word: &str| words.lines().any(|line| line == word);
            assert!(has("a sentence of its own") && has("some words here"), "{words}");
            assert!(words.split_whitespace().any(|name| name == "gather_things"), "{words}");
        }
    }

    #[test]
    fn what_breaks_off_or_is_nested_without_end_is_read_as_bytes() {
        let cut = &COMPILED[0][..COMPILED[0].len() - 40];
        assert!(words(cut).contains("a sentence of its own"));
        let nested = [&[0x61, 0x0D, b'\r', b'\n'][..], &[0; 12], &b")\x01".repeat(100_000)].concat();
        assert_eq!(words(&nested), "");
        let huge = [&[0x61, 0x0D, b'\r', b'\n'][..], &[0; 12], b"(\xff\xff\xff\xff", b"N"].concat();
        assert_eq!(words(&huge), "");
    }
}
