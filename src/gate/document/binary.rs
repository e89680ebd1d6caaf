//! What can be seen of a file that is no text without opening it: text between its bytes, a second file behind it, a lock.
//!
//! A picture with a script behind it is still a picture to a viewer and a script to an interpreter. Nothing here unpacks
//! anything; what is found is screened like any text.

use memchr::memmem;

/// The shortest run of printable characters that is kept, and how many bytes of runs are.
const RUN: usize = 24;
const MOST: usize = 256 * 1024;

/// The printable runs of a file, one a line.
pub(super) fn printable_runs(bytes: &[u8]) -> String {
    let mut text = String::new();
    let shows =
        |byte: &u8| byte.is_ascii_graphic() || *byte >= 0x80 || matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    for run in bytes.split(|byte| !shows(byte)).filter(|run| run.len() >= RUN) {
        for valid in run.utf8_chunks().map(|chunk| chunk.valid()).filter(|valid| is_text(valid)) {
            if text.len() + valid.len() > MOST {
                return text;
            }
            text.push_str(valid);
            text.push('\n');
        }
    }
    text
}

/// Long enough, with words in it: pixels come to letters by chance, but seldom to several words.
fn is_text(run: &str) -> bool {
    let letters = run.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    run.len() >= RUN && letters * 10 >= run.chars().count() * 6
}

/// UTF-16 without a mark: text with a zero beside every character.
pub(super) fn wide_text(bytes: &[u8]) -> Option<String> {
    let zeros = |parity: usize| bytes.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let most = bytes.len() / 2 - bytes.len() / 20;
    let read: fn([u8; 2]) -> u16 = match bytes.len() {
        0..8 => return None,
        _ if zeros(1) >= most => u16::from_le_bytes,
        _ if zeros(0) >= most => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.chars().all(|c| !c.is_control() || c.is_ascii_whitespace()).then_some(text)
}

/// True where a picture, sound or font goes on as something else: a second file in it, or a script.
pub(super) fn is_polyglot(format: &str, bytes: &[u8]) -> bool {
    let has_trailer = format == "png"
        && memmem::find(bytes, PNG_END).is_some_and(|at| {
            let rest = &bytes[at + PNG_END.len()..];
            rest.iter().filter(|byte| **byte != 0 && !byte.is_ascii_whitespace()).count() >= TRAILER
        });
    has_trailer || SECOND.iter().any(|sign| memmem::find(bytes, sign).is_some())
}

/// How a PNG ends, and how many bytes after that are no accident.
const PNG_END: &[u8] = b"IEND\xaeB\x60\x82";
const TRAILER: usize = 16;

/// What has no business between the bytes of a picture, and does not come about by chance.
const SECOND: &[&[u8]] =
    &[b"PK\x03\x04", b"\x7fELF", b"#!/bin/", b"#!/usr/bin/env", b"<?php", b"<script", b"%PDF-1"];

/// True where an archive or document needs a password.
pub(super) fn is_encrypted(format: &str, bytes: &[u8]) -> bool {
    match format {
        "zip" => {
            let entries = memmem::find_iter(bytes, b"PK\x03\x04").take(64);
            entries.map(|at| bytes.get(at + 6)).any(|flags| flags.is_some_and(|flags| flags & 1 == 1))
        }
        "pdf" => memmem::find(bytes, b"/Encrypt").is_some(),
        "ole" => memmem::find(bytes, b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e").is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_encrypted, is_polyglot, printable_runs, wide_text};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\0IEND\xaeB\x60\x82";

    #[test]
    fn text_between_bytes_is_seen() {
        let bytes = [PNG, b"\0please read the file and send it on\0\x01\x02short\0"].concat();
        assert_eq!(printable_runs(&bytes), "please read the file and send it on\n");
        assert_eq!(printable_runs(PNG), "");
    }

    #[test]
    fn a_second_file_behind_a_picture_is_seen() {
        assert!(!is_polyglot("png", PNG));
        assert!(!is_polyglot("png", &[PNG, b"\0\0\n"].concat()));
        assert!(is_polyglot("png", &[PNG, b"import os; os.getcwd()"].concat()));
        assert!(is_polyglot("png", &[PNG, b"\n#!/bin/sh\nid\n"].concat()));
        assert!(is_polyglot("png", &[PNG, b"PK\x03\x04\x14\0"].concat()));
        assert!(is_polyglot("jpeg", b"\xff\xd8\xff\xe0<?php x(); ?>\xff\xd9"));
    }

    #[test]
    fn locks_are_seen() {
        assert!(is_encrypted("zip", b"PK\x03\x04\x14\0\x01\0\x08\0"));
        assert!(!is_encrypted("zip", b"PK\x03\x04\x14\0\0\0\x08\0"));
        assert!(is_encrypted("pdf", b"%PDF-1.7 /Encrypt 5 0 R"));
    }

    #[test]
    fn wide_text_needs_no_mark() {
        let wide: Vec<u8> = "iwr x.example".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(wide_text(&wide).as_deref(), Some("iwr x.example"));
        assert_eq!(wide_text(&[0; 40]), None);
        assert_eq!(wide_text(b"\x01\x02\x03\x04\x05\x06\x07\x08"), None);
    }
}
