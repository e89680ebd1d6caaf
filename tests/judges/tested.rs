//! `skillgate judge test` from outside: exit codes, and what it says of where content goes.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::command::Script;
use crate::common::{object, requests};

struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Runs `judge test` under this policy.
fn judge_test(policy: &str, arguments: &[&str]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("policy.toml");
    std::fs::write(&file, policy).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_skillgate"))
        .args(["judge", "test", "--policy"])
        .arg(&file)
        .args(arguments)
        .env("SKILLGATE_HOME", folder.path().join("home"))
        .env("ANTHROPIC_API_KEY", "k-in-the-environment")
        .env_remove("SKILLGATE_NO_SUCH_KEY")
        .output()
        .unwrap();
    assert!(!folder.path().join("home").exists());
    let [out, err] = [done.stdout, done.stderr].map(|words| String::from_utf8(words).unwrap());
    Done { code: done.status.code(), out, err }
}

/// A server that gives the honest sample one label and the hostile one another.
async fn saying(honest: &'static str, hostile: &'static str) -> MockServer {
    let server = MockServer::start().await;
    let answer = move |request: &Request| {
        let asked = String::from_utf8_lossy(&request.body);
        let label = if asked.contains("name: review-scripts") { honest } else { hostile };
        let content = object(label, &json!(0.9)).to_string();
        let choice =
            json!({ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" });
        ResponseTemplate::new(200).set_body_json(json!({ "choices": [choice] }))
    };
    Mock::given(method("POST")).respond_with(answer).mount(&server).await;
    server
}

fn openai(server: &MockServer) -> String {
    format!("[judge.openai]\nbase_url = '{}/v1'\nmodel = 'small-model'\n", server.uri())
}

#[tokio::test]
async fn the_exit_code_says_whether_it_judges_rightly() {
    for (honest, hostile, code) in [
        ("SAFE", "MALICIOUS", 0),
        ("SAFE", "SUSPICIOUS", 0),
        ("SAFE", "SAFE", 1),
        ("MALICIOUS", "MALICIOUS", 1),
        ("SUSPICIOUS", "MALICIOUS", 1),
        ("SAFE", "NONSENSE", 1),
    ] {
        let server = saying(honest, hostile).await;
        let done = judge_test(&openai(&server), &[]);
        assert_eq!(done.code, Some(code), "{honest} {hostile}: {} {}", done.out, done.err);
        assert_eq!(done.out.contains("WRONG"), code == 1, "{}", done.out);
        assert_eq!(requests(&server).await.len(), 2);
        let words = ["openai small-model", "on this machine", "review-scripts", "tidy-notes", "took"];
        assert!(words.iter().all(|word| done.out.contains(word)), "{}", done.out);
    }
}

#[tokio::test]
async fn json_has_all_that_people_are_shown() {
    let server = saying("SAFE", "MALICIOUS").await;
    let done = judge_test(&openai(&server), &["--json"]);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&report["judge"], &report["right"]), (&json!("openai"), &json!(true)));
    assert_eq!(report["content"], "this-machine");
    assert_eq!(report["at"], format!("{}/v1/chat/completions", server.uri()));
    let [honest, hostile] = &report["samples"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!((&honest["label"], &honest["expected"]), (&json!("SAFE"), &json!("SAFE")));
    assert_eq!((&hostile["label"], &hostile["usable"]), (&json!("MALICIOUS"), &json!(true)));
    assert!(
        hostile["elapsed_us"].as_u64().unwrap() > 0 && hostile["asked"].as_str().unwrap().contains("curl")
    );
}

#[tokio::test]
async fn what_cannot_be_reached_is_exit_code_2_and_asked_once() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let policy = format!("[judge.ollama]\nbase_url = 'http://127.0.0.1:{port}'\nmodel = 'm'\n");
    let done = judge_test(&policy, &[]);
    assert_eq!(done.code, Some(2), "{}", done.out);
    assert!(done.out.contains("could not be reached") && !done.out.contains("tidy-notes"), "{}", done.out);

    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(401)).mount(&server).await;
    let done = judge_test(&openai(&server), &["--json"]);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((done.code, &report["right"]), (Some(2), &json!(false)));
    assert!(report["samples"][0]["failure"].as_str().unwrap().contains("401"));
}

