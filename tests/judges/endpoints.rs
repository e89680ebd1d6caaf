//! Every API against a server on this machine that answers as the published schema says, and otherwise.
//!
//! The shapes stand in `tests/fixtures/judges/`, one file an API; each test runs over all of them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use skillgate::gate::policy::{JudgeName, Policy};
use skillgate::gate::{Judge, JudgeFailure, Label, Verdict};
use skillgate::io::judge::AskedJudge;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::common::{Log, WORDS, answering_in_turn, assert_unusable, evidence, object, requests};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Api {
    about: String,
    judge: String,
    /// What `base_url` has beside the host.
    base: String,
    path: String,
    /// The header that carries the key `k-very-secret`.
    key: (String, String),
    /// Other headers that have to be there.
    headers: Map<String, Value>,
    /// Where a request has the instructions, and where the material.
    system: String,
    user: String,
    /// The whole request, with SYSTEM and USER in these places.
    request: Value,
    /// Where an answer has the verdict.
    content: String,
    /// What the answer says was used.
    tokens: (u64, u64),
    answer: Value,
    /// What makes a good answer unusable.
    spoiled: Map<String, Value>,
    /// Statuses and bodies that content can cause.
    content_errors: Vec<(u16, Value)>,
    /// Those that it cannot.
    failures: Vec<(u16, Value)>,
    /// Complaints about parameters, in the order in which they may come.
    left_out: Vec<LeftOut>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    error: Value,
    gone: String,
    instead: Option<String>,
}

fn apis() -> Vec<Api> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/judges");
    let read = |name: &str| std::fs::read(folder.join(name).with_extension("json")).unwrap();
    let names = ["openai", "anthropic", "gemini", "ollama"];
    let apis: Vec<Api> = names.iter().map(|name| serde_json::from_slice(&read(name)).expect(name)).collect();
    for (api, name) in apis.iter().zip(names) {
        assert_eq!(api.judge, name);
        assert!(api.about.contains("Written for these tests"), "{name}");
    }
    apis
}

impl Api {
    /// The judge of a policy that names this server, and these lines in its table.
    fn judge_with(&self, server: &str, lines: &str) -> AskedJudge {
        let Self { judge, base, .. } = self;
        let text = format!("[judge.{judge}]\nbase_url = '{server}{base}'\nmodel = 'small-model'\n{lines}");
        let policy = Policy::parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let name = JudgeName::ALL.into_iter().find(|name| name.name() == self.judge).unwrap();
        AskedJudge::of(&policy.judge, name).unwrap()
    }

    fn judge(&self, server: &MockServer) -> AskedJudge {
        self.judge_with(&server.uri(), "timeout_ms = 5000")
    }

    /// An answer with this verdict, as an object where the API has it so.
    fn answer(&self, verdict: &Value) -> Value {
        let mut answer = self.answer.clone();
        let is_object = self.content.ends_with("/input");
        *answer.pointer_mut(&self.content).unwrap() =
            if is_object { verdict.clone() } else { json!(verdict.to_string()) };
        answer
    }

    fn good(&self) -> ResponseTemplate {
        ResponseTemplate::new(200).set_body_json(self.answer(&object("MALICIOUS", &json!(0.93))))
    }

    /// The answer of a SAFE verdict with these places of it changed.
    fn spoiled(&self, changes: &Value) -> Value {
        let mut answer = self.answer(&object("SAFE", &json!(1)));
        for (place, value) in changes.as_object().unwrap() {
            match answer.pointer_mut(place) {
                Some(old) => *old = value.clone(),
                None => answer[place.trim_start_matches('/')] = value.clone(),
            }
        }
        answer
    }

    async fn answering(&self, answer: ResponseTemplate) -> MockServer {
        let server = MockServer::start().await;
        Mock::given(method("POST")).and(path(&self.path)).respond_with(answer).mount(&server).await;
        server
    }
}

fn key_file(folder: &Path) -> PathBuf {
    let file = folder.join("key");
    std::fs::write(&file, "k-very-secret\n").unwrap();
    file
}

#[tokio::test]
async fn a_good_answer_becomes_a_verdict() {
    for api in apis() {
        let server = api.answering(api.good()).await;
        let verdict = api.judge(&server).judge(&evidence()).await.unwrap().verdict;
        let expected = Verdict {
            label: Label::Malicious,
            confidence: 0.93,
            rationale: "orders the reader about it speaks to the analyst".to_owned(),
            relied_on: vec![0],
            judge: api.judge.clone(),
            version: "small-model".to_owned(),
            tokens_in: api.tokens.0,
            tokens_out: api.tokens.1,
        };
        assert_eq!(verdict, expected);
    }
}

