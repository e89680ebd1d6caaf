//! A program as judge: the Evidence as JSON on its stdin, a verdict as JSON on its stdout.
//!
//! It runs in a fresh empty folder, with a fixed PATH and no variable of ours but those that the settings name, in a
//! process group of its own, which is killed when the answer is there or the time is over. What it writes is read up to a
//! limit. A program that breaks off can have been made to by the content, so that is an answer that cannot be used; only
//! one that cannot be started, does not come to its end, or says itself that it cannot judge ([`CANNOT_JUDGE`]) fails.

use std::process::Stdio;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::asked::{Question, Said};
use super::endpoint::JudgeSetupError;
use super::http::MAX_BYTES;
use super::prompt::answer_schema;
use super::{parse, program};
use crate::base::printable;
use crate::gate::judge::CommandSettings;
use crate::gate::{Evidence, JudgeFailure};

/// The exit code by which a program says that it cannot judge now (EX_TEMPFAIL of sysexits).
pub const CANNOT_JUDGE: i32 = 75;

/// Where programs are looked up by what the judge's program starts.
const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The most bytes that are kept of what it says on stderr.
const MOST_TALK: usize = 2_000;
/// How long its output is waited for once it is gone: something that it started may still hold the pipe.
const LINGER: Duration = Duration::from_secs(1);

/// A program with everything needed to ask it.
#[derive(Debug)]
pub(super) struct CommandJudge {
    settings: CommandSettings,
    program: String,
}

/// What stands on stdin: the Evidence, and the question ready to be put to a language model.
#[derive(Serialize)]
struct Input<'a> {
    #[serde(flatten)]
    evidence: &'a Evidence,
    prompt: InputPrompt<'a>,
}

#[derive(Serialize)]
struct InputPrompt<'a> {
    system: &'a str,
    user: &'a str,
    answer_schema: serde_json::Value,
}

/// What a program left behind.
struct Finished {
    exit: Exit,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Success,
    CannotJudge,
    Broken,
}

impl CommandJudge {
    /// Checks the settings; starts nothing.
    pub(super) fn new(settings: CommandSettings) -> Result<Self, JudgeSetupError> {
        let program = settings.run.first().cloned().ok_or(JudgeSetupError::NoProgram)?;
        Ok(Self { settings, program })
    }

    /// The program's path.
    pub(super) fn program(&self) -> &str {
        &self.program
    }

    pub(super) const fn timeout(&self) -> Duration {
        Duration::from_millis(self.settings.timeout_ms)
    }

    /// What decides its answers beside the Evidence, as far as we know: which program it is now, and how it is started.
    pub(super) fn fingerprint(&self) -> String {
        format!("{} {:?}", program::digest(&self.settings.run), self.settings.pass_env)
    }

    /// Runs the program once.
    pub(super) async fn ask(&self, question: &Question<'_>) -> Result<Said, JudgeFailure> {
        let prompt = &question.prompt;
        let prompt =
            InputPrompt { system: &prompt.system, user: &prompt.user, answer_schema: answer_schema() };
        let input = serde_json::to_vec(&Input { evidence: question.evidence, prompt })
            .map_err(|error| self.failure(&error.to_string()))?;
        let done = self.run(&input).await.map_err(|error| self.failure(&error.to_string()))?;
        Ok(match done.exit {
            Exit::CannotJudge => {
                let why =
                    format!("it cannot judge now (exit code {CANNOT_JUDGE}): {}", self.talk(&done.stderr));
                return Err(self.failure(&why));
            }
            Exit::Broken => Said::unusable(&format!("the program broke off: {}", self.talk(&done.stderr))),
            Exit::Success if done.stdout.len() > MAX_BYTES => Said::unusable("the answer is too long"),
            Exit::Success => parse::program(&done.stdout, &question.prompt.fence, question.hits()),
        })
    }

