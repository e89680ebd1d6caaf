//! Values of a Sigma rule that are no plain text: patterns, networks, encoded texts.

use std::net::Ipv4Addr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::piece::{Piece, escaped};
use crate::gate::rules::pattern;

/// The widest gap that is put in place of one without an end.
const WIDEST: &str = "200";

/// The base64 forms that a text can have inside of a longer one.
pub(super) fn encoded(value: &str, offsets: usize, is_wide: bool) -> Piece {
    let bytes: Vec<u8> = if is_wide {
        value.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else {
        value.as_bytes().to_vec()
    };
    let forms: Vec<String> = (0..offsets).map(|offset| encoded_at(&bytes, offset)).collect();
    let patterns: Vec<_> = forms.iter().map(|form| escaped(form)).collect();
    Piece { pattern: format!("(?-i:{})", patterns.join("|")), example: forms.first().cloned() }
}

/// The letters of the encoded form that do not depend on the bytes around it.
fn encoded_at(bytes: &[u8], offset: usize) -> String {
    let padded: Vec<u8> = std::iter::repeat_n(b' ', offset).chain(bytes.iter().copied()).collect();
    let all = STANDARD.encode(&padded);
    let start = [0, 2, 3][offset];
    let end = all.len() - [0, 3, 2][padded.len() % 3];
    all.get(start..end).unwrap_or_default().to_owned()
}

/// A pattern of Sigma's, where ours has the same syntax.
pub(super) fn regex(value: &str, is_cased: bool, losses: &mut Vec<String>) -> Result<Piece, String> {
    let bounded = bounded(value);
    if bounded != value {
        losses.push(format!("gaps without an end are held to {WIDEST} characters"));
    }
    pattern::parse(&bounded).map_err(|fault| format!("a pattern is not of our syntax: {fault}"))?;
    let pattern = if is_cased { format!("(?-i:{bounded})") } else { format!("(?:{bounded})") };
    Ok(Piece { pattern, example: None })
}

/// A pattern whose `.*` and `.+` stay in the neighbourhood.
fn bounded(pattern: &str) -> String {
    let mut bounded = String::new();
    let mut letters = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                bounded.push(letter);
                bounded.extend(letters.next());
                continue;
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '.' if !in_class => {
                if let Some(fewest) = letters.peek().and_then(|next| "*+".find(*next)) {
                    letters.next();
                    bounded += &[r"[^\n]{", ["0", "1"][fewest], ",", WIDEST, "}"].concat();
                    continue;
                }
            }
            _ => {}
        }
        bounded.push(letter);
    }
    bounded
}

/// Addresses of an IPv4 network.
pub(super) fn network(value: &str) -> Result<Piece, String> {
    let refused = || format!("`{value}` is no IPv4 network of the form a.b.c.d/n");
    let (address, bits) = value.split_once('/').ok_or_else(refused)?;
    let address: Ipv4Addr = address.parse().map_err(|_| refused())?;
    let bits: u32 = bits.parse().ok().filter(|bits| *bits <= 32).ok_or_else(refused)?;
    if bits == 0 {
        return Err("a network of all addresses excludes nothing".to_owned());
    }
    let parts = address.octets().into_iter().enumerate().map(|(at, octet)| {
        let fixed = bits.saturating_sub(at as u32 * 8).min(8);
        match fixed {
            8 => octet.to_string(),
            0 => "[0-9]{1,3}".to_owned(),
            fixed => {
                let free = 0xff_u8 >> fixed;
                let range = (octet & !free)..=(octet | free);
                format!("(?:{})", range.map(|number| number.to_string()).collect::<Vec<_>>().join("|"))
            }
        }
    });
    let pattern = format!(r"\b{}\b", parts.collect::<Vec<_>>().join(r"\."));
    Ok(Piece { pattern, example: Some(address.to_string()) })
}
