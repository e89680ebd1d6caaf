//! The step between the bridge and its server: ask the system to kill us with the bridge, then become the server.
//!
//! The hidden command `skillgate exec-child PARENT COMMAND ARGS…`. It is a process of its own because a safe program
//! cannot run code between fork and exec.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The name of the hidden command.
pub(super) const NAME: &str = "exec-child";

/// Becomes the command where that is what the arguments ask for; nothing where they ask for something else. Comes back
/// with why it failed and the exit code that shells give: 127 where there is no such command, 126 where it cannot be run.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> Option<(u8, String)> {
    if arguments.next()? != NAME {
        return None;
    }
    let parent = arguments.next().and_then(|parent| parent.to_str()?.parse().ok());
    let command: Vec<_> = arguments.collect();
    let (Some(parent), Some((program, arguments))) = (parent, command.split_first()) else {
        return Some((
            2,
            format!("`{NAME}` is a step of `skillgate bridge -- COMMAND` and takes what that gives it"),
        ));
    };
    Some(exec(parent, program, arguments))
}

fn exec(parent: u32, program: &OsString, arguments: &[OsString]) -> (u8, String) {
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

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn only_what_the_bridge_asks_for_is_done() {
        let code = |arguments: &[&str]| run(arguments.iter().map(Into::into)).map(|(code, _)| code);
        for others in [&[][..], &["bridge", "--", "true"], &["scan", "exec-child"]] {
            assert_eq!(code(others), None, "{others:?}");
        }
        for incomplete in [&["exec-child"][..], &["exec-child", "7"], &["exec-child", "x", "true"]] {
            assert_eq!(code(incomplete), Some(2), "{incomplete:?}");
        }
    }
}
