//! Where the anchors of all rules stand in a text, in one pass.
//!
//! An automaton would go from state to state, each a wait for memory since there are thousands of them. Here the last
//! four bytes before each place are asked for in a table of bits that stays in the nearest cache; few places pass, and
//! there the anchors with such an end are compared. Shorter anchors are asked for by the bytes they have.

use std::ops::Range;

/// Bytes of an anchor's end that are asked for.
const TAIL: usize = 4;
/// The table of bits has so many, as a power of two: some for each end, and no more than the nearest cache holds.
const BITS: u32 = 17;
/// Ends are listed by so many bits of their hash.
const LISTED: u32 = 12;

/// Anchors to look for, numbered as they were given.
#[derive(Debug)]
pub(super) struct Anchors {
    texts: Vec<Box<[u8]>>,
    /// Which of the last four bytes are not looked at, once for each length of an end.
    unseen: Vec<u32>,
    bits: Box<[u64]>,
    /// The hash of an end with its anchor, in order; and where in it each list begins.
    ends: Vec<(u32, u32)>,
    lists: Box<[u32]>,
}

impl Anchors {
    /// Takes anchors in lower case.
    pub(super) fn new<'a>(anchors: impl Iterator<Item = &'a [u8]>) -> Self {
        let texts: Vec<Box<[u8]>> = anchors.map(Into::into).collect();
        let mut unseen: Vec<u32> = texts.iter().map(|text| unseen_of(text)).collect();
        unseen.sort_unstable();
        unseen.dedup();
        let mut ends: Vec<_> = texts.iter().zip(0..).map(|(text, anchor)| (end(text), anchor)).collect();
        ends.sort_unstable();
        let mut bits = vec![0; 1 << (BITS - u64::BITS.trailing_zeros())].into_boxed_slice();
        for (hash, _) in &ends {
            let (word, bit) = place(*hash);
            bits[word] |= bit;
        }
        let begin = |list: u32| ends.partition_point(|(hash, _)| hash >> (u32::BITS - LISTED) < list) as u32;
        let lists = (0..=1 << LISTED).map(begin).collect();
        Self { texts, unseen, bits, ends, lists }
    }

    /// Calls `found` with each anchor in a text in lower case and where it stands, in the order of their ends.
    pub(super) fn each(&self, text: &[u8], mut found: impl FnMut(usize, Range<usize>)) {
        let mut last = 0;
        for (at, byte) in text.iter().enumerate() {
            last = last << 8 | u32::from(*byte);
            for unseen in &self.unseen {
                let hash = hash(last | unseen);
                let (word, bit) = place(hash);
                if self.bits[word] & bit != 0 {
                    self.compare(hash, &text[..=at], &mut found);
                }
            }
        }
    }

    /// Tells of the anchors with this end that the text ends with.
    fn compare(&self, hash: u32, text: &[u8], found: &mut impl FnMut(usize, Range<usize>)) {
        let list = (hash >> (u32::BITS - LISTED)) as usize;
        let (start, end) = (self.lists[list] as usize, self.lists[list + 1] as usize);
        for (own, anchor) in &self.ends[start..end] {
            let anchor = *anchor as usize;
            if *own == hash && text.ends_with(&self.texts[anchor]) {
                found(anchor, text.len() - self.texts[anchor].len()..text.len());
            }
        }
    }
}

/// Ones in place of the bytes that an end lacks. No byte of a text is all ones, so ends of different lengths differ.
fn unseen_of(anchor: &[u8]) -> u32 {
    u32::MAX.checked_shl(8 * anchor.len().min(TAIL) as u32).unwrap_or(0)
}

fn end(anchor: &[u8]) -> u32 {
    let tail = &anchor[anchor.len().saturating_sub(TAIL)..];
    hash(tail.iter().fold(0, |end, byte| end << 8 | u32::from(*byte)) | unseen_of(anchor))
}

/// Fibonacci hashing: the upper bits depend on all four bytes.
const fn hash(bytes: u32) -> u32 {
    bytes.wrapping_mul(0x9E37_79B1)
}

const fn place(hash: u32) -> (usize, u64) {
    let at = (hash >> (u32::BITS - BITS)) as usize;
    (at / 64, 1 << (at % 64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Anchors;

    fn found(anchors: &[&[u8]], text: &[u8]) -> Vec<(usize, usize, usize)> {
        let mut found = Vec::new();
        let anchors = Anchors::new(anchors.iter().copied());
        anchors.each(text, |anchor, range| found.push((range.end, range.start, anchor)));
        found
    }

    #[test]
    fn anchors_of_every_length_are_found_in_the_order_of_their_ends() {
        let anchors: [&[u8]; 6] = [b"rm -rf", b"-rf", b"f", b"rf /", b"m -rf", b"\0ab"];
        let expected = [(6, 0, 0), (6, 1, 4), (6, 3, 1), (6, 5, 2), (8, 4, 3)];
        let mut all = found(&anchors, b"rm -rf /ab");
        all.sort_unstable();
        assert_eq!(all, expected);
        assert_eq!(found(&anchors, b""), []);
        assert_eq!(found(&[], b"rm"), []);
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_stands_there(
            anchors in prop::collection::btree_set("[ab]{1,6}", 1..12),
            text in "[abc]{0,60}",
        ) {
            let anchors: Vec<&[u8]> = anchors.iter().map(String::as_bytes).collect();
            let mut expected = Vec::new();
            for (number, anchor) in anchors.iter().enumerate() {
                let starts = (0..text.len()).filter(|start| text.as_bytes()[*start..].starts_with(anchor));
                expected.extend(starts.map(|start| (start + anchor.len(), start, number)));
            }
            let all = found(&anchors, text.as_bytes());
            prop_assert!(all.is_sorted_by_key(|(end, ..)| *end));
            let sorted = |mut all: Vec<_>| { all.sort_unstable(); all };
            prop_assert_eq!(sorted(all), sorted(expected));
        }
    }
}
