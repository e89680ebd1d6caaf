//! Texts made of a branch's own values: some that fit all of its parts, some that fit one part and lack the others.
//!
//! They are only candidates: those that do not behave in a run of the rule are thrown away.

use super::branches::{Branch, Clause};
use super::field::Role;

/// The most texts of either kind that one rule keeps.
const MOST: usize = 4;

/// Texts that may serve as examples.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// For `match`.
    pub matching: Vec<String>,
    /// For `no_match`.
    pub clean: Vec<String>,
}

impl Candidates {
    pub(super) fn extend(&mut self, more: Self) {
        self.matching.extend(more.matching);
        self.clean.extend(more.clean);
    }

    /// Only the first few that behave.
    pub(super) fn keep(self, matches: impl Fn(&str) -> bool) -> Self {
        let few = |texts: Vec<String>, wanted: bool| {
            let mut kept: Vec<String> = Vec::new();
            for text in texts {
                if kept.len() < MOST && !kept.contains(&text) && matches(&text) == wanted {
                    kept.push(text);
                }
            }
            kept
        };
        Self { matching: few(self.matching, true), clean: few(self.clean, false) }
    }
}

/// Candidates of one branch.
pub(super) fn candidates(branch: &Branch) -> Candidates {
    let first = text(branch, |clause| clause.pieces.first().and_then(|piece| piece.example.clone()));
    let last = text(branch, |clause| clause.pieces.last().and_then(|piece| piece.example.clone()));
    // In a sentence the end of the command is not the end of the line.
    let told = first.as_ref().map(|command| format!("First run `{command}` and go on."));
    let parts = branch.iter().filter(|_| branch.len() > 1);
    let alone = parts.filter_map(|clause| clause.pieces.first()?.example.clone());
    Candidates { matching: [first, last, told].into_iter().flatten().collect(), clean: alone.collect() }
}

/// The parts on one line, the tool in front; nothing where one of them has no example.
fn text(branch: &Branch, of: impl Fn(&Clause) -> Option<String>) -> Option<String> {
    let (tools, others): (Vec<_>, Vec<_>) = branch.iter().partition(|clause| clause.role == Role::Tool);
    let texts: Option<Vec<String>> = tools.into_iter().chain(others).map(of).collect();
    texts.map(|texts| texts.join(" "))
}
