//! Servers that lost their bridge: found, told from strangers, and killed.
//!
//! A bridge that goes without ending its server is gone for good only when its process is: a connection that closes says
//! nothing, since a bridge may give one up and make another. So the process is waited for, and only then is the server
//! killed.
//!
//! A group's number is its leader's pid, and pids are reused: a group is killed only where its leader either still has
//! the start time that the bridge reported, or is gone while members that are no younger groups' remain. What cannot be
//! told is left alone.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process, test_kill_process_group};

use super::wire::ChildGroup;

/// How often a process is looked at at first, and at most.
const LOOK: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(500));

/// What became of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaped {
    /// It was killed.
    Killed,
    /// It was gone already.
    Gone,
    /// Its number now belongs to another process.
    Reused,
}

/// A process, told from a later one of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pid: Pid,
    started: Option<u64>,
}

impl Process {
    /// The process that has this number now; nothing where the number is none.
    pub fn now(pid: i32) -> Option<Self> {
        let number = u32::try_from(pid).ok()?;
        Some(Self { pid: Pid::from_raw(pid)?, started: start_time(number) })
    }

    /// True until it has ended, whether or not its parent has taken note of that.
    pub fn lives(self) -> bool {
        match self.started {
            Some(started) => stat(self.pid.as_raw_nonzero().get().unsigned_abs())
                .is_some_and(|now| now.started == started && !now.ended),
            None => test_kill_process(self.pid).is_ok(),
        }
    }

    /// Waits for its end.
    pub async fn ended(self) {
        let (mut pause, longest) = LOOK;
        while self.lives() {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(longest);
        }
    }
}

/// Kills a group that lost its bridge.
pub fn reap(child: ChildGroup) -> Reaped {
    let Some(pid) = i32::try_from(child.group).ok().filter(|pid| *pid > 1).and_then(Pid::from_raw) else {
        return Reaped::Reused;
    };
    if test_kill_process_group(pid).is_err() {
        return Reaped::Gone;
    }
    match start_time(child.group) {
        Some(started) if child.started != 0 && started != child.started => Reaped::Reused,
        _ if kill_process_group(pid, Signal::KILL).is_ok() => Reaped::Killed,
        _ => Reaped::Gone,
    }
}

/// When a process started, in clock ticks since boot; nothing where it is gone or the system does not tell.
pub fn start_time(pid: u32) -> Option<u64> {
    stat(pid).map(|stat| stat.started)
}

/// What `/proc/PID/stat` tells.
struct Stat {
    /// It is a zombie, or about to vanish.
    ended: bool,
    started: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in parentheses and may hold anything, parentheses too.
    let mut after_name = stat.rsplit_once(')')?.1.split_whitespace();
    let ended = matches!(after_name.next()?, "Z" | "X");
    Some(Stat { ended, started: after_name.nth(18)?.parse().ok()? })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::{Process, Reaped, reap, start_time};
    use crate::daemon::wire::ChildGroup;

    #[test]
    fn a_group_is_killed_with_its_grandchildren() {
        let mut child = Command::new("sh").args(["-c", "sleep 60 & wait"]).process_group(0).spawn().unwrap();
        let group = ChildGroup { group: child.id(), started: start_time(child.id()).unwrap() };
        assert_eq!(reap(group), Reaped::Killed);
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn a_reused_number_is_left_alone() {
        let mut child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let group = ChildGroup { group: child.id(), started: start_time(child.id()).unwrap() + 1 };
        assert_eq!(reap(group), Reaped::Reused);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(reap(group), Reaped::Gone);
        assert_eq!(reap(ChildGroup { group: 0, started: 0 }), Reaped::Reused);
    }

    #[tokio::test]
    async fn a_process_has_ended_before_its_parent_looks() {
        let mut child = Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let process = Process::now(i32::try_from(child.id()).unwrap()).unwrap();
        assert!(process.lives());
        let another = Process { started: process.started.map(|started| started + 1), ..process };
        assert!(!another.lives());
        drop(child.stdin.take());
        process.ended().await;
        assert!(child.wait().unwrap().success());
        assert_eq!((Process::now(0), Process::now(-1)), (None, None));
    }
}
