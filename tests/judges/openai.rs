//! What all endpoints have in common, seen at one: retries, times, redirects, the breaker, the embedded judge behind it.

use std::time::Duration;

use serde_json::{Value, json};
use skillgate::gate::judge::EndpointSettings;
use skillgate::gate::policy::{JudgeChoice, JudgeName, JudgeSettings, Policy};
use skillgate::gate::{Judge, JudgeFailure, JudgeOutcome, Label};
use skillgate::io::judge::{AskedJudge, JudgeSet};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::common::{answering_in_turn, assert_unusable, evidence, requests};

fn settings(server: &MockServer) -> EndpointSettings {
    EndpointSettings {
        base_url: format!("{}/v1", server.uri()),
        model: "small-model".to_owned(),
        timeout_ms: Some(5_000),
        ..EndpointSettings::default()
    }
}

fn judge(server: &MockServer) -> AskedJudge {
    AskedJudge::openai(settings(server)).unwrap()
}

fn object(label: &str, confidence: &Value) -> String {
    json!({
        "behaviour": "orders the reader about", "label": label, "confidence": confidence,
        "rationale": "it speaks to the analyst", "relied_on": [0]
    })
    .to_string()
}

fn completion(content: &str) -> Value {
    json!({
        "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 900, "completion_tokens": 60 }
    })
}

fn good() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(completion(&object("MALICIOUS", &json!(0.93))))
}

/// A server that gives this answer to each request.
async fn answering(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(answer).mount(&server).await;
    server
}

#[tokio::test]
async fn each_call_has_a_fence_of_its_own() {
    let server = answering(good()).await;
    let judge = judge(&server);
    judge.judge(&evidence()).await.unwrap();
    judge.judge(&evidence()).await.unwrap();
    let requests = requests(&server).await;
    assert_ne!(requests[0]["messages"][1]["content"], requests[1]["messages"][1]["content"]);
}

#[tokio::test]
async fn a_huge_answer_is_not_read_to_its_end() {
    let huge = object("SAFE", &json!(1)).replace("it speaks", &"long ".repeat(400_000));
    let server = answering(ResponseTemplate::new(200).set_body_json(completion(&huge))).await;
    let judged = judge(&server).judge(&evidence()).await.unwrap();
    assert_unusable(&judged, "huge");
    assert!(judged.verdict.rationale.contains("too long"));
}

#[tokio::test]
async fn an_endpoint_that_asks_for_more_time_than_there_is_fails_at_once() {
    let server = answering(ResponseTemplate::new(429).insert_header("retry-after", "60")).await;
    let start = std::time::Instant::now();
    let failure = judge(&server).judge(&evidence()).await.unwrap_err();
    assert!(matches!(failure, JudgeFailure::Refused { status: 429, .. }), "{failure}");
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_slow_endpoint_times_out_and_the_embedded_judge_steps_in() {
    let server = answering(good().set_delay(Duration::from_secs(30))).await;
    let settings = EndpointSettings { timeout_ms: Some(300), ..settings(&server) };
    let settings = JudgeSettings { openai: settings, ..Policy::default().judge };
    let judges = JudgeSet::of(&settings, JudgeChoice::Asked(JudgeName::Openai), None).unwrap();
    let judgement = judges.ask(&evidence()).await;
    let JudgeOutcome::Degraded { verdict, failure } = judgement.outcome else { panic!("{judgement:?}") };
    assert_eq!(failure, JudgeFailure::TimedOut(300));
    assert_eq!(verdict.judge, "embedded");
}

#[tokio::test]
async fn retries_end_with_the_total_time() {
    let server = answering(ResponseTemplate::new(503).set_delay(Duration::from_millis(200))).await;
    let settings = EndpointSettings { timeout_ms: Some(900), retries: 100, ..settings(&server) };
    let start = std::time::Instant::now();
    AskedJudge::openai(settings).unwrap().judge(&evidence()).await.unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = answering(good()).await;
    let there = format!("{}/v1/chat/completions", elsewhere.uri());
    let server = answering(ResponseTemplate::new(307).insert_header("location", there.as_str())).await;
    let failure = judge(&server).judge(&evidence()).await.unwrap_err();
    assert!(matches!(failure, JudgeFailure::Refused { status: 307, .. }), "{failure}");
    assert!(requests(&elsewhere).await.is_empty());
}

#[tokio::test]
async fn a_closed_port_is_unreachable() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = EndpointSettings {
        base_url: format!("http://127.0.0.1:{port}"),
        model: "m".to_owned(),
        ..EndpointSettings::default()
    };
    let failure = AskedJudge::openai(settings).unwrap().judge(&evidence()).await.unwrap_err();
    assert!(matches!(failure, JudgeFailure::Unreachable(_)), "{failure}");
}

#[tokio::test]
async fn the_breaker_opens_and_one_call_tries_again_after_the_pause() {
    let server = answering_in_turn([vec![ResponseTemplate::new(401); 3], vec![good()]].concat()).await;
    let judge = judge(&server);
    for _ in 0..3 {
        judge.judge(&evidence()).await.unwrap_err();
    }
    let failure = judge.judge(&evidence()).await.unwrap_err();
    assert!(matches!(failure, JudgeFailure::BreakerOpen(_)), "{failure}");
    assert_eq!(requests(&server).await.len(), 3);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
    assert_eq!(judge.judge(&evidence()).await.unwrap().verdict.label, Label::Malicious);
}
