//! The skill model: front matter, Markdown blocks and resources, parsed once from a file tree.
//!
//! Parsing never fails: what is wrong with a skill is a list of diagnostics beside the skill. Nothing here judges,
//! compiles or delivers.

pub mod blocks;
