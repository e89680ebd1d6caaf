//! SkillGate screens the skills and MCP answers that coding agents obey, before the agent sees them.
//!
//! The rooms, in reading order; a room reads only rooms above it:
//!
//! - [`base`]: the ground. Spans, digests, relative paths, file trees, diagnostics.
//! - [`skill`]: the skill model, parsed once from a [`base::FileTree`], never failing.
//! - [`mcp`]: MCP messages as raw JSON lines, the session state machine, the text each message carries.
//! - [`gate`]: document -> views -> hits -> windows -> evidence; verdict -> policy -> action. Pure.
//!
//! Above these lies the shell (feature `shell`), which touches the world.

pub mod base;
pub mod gate;
pub mod mcp;
pub mod skill;

#[cfg(feature = "shell")]
pub mod bridge;
#[cfg(feature = "shell")]
pub mod cli;
#[cfg(feature = "shell")]
pub mod daemon;
#[cfg(feature = "shell")]
pub mod eval;
#[cfg(feature = "shell")]
pub mod io;
