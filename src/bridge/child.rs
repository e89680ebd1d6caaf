//! The server's process: started in a group of its own and with a mark that all it starts inherit, signalled as a group,
//! and gone when we are, with whatever it started.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::exec_child;
use crate::daemon::process::start_time;
use crate::daemon::reap::{MARK, new_mark, signal_marked};
use crate::daemon::wire::ChildGroup;

/// A running server.
#[derive(Debug)]
pub(super) struct Upstream {
    child: Child,
    group: ChildGroup,
}

/// The server's two pipes.
pub(super) type Pipes = (ChildStdin, ChildStdout);

impl Upstream {
    /// Starts the command with our environment, working directory and stderr. To be called on the main thread, since
    /// the system ties the death signal to the thread that started the child.
    pub(super) fn start(command: &[OsString]) -> std::io::Result<(Self, Pipes)> {
        let mark = new_mark()?;
        let mut child = program(command)?
            .env(MARK, &mark)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let group = child.id().unwrap_or_default();
        let group = ChildGroup { group, started: start_time(group).unwrap_or_default(), mark };
        let pipes = child.stdin.take().zip(child.stdout.take());
        let pipes = pipes.ok_or_else(|| std::io::Error::other("the server has no pipes"))?;
        Ok((Self { child, group }, pipes))
    }

    /// Its processes.
    pub(super) fn group(&self) -> ChildGroup {
        self.group.clone()
    }

    /// Waits for it to end; may be waited for again.
    pub(super) async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Signals the group and what left it: all that the server started.
    pub(super) fn end(&self, signal: Signal) {
        self.signal(signal);
        signal_marked(&self.group.mark, signal);
    }

    /// Signals every process of the group.
    pub(super) fn signal(&self, signal: Signal) {
        let group = i32::try_from(self.group.group).ok().filter(|group| *group > 1).and_then(Pid::from_raw);
        if let Some(group) = group {
            // A group that is gone is what was wanted.
            let _ = kill_process_group(group, signal);
        }
    }
}

/// On Linux by way of `exec-child`, so that the server dies with us; elsewhere directly.
fn program(command: &[OsString]) -> std::io::Result<Command> {
    let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    if cfg!(target_os = "linux") {
        let mut step = Command::new(std::env::current_exe()?);
        step.arg(exec_child::NAME).arg(std::process::id().to_string()).args(command);
        return Ok(step);
    }
    let mut direct = Command::new(program);
    direct.args(arguments);
    Ok(direct)
}

/// The exit code that is passed on: the server's own, or 128 and the signal that ended it.
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}
