//! The bridge: one process between an agent and an MCP server, byte for byte, asking the daemon what may pass.
//!
//! It owns the server's process and leaves none behind, holds the session's state, and sends on without a question
//! what needs none. It loads no rules, no judge and no HTTP client, so that it starts in a few milliseconds. It decides
//! nothing: without a daemon it does what the daemon last said about that, and refuses before the first word.
#![allow(clippy::disallowed_methods, reason = "this room starts processes and reads clocks")]

mod ask;
mod child;
mod line;
mod notes;
mod pump;
mod run;
mod screener;
mod stdio;

pub mod exec_child;

pub use run::{BridgeArgs, BridgeError, run};
pub use screener::Screener;
