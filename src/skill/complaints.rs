//! What is wrong with a skill as a whole: its main file, name, description and body.
//!
//! What is wrong with the YAML itself is said where it is read. Only what some agent or the specification trips over
//! is worth a diagnostic; what a skill says is not looked at here.

use super::blocks::{Block, BlockKind};
use super::front_matter::{Entry, Style, Value};
use super::model::Skill;
use super::{codes, leaf};
use crate::base::{Diagnostic, Encoding, FileTree, Span};

/// The longest description that the specification and strict loaders take, in characters.
pub const DESCRIPTION_LIMIT: usize = 1024;

/// The longest name, in characters.
pub const NAME_LIMIT: usize = 64;

/// A larger SKILL.md is read by no agent as a whole; in bytes.
const LARGE: usize = 1024 * 1024;

/// All complaints about a skill, in no order.
pub(super) fn of(skill: &Skill, tree: &FileTree) -> Vec<Diagnostic> {
    let mut found = about_file(skill, tree);
    if !is_empty(skill) {
        found.extend(about_front_matter(skill));
        found.extend(about_name(skill));
        found.extend(about_description(skill));
        found.extend(about_body(skill));
    }
    found
}

/// True where there is nothing but a mark and white space.
fn is_empty(skill: &Skill) -> bool {
    skill.front_matter.is_missing() && skill.body.of(&skill.text).is_none_or(|body| body.trim().is_empty())
}

fn about_file(skill: &Skill, tree: &FileTree) -> Vec<Diagnostic> {
    let Some(file) = &skill.file else { return vec![about_no_file(tree)] };
    let mut found = Vec::new();
    if file.as_str() != leaf::SKILL_FILE {
        found.push(
            Diagnostic::warning(codes::SKILL_FILE_CASE, format!("the main file is called `{file}`"))
                .help("call it `SKILL.md`")
                .and("agents find it on disks that ignore case only"),
        );
    }
    let bytes = skill.text.len();
    if is_empty(skill) {
        found.push(Diagnostic::error(codes::SKILL_FILE_EMPTY, "the main file is empty"));
    } else if bytes > LARGE {
        found.push(
            Diagnostic::warning(codes::SKILL_FILE_LARGE, format!("the main file has {bytes} bytes"))
                .help("move what is not always needed into files beside it"),
        );
    }
    if matches!(skill.encoding, Encoding::Utf16 | Encoding::Utf32 | Encoding::Lossy) {
        let not_utf8 = Diagnostic::error(codes::NOT_UTF8, "the main file is not UTF-8");
        found.push(not_utf8.help("save it as UTF-8").and("agents read replacement characters, or nothing"));
    }
    found
}

fn about_no_file(tree: &FileTree) -> Diagnostic {
    let missing = Diagnostic::error(codes::SKILL_FILE_MISSING, "there is no SKILL.md at the top")
        .help("put a SKILL.md into the folder");
    match tree.unread().iter().find(|unread| unread.path.eq_ignore_ascii_case(leaf::SKILL_FILE)) {
        Some(unread) => missing.and(format!("it was not read ({}): {}", unread.reason, unread.detail)),
        None => missing,
    }
}

fn about_front_matter(skill: &Skill) -> Option<Diagnostic> {
    skill.front_matter.is_missing().then(|| {
        Diagnostic::error(codes::FRONT_MATTER_MISSING, "there is no front matter")
            .at(Span::new(skill.body.start, skill.body.start))
            .help("begin the file with `---`, a `name:`, a `description:` and `---`")
    })
}

fn about_name(skill: &Skill) -> Vec<Diagnostic> {
    let Some(name) = &skill.name else {
        return about_missing(skill, codes::NAME_MISSING, "name").into_iter().collect();
    };
    let mut found: Vec<Diagnostic> = about_type(skill, "name").into_iter().collect();
    if !name.value.is_ascii() {
        found.push(
            Diagnostic::note(codes::NAME_NOT_ASCII, "the name holds letters other than ASCII")
                .at(name.span)
                .help("use a-z, digits and hyphens")
                .and("loaders disagree about such names"),
        );
    }
    if !is_spec_name(&name.value) {
        found.push(
            Diagnostic::warning(
                codes::NAME_FORMAT,
                "the name is not of the form that the specification asks for",
            )
            .at(name.span)
            .help(format!("use at most {NAME_LIMIT} lower-case letters, digits and single hyphens")),
        );
    }
    found
}

