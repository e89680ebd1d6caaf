//! The agent's side of a bridge: the real program on pipes, and what becomes of the processes behind it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// A running bridge with the agent's ends of its pipes.
pub(crate) struct Bridge {
    pub(crate) process: Child,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: BufReader<ChildStdout>,
}

impl Bridge {
    pub(crate) fn start(home: &Path, command: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_skillgate"))
            .args(["bridge", "--agent", "test", "--server", "script", "--"])
            .args(command)
            .env("SKILLGATE_HOME", home)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = process.stdin.take();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        Self { process, stdin, stdout }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.stdin.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    pub(crate) fn call(&mut self, id: u32) {
        self.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t"}}}}"#));
    }

    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    pub(crate) fn hang_up(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    /// Waits for the end, for as long as an agent would.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let deadline = Instant::now() + Duration::from_secs(20);
        let status = loop {
            match self.process.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    let _ = self.process.kill();
                    panic!("the bridge does not end");
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let mut said = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status, said)
    }
}

/// A server that answers each line with the one in `$ANSWER`, whatever was asked.
pub(crate) fn answers(answer: &str) -> String {
    format!("while read -r line; do printf '%s\\n' '{answer}'; done")
}

/// Shell words that start a process which left group, session, parent and pipes of the server, outlives a polite signal and
/// writes its number into a file.
pub(crate) fn stray(pid_file: &Path) -> String {
    let body =
        format!("trap \"\" TERM HUP; echo $$ > \"{}\"; while :; do sleep 0.05; done", pid_file.display());
    format!("(setsid sh -c '{body}' </dev/null >/dev/null 2>&1 &)")
}

pub(crate) fn text_answer(id: u32, text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

/// Waits until the process whose number a server wrote into a file is gone.
pub(crate) fn is_gone(pid_file: &Path) -> bool {
    let pid = std::fs::read_to_string(pid_file).unwrap().trim().parse().unwrap();
    let pid = Pid::from_raw(pid).unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        if test_kill_process(pid).is_err() || is_zombie(pid) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = kill_process(pid, Signal::KILL);
    false
}

/// True where the process has ended and its adoptive parent has not looked yet: in a container, there may be none that does.
fn is_zombie(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    stat.is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

pub(crate) fn wait_for_file(path: &Path) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while std::fs::read(path).map_or(true, |bytes| !bytes.ends_with(b"\n")) {
        assert!(Instant::now() < deadline, "{} is not written", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}
