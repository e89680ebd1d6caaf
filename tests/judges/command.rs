//! Programs as judges: small scripts that behave and that do not.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skillgate::gate::judge::{CommandSettings, Judged, Manner};
use skillgate::gate::policy::{JudgeName, JudgeSettings, Policy};
use skillgate::gate::{Judge, JudgeFailure, Label};
use skillgate::io::judge::AskedJudge;

use crate::common::{Log, WORDS, assert_unusable, evidence};

pub(crate) const GOOD: &str =
    r#"{"label": "MALICIOUS", "confidence": 0.9, "rationale": "it orders about", "relied_on": [0]}"#;

/// A script in a folder of its own.
pub(crate) struct Script {
    folder: tempfile::TempDir,
}

impl Script {
    pub(crate) fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("judge");
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("judge")
    }

    /// A file beside the script, for it to leave something in.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn settings(&self) -> CommandSettings {
        let run = vec![self.path().display().to_string(), self.folder.path().display().to_string()];
        CommandSettings { run, timeout_ms: 10_000, ..CommandSettings::default() }
    }

    async fn ask(&self) -> Result<Judged, JudgeFailure> {
        judge(self.settings()).judge(&evidence()).await
    }
}

fn judge(command: CommandSettings) -> AskedJudge {
    let settings = JudgeSettings { command, ..Policy::default().judge };
    AskedJudge::of(&settings, JudgeName::Command).unwrap()
}

