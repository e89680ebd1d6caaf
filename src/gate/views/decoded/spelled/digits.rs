//! Digits for letters: `1gn0re 4ll pr3vious instruct10ns`.
//!
//! Names of versions and machines mix digits and letters too, so only words that orders to an agent are made of are read, and
//! only where a line has two of them.

use memchr::memchr;

use super::Edit;
use crate::base::Span;
use crate::gate::views::Layer;

/// Words that orders to an agent are made of.
const WORDS: &[&str] = &[
    "access",
    "address",
    "admin",
    "all",
    "and",
    "answer",
    "any",
    "ask",
    "asking",
    "assistant",
    "bash",
    "before",
    "bypass",
    "collect",
    "command",
    "commands",
    "confirm",
    "contents",
    "conversation",
    "cookies",
    "copy",
    "credentials",
    "curl",
    "delete",
    "disregard",
    "download",
    "earlier",
    "environment",
    "every",
    "everything",
    "execute",
    "fetch",
    "file",
    "files",
    "follow",
    "forget",
    "forward",
    "guidelines",
    "hide",
    "history",
    "ignore",
    "instruction",
    "instructions",
    "it",
    "its",
    "keys",
    "mention",
    "message",
    "messages",
    "never",
    "not",
    "obey",
    "open",
    "override",
    "password",
    "passwords",
    "post",
    "previous",
    "prior",
    "private",
    "prompt",
    "prompts",
    "read",
    "remove",
    "reply",
    "restrictions",
    "rules",
    "safety",
    "secret",
    "secrets",
    "send",
    "shell",
    "silently",
    "system",
    "tell",
    "that",
    "the",
    "then",
    "this",
    "to",
    "token",
    "tokens",
    "transfer",
    "upload",
    "user",
    "users",
    "variables",
    "wallet",
    "with",
    "without",
    "your",
];

/// The longest word of them.
const LONGEST: usize = 14;

/// A word of so many letters is none that comes by chance.
const TELLING: usize = 5;

/// What puts the letters back.
pub(super) fn edits(text: &str) -> Vec<Edit<'_>> {
    let mut found: Vec<(Span, &'static str)> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
        let span = Span::new(at, at + len);
        if (2..=LONGEST).contains(&len)
            && let Some(word) = read(&bytes[at..at + len])
        {
            found.push((span, word));
        }
        at += len + 1;
    }
    let same_line = |left: &(Span, &str), right: &(Span, &str)| {
        memchr(b'\n', &bytes[left.0.end..right.0.start]).is_none()
    };
    found
        .chunk_by(same_line)
        .filter(|line| line.len() > 1 && line.iter().any(|(_, word)| word.len() >= TELLING))
        .flatten()
        .map(|(span, word)| (*span, *word, Layer::DigitsForLetters))
        .collect()
}

/// The word that letters and digits stand for; nothing where they are plain letters or no such word.
fn read(written: &[u8]) -> Option<&'static str> {
    let digits = written.iter().filter(|byte| !byte.is_ascii_alphabetic()).count();
    if digits == 0 || digits == written.len() {
        return None;
    }
    let stands_for = |word: &&&str| {
        word.len() == written.len()
            && word.bytes().zip(written).all(|(letter, byte)| is_written(letter, *byte))
    };
    WORDS.iter().find(stands_for).copied()
}

/// True where a letter can be written as this byte.
fn is_written(letter: u8, byte: u8) -> bool {
    byte.to_ascii_lowercase() == letter
        || matches!(
            (letter, byte),
            (b'a', b'4' | b'@')
                | (b'b', b'8')
                | (b'e', b'3')
                | (b'g', b'9' | b'6')
                | (b'i' | b'l', b'1')
                | (b'o', b'0')
                | (b's', b'5' | b'$')
                | (b't', b'7')
        )
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'$')
}