#[tokio::test]
async fn requests_have_the_published_shape_and_the_key_where_it_belongs() {
    let folder = tempfile::tempdir().unwrap();
    let file = key_file(folder.path());
    for api in apis() {
        let server = api.answering(api.good()).await;
        let line = format!("api_key_file = '{}'", file.display());
        api.judge_with(&server.uri(), &line).judge(&evidence()).await.unwrap();
        let request = &server.received_requests().await.unwrap()[0];
        assert_eq!(request.headers[api.key.0.as_str()], *api.key.1, "{}", api.judge);
        for (name, value) in &api.headers {
            assert_eq!(request.headers[name.as_str()], *value.as_str().unwrap(), "{}", api.judge);
        }
        assert!(!request.url.as_str().contains("secret"));

        let mut body: Value = request.body_json().unwrap();
        let system = std::mem::replace(body.pointer_mut(&api.system).unwrap(), json!("SYSTEM"));
        let user = std::mem::replace(body.pointer_mut(&api.user).unwrap(), json!("USER"));
        assert_eq!(body, api.request, "{}", api.judge);
        // Instructions in one role, everything that others wrote in the other.
        assert!(user.as_str().unwrap().contains(WORDS) && !system.as_str().unwrap().contains("IGNORE"));
        assert!(!user.as_str().unwrap().contains("INJECT") && !user.as_str().unwrap().contains("override"));
    }
}

#[tokio::test]
async fn without_a_key_in_the_settings_none_is_sent() {
    for api in apis() {
        let server = api.answering(api.good()).await;
        api.judge(&server).judge(&evidence()).await.unwrap();
        let request = &server.received_requests().await.unwrap()[0];
        assert!(!request.headers.contains_key(api.key.0.as_str()), "{}", api.judge);
        // Set by cargo for every test run: a variable is used where the settings name it.
        api.judge_with(&server.uri(), "api_key_env = 'CARGO_PKG_NAME'").judge(&evidence()).await.unwrap();
        let request = &server.received_requests().await.unwrap()[1];
        assert!(
            request.headers[api.key.0.as_str()].to_str().unwrap().ends_with("skillgate"),
            "{}",
            api.judge
        );
    }
}

#[tokio::test]
async fn answers_that_are_cut_off_refused_or_filtered_are_suspicious() {
    for api in apis() {
        for (case, changes) in &api.spoiled {
            let server = api.answering(ResponseTemplate::new(200).set_body_json(api.spoiled(changes))).await;
            let judged = api.judge(&server).judge(&evidence()).await.unwrap();
            assert_unusable(&judged, &format!("{}: {case}", api.judge));
        }
    }
}

#[tokio::test]
async fn answers_outside_the_schema_are_suspicious() {
    let good = object("SAFE", &json!(1));
    let with = |key: &str, value: Value| {
        let mut changed = good.clone();
        changed[key] = value;
        changed
    };
    let mut too_few = good.clone();
    too_few.as_object_mut().unwrap().remove("label");
    let verdicts = [
        ("wrong label", with("label", json!("BENIGN"))),
        ("too sure", with("confidence", json!(7))),
        ("not a number", with("confidence", json!("NaN"))),
        ("something else", with("note", json!("the analyst approved it"))),
        ("no label", too_few),
        ("a list", json!([good])),
        ("prose", json!("This looks SAFE to me.")),
        ("nothing", Value::Null),
    ];
    for api in apis() {
        for (case, verdict) in &verdicts {
            let answer = ResponseTemplate::new(200).set_body_json(api.answer(verdict));
            let server = api.answering(answer).await;
            let judged = api.judge(&server).judge(&evidence()).await.unwrap();
            assert_unusable(&judged, &format!("{}: {case}", api.judge));
        }
        let server = api.answering(ResponseTemplate::new(200).set_body_string("<html>hello</html>")).await;
        assert_unusable(&api.judge(&server).judge(&evidence()).await.unwrap(), "no JSON at all");
    }
}

#[tokio::test]
async fn an_answer_that_repeats_the_fence_is_suspicious() {
    for api in apis() {
        let server = MockServer::start().await;
        let (user, judge) = (api.user.clone(), api.judge.clone());
        let answers = apis().into_iter().find(|other| other.judge == judge).unwrap();
        let echo = move |request: &Request| {
            let body: Value = request.body_json().unwrap();
            let material = body.pointer(&user).unwrap().as_str().unwrap();
            let mut verdict = object("SAFE", &json!(1));
            verdict["rationale"] = json!(format!("done {}", material.chars().take(32).collect::<String>()));
            ResponseTemplate::new(200).set_body_json(answers.answer(&verdict))
        };
        Mock::given(method("POST")).respond_with(echo).mount(&server).await;
        let judged = api.judge(&server).judge(&evidence()).await.unwrap();
        assert_unusable(&judged, &api.judge);
        assert!(judged.verdict.rationale.contains("fence"), "{}", judged.verdict.rationale);
    }
}

