//! Token counts as language models bill them: o200k_base.
//!
//! Building the encoder takes a good part of a second, so it happens on first use and never on the way of a message.

use std::sync::OnceLock;

use tiktoken_rs::CoreBPE;

/// The number of o200k_base tokens of a text; special tokens count as plain text.
pub fn count(text: &str) -> usize {
    static ENCODER: OnceLock<Option<CoreBPE>> = OnceLock::new();
    let encoder = ENCODER.get_or_init(|| tiktoken_rs::o200k_base().ok());
    // The vocabulary is compiled in; should it ever fail to load, four bytes a token is the usual estimate.
    encoder.as_ref().map_or(text.len().div_ceil(4), |encoder| encoder.encode_ordinary(text).len())
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_as_the_vocabulary_does() {
        assert_eq!(super::count(""), 0);
        assert_eq!(super::count("hello world"), 2);
        assert_eq!(super::count("<|endoftext|>"), 7);
    }
}
