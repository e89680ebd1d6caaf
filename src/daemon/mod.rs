//! The daemon: one process per user that owns every decision (proxy.md).
//!
//! It listens on `skillgate.sock` under the home, screens what bridges ask about, keeps quarantine and writes the audit
//! log. Both ends check that the other runs as the same user. It knows nothing of agents' pipes: those are the bridges'.
#![allow(clippy::disallowed_methods, reason = "this room serves a socket, reads clocks and starts processes")]

pub mod client;
mod connection;
pub mod engine;
pub mod listen;
pub mod process;
pub mod reap;
pub mod record;
mod screen;
pub mod server;
pub mod start;
pub mod state;
pub mod wire;

pub use client::{Client, ClientError};
