//! The skill: what all systems read, parsed once.
//!
//! Invariant: every span in a [`Skill`] lies in its text and between characters. A skill does not know the folder it
//! came from, nor what anybody thinks of it.

use std::sync::Arc;

use super::blocks::{self, Block};
use super::front_matter::{self, FrontMatter, Reading, Spanned};
use super::resource::Resource;
use super::{complaints, leaf};
use crate::base::{Diagnostic, Encoding, FileTree, RelPath, Span, decode};

/// A skill: SKILL.md and what lies beside it. All spans are bytes of [`Skill::text`].
#[derive(Clone, Debug)]
pub struct Skill {
    /// The main file, at the top of the tree; nothing where there is none.
    pub file: Option<RelPath>,
    /// The main file's text.
    pub text: Arc<str>,
    /// How that text was written.
    pub encoding: Encoding,
    /// The name that front matter gives.
    pub name: Option<Spanned<String>>,
    /// The description that front matter gives, without white space around it.
    pub description: Option<Spanned<String>>,
    /// All keys of front matter.
    pub front_matter: FrontMatter,
    /// What follows front matter.
    pub body: Span,
    /// The body's Markdown.
    pub blocks: Vec<Block>,
    /// The other files, by path in byte order.
    pub resources: Vec<Resource>,
    /// What is wrong with the main file, in its order. They name it as their file.
    pub diagnostics: Vec<Diagnostic>,
}

impl Skill {
    /// Reads a skill. Never fails: without a main file there is a skill without text, and a diagnostic.
    pub fn parse(tree: &FileTree) -> Self {
        let file = main_file(tree);
        let bytes =
            file.as_ref().and_then(|file| tree.get(file.as_str())).map(|file| Arc::clone(&file.bytes));
        let text = decode(bytes.as_deref().unwrap_or_default());
        let Reading { front_matter, body, diagnostics } = front_matter::read(&text.text);
        let others = tree.iter().filter(|(path, _)| Some(*path) != file.as_ref());
        let mut skill = Self {
            blocks: blocks::parse_within(&text.text, body),
            text: text.text,
            encoding: text.encoding,
            name: None,
            description: None,
            front_matter,
            body,
            resources: others.map(|(path, file)| Resource::of(path, file)).collect(),
            file,
            diagnostics,
        };
        skill.name = skill.words_of("name");
        skill.description = skill.words_of("description");
        skill.diagnostics.extend(complaints::of(&skill, tree));
        let file = skill.file.as_ref().map_or(leaf::SKILL_FILE, RelPath::as_str);
        skill.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.file = Some(file.to_owned()));
        skill.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        skill
    }

    /// The words of a key at the top, whatever its type; nothing where it is missing, empty, a list or a map.
    fn words_of(&self, key: &str) -> Option<Spanned<String>> {
        let entry = self.front_matter.get(key)?;
        let words = entry.value.scalar()?.trim();
        (!words.is_empty()).then(|| Spanned { value: words.to_owned(), span: entry.value.span })
    }
}

/// `SKILL.md` at the top, else a name that differs in case only.
fn main_file(tree: &FileTree) -> Option<RelPath> {
    let at_top = |path: &&RelPath| path.parent().is_none() && leaf::is_skill_file(path);
    let candidates = tree.iter().map(|(path, _)| path).filter(at_top);
    candidates.min_by_key(|path| path.as_str() != leaf::SKILL_FILE).cloned()
}
