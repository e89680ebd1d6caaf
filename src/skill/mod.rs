//! The skill model: front matter, Markdown blocks and resources, parsed once from a file tree.
//!
//! Parsing never fails: what is wrong with a skill is a list of diagnostics beside the skill, each with a permanent
//! code of [`codes`]. What agents take for a unit in a tree of files is in [`leaf`] and [`loose`]. Nothing here
//! judges, compiles or delivers.

pub mod blocks;
pub mod codes;
mod complaints;
pub mod front_matter;
pub mod leaf;
pub mod loose;
mod model;
pub mod resource;
#[cfg(test)]
mod tests;

pub use blocks::{Block, BlockKind, Inline, InlineKind};
pub use complaints::{DESCRIPTION_LIMIT, NAME_LIMIT};
pub use front_matter::{Entry, FrontMatter, Node, Spanned, Style, Value};
pub use leaf::{SKILL_FILE, Unit};
pub use loose::LooseKind;
pub use model::Skill;
pub use resource::{Resource, ResourceKind};
