//! The characters beyond ASCII of a text, found without looking at each of the others.

/// How many bytes are looked at in one go.
const STEP: usize = 32;

/// The first byte beyond ASCII from a place on.
pub(super) fn next(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while bytes.get(at..at + STEP).is_some_and(<[u8]>::is_ascii) {
        at += STEP;
    }
    bytes.get(at..)?.iter().position(|byte| !byte.is_ascii()).map(|nth| at + nth)
}

/// All characters beyond ASCII with their places, in order.
pub(super) fn chars(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = next(text, from)?;
        let c = text[at..].chars().next()?;
        from = at + c.len_utf8();
        Some((at, c))
    })
}

#[cfg(test)]
mod tests {
    use super::chars;

    #[test]
    fn nothing_is_missed() {
        for gap in [0, 1, 31, 32, 33, 70] {
            let text = format!("{0}é{0}名{0}", "a".repeat(gap));
            let naive: Vec<_> = text.char_indices().filter(|(_, c)| !c.is_ascii()).collect();
            assert_eq!(chars(&text).collect::<Vec<_>>(), naive);
        }
    }
}
