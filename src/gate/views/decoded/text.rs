//! Whether decoded bytes are text, and which.
//!
//! UTF-8 that shows, UTF-16 as PowerShell encodes it, and either of them compressed or in an archive. Everything else
//! (pictures, keys, hashes, machine code) is no text. The test is strict for short runs, which chance could
//! make.

use crate::base::Compression;
use crate::gate::document::archive;
use crate::gate::views::Layer;

/// The shortest text that is told from chance.
const SHORTEST: usize = 4;

/// What compressed bytes may grow to.
const INFLATED: u64 = 256 * 1024;

/// The text that the bytes hold, with the layers that were between. Of an archive, the texts of its files.
pub(super) fn of(bytes: &[u8]) -> Option<(String, Vec<Layer>)> {
    let inflated = inflate(bytes);
    if let Some(text) = archive::texts(inflated.as_deref().unwrap_or(bytes), INFLATED) {
        return is_shown(&text).then(|| (text, vec![Layer::Compressed]));
    }
    match inflated {
        Some(inflated) => {
            let (text, inner) = plain(&inflated)?;
            Some((text, [Layer::Compressed].into_iter().chain(inner).collect()))
        }
        None => plain(bytes),
    }
}

fn plain(bytes: &[u8]) -> Option<(String, Vec<Layer>)> {
    utf16(bytes).map(|text| (text, vec![Layer::Utf16])).or_else(|| Some((utf8(bytes)?, Vec::new())))
}

fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    // A cut stream still shows its beginning.
    let inflated = Compression::of(bytes)?.unpack(bytes, INFLATED).bytes;
    (!inflated.is_empty()).then_some(inflated)
}

/// UTF-16 with ASCII in it: every other byte is zero.
fn utf16(bytes: &[u8]) -> Option<String> {
    if bytes.len() < 2 * SHORTEST {
        return None;
    }
    let zeros = |parity: usize| bytes.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let most = bytes.len() / 2 - bytes.len() / 10;
    let read: fn([u8; 2]) -> u16 = if zeros(1) >= most {
        u16::from_le_bytes
    } else if zeros(0) >= most {
        u16::from_be_bytes
    } else {
        return None;
    };
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    is_shown(&text).then_some(text)
}

fn utf8(bytes: &[u8]) -> Option<String> {
    if bytes.len() < SHORTEST {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => is_shown(text).then(|| text.to_owned()),
        Err(_) if bytes.len() >= 24 => {
            let text = String::from_utf8_lossy(bytes);
            (is_mostly_ascii(bytes) && is_shown(&text)).then(|| text.into_owned())
        }
        Err(_) => None,
    }
}

/// Nine of ten bytes are printable ASCII: the rest is damage.
fn is_mostly_ascii(bytes: &[u8]) -> bool {
    let plain = bytes.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    plain * 10 >= bytes.len() * 9
}

/// Nineteen of twenty characters show, and there is a letter among them.
fn is_shown(text: &str) -> bool {
    let (mut shown, mut all) = (0, 0);
    for c in text.chars() {
        all += 1;
        shown += usize::from(!c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{1b}'));
    }
    shown * 20 >= all * 19 && text.contains(char::is_alphabetic)
}

/// True where the first bytes could begin a text: a cheap look before a whole run is decoded.
pub(super) fn could_begin(bytes: &[u8]) -> bool {
    let odd = bytes.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count();
    let is_compressed = Compression::of(bytes).is_some() || bytes.starts_with(b"PK\x03\x04");
    let is_utf16 = bytes.iter().step_by(2).all(|byte| *byte == 0)
        || bytes.iter().skip(1).step_by(2).filter(|byte| **byte == 0).count() * 3 >= bytes.len();
    is_compressed || is_utf16 || odd == 0
}
