//! Branches as detections of ours: a pattern where one part is enough, `all` where several must stand near each other.
//!
//! A tool stands in front of its arguments; further arguments may come in any order on the same line.

use super::branches::{Branch, Clause};
use super::examples::{self, Candidates};
use super::field::Role;
use crate::gate::rules::definition::{Detection, Within};

/// From a tool to what it is told, over lines that end with a backslash too.
const TO_ARGUMENTS: &str = r"(?:[^\n]|\\\r?\n){0,200}";
/// The longest choice in one pattern, in bytes; more goes in a pattern of its own.
const LONGEST_CHOICE: usize = 1200;
/// A tool's shorter name alone is a word like any other.
const SHORTEST_NAME: usize = 6;
/// How near the parts of a script must stand, in characters.
const NEAR: usize = 200;

/// A detection and texts that may serve as its examples.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub detection: Detection,
    pub candidates: Candidates,
}

/// One detection of all branches that one pattern can say, and one for each of the others.
pub(super) fn detections(branches: Vec<Branch>, losses: &mut Vec<String>) -> Result<Vec<Draft>, String> {
    let mut simple = Vec::new();
    let mut candidates = Candidates::default();
    let mut drafts = Vec::new();
    for branch in branches {
        let Some(branch) = without_common_names(branch, losses) else { continue };
        let texts = examples::candidates(&branch);
        match patterns(&branch) {
            Parts::One(patterns) => {
                simple.extend(patterns);
                candidates.extend(texts);
            }
            Parts::All(patterns) => {
                let is_script = branch.iter().any(|clause| clause.role == Role::Text);
                let within = if is_script { Within::Characters(NEAR) } else { Within::Line };
                drafts.push(Draft { detection: Detection::All { patterns, within }, candidates: texts });
            }
        }
    }
    if !simple.is_empty() {
        drafts.insert(0, Draft { detection: Detection::Any(simple), candidates });
    }
    if drafts.is_empty() {
        return Err("a tool's short name alone says nothing in text".to_owned());
    }
    Ok(drafts)
}

/// A branch that is a tool's name and nothing else keeps only names that are no everyday words.
fn without_common_names(mut branch: Branch, losses: &mut Vec<String>) -> Option<Branch> {
    if let [Clause { role: Role::Tool, pieces }] = branch.as_mut_slice() {
        let count = pieces.len();
        pieces.retain(|piece| piece.example.as_ref().is_none_or(|name| name.len() >= SHORTEST_NAME));
        if pieces.len() < count {
            losses.push("short names of tools, which are everyday words, are left out".to_owned());
        }
        if pieces.is_empty() {
            return None;
        }
    }
    Some(branch)
}

enum Parts {
    /// Any of these.
    One(Vec<String>),
    /// All of these.
    All(Vec<String>),
}

fn patterns(branch: &Branch) -> Parts {
    let (tools, others): (Vec<_>, Vec<_>) = branch.iter().partition(|clause| clause.role == Role::Tool);
    match (tools.as_slice(), others.as_slice()) {
        ([clause], []) | ([], [clause]) => Parts::One(choices(clause).map(|choice| cased(&choice)).collect()),
        ([tool], [argument]) => {
            let tool = choice(tool);
            Parts::One(
                choices(argument).map(|choice| cased(&format!("{tool}{TO_ARGUMENTS}{choice}"))).collect(),
            )
        }
        ([tool], [first, rest @ ..]) => {
            let command = cased(&format!("{}{TO_ARGUMENTS}{}", choice(tool), choice(first)));
            Parts::All(
                std::iter::once(command).chain(rest.iter().map(|clause| cased(&choice(clause)))).collect(),
            )
        }
        _ => Parts::All(branch.iter().map(|clause| cased(&choice(clause))).collect()),
    }
}

fn cased(pattern: &str) -> String {
    format!("(?im){pattern}")
}

fn choice(clause: &Clause) -> String {
    group(&clause.pieces.iter().map(|piece| piece.pattern.as_str()).collect::<Vec<_>>())
}

fn group(patterns: &[&str]) -> String {
    if let [one] = patterns { (*one).to_owned() } else { format!("(?:{})", patterns.join("|")) }
}

/// The choice in pieces that are not too long.
fn choices(clause: &Clause) -> impl Iterator<Item = String> {
    let mut groups: Vec<Vec<&str>> = vec![Vec::new()];
    let mut length = 0;
    for piece in &clause.pieces {
        length += piece.pattern.len() + 1;
        if length > LONGEST_CHOICE && groups.last().is_some_and(|group| !group.is_empty()) {
            groups.push(Vec::new());
            length = piece.pattern.len();
        }
        if let Some(group) = groups.last_mut() {
            group.push(&piece.pattern);
        }
    }
    groups.into_iter().map(|patterns| group(&patterns))
}
