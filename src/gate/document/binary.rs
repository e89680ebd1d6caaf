//! What can be seen of a file that is no text without opening it: a second file behind it, a lock.
//!
//! Nothing here unpacks anything.

use memchr::memmem;

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

/// True where a document needs a password. Of archives each entry says so for itself.
pub(super) fn is_encrypted(format: &str, bytes: &[u8]) -> bool {
    match format {
        "pdf" => memmem::find(bytes, b"/Encrypt").is_some(),
        "ole" => memmem::find(bytes, b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e").is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_encrypted, is_polyglot};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\0IEND\xaeB\x60\x82";

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
        assert!(is_encrypted("pdf", b"%PDF-1.7 /Encrypt 5 0 R"));
        assert!(!is_encrypted("pdf", b"%PDF-1.7 /Root 5 0 R"));
    }
}
