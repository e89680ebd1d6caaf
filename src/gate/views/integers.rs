//! Integer literals of code, and lists of them.

use crate::base::Span;

/// The fewest numbers that make a list, and the fewest where all of them are big.
const LIST: usize = 6;
const BIG_LIST: usize = 3;
const BIG: u128 = 1 << 16;

/// The most single numbers and giants that are kept, and the most numbers of one list.
const SINGLES: usize = 40;
const GIANTS: usize = 12;
const LONGEST: usize = 16 * 1024;

/// The digits of the largest giant: more than keys in use have.
const DIGITS: usize = 2_500;

/// A list of integers.
pub(super) struct List {
    /// From the first digit to the last.
    pub(super) span: Span,
    /// Its numbers.
    pub(super) values: Vec<u128>,
}

/// The integers of a text.
#[derive(Default)]
pub(super) struct Integers {
    /// Lists, in order.
    pub(super) lists: Vec<List>,
    /// The numbers outside of lists, each once, in order of first use.
    pub(super) singles: Vec<u128>,
    /// Where the numbers beyond 128 bits stand.
    pub(super) giants: Vec<Span>,
}

/// Reads all integers of a text. Numbers beyond 128 bits end a list.
pub(super) fn of(text: &str) -> Integers {
    let bytes = text.as_bytes();
    let mut integers = Integers::default();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|nth| at + nth) {
        let is_inside = start > at && is_word(bytes[start - 1]);
        let list = read_list(bytes, start);
        at = list.span.end.max(start + 1);
        if is_inside || list.values.is_empty() {
            let word =
                Span::new(start, start + bytes[start..].iter().take_while(|byte| is_word(**byte)).count());
            at = word.end;
            integers.keep_giant(word, is_inside);
        } else if list.is_long() {
            integers.lists.push(list);
        } else {
            integers.keep(&list.values);
        }
    }
    integers
}

impl List {
    fn is_long(&self) -> bool {
        let count = self.values.len();
        count >= LIST || (count >= BIG_LIST && self.values.iter().all(|value| *value >= BIG))
    }
}

impl Integers {
    /// Keeps a word that is a number too big for the rest.
    fn keep_giant(&mut self, word: Span, is_inside: bool) {
        if !is_inside && word.len() > 32 && word.len() <= DIGITS && self.giants.len() < GIANTS {
            self.giants.push(word);
        }
    }

    fn keep(&mut self, values: &[u128]) {
        for value in values {
            if self.singles.len() < SINGLES && !self.singles.contains(value) {
                self.singles.push(*value);
            }
        }
    }
}

/// The numbers from a place on, as long as only signs that part the items of lists and tables are between.
fn read_list(bytes: &[u8], start: usize) -> List {
    let mut list = List { span: Span::new(start, start), values: Vec::new() };
    let mut next = Some(start);
    while let Some((value, end)) = next.and_then(|at| number(bytes, at)) {
        list.values.push(value);
        list.span.end = end;
        let gap = bytes[end..].iter().take(48).position(|byte| !b" \t\r\n,;|-?()\"'".contains(byte));
        next = gap.filter(|gap| *gap > 0 && list.values.len() < LONGEST).map(|gap| end + gap);
    }
    list
}

/// The number at a place, decimal or hex, with `_` between digits and `n` after them, and its end.
fn number(bytes: &[u8], at: usize) -> Option<(u128, usize)> {
    let is_hex = bytes[at..].starts_with(b"0x") || bytes[at..].starts_with(b"0X");
    let (start, radix) = if is_hex { (at + 2, 16_u32) } else { (at, 10) };
    let mut value = 0_u128;
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        match char::from(*byte).to_digit(radix) {
            Some(digit) => value = value.checked_mul(u128::from(radix))?.checked_add(u128::from(digit))?,
            None if *byte == b'_' && end > start => {}
            None => break,
        }
        end += 1;
    }
    if end == start {
        return None;
    }
    end += usize::from(bytes.get(end) == Some(&b'n'));
    let is_part = bytes.get(end).is_some_and(|byte| is_word(*byte) || *byte == b'.');
    (!is_part).then_some((value, end))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
