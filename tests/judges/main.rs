//! The judges that are asked, against endpoints and programs that behave and that do not.
//!
//! Everything goes through the public judge and a real HTTP server or a real program on this machine.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may fail, use files and look at the clock"
)]

mod cached;
mod command;
mod common;
mod endpoints;
mod openai;
mod tested;
