//! `skillgate bridge` and the hidden `skillgate exec-child`: the two commands that own stdin and stdout themselves.

use std::ffi::OsString;

use clap::Args;

use super::Exit;
use crate::bridge::{self, BridgeArgs, exec_child};

/// Become a server's process; started by the bridge
#[derive(Debug, Args)]
pub(super) struct ExecChildArgs {
    /// The bridge's process
    parent: u32,
    /// The server's command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// Runs a bridge to its end and passes on the server's exit code.
pub(super) fn run(arguments: BridgeArgs) -> Exit {
    bridge::run(arguments).map_or_else(
        |error| {
            eprintln!("skillgate bridge: {error}");
            Exit::Failed
        },
        Exit::Passed,
    )
}

/// Becomes the server; comes back only where that failed.
pub(super) fn exec_child(arguments: &ExecChildArgs) -> Exit {
    let (code, why) = exec_child::exec(arguments.parent, &arguments.command);
    eprintln!("skillgate bridge: {why}");
    Exit::Passed(code)
}
