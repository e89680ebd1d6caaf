//! What the bridge adds: the same echo server, asked directly and through bridge and daemon, in interleaved pairs.
//!
//! Not criterion: a machine's noise is larger than what is measured, so each direct call is followed at once by one
//! through the bridge, and medians of the pairs are compared. `cargo bench --bench proxy`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench starts programs, measures time, prints, and fails by panicking"
)]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Pairs for each size of payload.
const SIZES: [(&str, usize, usize); 3] =
    [("16 B", 16, 4000), ("64 KiB", 64 << 10, 300), ("1 MiB", 1 << 20, 30)];

/// Starts for the time to the first byte.
const STARTS: usize = 40;

fn main() {
    if std::env::args().any(|argument| argument == "--echo-server") {
        return echo_server();
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    println!(
        "{:<22}{:>12}{:>12}{:>12}{:>12}",
        "tools/call", "direct p50", "through p50", "added p50", "added p90"
    );
    let mut direct = Peer::start(direct_command());
    let mut through = Peer::start(bridge_command(folder.path()));
    for (name, size, pairs) in SIZES {
        calls(&mut direct, &mut through, name, size, pairs);
    }
    drop(through);
    starts(folder.path());
    let pid = std::fs::read_to_string(folder.path().join("logs/audit.jsonl")).unwrap();
    let pid = pid.split("pid ").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    Command::new("kill").arg(pid).status().unwrap();
}

fn calls(direct: &mut Peer, through: &mut Peer, name: &str, size: usize, pairs: usize) {
    let text: String = "the quick brown fox jumps over the lazy dog; ".chars().cycle().take(size).collect();
    for _ in 0..20 {
        direct.call(&text);
        through.call(&text);
    }
    let mut measured: Vec<(Duration, Duration)> =
        (0..pairs).map(|_| (direct.call(&text), through.call(&text))).collect();
    let mut added: Vec<f64> =
        measured.iter().map(|(direct, through)| micros(*through) - micros(*direct)).collect();
    added.sort_by(f64::total_cmp);
    let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
        measured.sort_by_key(of);
        micros(of(&measured[pairs / 2]))
    };
    println!(
        "{name:<22}{:>9.0} µs{:>9.0} µs{:>9.0} µs{:>9.0} µs",
        median(|pair| pair.0),
        median(|pair| pair.1),
        added[pairs / 2],
        added[pairs * 9 / 10]
    );
}

/// From starting the process to the first byte of the answer to initialize, the daemon being warm.
fn starts(home: &Path) {
    let time = |command: Command| {
        let start = Instant::now();
        let mut peer = Peer::start(command);
        peer.call("x");
        micros(start.elapsed())
    };
    let mut pairs: Vec<(f64, f64)> =
        (0..STARTS).map(|_| (time(direct_command()), time(bridge_command(home)))).collect();
    let mut median = |of: fn(&(f64, f64)) -> f64| {
        pairs.sort_by(|a, b| of(a).total_cmp(&of(b)));
        of(&pairs[STARTS / 2])
    };
    let (direct, through) = (median(|pair| pair.0), median(|pair| pair.1));
    println!(
        "\nstart to first answer: direct {:.1} ms, through {:.1} ms, added {:.1} ms",
        direct / 1e3,
        through / 1e3,
        (through - direct) / 1e3
    );
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn direct_command() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("--echo-server");
    command
}

fn bridge_command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skillgate"));
    command
        .args(["bridge", "--server", "echo", "--"])
        .arg(std::env::current_exe().unwrap())
        .arg("--echo-server");
    command.env("SKILLGATE_HOME", home);
    command
}

/// A server as a client sees it.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    id: u64,
}

impl Peer {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, line: String::new(), id: 0 }
    }

    fn call(&mut self, text: &str) -> Duration {
        self.id += 1;
        let id = self.id;
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"message\":\"{text}\"}}}}}}\n"
        );
        let start = Instant::now();
        self.input.write_all(request.as_bytes()).unwrap();
        self.line.clear();
        self.output.read_line(&mut self.line).unwrap();
        let elapsed = start.elapsed();
        assert!(self.line.contains(text) && self.line.contains("\"content\""), "{}", self.line);
        elapsed
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Answers every call with its own argument.
fn echo_server() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let id = between(&line, "\"id\":", ",");
        let text = between(&line, "\"message\":", "}}}");
        let answer = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}}}\n"
        );
        out.write_all(answer.as_bytes()).unwrap();
        out.flush().unwrap();
    }
}

fn between<'a>(line: &'a str, start: &str, end: &str) -> &'a str {
    let rest = line.split_once(start).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or(rest, |(found, _)| found)
}
