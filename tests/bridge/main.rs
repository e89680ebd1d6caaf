//! The bridge as agents run it: the real program between a client on pipes and a server that is a shell script, with a
//! daemon of this test's own behind the socket.
#![cfg(feature = "shell")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may fail, use files, start processes and look at the clock"
)]

mod agent;
mod daemon;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream as UnixSocket;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agent::{Bridge, answers, is_gone, stray, text_answer, wait_for_file};
use rustix::process::Signal;
use skillgate::daemon::wire::{
    self, Answer, Limit, Peer, Request, ScreenAnswer, ScreenRequest, UNCHECKED_LIMIT, Welcome,
};
use skillgate::gate::Action;
use skillgate::mcp::{Envelope, Notice, Question, Refusal, reply};
use tempfile::TempDir;
use tokio::net::{UnixListener, UnixStream};

/// How the daemon of a test behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    /// Blocks what says "evil", takes its time over what says "slow", allows the rest.
    Rules,
    /// Hangs up at the first question, then rules.
    LosesTheFirst,
    /// Says that errors let pass, hangs up at the first question and takes nobody back.
    OpenThenGone,
}

/// A daemon behind the socket of a home of its own.
struct Daemon {
    home: TempDir,
    heard: Arc<Mutex<Vec<Request>>>,
    _runtime: tokio::runtime::Runtime,
}

impl Daemon {
    fn start(behaviour: Behaviour) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listener = {
            let _inside = runtime.enter();
            UnixListener::bind(home.path().join("skillgate.sock")).unwrap()
        };
        runtime.spawn(listen(listener, behaviour, heard.clone()));
        Self { home, heard, _runtime: runtime }
    }

    fn heard(&self, wanted: impl Fn(&Request) -> bool) -> usize {
        self.heard.lock().unwrap().iter().filter(|request| wanted(request)).count()
    }

    fn bridge(&self, script: &str) -> Bridge {
        Bridge::start(self.home.path(), &["sh", "-c", script])
    }
}

async fn listen(listener: UnixListener, behaviour: Behaviour, heard: Arc<Mutex<Vec<Request>>>) {
    for connection in 0.. {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(serve(stream, connection, behaviour, heard.clone()));
    }
}

async fn serve(
    mut stream: UnixStream,
    connection: usize,
    behaviour: Behaviour,
    heard: Arc<Mutex<Vec<Request>>>,
) {
    let hello = wire::read::<Request, _>(&mut stream, UNCHECKED_LIMIT).await.unwrap().unwrap().0;
    heard.lock().unwrap().push(hello);
    if behaviour == Behaviour::OpenThenGone && connection > 0 {
        let _ = wire::write(&mut stream, &Answer::Refused { why: "no more".to_owned() }, &[]).await;
        return;
    }
    let welcome = Welcome {
        version: wire::VERSION.to_owned(),
        session: "s1".to_owned(),
        on_error_open: behaviour == Behaviour::OpenThenGone,
        max_message_bytes: 1 << 20,
        screen: ["tools/call", "tools/list", "notifications", "other"].map(str::to_owned).to_vec(),
    };
    wire::write(&mut stream, &Answer::Welcome(welcome), &[]).await.unwrap();
    let limit = Limit::for_messages(1 << 20);
    while let Ok(Some((request, body))) = wire::read::<Request, _>(&mut stream, limit).await {
        heard.lock().unwrap().push(request.clone());
        if matches!(request, Request::Note(_)) {
            wire::write(&mut stream, &Answer::Done, &[]).await.unwrap();
        }
        let Request::Screen(question) = request else { continue };
        if behaviour != Behaviour::Rules && connection == 0 {
            return;
        }
        let (mut answer, mut instead) = (allow(question.ask), Vec::new());
        if body.windows(4).any(|word| word == b"slow") {
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
        if body.windows(4).any(|word| word == b"evil") {
            answer = ScreenAnswer { action: Action::Block, replaced: true, ..answer };
            instead = refuse(&question, &body);
        }
        wire::write(&mut stream, &Answer::Decision(answer), &instead).await.unwrap();
    }
}

fn refuse(asked: &ScreenRequest, message: &[u8]) -> Vec<u8> {
    let Envelope { kind, id, .. } = Envelope::read(message);
    let (method, target) = (asked.method.clone(), String::new());
    let question =
        Question { side: asked.side, kind, method, target, era: asked.era, id, anomalies: Vec::new() };
    reply::refused(&question, Refusal::Block, &Notice::default()).unwrap_or_default()
}

/// True for the first word of a bridge that says which processes are the server's.
fn names_the_server(request: &Request) -> bool {
    matches!(request, Request::Hello { peer: Peer::Bridge { child: Some(child), .. }, .. } if child.group > 1)
}

fn allow(ask: u64) -> ScreenAnswer {
    ScreenAnswer { ask, action: Action::Allow, decision: "d".to_owned(), replaced: false }
}

#[test]
fn allowed_answers_pass_byte_for_byte_and_the_exit_code_too() {
    let daemon = Daemon::start(Behaviour::Rules);
    let odd = r#" {"id" : 1.0, "jsonrpc":"2.0","result":{"content":[{"text":"\u0041","n":1e2}]}} "#;
    let script = format!("echo out of band >&2; read -r line; printf '%s\\n' '{odd}'; exit 7");
    let mut bridge = daemon.bridge(&script);
    bridge.call(1);
    assert_eq!(bridge.hear(), odd);
    let (status, said) = bridge.end();
    assert_eq!(status.code(), Some(7));
    assert_eq!(said, "out of band\n");
    assert_eq!(
        daemon.heard(|request| matches!(request, Request::Screen(asked) if asked.method == "tools/call")),
        1
    );
    assert_eq!(daemon.heard(names_the_server), 1);
}

#[test]
fn a_blocked_answer_does_not_reach_the_agent() {
    let daemon = Daemon::start(Behaviour::Rules);
    let mut bridge = daemon.bridge(&answers(&text_answer(1, "evil")));
    bridge.call(1);
    let heard: serde_json::Value = serde_json::from_str(&bridge.hear()).unwrap();
    assert_eq!(heard["result"]["isError"], true);
    assert!(!heard.to_string().contains("evil"));
    bridge.hang_up();
    assert!(bridge.end().0.success());
}

#[test]
fn sockets_and_files_are_as_good_as_pipes() {
    let daemon = Daemon::start(Behaviour::Rules);
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillgate"));
        command
            .args(["bridge", "--", "sh", "-c", &answers(answer)])
            .env("SKILLGATE_HOME", daemon.home.path());
        command
    };
    let (mut agent, bridge) = UnixSocket::pair().unwrap();
    let (stdin, stdout) = (OwnedFd::from(bridge.try_clone().unwrap()), OwnedFd::from(bridge));
    let mut process = command().stdin(stdin).stdout(stdout).spawn().unwrap();
    agent.write_all(ping.as_bytes()).unwrap();
    let mut heard = String::new();
    BufReader::new(agent.try_clone().unwrap()).read_line(&mut heard).unwrap();
    assert_eq!(heard.trim_end(), answer);
    drop(agent);
    assert!(process.wait().unwrap().success());

    let (input, output) = (daemon.home.path().join("in"), daemon.home.path().join("out"));
    std::fs::write(&input, ping).unwrap();
    let files = (File::open(&input).unwrap(), File::create(&output).unwrap());
    assert!(command().stdin(files.0).stdout(files.1).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(output).unwrap().trim_end(), answer);
}

