//! From symbols to text: two symbols are bits, four are pairs of bits, a third one parts the bytes.
//!
//! Which symbol means what is not known, so the few sensible readings are tried, and one that gives text
//! wins. Readings are strict: chance must not make text of joiners that a script needs.

/// The text that a row of symbols (numbered in order of first use, at most four different) spells.
pub(super) fn read(symbols: &[u8]) -> Option<String> {
    match symbols.iter().max()? {
        1 => binary(symbols),
        2 => separated(symbols),
        3 => quaternary(symbols),
        _ => None,
    }
}

/// Two symbols: bits of either polarity, eight or seven to a character.
fn binary(symbols: &[u8]) -> Option<String> {
    let readings = [(0, 8), (1, 8), (0, 7), (1, 7)];
    readings.into_iter().find_map(|(flip, width)| {
        text(
            symbols.chunks_exact(width).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | (bit ^ flip))),
        )
    })
}

/// Three symbols: one of them stands between characters, or groups, and means nothing else.
fn separated(symbols: &[u8]) -> Option<String> {
    (0..3_u8).rev().find_map(|separator| {
        let groups = symbols.split(|symbol| *symbol == separator).filter(|group| !group.is_empty());
        let (zero, one) = ((separator + 1) % 3, (separator + 2) % 3);
        let spelled = [zero, one].into_iter().find_map(|low| {
            let bits =
                |group: &[u8]| group.iter().fold(0_u8, |byte, symbol| byte << 1 | u8::from(*symbol != low));
            let groups: Option<Vec<u8>> =
                groups.clone().map(|group| (group.len() <= 8).then(|| bits(group))).collect();
            text(groups?.into_iter())
        });
        spelled.or_else(|| {
            let kept: Vec<u8> =
                symbols.iter().filter(|s| **s != separator).map(|s| u8::from(*s == one)).collect();
            binary(&kept)
        })
    })
}

/// Four symbols: two bits each, in any of the 24 orders.
fn quaternary(symbols: &[u8]) -> Option<String> {
    let orders = (0..=255_u8).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
    let orders = orders.filter(|order| (0..4).all(|digit| order.contains(&digit)));
    let byte =
        |order: [u8; 4], quad: &[u8]| quad.iter().fold(0, |byte, symbol| byte << 2 | order[*symbol as usize]);
    let read = |order: [u8; 4]| text(symbols.chunks_exact(4).map(|quad| byte(order, quad)));
    let head = |order: &[u8; 4]| text(symbols.chunks_exact(4).take(64).map(|quad| byte(*order, quad)));
    // Several orders can give something that shows; words are lower-case letters and spaces.
    let wordy =
        |text: &String| text.bytes().filter(|byte| byte.is_ascii_lowercase() || *byte == b' ').count();
    orders.filter(|order| head(order).is_some()).filter_map(read).max_by_key(wordy)
}

/// The bytes as text, where all of it shows and most of it is letters and spaces.
fn text(bytes: impl Iterator<Item = u8>) -> Option<String> {
    let mut bytes: Vec<u8> = bytes.collect();
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    let text = String::from_utf8(bytes).ok()?;
    let count = text.chars().count();
    let wordy = text.chars().filter(|c| c.is_alphanumeric() || *c == ' ').count();
    let is_shown = text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'));
    (count >= 3 && is_shown && wordy * 10 >= count * 6).then_some(text)
}
