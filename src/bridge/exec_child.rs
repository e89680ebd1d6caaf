//! The step between the bridge and its server: ask the system to kill us with the bridge, then become the server.
//!
//! The hidden command `skillgate exec-child PARENT COMMAND ARGS…`. It is a process of its own because a safe program
//! cannot run code between fork and exec.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The name of the hidden command.
pub const NAME: &str = "exec-child";

/// Becomes the command. Comes back only where that failed, with the exit code that shells give: 127 where there is no such
/// command, 126 where it cannot be run.
pub fn exec(parent: u32, command: &[OsString]) -> (u8, String) {
    let Some((program, arguments)) = command.split_first() else {
        return (127, "no command is given".to_owned());
    };
    if !die_with(parent) {
        return (1, "the bridge is gone".to_owned());
    }
    let error = Command::new(program).args(arguments).exec();
    let code = if error.kind() == std::io::ErrorKind::NotFound { 127 } else { 126 };
    let name = program.to_string_lossy();
    let hint = "check the server's entry in the agent's config, and the PATH that the agent gives";
    (code, format!("starting `{}`: {error}; {hint}", crate::base::printable(&name)))
}

/// Asks to be killed when the parent dies; false where it is dead already.
fn die_with(parent: u32) -> bool {
    #[cfg(target_os = "linux")]
    if rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).is_err() {
        return false;
    }
    std::os::unix::process::parent_id() == parent
}
