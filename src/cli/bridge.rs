//! `skillgate bridge` and the hidden `skillgate exec-child`: the two commands that own stdin and stdout themselves.

use super::Exit;
use crate::bridge::{self, BridgeArgs, exec_child};

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

/// Becomes the server where this process was started for that; comes back where it was not, or where that failed.
///
/// Not one of clap's commands: a server's start waits for it, and setting those up takes longer than all the rest.
pub(super) fn exec_child() -> Option<Exit> {
    let (code, why) = exec_child::run(std::env::args_os().skip(1))?;
    eprintln!("skillgate bridge: {why}");
    Some(Exit::Passed(code))
}