/// 1 to 64 lower-case letters, digits and hyphens, no hyphen at an end or beside another.
fn is_spec_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_numeric() || (c.is_alphabetic() && !c.is_uppercase()))
    };
    name.chars().count() <= NAME_LIMIT && name.split('-').all(is_part)
}

fn about_description(skill: &Skill) -> Vec<Diagnostic> {
    let Some(description) = &skill.description else {
        return about_missing(skill, codes::DESCRIPTION_MISSING, "description").into_iter().collect();
    };
    let mut found: Vec<Diagnostic> = about_type(skill, "description").into_iter().collect();
    let length = description.value.chars().count();
    if length > DESCRIPTION_LIMIT {
        found.push(
            Diagnostic::warning(codes::DESCRIPTION_LONG, format!("the description has {length} characters"))
                .at(description.span)
                .help(format!("keep it within {DESCRIPTION_LIMIT}"))
                .and("some agents refuse the skill, others cut the description"),
        );
    }
    found.extend(skill.front_matter.get("description").and_then(|entry| about_lines(skill, entry)));
    found
}

/// A description over several lines is cut by loaders that read line by line.
fn about_lines(skill: &Skill, entry: &Entry) -> Option<Diagnostic> {
    let after_key = Span::new(entry.key.span.end, entry.value.span.end);
    let is_wrapped = after_key.of(&skill.text)?.trim_end().contains('\n');
    let (code, message) = match entry.value.style {
        Style::Block => (codes::DESCRIPTION_BLOCK, "of the description some loaders read the bar alone"),
        _ if is_wrapped => {
            (codes::DESCRIPTION_WRAPPED, "of the description some loaders read the first line alone")
        }
        _ => return None,
    };
    let help = "put the description on one line, in double quotes";
    Some(Diagnostic::note(code, message).at(entry.value.span).help(help))
}

fn about_missing(skill: &Skill, code: &'static str, key: &str) -> Option<Diagnostic> {
    let front_matter = &skill.front_matter;
    if front_matter.entries.is_empty() {
        return None;
    }
    let fence = Span::new(front_matter.span.start, front_matter.yaml.start);
    let entry = front_matter.get(key);
    let problem = if entry.is_some() { "holds no words" } else { "is missing" };
    Some(
        Diagnostic::error(code, format!("the key `{key}` {problem}"))
            .at(entry.map_or(fence, Entry::span))
            .help(format!("add `{key}: …`")),
    )
}

fn about_type(skill: &Skill, key: &str) -> Option<Diagnostic> {
    let value = &skill.front_matter.get(key)?.value;
    let is_text = matches!(value.value, Value::Text(_));
    (!is_text).then(|| {
        Diagnostic::warning(codes::NOT_TEXT, format!("the value of `{key}` is no text to YAML"))
            .at(value.span)
            .help("put it in double quotes")
            .and("strict loaders drop the skill")
    })
}

fn about_body(skill: &Skill) -> Vec<Diagnostic> {
    let is_dashes =
        |block: &&Block| block.kind == BlockKind::ThematicBreak && block.span.of(&skill.text) == Some("---");
    let rule = skill.blocks.iter().find(is_dashes).map(|block| {
        Diagnostic::note(codes::BODY_DASHES, "a rule of three dashes looks like front matter to some loaders")
            .at(block.span)
            .help("write `***`")
    });
    let is_open = |block: &&Block| matches!(block.kind, BlockKind::Code { closed: false, .. });
    let fence = skill.blocks.iter().find(is_open).map(|block| {
        let line = block.span.of(&skill.text).and_then(|code| code.lines().next()).unwrap_or_default();
        Diagnostic::warning(
            codes::CODE_UNCLOSED,
            "this code fence is never closed, so all that follows is code",
        )
        .at(Span::new(block.span.start, block.span.start + line.len()))
        .help("close it")
    });
    rule.into_iter().chain(fence).collect()
}
