//! Process groups of upstream servers, killed when their bridge went without saying so.
//!
//! A group's number is its leader's pid, and pids are reused: a group is killed only where its leader either still has
//! the start time that the bridge reported, or is gone while members that are no younger groups' remain. What cannot be
//! told is left alone.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use super::wire::ChildGroup;

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
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in parentheses and may hold anything, parentheses too.
    let after_name = stat.rsplit_once(')')?.1;
    after_name.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::{Reaped, reap, start_time};
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
}