#[test]
fn what_carries_no_text_needs_no_daemon() {
    let daemon = Daemon::start(Behaviour::Rules);
    let mut bridge = daemon.bridge(&answers(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
    bridge.say(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    assert_eq!(bridge.hear(), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    bridge.hang_up();
    bridge.end();
    assert_eq!(daemon.heard(|request| matches!(request, Request::Screen(_))), 0);
}

#[test]
fn a_lost_daemon_is_asked_again() {
    let daemon = Daemon::start(Behaviour::LosesTheFirst);
    let mut bridge = daemon.bridge(&answers(&text_answer(1, "fine")));
    bridge.call(1);
    assert_eq!(bridge.hear(), text_answer(1, "fine"));
    assert_eq!(daemon.heard(|request| matches!(request, Request::Screen(_))), 2);
    assert_eq!(daemon.heard(names_the_server), 2);
}

#[test]
fn without_a_daemon_nothing_passes() {
    let mut bridge =
        Bridge::start(Path::new("not/absolute"), &["sh", "-c", &answers(&text_answer(1, "fine"))]);
    bridge.call(1);
    let heard: serde_json::Value = serde_json::from_str(&bridge.hear()).unwrap();
    assert_eq!(heard["result"]["_meta"]["skillgate/verdict"]["action"], "unscreened");
    bridge.hang_up();
    let (_, said) = bridge.end();
    assert!(said.contains("nothing can be screened"), "{said}");
}

#[test]
fn policy_may_let_pass_what_nobody_could_decide() {
    let daemon = Daemon::start(Behaviour::OpenThenGone);
    let mut bridge = daemon.bridge(&answers(&text_answer(1, "fine")));
    bridge.call(1);
    assert_eq!(bridge.hear(), text_answer(1, "fine"));
}

#[test]
fn what_the_bridge_refuses_by_itself_is_told_to_the_daemon() {
    let daemon = Daemon::start(Behaviour::Rules);
    let script = r#"read -r line; printf '{"jsonrpc":"2.0","id":1,"result":"'; head -c 1100000 /dev/zero | tr '\0' x; printf '"}\n'; cat >/dev/null"#;
    let mut bridge = daemon.bridge(script);
    bridge.call(1);
    assert!(bridge.hear().contains("longer than the limit"));
    bridge.hang_up();
    assert!(bridge.end().0.success());
    let told = |request: &Request| match request {
        Request::Note(note) => {
            let about = (note.method.as_str(), note.target.as_deref(), note.bytes, note.session.as_deref());
            note.why.starts_with("too-long") && about == ("tools/call", Some("t"), 1_100_036, Some("s1"))
        }
        _ => false,
    };
    assert_eq!(daemon.heard(told), 1, "{:?}", daemon.heard.lock().unwrap());
}

#[test]
fn answers_that_are_being_judged_when_the_server_ends_still_come() {
    let daemon = Daemon::start(Behaviour::Rules);
    let script = format!("read -r line; printf '%s\\n' '{}'; exit 0", text_answer(1, "slow"));
    let mut bridge = daemon.bridge(&script);
    bridge.call(1);
    assert_eq!(bridge.hear(), text_answer(1, "slow"));
    assert!(bridge.end().0.success());
}

#[test]
fn requests_sent_before_hanging_up_are_answered() {
    let daemon = Daemon::start(Behaviour::Rules);
    let script = format!("cat >/dev/null; sleep 2; printf '%s\\n' '{}'", text_answer(1, "late"));
    let mut bridge = daemon.bridge(&script);
    bridge.call(1);
    bridge.hang_up();
    assert_eq!(bridge.hear(), text_answer(1, "late"));
    assert!(bridge.end().0.success());
}

#[test]
fn a_server_that_ends_by_a_signal_is_128_and_the_signal() {
    let daemon = Daemon::start(Behaviour::Rules);
    assert_eq!(daemon.bridge("kill -9 $$").end().0.code(), Some(137));
}

#[test]
fn a_command_that_is_not_there_is_127_and_says_so() {
    let daemon = Daemon::start(Behaviour::Rules);
    let (status, said) = Bridge::start(daemon.home.path(), &["no-such-server"]).end();
    assert_eq!(status.code(), Some(127));
    assert!(said.contains("starting `no-such-server`") && said.contains("PATH"), "{said}");
}

#[test]
fn signals_are_passed_on() {
    let daemon = Daemon::start(Behaviour::Rules);
    for (signal, trap) in [(Signal::TERM, "TERM"), (Signal::INT, "INT"), (Signal::HUP, "HUP")] {
        let ready = daemon.home.path().join(trap);
        let script =
            format!("trap 'exit 3' {trap}; echo ready > '{}'; while :; do sleep 0.05; done", ready.display());
        let bridge = daemon.bridge(&script);
        wait_for_file(&ready);
        bridge.signal(signal);
        assert_eq!(bridge.end().0.code(), Some(3), "{trap}");
    }
}

#[test]
fn a_server_that_ignores_everything_is_killed_with_all_it_started() {
    let daemon = Daemon::start(Behaviour::Rules);
    let file = daemon.home.path().join("pid");
    let script = format!(
        "trap '' TERM INT; sh -c 'trap \"\" TERM; echo $$ > \"{}\"; while :; do sleep 0.05; done' & while :; do sleep 0.05; done",
        file.display()
    );
    let mut bridge = daemon.bridge(&script);
    wait_for_file(&file);
    bridge.hang_up();
    let (status, _) = bridge.end();
    assert_eq!(status.code(), Some(137));
    assert!(is_gone(&file));
}

#[test]
fn what_a_server_leaves_behind_goes_with_it() {
    let daemon = Daemon::start(Behaviour::Rules);
    let file = daemon.home.path().join("pid");
    let script = format!("sleep 300 & echo $! > '{}'; exit 0", file.display());
    let started = Instant::now();
    assert!(daemon.bridge(&script).end().0.success());
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(is_gone(&file));
}

#[test]
#[cfg(target_os = "linux")]
fn what_left_the_servers_group_goes_with_it_too() {
    let daemon = Daemon::start(Behaviour::Rules);
    let file = daemon.home.path().join("pid");
    let mut bridge = daemon.bridge(&format!("{}; cat >/dev/null", stray(&file)));
    wait_for_file(&file);
    bridge.hang_up();
    assert!(bridge.end().0.success());
    assert!(is_gone(&file));
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_bridge_takes_its_server_along() {
    let daemon = Daemon::start(Behaviour::Rules);
    let file = daemon.home.path().join("pid");
    // It would outlive its stdin and a polite signal.
    let script = format!("trap '' TERM HUP; echo $$ > '{}'; while :; do sleep 0.05; done", file.display());
    let bridge = daemon.bridge(&script);
    wait_for_file(&file);
    bridge.signal(Signal::KILL);
    assert_eq!(bridge.end().0.signal(), Some(9));
    assert!(is_gone(&file));
}

#[test]
fn an_agent_that_reads_no_more_ends_the_server() {
    let daemon = Daemon::start(Behaviour::Rules);
    let note = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let script = format!("while :; do printf '%s\\n' '{note}'; sleep 0.05; done");
    let Bridge { process, stdin, stdout } = daemon.bridge(&script);
    drop(stdout);
    let unread = Command::new("true").stdout(Stdio::piped()).spawn().unwrap().stdout.unwrap();
    let (status, _) = Bridge { process, stdin, stdout: BufReader::new(unread) }.end();
    assert_eq!(status.code(), Some(143));
}
