//! Processes, told from later ones of the same number, and found by what they were started with.
//!
//! All of it reads `/proc`. Where there is none (macOS) a process is known by its number alone and none is found.

use std::time::Duration;

use rustix::process::{Pid, Signal, test_kill_process};

/// How often a process is looked at at first, and at most.
const LOOK: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(500));

/// How often all processes are looked through for new ones, while some fork as fast as they are found.
const ROUNDS: usize = 64;

/// A process.
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

    /// The process of this number that started then.
    pub(super) fn started(pid: u32, started: u64) -> Option<Self> {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw)?;
        Some(Self { pid, started: Some(started) })
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

/// When a process started, in clock ticks since boot; nothing where it is gone or the system does not tell.
pub fn start_time(pid: u32) -> Option<u64> {
    stat(pid).map(|stat| stat.started)
}

/// The number of the namespace in which our pids count.
pub(super) fn pid_namespace() -> Option<u64> {
    let link = std::fs::read_link("/proc/self/ns/pid").ok()?;
    link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?.parse().ok()
}

/// Signals every process of ours that was started with a variable of this name and a value that is wanted, those too
/// that come up meanwhile. Gives how many there were.
pub(super) fn signal_all(variable: &str, wanted: impl Fn(&str) -> bool, signal: Signal) -> usize {
    let bears = |pid: &i32| value(*pid, variable).is_some_and(|value| wanted(&value));
    let mut signalled = std::collections::BTreeSet::new();
    for _ in 0..ROUNDS {
        let found: Vec<_> = pids().filter(|pid| !signalled.contains(pid)).filter(bears).collect();
        if found.is_empty() {
            break;
        }
        for pid in found {
            signalled.insert(pid);
            send(pid, || bears(&pid), signal);
        }
    }
    signalled.len()
}

/// Signals a process where it is the one that is meant. The handle is had first, so that a number that is reused between
/// the look and the signal hits nobody.
#[cfg(target_os = "linux")]
fn send(pid: i32, is_meant: impl Fn() -> bool, signal: Signal) {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let handle = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    if let Some(handle) = handle.filter(|_| is_meant()) {
        // One that is gone is what was wanted.
        let _ = pidfd_send_signal(handle, signal);
    }
}

#[cfg(not(target_os = "linux"))]
fn send(_: i32, _: impl Fn() -> bool, _: Signal) {}

fn pids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|pid| *pid > 1)
}

/// The value of a variable that a process was started with; nothing where it belongs to another user or has ended.
fn value(pid: i32, variable: &str) -> Option<String> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = |entry: &[u8]| {
        let value = entry.strip_prefix(variable.as_bytes())?.strip_prefix(b"=")?;
        String::from_utf8(value.to_vec()).ok()
    };
    environment.split(|byte| *byte == 0).find_map(value)
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

/// Waits until a process that was just started shows a variable: while it becomes its program /proc has none.
#[cfg(all(test, target_os = "linux"))]
pub(super) fn until_marked(pid: u32, variable: &str) {
    while value(i32::try_from(pid).unwrap_or_default(), variable).is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::{Process, Signal, signal_all, until_marked};

    #[tokio::test]
    async fn a_process_has_ended_before_its_parent_looks() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = Process::now(i32::try_from(child.id()).unwrap()).unwrap();
        assert!(process.lives());
        let another = Process { started: process.started.map(|started| started + 1), ..process };
        assert!(!another.lives());
        drop(child.stdin.take());
        process.ended().await;
        assert!(child.wait().unwrap().success());
        assert_eq!((Process::now(0), Process::now(-1)), (None, None));
    }

    #[test]
    fn only_those_with_the_wanted_value_are_signalled() {
        let variable = format!("SKILLGATE_TEST_{}", std::process::id());
        let sleep = |value: &str| Command::new("sleep").arg("60").env(&variable, value).spawn().unwrap();
        let (mut meant, mut other) = (sleep("a"), sleep("ab"));
        until_marked(meant.id(), &variable);
        assert_eq!(signal_all(&variable, |value| value == "a", Signal::KILL), 1);
        assert!(!meant.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
