//! One place where a rule matched.
//!
//! A hit is evidence and never a label (papers/skillgate.txt III-B). Its span always points into the part that a
//! person can open, whatever view it was found in.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::context::Context;
use crate::base::Span;
use crate::gate::rules::{RuleId, Severity};

/// The view of the document in which a hit was found (gate.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewKind {
    /// The text as it is.
    Raw,
    /// NFKC, invisible characters removed, confusable letters folded.
    Normalised,
    /// Base64, hex, percent, entities and escapes decoded.
    Decoded,
    /// Tag characters, zero-width streams, HTML comments, link titles, alt texts, far-off text.
    Hidden,
    /// Text put together by code: concatenation, character lists.
    Assembled,
}

impl ViewKind {
    /// The name in rules, audit and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Normalised => "normalised",
            Self::Decoded => "decoded",
            Self::Hidden => "hidden",
            Self::Assembled => "assembled",
        }
    }
}

impl fmt::Display for ViewKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One match of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The rule.
    pub rule: RuleId,
    /// The rule's category (`exfiltration`, `persistence`, …).
    pub category: String,
    /// The rule's severity, lowered where its `unless` matched.
    pub severity: Severity,
    /// The view it was found in.
    pub view: ViewKind,
    /// How it was carried there, outermost layer first (`["base64", "hex"]`, `["tag-characters"]`); empty in `raw`.
    pub layers: Vec<String>,
    /// Index of the part in the document.
    pub part: usize,
    /// Bytes of the part's text.
    pub span: Span,
    /// What matched, as the view shows it, cut to 200 characters.
    pub matched: String,
    /// What the view shows around the match, see [`excerpt`]; empty in `raw`, whose window shows it.
    pub excerpt: String,
    /// What stands around it.
    pub context: Context,
}

/// Characters on each side of a match in an excerpt.
const AROUND: usize = 500;

/// The match in a view's text with up to 500 characters on each side, the match itself cut to 1,000: what the judge
/// reads of a view that no file shows. `matched` is the match's span in `view_text`.
pub fn excerpt(view_text: &str, matched: Span) -> String {
    let Span { start, end } = matched.on_boundaries(view_text);
    let (before, after) = (&view_text[..start], &view_text[end..]);
    let from = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let to = after.char_indices().nth(AROUND).map_or(after.len(), |(at, _)| at);
    let middle = &view_text[start..end];
    let kept = middle.char_indices().nth(2 * AROUND).map_or(middle.len(), |(at, _)| at);
    if kept < middle.len() {
        return format!("{}{}[…]", &before[from..], &middle[..kept]);
    }
    view_text[from..end + to].to_owned()
}

#[cfg(test)]
mod tests {
    use super::{AROUND, excerpt};
    use crate::base::Span;

    #[test]
    fn an_excerpt_is_the_match_and_its_surroundings() {
        assert_eq!(excerpt("a secret place", Span::new(2, 8)), "a secret place");
        let text = format!("{}X{}", "é".repeat(600), "ö".repeat(600));
        let at = 1200;
        let shown = excerpt(&text, Span::new(at, at + 1));
        assert_eq!(shown, format!("{}X{}", "é".repeat(AROUND), "ö".repeat(AROUND)));
    }

    #[test]
    fn a_long_match_is_cut_and_says_so() {
        let shown = excerpt(&"é".repeat(5000), Span::new(0, 10_000));
        assert_eq!(shown, format!("{}[…]", "é".repeat(2 * AROUND)));
    }

    #[test]
    fn spans_off_the_text_or_off_its_characters_do_no_harm() {
        assert_eq!(excerpt("é", Span::new(1, 1)), "é");
        assert_eq!(excerpt("ab", Span::new(7, 90)), "ab");
        assert_eq!(excerpt("", Span::new(0, 4)), "");
    }
}
