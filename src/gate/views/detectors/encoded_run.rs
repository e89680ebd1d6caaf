//! Long runs of encoded bytes that the same file decodes, and that are no picture or font.
//!
//! What decodes to text is scanned as a view; this is for the rest: machine code, ciphertext, compressed scripts. A script
//! decodes what it holds wherever the decoder is named in it, other text only where it is named near the run.

use super::{StructuralHit, raw};
use crate::base::Span;
use crate::gate::views::decoded::blobs;
use crate::gate::views::hints::Hint;
use crate::gate::views::unfold::Source;
use crate::gate::{Part, Role};

/// The shortest run, in characters.
const LONG: usize = 200;

/// How near a decoder must be named outside of scripts, in bytes.
const NEAR: usize = 400;

/// One hit for each run.
pub(super) fn find(part: &Part) -> Vec<StructuralHit> {
    let text: &str = &part.text;
    let source = Source::root(text);
    if text.len() < LONG || !source.hints.any(Hint::Base64) && !source.hints.any(Hint::Hex) {
        return Vec::new();
    }
    let is_decoded = |span: Span| {
        let near =
            [Hint::Base64, Hint::Hex].iter().any(|hint| source.hints.near(*hint, span, NEAR).is_some());
        part.role == Role::Script || near
    };
    let runs = blobs(&source, LONG).into_iter().filter(|(span, bytes, _)| {
        is_decoded(*span) && !is_media(bytes) && std::str::from_utf8(bytes).is_err()
    });
    let hits = runs.map(|(span, bytes, layer)| {
        let what = if is_program(&bytes) { "a program" } else { "bytes" };
        raw("encoded-run", text, span, format!("{layer}: {} {what}", bytes.len()))
    });
    hits.collect()
}

/// Pictures, fonts and sound, by their first bytes.
fn is_media(bytes: &[u8]) -> bool {
    const MAGIC: &[&[u8]] = &[
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"RIFF",
        b"wOFF",
        b"wOF2",
        b"OggS",
        b"ID3",
        b"\0\0\x01\0",
        b"BM",
        b"%PDF",
        b"\0\x01\0\0",
        b"OTTO",
    ];
    MAGIC.iter().any(|magic| bytes.starts_with(magic)) || bytes.get(4..8) == Some(b"ftyp")
}

fn is_program(bytes: &[u8]) -> bool {
    const MAGIC: &[&[u8]] =
        &[b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\0asm", b"PK\x03\x04"];
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::find;
    use crate::gate::{Part, Role};

    #[track_caller]
    fn check(role: Role, text: &str, hits: usize) {
        let part = Part { path: "x".to_owned(), role, text: text.into() };
        assert_eq!(find(&part).len(), hits, "{text}");
    }

    #[test]
    fn a_blob_that_is_decoded_is_found_and_a_picture_is_not() {
        let noise: Vec<u8> = (0..300_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
        check(Role::Script, &format!("x = '{}'\nrun(b64decode(x))", encode(&noise)), 1);
        check(Role::Reference, &format!("{} and {} base64", encode(&noise), "word ".repeat(200)), 0);
        check(Role::Script, &format!("x = '{}'\nprint(x)", encode(&noise)), 0);
        let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &noise].concat();
        check(Role::Script, &format!("x = 'data:image/png;base64,{}'", encode(&picture)), 0);
    }
}
