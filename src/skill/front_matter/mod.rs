//! Front matter: the keys at the top of SKILL.md and of other files that agents load.
//!
//! Strict YAML first; where that fails, the repairs that agents make, each with a diagnostic that shows the place and
//! the fix. All keys are kept, in order, known or not. Nothing here knows what a key means, and no input makes it
//! fail, recurse without end or take more than linear time.

mod fences;
mod repair;
#[cfg(test)]
mod tests;
pub mod value;
mod yaml;

use crate::base::{Diagnostic, Span};
use crate::skill::codes;

pub use value::{Entry, Node, Spanned, Style, Value};

/// The largest front matter that is read, in bytes; the largest honest ones have some 10,000.
const LARGEST: usize = 256 * 1024;

/// The most diagnostics about repairs.
const MOST_REPAIRS: usize = 50;

/// The keys at the top of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// All of it, fences included; empty where there is none.
    pub span: Span,
    /// What stands between the fences.
    pub yaml: Span,
    /// Keys and values in the author's order; a key that comes twice is in it twice.
    pub entries: Vec<Entry>,
    /// Comments, `#` included.
    pub comments: Vec<Span>,
    /// True where it is no strict YAML, and what is here was made out by repairs.
    pub repaired: bool,
}

impl FrontMatter {
    /// True where the file has none.
    pub fn is_missing(&self) -> bool {
        self.span.is_empty()
    }

    /// The entry with this key. Of several the last, as most loaders that accept them have it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.key.value == key)
    }
}

/// A file's front matter, the rest of it, and what is wrong with the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The front matter.
    pub front_matter: FrontMatter,
    /// All that follows it.
    pub body: Span,
    /// What is wrong with it, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the front matter of a file's text. No front matter is no fault here: not every file needs one.
pub fn read(text: &str) -> Reading {
    let fences::Fences { span, yaml, mut diagnostics } = fences::find(text);
    let mut front_matter = FrontMatter { span, yaml, ..FrontMatter::default() };
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = Span::new(span.end.max(mark), text.len());
    if yaml.len() > LARGEST {
        diagnostics.push(
            Diagnostic::error(
                codes::FRONT_MATTER_LARGE,
                format!("the front matter has {} bytes", yaml.len()),
            )
            .at(Span::new(span.start, yaml.start))
            .help(format!("keep it below {LARGEST} bytes"))
            .and("none of its keys was read"),
        );
    } else if !span.is_empty() {
        read_yaml(text, &mut front_matter, &mut diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Reading { front_matter, body, diagnostics }
}

fn read_yaml(text: &str, front_matter: &mut FrontMatter, diagnostics: &mut Vec<Diagnostic>) {
    let source = front_matter.yaml.of(text).unwrap_or_default();
    if source.trim().is_empty() {
        diagnostics.push(
            Diagnostic::error(codes::FRONT_MATTER_EMPTY, "the front matter holds nothing")
                .at(front_matter.span.on_boundaries(text))
                .help("give at least `name` and `description`"),
        );
        return;
    }
    let strict = match yaml::parse(source, front_matter.yaml.start) {
        Ok(strict) => strict,
        Err(fault) => {
            front_matter.repaired = true;
            repair::read(text, front_matter.yaml, &fault, diagnostics)
        }
    };
    complain_of_twins(&strict.entries, diagnostics);
    diagnostics.extend(strict.tags.iter().take(MOST_REPAIRS).map(|tag| {
        Diagnostic::warning(codes::FRONT_MATTER_TAG, "a value has a tag of its own")
            .at(*tag)
            .help("remove the tag")
            .and("loaders refuse it or make an object of it")
    }));
    front_matter.entries = strict.entries;
    front_matter.comments = strict.comments;
}

/// Keys that come twice at the top: one loader takes the first, another the last, a third refuses.
fn complain_of_twins(entries: &[Entry], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = std::collections::BTreeSet::new();
    let twins = entries.iter().filter(|entry| !seen.insert(entry.key.value.as_str()));
    diagnostics.extend(twins.take(MOST_REPAIRS).map(|entry| {
        Diagnostic::error(codes::FRONT_MATTER_DUPLICATE, format!("the key `{}` comes twice", entry.key.value))
            .at(entry.key.span)
            .help("keep one of them")
            .and("agents differ in which one they obey")
    }));
}

/// Where the key of a line `key: value` or `key:` ends, where the line is one and indented by just so many spaces.
fn key_line(line: &str, indent: usize) -> Option<Span> {
    let bare = line.trim_start_matches(' ');
    if line.len() - bare.len() != indent {
        return None;
    }
    let (key, after) = match bare.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let end = bare.get(1..)?.find(char::from(*quote))? + 2;
            (bare.get(..end)?, bare.get(end..)?)
        }
        _ => bare.split_at(bare.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)))?),
    };
    let value = after.trim_start_matches(' ').strip_prefix(':')?;
    let is_key =
        !key.is_empty() && !key.starts_with('-') && (value.is_empty() || value.starts_with([' ', '\t']));
    is_key.then(|| Span::new(indent, indent + key.len()))
}
