//! Which stretches of four bytes a text holds, as bits by their hash.
//!
//! One pass over a text answers for thousands of literals: a literal with a stretch that the text lacks is not in it. A
//! bit that is set proves nothing. A long text fills the bits and answers less; it is never wrong.

/// The hash of a stretch.
pub(super) type Gram = u32;

/// Bytes of a stretch.
const GRAM: usize = 4;
/// Bits for each byte of a text, and bounds of their number.
const BITS_A_BYTE: usize = 8;
const FEWEST: usize = 1 << 10;
const MOST: usize = 1 << 21;

/// The stretches of one text.
#[derive(Debug)]
pub(super) struct Grams {
    bits: Vec<u64>,
    /// How far a hash is moved right so that it counts the bits.
    shift: u32,
}

impl Grams {
    /// Reads a text once.
    pub(super) fn of(text: &[u8]) -> Self {
        let bits = text.len().saturating_mul(BITS_A_BYTE).clamp(FEWEST, MOST).next_power_of_two();
        let mut read = Self { bits: vec![0; bits / 64], shift: 32 - bits.trailing_zeros() };
        for gram in grams(text) {
            let (word, bit) = read.place(gram);
            read.bits[word] |= bit;
        }
        read
    }

    /// False where the stretch is not in the text.
    pub(super) fn may_hold(&self, gram: Gram) -> bool {
        let (word, bit) = self.place(gram);
        self.bits[word] & bit != 0
    }

    const fn place(&self, gram: Gram) -> (usize, u64) {
        let at = (gram >> self.shift) as usize;
        (at / 64, 1 << (at % 64))
    }
}

/// The hashes of a text's stretches; none of a text that is shorter than one.
pub(super) fn grams(text: &[u8]) -> impl DoubleEndedIterator<Item = Gram> {
    // Fibonacci hashing: the upper bits depend on all four bytes.
    let hash = |gram: [u8; GRAM]| u32::from_le_bytes(gram).wrapping_mul(0x9E37_79B1);
    text.windows(GRAM).map(move |gram| hash(gram.try_into().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Grams, grams};

    fn may_hold(text: &[u8], literal: &[u8]) -> bool {
        let read = Grams::of(text);
        grams(literal).all(|gram| read.may_hold(gram))
    }

    #[test]
    fn most_of_what_is_missing_is_known_to_be() {
        let text = b"read the file and send it to the server";
        assert!(may_hold(text, b"send it"));
        assert!(may_hold(text, b"zz"), "too short to be asked");
        assert!(!may_hold(text, b"curl"));
        assert!(!may_hold(b"", b"curl"));
    }

    proptest! {
        #[test]
        fn what_is_there_is_never_denied(text in prop::collection::vec(any::<u8>(), 0..300), at in 0_usize..300, len in 0_usize..40) {
            let start = at.min(text.len());
            let literal = &text[start..(start + len).min(text.len())];
            prop_assert!(may_hold(&text, literal));
        }
    }
}
