//! Comments in files that say that a finding does not count: `# skillgate: allow EXFIL-012 our own collector`.
//!
//! One holds for its own line and the next, for one rule, and says why.

use std::sync::OnceLock;

use regex::Regex;

use super::{By, Grant, UNTOUCHABLE, is_untouchable};
use crate::base::{LineIndex, Span, printable};
use crate::gate::Document;
use crate::gate::rules::{RuleId, RuleSet};

/// A comment as it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    part: usize,
    /// The bytes of its line and the next.
    lines: Span,
    line: usize,
    /// From the sign that begins it to the end of its line.
    span: Span,
    rule: String,
    reason: String,
}

/// A sign that begins a comment in some language, then our words.
fn pattern() -> &'static Regex {
    static PATTERN: OnceLock<Regex> = OnceLock::new();
    PATTERN.get_or_init(|| {
        let pattern =
            r"(?m)(?:#|//|<!--|--|;|/\*|%|::|')[ \t]*skillgate:[ \t]*allow\b[ \t]*(\S*)[ \t]*([^\n]*)$";
        Regex::new(pattern).unwrap_or_else(|error| unreachable!("a fixed pattern: {error}"))
    })
}

/// True for the words that make a comment one of ours, and nothing beside them.
pub(super) fn are_own_words(matched: &str) -> bool {
    let rest = matched.strip_prefix("skillgate:").and_then(|rest| rest.strip_suffix("allow"));
    rest.is_some_and(|blanks| blanks.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// The comments of a document.
pub(super) fn comments(document: &Document) -> Vec<Comment> {
    let parts = document.parts.iter().enumerate();
    parts.flat_map(|(number, part)| of_text(number, &part.text)).collect()
}

fn of_text(part: usize, text: &str) -> Vec<Comment> {
    let mut found = pattern().captures_iter(text).peekable();
    if found.peek().is_none() {
        return Vec::new();
    }
    let index = LineIndex::new(text);
    let comment = |captures: regex::Captures<'_>| {
        let whole = captures.get(0)?;
        let reason = captures[2].trim().trim_end_matches("-->").trim_end_matches("*/").trim();
        Some(Comment {
            part,
            lines: two_lines(text, whole.start(), whole.end()),
            line: index.line(whole.start()),
            span: Span::new(whole.start(), whole.end()),
            rule: captures[1].to_owned(),
            reason: reason.to_owned(),
        })
    };
    found.filter_map(comment).collect()
}

/// The line around a stretch, and the next.
fn two_lines(text: &str, start: usize, end: usize) -> Span {
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let mut breaks = text[end..].match_indices('\n').map(|(at, _)| end + at + 1);
    let to = breaks.nth(1).unwrap_or(text.len());
    Span::new(from, to)
}

impl Comment {
    /// What the comment permits; nothing where it says too little, which is told.
    pub(super) fn grant(self, unit: &str, document: &Document, rules: &RuleSet) -> Option<Grant> {
        let file = &document.parts.get(self.part)?.path;
        let place = format!("{unit}: {file}:{}", self.line);
        let known = self.rule.parse::<RuleId>().ok().filter(|rule| rules.get(rule).is_some());
        let problem = match known {
            None => "names no rule: it takes `skillgate: allow RULE-ID reason`",
            Some(_) if self.reason.is_empty() => {
                "gives no reason: it takes `skillgate: allow RULE-ID reason`"
            }
            Some(rule) if rules.get(&rule).is_some_and(is_untouchable) => UNTOUCHABLE,
            Some(rule) => {
                return Some(Grant {
                    part: self.part,
                    rule,
                    within: Some(self.lines),
                    comment: Some(self.span),
                    by: By::Inline,
                    reason: self.reason,
                    expires: None,
                    place,
                });
            }
        };
        eprintln!("warning: {}: the comment about `{}` {problem}", printable(&place), printable(&self.rule));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::of_text;
    use crate::base::Span;

    #[test]
    fn comments_of_many_languages_hold_for_two_lines() {
        let text = "a\nb # skillgate: allow DISC-001 we list hosts\nc\nd";
        let found = of_text(0, text);
        assert_eq!((found[0].rule.as_str(), found[0].reason.as_str()), ("DISC-001", "we list hosts"));
        assert_eq!((found[0].lines, found[0].line), (Span::new(2, text.len() - 1), 2));
        for text in [
            "<!-- skillgate: allow DISC-001 we list hosts -->",
            "// skillgate: allow DISC-001 we list hosts",
            "/* skillgate: allow DISC-001 we list hosts */",
            "-- skillgate:allow DISC-001 we list hosts",
        ] {
            let found = of_text(0, text);
            assert_eq!(
                (found[0].rule.as_str(), found[0].reason.as_str()),
                ("DISC-001", "we list hosts"),
                "{text}"
            );
        }
        assert_eq!(of_text(0, "write skillgate: allow into a comment"), []);
    }
}
