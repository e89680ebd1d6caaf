//! The ways in which text can be carried inside other text.
//!
//! The names are permanent: they stand in hits, in the evidence and in the audit log. Which layers a view
//! went through is listed outermost first.

use std::fmt;

/// One way of carrying text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Base64 with `+` and `/`.
    Base64,
    /// Base64 with `-` and `_`.
    Base64Url,
    /// Hex digits, `\x41`, `0x41, 0x42`.
    Hex,
    /// `%41`.
    Percent,
    /// `&#65;`, `&#x41;`, `&lt;`.
    HtmlEntity,
    /// `\u0041`, `\u{41}`, `\U00000041`.
    UnicodeEscape,
    /// `\101`.
    OctalEscape,
    /// Letters moved by thirteen.
    Rot13,
    /// Characters of a line in reverse order.
    Reversed,
    /// Letters with blanks or signs between them.
    LettersApart,
    /// Digits that stand for letters.
    DigitsForLetters,
    /// Tags or signs for bold in the middle of a word.
    MarkupInWord,
    /// UTF-16 bytes inside another encoding.
    Utf16,
    /// Gzip, zlib, xz, Zstandard, bzip2, zip or tar inside another encoding.
    Compressed,
    /// Unicode tag characters, which show nothing.
    TagCharacters,
    /// Bits written as zero-width characters.
    ZeroWidth,
    /// Bytes written as variation selectors.
    VariationSelectors,
    /// Bits written as spaces and tabs at line ends.
    TrailingSpace,
    /// First letters of lines, items or paragraphs.
    Initials,
    /// `<!-- … -->`.
    HtmlComment,
    /// The title of a Markdown link or image.
    LinkTitle,
    /// The alternative text of an image.
    ImageAlt,
    /// `[//]: # (…)`.
    ReferenceComment,
    /// A comment in front matter.
    FrontMatterComment,
    /// Text below many blank lines.
    BlankLines,
    /// Text to the right of very many spaces.
    WideSpace,
    /// String literals that code puts together.
    Concatenation,
    /// Characters given by number.
    CharCodes,
    /// Bytes XORed with a key, or moved by a number.
    Masked,
    /// Numbers under modular exponentiation.
    ModularExponentiation,
}

impl Layer {
    /// The name in hits, evidence and audit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Base64Url => "base64url",
            Self::Hex => "hex",
            Self::Percent => "percent",
            Self::HtmlEntity => "html-entity",
            Self::UnicodeEscape => "unicode-escape",
            Self::OctalEscape => "octal-escape",
            Self::Rot13 => "rot13",
            Self::Reversed => "reversed",
            Self::LettersApart => "letters-apart",
            Self::DigitsForLetters => "digits-for-letters",
            Self::MarkupInWord => "markup-in-word",
            Self::Utf16 => "utf-16",
            Self::Compressed => "compressed",
            Self::TagCharacters => "tag-characters",
            Self::ZeroWidth => "zero-width",
            Self::VariationSelectors => "variation-selectors",
            Self::TrailingSpace => "trailing-space",
            Self::Initials => "initials",
            Self::HtmlComment => "html-comment",
            Self::LinkTitle => "link-title",
            Self::ImageAlt => "image-alt",
            Self::ReferenceComment => "reference-comment",
            Self::FrontMatterComment => "front-matter-comment",
            Self::BlankLines => "blank-lines",
            Self::WideSpace => "wide-space",
            Self::Concatenation => "concatenation",
            Self::CharCodes => "char-codes",
            Self::Masked => "masked",
            Self::ModularExponentiation => "modular-exponentiation",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
