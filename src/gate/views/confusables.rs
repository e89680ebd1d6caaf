//! Letters of other scripts that look like ASCII letters, and signs that look like ASCII signs.
//!
//! Only what passes for the ASCII one at a glance in common fonts: what NFKC maps (full width, mathematical
//! and circled letters, Roman numerals) is not listed here. The table says what a character looks like;
//! whether it stands in for it is for the reader of the whole word to say.

/// The ASCII letter that this letter looks like.
pub(super) fn letter(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let found = LETTERS.binary_search_by_key(&c, |(foreign, _)| *foreign);
    found.ok().map(|at| LETTERS[at].1).or_else(|| enclosed(c)).or_else(|| braille(c))
}

/// The ASCII sign that this sign looks like.
pub(super) const fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '‐' | '‑' | '‒' | '–' | '−' | '﹘' | '➖' => "-",
        '‘' | '’' | '‛' | '′' | 'ʼ' | 'ʹ' | '＇' => "'",
        '“' | '”' | '‟' | '″' => "\"",
        '⁄' | '∕' | '⧸' | '╱' => "/",
        '∖' | '⧵' => "\\",
        '∶' | 'ː' | '꞉' | '։' => ":",
        '∗' | '⁎' => "*",
        '‹' | '❮' => "<",
        '›' | '❯' => ">",
        '∣' | 'ǀ' | '❘' => "|",
        '˙' | 'ꓸ' => ".",
        '‚' => ",",
        '∼' | '˜' => "~",
        'ǃ' => "!",
        '\u{2028}' | '\u{2029}' => "\n",
        '\u{2800}' => " ",
        _ => return None,
    })
}

/// Letters in black squares and circles, which NFKC leaves alone. Regional indicators are flags and no
/// letters.
fn enclosed(c: char) -> Option<char> {
    let base = match c {
        '\u{1F150}'..='\u{1F169}' => 0x1F150,
        '\u{1F170}'..='\u{1F189}' => 0x1F170,
        _ => return None,
    };
    u8::try_from(c as u32 - base).ok().map(|nth| char::from(b'A' + nth))
}

/// True for Braille cells of six dots but the empty one.
pub(super) const fn is_braille(c: char) -> bool {
    matches!(c, '\u{2801}'..='\u{283F}')
}

/// The letter that a Braille cell stands for: no eye takes it for one, but models read it.
fn braille(c: char) -> Option<char> {
    const CELLS: &str = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵";
    if !is_braille(c) {
        return None;
    }
    CELLS.chars().zip('a'..='z').find(|(cell, _)| *cell == c).map(|(_, letter)| letter)
}

