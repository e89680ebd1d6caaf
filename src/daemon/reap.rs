//! Servers that lost their bridge: found, told from strangers, and killed.
//!
//! A bridge that goes without ending its server is gone for good only when its process is: a connection that closes says
//! nothing, since a bridge may give one up and make another. So the process is waited for, and only then is the server
//! killed.
//!
//! A server is more than its process group: whoever calls setsid() leaves the group, and loses its parent when that ends.
//! The environment is inherited through both, so the bridge starts its server with [`MARK`], and whatever bears that mark
//! is the server's. What starts with an environment of its own is taken to go its own way on purpose. The mark tells which
//! bridge made it, so that a daemon also finds what was left while none ran.
//!
//! A group's number is its leader's pid, and pids are reused: a group is killed only where its leader either still has
//! the start time that the bridge reported, or is gone while members that are no younger groups' remain. What cannot be
//! told is left alone.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use super::process::{Process, pid_namespace, signal_all, start_time};
use super::wire::ChildGroup;
use crate::io::random;

/// The variable that marks a server and all that it starts.
pub const MARK: &str = "SKILLGATE_BRIDGE";

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

/// A mark for the server of this process, which is a bridge: the namespace of its pid, the pid, when it started, and a
/// random word. Nobody else has the same.
pub fn new_mark() -> std::io::Result<String> {
    let pid = std::process::id();
    let [namespace, started] = [pid_namespace(), start_time(pid)].map(Option::unwrap_or_default);
    Ok(format!("{namespace}.{pid}.{started}.{}", random::decision_id()?))
}

/// True where the bridge that made this mark is known to be gone. Pids of another namespace tell nothing.
fn is_orphaned(mark: &str) -> bool {
    let numbers: Vec<u64> = mark.split('.').map_while(|part| part.parse().ok()).collect();
    let [namespace, pid, started] = numbers[..] else { return false };
    let bridge = u32::try_from(pid).ok().and_then(|pid| Process::started(pid, started));
    started != 0 && pid_namespace() == Some(namespace) && bridge.is_some_and(|bridge| !bridge.lives())
}

/// Kills what bridges left behind that are gone. Gives how many processes there were.
pub fn sweep() -> usize {
    signal_all(MARK, is_orphaned, Signal::KILL)
}

/// Signals all that bear a mark. Gives how many there were.
pub fn signal_marked(mark: &str, signal: Signal) -> usize {
    if mark.is_empty() { 0 } else { signal_all(MARK, |value| value == mark, signal) }
}

/// Kills a server that lost its bridge.
pub fn reap(child: &ChildGroup) -> Reaped {
    let group = reap_group(child);
    if signal_marked(&child.mark, Signal::KILL) > 0 { Reaped::Killed } else { group }
}

fn reap_group(child: &ChildGroup) -> Reaped {
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use super::{MARK, Reaped, is_orphaned, new_mark, reap, start_time};
    use crate::daemon::process::until_marked;
    use crate::daemon::wire::ChildGroup;

    fn group(child: &Child) -> ChildGroup {
        let started = start_time(child.id()).expect("it runs");
        ChildGroup { group: child.id(), started, mark: String::new() }
    }

    #[test]
    fn a_group_is_killed_with_its_grandchildren() {
        let mut child = Command::new("sh").args(["-c", "sleep 60 & wait"]).process_group(0).spawn().unwrap();
        assert_eq!(reap(&group(&child)), Reaped::Killed);
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn a_reused_number_is_left_alone() {
        let mut child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let mut group = group(&child);
        group.started += 1;
        assert_eq!(reap(&group), Reaped::Reused);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(reap(&group), Reaped::Gone);
        assert_eq!(reap(&ChildGroup { group: 0, ..group }), Reaped::Reused);
    }

    #[test]
    fn what_left_the_group_is_killed_by_its_mark() {
        let mark = new_mark().unwrap();
        let sleep =
            |mark: &str| Command::new("sleep").arg("60").process_group(0).env(MARK, mark).spawn().unwrap();
        let (mut stray, mut stranger) = (sleep(&mark), sleep(&new_mark().unwrap()));
        until_marked(stray.id(), MARK);
        assert_eq!(reap(&ChildGroup { group: 0, started: 0, mark }), Reaped::Killed);
        assert!(!stray.wait().unwrap().success());
        assert!(stranger.try_wait().unwrap().is_none());
        stranger.kill().unwrap();
        stranger.wait().unwrap();
    }

    #[test]
    fn a_mark_tells_whether_its_bridge_lives() {
        let ours = new_mark().unwrap();
        assert!(!is_orphaned(&ours), "{ours}");
        let parts: Vec<_> = ours.split('.').collect();
        let [namespace, pid, started, word] = parts[..] else { panic!("{ours}") };
        assert!(is_orphaned(&format!("{namespace}.{pid}.1.{word}")));
        assert!(is_orphaned(&format!("{namespace}.999999999.{started}.{word}")));
        // What cannot be told: no start time, another namespace, no mark of ours.
        for mark in [format!("{namespace}.{pid}.0.{word}"), format!("1.{pid}.1.{word}"), "yes".to_owned()] {
            assert!(!is_orphaned(&mark), "{mark}");
        }
    }
}