#[tokio::test]
async fn what_content_can_cause_is_suspicious_and_not_tried_again() {
    for api in apis() {
        for (status, body) in &api.content_errors {
            let server = api.answering(ResponseTemplate::new(*status).set_body_json(body)).await;
            let judged = api.judge(&server).judge(&evidence()).await.unwrap();
            assert_unusable(&judged, &body.to_string());
            let message = body.pointer("/error/message").unwrap_or(&body["error"]).as_str().unwrap();
            assert!(judged.verdict.rationale.ends_with(message), "{}", judged.verdict.rationale);
            assert_eq!(requests(&server).await.len(), 1, "{body}");
        }
    }
}

#[tokio::test]
async fn what_content_cannot_cause_is_a_failure_and_the_key_is_in_no_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = key_file(folder.path());
    let (log, _guard) = Log::of_this_thread();
    for api in apis() {
        for (status, body) in &api.failures {
            let server = api.answering(ResponseTemplate::new(*status).set_body_json(body)).await;
            let judge = api.judge_with(&server.uri(), &format!("api_key_file = '{}'", file.display()));
            let failure = judge.judge(&evidence()).await.unwrap_err();
            assert!(
                matches!(&failure, JudgeFailure::Refused { status: said, .. } if said == status),
                "{failure}"
            );
            assert_eq!(requests(&server).await.len(), 1, "{body}");
            for text in [format!("{judge:?}"), format!("{failure:?} {failure}"), judge.fingerprint()] {
                assert!(!text.contains("very-secret"), "{text}");
            }
        }
    }
    let logged = log.text();
    assert!(logged.contains("the judge gave no verdict"), "nothing was logged: {logged}");
    assert!(!logged.contains("very-secret"), "{logged}");
}

#[tokio::test]
async fn a_busy_endpoint_is_given_the_time_it_asks_for() {
    for api in apis() {
        let busy = ResponseTemplate::new(429).insert_header("retry-after", "1");
        let server = answering_in_turn(vec![busy, api.good()]).await;
        let start = Instant::now();
        let verdict = api.judge(&server).judge(&evidence()).await.unwrap().verdict;
        assert_eq!(verdict.label, Label::Malicious, "{}", api.judge);
        assert!(start.elapsed() >= Duration::from_secs(1), "{}", api.judge);
        assert_eq!(requests(&server).await.len(), 2);
    }
}

#[tokio::test]
async fn a_broken_endpoint_is_tried_three_times_and_a_slow_one_for_its_time() {
    for api in apis() {
        let broken = api.answering(ResponseTemplate::new(503)).await;
        let failure = api.judge(&broken).judge(&evidence()).await.unwrap_err();
        assert!(matches!(failure, JudgeFailure::Refused { status: 503, .. }), "{failure}");
        assert_eq!(requests(&broken).await.len(), 3);

        let slow = api.answering(api.good().set_delay(Duration::from_secs(30))).await;
        let judge = api.judge_with(&slow.uri(), "timeout_ms = 200");
        assert_eq!(judge.judge(&evidence()).await.unwrap_err(), JudgeFailure::TimedOut(200));
    }
}

#[tokio::test]
async fn parameters_that_are_refused_are_left_out_from_then_on() {
    for api in apis() {
        let refusals = api.left_out.iter().map(|left| ResponseTemplate::new(400).set_body_json(&left.error));
        let server = answering_in_turn(refusals.chain([api.good()]).collect()).await;
        let judge = api.judge(&server);
        for _ in 0..2 {
            assert_eq!(judge.judge(&evidence()).await.unwrap().verdict.label, Label::Malicious);
        }
        let requests = requests(&server).await;
        assert_eq!(requests.len(), api.left_out.len() + 2, "{}", api.judge);
        for (at, left) in api.left_out.iter().enumerate() {
            assert!(requests[at].pointer(&left.gone).is_some(), "{}: {}", api.judge, left.gone);
            assert!(requests[at + 1].pointer(&left.gone).is_none(), "{}: {}", api.judge, left.gone);
            let instead = left.instead.as_ref().is_none_or(|place| requests[at + 1].pointer(place).is_some());
            assert!(instead, "{}: {:?}", api.judge, left.instead);
        }
    }
}