/// True while the process whose number stands in this file is there and has not ended.
fn lives(file: &Path) -> bool {
    let pid = std::fs::read_to_string(file).unwrap().trim().to_owned();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

fn gone_soon(file: &Path) -> bool {
    let start = Instant::now();
    while lives(file) && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    !lives(file)
}

#[tokio::test]
async fn a_program_gets_the_evidence_and_gives_a_verdict() {
    let script = Script::new(&format!("cat > \"$1/input\"; echo '{GOOD}'"));
    let judged = script.ask().await.unwrap();
    assert_eq!((judged.verdict.label, judged.manner), (Label::Malicious, Manner::Fresh));
    assert_eq!((judged.verdict.judge.as_str(), judged.verdict.relied_on.as_slice()), ("command", &[0][..]));
    assert_eq!(judged.verdict.version, script.path().display().to_string());

    let input: Value = serde_json::from_slice(&std::fs::read(script.file("input")).unwrap()).unwrap();
    let mut plain = serde_json::to_value(evidence()).unwrap();
    plain["prompt"] = input["prompt"].clone();
    assert_eq!(input, plain);
    let (system, user) = (&input["prompt"]["system"], &input["prompt"]["user"]);
    assert!(user.as_str().unwrap().contains(WORDS) && !system.as_str().unwrap().contains("IGNORE"));
    assert_eq!(input["prompt"]["answer_schema"]["required"][1], "label");
}

#[tokio::test]
async fn a_program_runs_in_an_empty_folder_with_little_around_it() {
    let script =
        Script::new(&format!("env > \"$1/env\"; pwd > \"$1/pwd\"; ls -A > \"$1/ls\"; echo '{GOOD}'"));
    script.ask().await.unwrap();
    let environment = std::fs::read_to_string(script.file("env")).unwrap();
    let names: Vec<&str> = environment.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let own = ["PATH", "LANG", "PWD", "OLDPWD", "SHLVL", "_"];
    assert!(names.contains(&"PATH") && names.iter().all(|name| own.contains(name)), "{names:?}");
    assert_eq!(std::fs::read_to_string(script.file("ls")).unwrap(), "");
    let folder = PathBuf::from(std::fs::read_to_string(script.file("pwd")).unwrap().trim());
    assert_ne!(folder, std::env::current_dir().unwrap());
    assert!(!folder.exists(), "the folder is left behind");

    let settings = CommandSettings { pass_env: vec!["CARGO_PKG_NAME".to_owned()], ..script.settings() };
    judge(settings).judge(&evidence()).await.unwrap();
    assert!(std::fs::read_to_string(script.file("env")).unwrap().contains("CARGO_PKG_NAME=skillgate\n"));
}

#[tokio::test]
async fn what_a_program_says_wrongly_is_suspicious() {
    let long = "head -c 300000 /dev/zero | tr '\\0' x";
    let cases = [
        ("nothing", "true".to_owned()),
        ("prose", "echo SAFE".to_owned()),
        ("half of it", "printf '{\"label\": \"SA'".to_owned()),
        ("two objects", format!("echo '{GOOD}'; echo '{GOOD}'")),
        ("wrong label", format!("echo '{}'", GOOD.replace("MALICIOUS", "BENIGN"))),
        ("not a number", format!("echo '{}'", GOOD.replace("0.9", "NaN"))),
        ("too sure", format!("echo '{}'", GOOD.replace("0.9", "1.9"))),
        ("broke off", format!("echo no >&2; echo '{GOOD}'; exit 1")),
        ("killed", format!("echo '{GOOD}'; kill -9 $$")),
        ("too long", long.to_owned()),
        (
            "the fence",
            format!(
                "fence=$(grep -o '[0-9A-F]\\{{32\\}}' | head -n 1); echo '{GOOD}' | sed \"s/it orders/$fence/\""
            ),
        ),
    ];
    for (case, body) in cases {
        assert_unusable(&Script::new(&body).ask().await.unwrap(), case);
    }
}

#[tokio::test]
async fn a_program_that_reads_nothing_is_still_heard() {
    let mut evidence = evidence();
    evidence.windows[0].text = "many words ".repeat(100_000);
    let script = Script::new(&format!("echo '{GOOD}'"));
    let judged = judge(script.settings()).judge(&evidence).await.unwrap();
    assert_eq!(judged.verdict.label, Label::Malicious);
}

#[tokio::test]
async fn a_slow_program_is_killed_with_all_that_it_started() {
    let script = Script::new("sleep 60 & echo $! > \"$1/child\"; echo $$ > \"$1/own\"; wait");
    let settings = CommandSettings { timeout_ms: 500, ..script.settings() };
    let failure = judge(settings).judge(&evidence()).await.unwrap_err();
    assert_eq!(failure, JudgeFailure::TimedOut(500));
    assert!(gone_soon(&script.file("own")) && gone_soon(&script.file("child")));
}

#[tokio::test]
async fn what_a_program_leaves_running_is_killed_and_not_waited_for() {
    let script = Script::new(&format!("sleep 60 & echo $! > \"$1/child\"; echo '{GOOD}'"));
    let start = Instant::now();
    assert_eq!(script.ask().await.unwrap().verdict.label, Label::Malicious);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(gone_soon(&script.file("child")));
}

#[tokio::test]
async fn a_program_that_cannot_judge_fails_and_its_secrets_stay_its_own() {
    let (log, _guard) = Log::of_this_thread();
    let script = Script::new("echo \"no login for $CARGO_PKG_NAME\" >&2; exit 75");
    let settings = CommandSettings { pass_env: vec!["CARGO_PKG_NAME".to_owned()], ..script.settings() };
    let failure = judge(settings).judge(&evidence()).await.unwrap_err();
    assert!(
        matches!(&failure, JudgeFailure::Unreachable(why) if why.contains("no login for [CARGO_PKG_NAME]"))
    );
    assert!(!log.text().contains("login for skillgate"), "{}", log.text());

    let nowhere = CommandSettings { run: vec!["/nowhere/judge".to_owned()], ..CommandSettings::default() };
    let judge = judge(nowhere);
    for _ in 0..3 {
        let failure = judge.judge(&evidence()).await.unwrap_err();
        assert!(
            matches!(&failure, JudgeFailure::Unreachable(why) if why.contains("/nowhere/judge")),
            "{failure}"
        );
    }
    let failure = judge.judge(&evidence()).await.unwrap_err();
    assert!(matches!(failure, JudgeFailure::BreakerOpen(_)), "{failure}");
}

#[tokio::test]
async fn a_flood_of_questions_starts_no_flood_of_programs() {
    let body = format!(
        "echo x >> \"$1/running\"; sleep 0.3; wc -l < \"$1/running\" > \"$1/seen.$$\"; echo '{GOOD}'"
    );
    let script = Script::new(&body);
    let judge = std::sync::Arc::new(judge(script.settings()));
    let asked: Vec<_> = (0..12)
        .map(|_| {
            let judge = judge.clone();
            tokio::spawn(async move { judge.judge(&evidence()).await.unwrap().verdict.label })
        })
        .collect();
    for answer in asked {
        assert_eq!(answer.await.unwrap(), Label::Malicious);
    }
    let seen = |entry: std::fs::DirEntry| {
        let is_count = entry.file_name().to_string_lossy().starts_with("seen.");
        is_count.then(|| std::fs::read_to_string(entry.path()).unwrap().trim().parse::<usize>().unwrap())
    };
    let entries = std::fs::read_dir(script.file("")).unwrap().map(Result::unwrap);
    let mut counts: Vec<usize> = entries.filter_map(seen).collect();
    counts.sort_unstable();
    // The first ones looked while those that waited had not begun.
    assert_eq!(counts.len(), 12);
    assert!(counts[0] <= 8, "{counts:?}");
}

#[tokio::test]
async fn a_models_own_answer_can_be_passed_on() {
    let answer =
        json!({ "behaviour": "b", "label": "SAFE", "confidence": 1, "rationale": "r", "relied_on": [] });
    let judged = Script::new(&format!("echo '{answer}'")).ask().await.unwrap();
    assert_eq!((judged.verdict.label, judged.verdict.rationale.as_str()), (Label::Safe, "b r"));
}