    async fn run(&self, input: &[u8]) -> std::io::Result<Finished> {
        let folder = tempfile::Builder::new().prefix("skillgate-judge-").tempdir()?;
        let mut running = Running::start(self.command(folder.path()))?;
        let pipes = running.pipes()?;
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        {
            let exchange = pipes.exchange(input, &mut stdout, &mut stderr);
            tokio::pin!(exchange);
            tokio::select! {
                () = &mut exchange => running.ended().await,
                () = running.ended() => {
                    // Whatever else it started goes with it, and lets go of the pipes.
                    running.kill();
                    // What it wrote before is read in any case.
                    let _ = timeout(LINGER, exchange).await;
                }
            }
        }
        let exit = running.exit().await?;
        Ok(Finished { exit, stdout, stderr })
    }

    fn command(&self, folder: &std::path::Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.settings.run[1..]).env_clear().env("PATH", SEARCH_PATH).env("LANG", "C.UTF-8");
        let passed = self.settings.pass_env.iter();
        command.envs(passed.filter_map(|name| Some((name, std::env::var_os(name)?))));
        command
            .current_dir(folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn failure(&self, why: &str) -> JudgeFailure {
        JudgeFailure::Unreachable(format!("`{}`: {why}", printable(&self.program)))
    }

    /// The first line of its words on stderr, made safe, without the values that it was passed: keys may be among them.
    fn talk(&self, stderr: &[u8]) -> String {
        let text = String::from_utf8_lossy(stderr);
        let passed = self.settings.pass_env.iter();
        let values = passed.filter_map(|name| Some((name, std::env::var(name).ok()?)));
        let text = values
            .filter(|(_, value)| !value.is_empty())
            .fold(text.into_owned(), |text, (name, value)| text.replace(&value, &format!("[{name}]")));
        let first: String = text.lines().next().unwrap_or_default().chars().take(200).collect();
        if first.is_empty() { "it says no more".to_owned() } else { printable(&first).into_owned() }
    }
}

/// A started program. Its group is killed when this goes, whatever the reason.
struct Running {
    child: Child,
    /// Nothing once the program was waited for: the number may then be another's.
    group: Option<Pid>,
}

struct Pipes {
    stdin: tokio::process::ChildStdin,
    stdout: tokio::process::ChildStdout,
    stderr: tokio::process::ChildStderr,
}

impl Pipes {
    /// Writes the question and reads what is said until the other end closes.
    async fn exchange(self, input: &[u8], stdout: &mut Vec<u8>, stderr: &mut Vec<u8>) {
        let write = async {
            let mut stdin = self.stdin;
            // A program may answer without having read everything.
            let _ = stdin.write_all(input).await;
        };
        let read = read_up_to(self.stdout, stdout, MAX_BYTES + 1);
        tokio::join!(write, read, read_up_to(self.stderr, stderr, MOST_TALK));
    }
}

impl Running {
    fn start(mut command: Command) -> std::io::Result<Self> {
        let child = command.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok(Self { child, group })
    }

    fn pipes(&mut self) -> std::io::Result<Pipes> {
        let Child { stdin, stdout, stderr, .. } = &mut self.child;
        match (stdin.take(), stdout.take(), stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => Ok(Pipes { stdin, stdout, stderr }),
            _ => Err(std::io::Error::other("it has no pipes")),
        }
    }

    /// Waits for its end and leaves it to be waited for, so that its number stays its own.
    async fn ended(&self) {
        let Some(group) = self.group else { return };
        let wait = move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while waitid(WaitId::Pid(group), options).is_err_and(|error| error == Errno::INTR) {}
        };
        // A panic of this thread is impossible, and being gone is what was waited for.
        let _ = tokio::task::spawn_blocking(wait).await;
    }

    fn kill(&self) {
        if let Some(group) = self.group {
            // A group that is gone is what was wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Kills what is left of the group and tells how the program ended.
    async fn exit(mut self) -> std::io::Result<Exit> {
        self.kill();
        self.group = None;
        let status = self.child.wait().await?;
        Ok(match status.code() {
            Some(0) => Exit::Success,
            Some(CANNOT_JUDGE) => Exit::CannotJudge,
            _ => Exit::Broken,
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads to the end and keeps no more than this.
async fn read_up_to(mut from: impl AsyncRead + Unpin, into: &mut Vec<u8>, most: usize) {
    let mut chunk = vec![0; 8192];
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        let room = most - into.len();
        into.extend_from_slice(&chunk[..count.min(room)]);
    }
}
