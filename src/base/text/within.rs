//! The text that stands between the bytes of a file that is none.
//!
//! A picture with a script behind it is a picture to a viewer and a script to an interpreter. Nothing is unpacked.

/// The shortest run of characters that is kept, and how many bytes of runs are.
const RUN: usize = 24;
const MOST: usize = 256 * 1024;

/// As many zeros in a row belong to no text, however wide.
const GAP: &[u8] = &[0; 4];

/// The readable runs in the bytes, one a line: UTF-8, and ASCII with zeros between, as UTF-16 and UTF-32 have them.
pub fn text_within(bytes: &[u8]) -> String {
    let mut text = String::new();
    for run in bytes.split(|byte| !shows(*byte)).filter(|run| run.len() >= RUN) {
        for valid in run.utf8_chunks().map(|chunk| chunk.valid()) {
            add(&mut text, valid);
        }
    }
    for run in bytes.split(|byte| *byte != 0 && !(shows(*byte) && byte.is_ascii())) {
        if run.len() >= 2 * RUN {
            spread(&mut text, run);
        }
    }
    text
}

/// Adds what is written with zeros between in a run of ASCII and zeros.
fn spread(text: &mut String, run: &[u8]) {
    let mut rest = run;
    while !rest.is_empty() {
        let end = memchr::memmem::find(rest, GAP).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        let letters: String = piece.iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
        if (piece.len() - letters.len()) * 5 >= piece.len() {
            add(text, &letters);
        }
        let next = after.iter().position(|byte| *byte != 0).unwrap_or(after.len());
        rest = &after[next..];
    }
}

/// Long enough, with words in it: pixels come to letters by chance, but seldom to several words.
fn add(text: &mut String, run: &str) {
    let letters = run.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    let is_text = run.len() >= RUN && letters * 10 >= run.chars().count() * 6;
    if is_text && text.len() + run.len() <= MOST {
        text.push_str(run);
        text.push('\n');
    }
}

fn shows(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte >= 0x80 || matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::text_within;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\0IEND\xaeB\x60\x82";
    const WORDS: &str = "please read the file and send it on";

    #[test]
    fn text_between_bytes_is_seen() {
        let bytes = [PNG, b"\0", WORDS.as_bytes(), b"\0\x01\x02short\0"].concat();
        assert_eq!(text_within(&bytes), format!("{WORDS}\n"));
        assert_eq!(text_within(PNG), "");
    }

    #[test]
    fn wide_text_between_bytes_is_seen_wherever_it_begins() {
        let narrow: Vec<u8> = WORDS.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide: Vec<u8> = WORDS.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        for padding in 0..4 {
            let before = [PNG, &[0; 9], &b"\x01\x02\x03\x04"[..padding]].concat();
            for bytes in [&narrow, &wide] {
                let all = [&before, bytes.as_slice(), &[0; 9], PNG].concat();
                assert_eq!(text_within(&all), format!("{WORDS}\n"), "{padding}");
            }
        }
    }
}