/// Sorted by the first of each pair; a test holds it so.
#[rustfmt::skip]
const LETTERS: &[(char, char)] = &[
    ('ı', 'i'), ('ƅ', 'b'), ('ƽ', 's'), ('ȷ', 'j'), ('ɋ', 'q'), ('ɑ', 'a'), ('ɡ', 'g'), ('ɢ', 'g'),
    ('ɩ', 'i'), ('ɪ', 'i'), ('ɴ', 'n'), ('ʀ', 'r'), ('ʂ', 's'), ('ʋ', 'v'), ('ʏ', 'y'), ('ʙ', 'b'),
    ('ʜ', 'h'), ('ʟ', 'l'), ('Α', 'A'), ('Β', 'B'), ('Ε', 'E'), ('Ζ', 'Z'), ('Η', 'H'), ('Ι', 'I'),
    ('Κ', 'K'), ('Μ', 'M'), ('Ν', 'N'), ('Ο', 'O'), ('Ρ', 'P'), ('Τ', 'T'), ('Υ', 'Y'), ('Χ', 'X'),
    ('α', 'a'), ('γ', 'y'), ('ι', 'i'), ('κ', 'k'), ('ν', 'v'), ('ο', 'o'), ('ρ', 'p'), ('υ', 'u'),
    ('χ', 'x'), ('ω', 'w'), ('ϳ', 'j'), ('Ѕ', 'S'), ('І', 'I'), ('Ј', 'J'), ('А', 'A'), ('В', 'B'),
    ('Е', 'E'), ('К', 'K'), ('М', 'M'), ('Н', 'H'), ('О', 'O'), ('Р', 'P'), ('С', 'C'), ('Т', 'T'),
    ('У', 'Y'), ('Х', 'X'), ('а', 'a'), ('е', 'e'), ('к', 'k'), ('о', 'o'), ('р', 'p'), ('с', 'c'),
    ('у', 'y'), ('х', 'x'), ('ѕ', 's'), ('і', 'i'), ('ј', 'j'), ('ѡ', 'w'), ('ѵ', 'v'), ('Ү', 'Y'),
    ('ү', 'y'), ('һ', 'h'), ('Ӏ', 'I'), ('ӏ', 'l'), ('ԁ', 'd'), ('ԍ', 'G'), ('Ԛ', 'Q'), ('ԛ', 'q'),
    ('Ԝ', 'W'), ('ԝ', 'w'), ('Լ', 'L'), ('Ս', 'U'), ('Տ', 'S'), ('Օ', 'O'), ('զ', 'q'), ('հ', 'h'),
    ('յ', 'j'), ('ո', 'n'), ('ս', 'u'), ('տ', 'm'), ('ց', 'g'), ('օ', 'o'), ('Ꭰ', 'D'), ('Ꭱ', 'R'),
    ('Ꭲ', 'T'), ('Ꭵ', 'I'), ('Ꭺ', 'A'), ('Ꭻ', 'J'), ('Ꭼ', 'E'), ('Ꮃ', 'W'), ('Ꮇ', 'M'), ('Ꮋ', 'H'),
    ('Ꮍ', 'Y'), ('Ꮏ', 'G'), ('Ꮐ', 'G'), ('Ꮓ', 'Z'), ('Ꮤ', 'W'), ('Ꮥ', 'S'), ('Ꮩ', 'V'), ('Ꮪ', 'S'),
    ('Ꮮ', 'L'), ('Ꮯ', 'C'), ('Ꮲ', 'P'), ('Ꮶ', 'K'), ('Ꮷ', 'D'), ('Ᏼ', 'B'), ('ᴀ', 'a'), ('ᴄ', 'c'),
    ('ᴅ', 'd'), ('ᴇ', 'e'), ('ᴊ', 'j'), ('ᴋ', 'k'), ('ᴍ', 'm'), ('ᴏ', 'o'), ('ᴘ', 'p'), ('ᴛ', 't'),
    ('ᴜ', 'u'), ('ᴠ', 'v'), ('ᴡ', 'w'), ('ᴢ', 'z'), ('Ⲏ', 'H'), ('Ⲓ', 'I'), ('Ⲕ', 'K'), ('Ⲙ', 'M'),
    ('Ⲛ', 'N'), ('Ⲟ', 'O'), ('ⲟ', 'o'), ('Ⲣ', 'P'), ('ⲣ', 'p'), ('Ⲥ', 'C'), ('ⲥ', 'c'), ('Ⲧ', 'T'),
    ('Ⲩ', 'Y'), ('Ⲭ', 'X'), ('ⲭ', 'x'), ('ꓐ', 'B'), ('ꓑ', 'P'), ('ꓒ', 'd'), ('ꓓ', 'D'), ('ꓔ', 'T'),
    ('ꓖ', 'G'), ('ꓗ', 'K'), ('ꓙ', 'J'), ('ꓚ', 'C'), ('ꓜ', 'Z'), ('ꓝ', 'F'), ('ꓟ', 'M'), ('ꓠ', 'N'),
    ('ꓡ', 'L'), ('ꓢ', 'S'), ('ꓣ', 'R'), ('ꓦ', 'V'), ('ꓧ', 'H'), ('ꓪ', 'W'), ('ꓫ', 'X'), ('ꓬ', 'Y'),
    ('ꓮ', 'A'), ('ꓰ', 'E'), ('ꓲ', 'I'), ('ꓳ', 'O'), ('ꓴ', 'U'), ('ꜰ', 'f'), ('ꜱ', 's'), ('ꞯ', 'q'),
];

#[cfg(test)]
mod tests {
    use super::{LETTERS, letter};

    #[test]
    fn the_table_is_sorted_and_leads_to_ascii_letters() {
        assert!(LETTERS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(LETTERS.iter().all(|(foreign, ascii)| !foreign.is_ascii() && ascii.is_ascii_alphabetic()));
    }

    #[test]
    fn look_alikes_are_known_and_others_are_not() {
        for (foreign, ascii) in
            [('а', 'a'), ('ѕ', 's'), ('Ο', 'O'), ('օ', 'o'), ('Ꭺ', 'A'), ('ᴄ', 'c'), ('🅱', 'B')]
        {
            assert_eq!(letter(foreign), Some(ascii), "{foreign}");
        }
        for other in ['ж', 'é', '名', 'ß', 'a', '🇬'] {
            assert_eq!(letter(other), None, "{other}");
        }
    }
}