#[test]
fn content_that_would_leave_the_machine_is_said_to() {
    // A reserved host: nothing is sent, since it cannot be found.
    let policy = "[judge.gemini]\nbase_url = 'https://llm.invalid'\nmodel = 'm'\nretries = 0\n";
    let done = judge_test(policy, &[]);
    assert_eq!(done.code, Some(2), "{}", done.out);
    assert!(done.out.contains("LEAVES THIS MACHINE"), "{}", done.out);
    assert!(done.out.contains("https://llm.invalid/v1beta/models/m:generateContent"), "{}", done.out);
}

#[test]
fn without_a_configured_judge_the_embedded_one_is_tested() {
    // A key in the environment configures nothing.
    let done = judge_test("", &[]);
    assert_eq!(done.code, Some(0), "{} {}", done.out, done.err);
    assert!(
        done.out.contains("judge     embedded") && done.out.contains("nothing leaves the machine"),
        "{}",
        done.out
    );
}

#[test]
fn what_is_not_configured_or_not_clear_is_said() {
    let two = "[judge.ollama]\nmodel = 'm'\n[judge.gemini]\nmodel = 'm'\n[judge]\n";
    let key = "[judge.anthropic]\nmodel = 'm'\napi_key_env = 'SKILLGATE_NO_SUCH_KEY'\n";
    for (policy, arguments, words) in [
        ("", &["--judge", "anthropic"][..], "judge `anthropic` is not configured"),
        ("", &["--judge", "claude"], "it takes auto, embedded"),
        (two, &[], "several judges are configured (gemini, ollama)"),
        (key, &[], "the variable `SKILLGATE_NO_SUCH_KEY` of judge.anthropic.api_key_env is not set"),
    ] {
        let done = judge_test(policy, arguments);
        assert_eq!(done.code, Some(2), "{}", done.out);
        assert!(done.err.contains(words), "{}", done.err);
    }
}

#[test]
fn a_program_is_tested_too_and_the_cache_is_not_asked() {
    let script = Script::new(concat!(
        "echo x >> \"$1/calls\"\n",
        "if grep -q review-scripts; then label=SAFE; else label=MALICIOUS; fi\n",
        "echo \"{\\\"label\\\": \\\"$label\\\", \\\"confidence\\\": 0.9}\""
    ));
    let (path, folder) = (script.path(), script.file(""));
    let policy = format!("[judge.command]\nrun = ['{}', '{}']\n", path.display(), folder.display());
    for calls in [2, 4] {
        let done = judge_test(&policy, &["--judge", "cascade"]);
        assert_eq!(done.code, Some(0), "{} {}", done.out, done.err);
        assert!(done.out.contains("goes to this program"), "{}", done.out);
        assert_eq!(std::fs::read_to_string(script.file("calls")).unwrap().lines().count(), calls);
    }
}

#[test]
fn an_answer_that_cannot_be_used_is_told_with_what_is_wrong_and_how_it_begins() {
    let script = Script::new(r#"echo '{"label": "SAFE", "confidence": 1, "reasons": []}'"#);
    let done = judge_test(&format!("[judge.command]\nrun = ['{}']\n", script.path().display()), &[]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.out.contains("unknown key `reasons`: known are `label`"), "{}", done.out);
    assert!(done.out.contains(r#"it begins: {"label": "SAFE""#), "{}", done.out);
    assert!(
        done.out.contains("gave no usable answer") && !done.out.contains("The judge is wrong"),
        "{}",
        done.out
    );
}
