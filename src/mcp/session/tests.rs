use super::{Dropped, Fate, Question, Refusal, ScreenList, Session, Side, Step};
use proptest::prelude::*;

use crate::mcp::frame::{Frame, Framer};
use crate::mcp::{Envelope, Era, Line, MessageKind, Notice, Ruling, deliver, items, reply};

/// One word per step: `pass`, `drop`, or for each part its fate, method, target, era and anomalies.
fn show(step: &Step) -> String {
    match step {
        Step::Drop(Dropped::Blank) => "blank".to_owned(),
        Step::Drop(Dropped::Noise(_)) => "noise".to_owned(),
        Step::Pass(_) => "pass".to_owned(),
        Step::Judge(parts, _) => {
            let shown = parts.iter().map(|part| {
                let question = &part.question;
                let fate = match part.fate {
                    Fate::Pass => "pass".to_owned(),
                    Fate::Ask => "ask".to_owned(),
                    Fate::Refuse(refusal) => refusal.name().to_owned(),
                };
                let Question { method, target, era, .. } = question;
                let codes = question.anomalies.iter().map(|code| code.name());
                let told = format!("{fate} {method} {target} {era:?}");
                std::iter::once(told.as_str()).chain(codes).collect::<Vec<_>>().join(" ")
            });
            shown.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Runs lines, each with its sender (`>` the client, `<` the server), and compares what is done with each.
fn check(session: &mut Session, lines: &[(&str, &str)]) {
    for (line, expected) in lines {
        let (side, message) = match line.split_at(1) {
            (">", message) => (Side::Client, message),
            (_, message) => (Side::Server, message),
        };
        assert_eq!(show(&session.line(side, message.as_bytes())), *expected, "{line}");
    }
}

const ANSWER: &str = r#"<{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}]}}"#;

#[test]
fn an_answer_is_known_by_its_request() {
    check(
        &mut Session::default(),
        &[
            (r#">{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}"#, "pass"),
            (ANSWER, "ask tools/call echo Legacy"),
            (ANSWER, "ask unknown  Legacy unknown-id"),
            (r#">{"jsonrpc":"2.0","id":"1","method":"resources/read","params":{"uri":"a:b"}}"#, "pass"),
            (ANSWER, "ask unknown  Legacy unknown-id"),
            (
                r#"<{"jsonrpc":"2.0","id":"1","error":{"code":-32002,"message":"none"}}"#,
                "ask resources/read a:b Legacy",
            ),
        ],
    );
}

#[test]
fn eras_are_those_of_the_request() {
    let modern = r#">{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    check(&mut Session::default(), &[(modern, "pass"), (ANSWER, "ask tools/call t Modern")]);
}

#[test]
fn the_two_sides_have_ids_of_their_own() {
    check(
        &mut Session::default(),
        &[
            (r#">{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p"}}"#, "pass"),
            (
                r#"<{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"systemPrompt":"s"}}"#,
                "ask sampling/createMessage  Legacy",
            ),
            (r#">{"jsonrpc":"2.0","id":1,"result":{"content":{"type":"text","text":"x"}}}"#, "pass"),
            (ANSWER, "ask prompts/get p Legacy"),
        ],
    );
}

#[test]
fn what_carries_no_text_passes_without_a_question() {
    check(
        &mut Session::default(),
        &[
            (r#">{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "pass"),
            (r#"<{"jsonrpc":"2.0","id":1,"result":{}}"#, "pass"),
            (r#"<{"jsonrpc":"2.0","id":5,"method":"roots/list"}"#, "pass"),
            (r#"<{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#, "pass"),
            (
                r#"<{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}"#,
                "pass",
            ),
            (
                r#"<{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2,"message":"m"}}"#,
                "ask notifications/progress  Legacy",
            ),
            (r#"<{"jsonrpc":"2.0","id":7,"result":{}}"#, "ask unknown  Legacy unknown-id"),
            (r#"<{"id":5,"method":"roots/list"}"#, "ask roots/list  Legacy missing-version"),
        ],
    );
}

#[test]
fn a_cancelled_request_is_freed_and_its_late_answer_still_known() {
    let mut session = Session::default();
    check(
        &mut session,
        &[
            (r#">{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}"#, "pass"),
            (r#">{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, "pass"),
        ],
    );
    assert_eq!(session.waiting(), 0);
    check(
        &mut session,
        &[(ANSWER, "ask tools/call slow Legacy"), (ANSWER, "ask unknown  Legacy unknown-id")],
    );
}

#[test]
fn two_requests_under_one_id_are_told() {
    let call = |tool: &str| {
        format!(r#">{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}"}}}}"#)
    };
    check(
        &mut Session::default(),
        &[
            (&call("a"), "pass"),
            (&call("b"), "pass"),
            (ANSWER, "ask tools/call a Legacy duplicate-in-flight-id"),
            (ANSWER, "ask tools/call b Legacy duplicate-in-flight-id"),
            (&call("c"), "pass"),
            (ANSWER, "ask tools/call c Legacy"),
        ],
    );
}

#[test]
fn batches_are_decided_message_by_message() {
    check(
        &mut Session::default(),
        &[
            (
                r#">[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
                "pass",
            ),
            (
                r#"<[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"x"}]}}]"#,
                "pass ping  Legacy; ask tools/call t Legacy",
            ),
        ],
    );
}

#[test]
fn noise_of_the_server_is_dropped_and_the_agent_is_believed() {
    check(
        &mut Session::default(),
        &[
            ("<Server running on stdio", "noise"),
            ("<{\"cut", "noise"),
            ("<  \r", "blank"),
            (">not json", "pass"),
            (">{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}", "pass"),
            ("<\"text alone\"", "noise"),
            ("<{\"text\":\"alone\"}", "ask unknown  Legacy missing-version"),
        ],
    );
}

#[test]
fn switched_off_methods_pass_but_never_strays() {
    let mut session = Session::new(ScreenList::new(["arguments"]));
    check(
        &mut session,
        &[
            (
                r#">{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"b"}}}"#,
                "ask tools/call t Legacy",
            ),
            (ANSWER, "pass"),
            (ANSWER, "ask unknown  Legacy unknown-id"),
        ],
    );
}

#[test]
fn calls_to_withheld_tools_are_refused() {
    let list =
        |tools: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tools}]}}}}"#).into_bytes();
    let both = list(r#"{"name":"bad"},{"name":"good"}"#);
    let mut session = Session::default();
    session.tools_listed(&both, &list(r#"{"name":"good"}"#));
    check(
        &mut session,
        &[
            (
                r#">{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bad"}}"#,
                "withheld tools/call bad Legacy",
            ),
            (r#">{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"good"}}"#, "pass"),
            (r#">{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"bad"}}"#, "pass"),
        ],
    );
    assert_eq!(session.waiting(), 2);
    session.tools_listed(&both, &both);
    check(
        &mut session,
        &[(r#">{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"bad"}}"#, "pass")],
    );
}

#[test]
fn what_cannot_be_read_is_refused_under_its_id() {
    let mut session = Session::default();
    check(
        &mut session,
        &[(r#">{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#, "pass")],
    );
    let mut framer = Framer::new(50);
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"{}\"}}\n", "x".repeat(99));
    let Some(Frame::TooLong(long)) = framer.push(long.as_bytes()).pop() else { panic!("not too long") };
    assert_eq!(show(&session.too_long(Side::Server, &long)), "too-long tools/call t Legacy");
    let deep =
        format!("<{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"x/y\",\"params\":{}", "[".repeat(20_000));
    check(&mut session, &[(&deep, "unreadable x/y  Legacy")]);
    assert_eq!(Refusal::Unreadable.name(), "unreadable");
    let hidden = format!("{{\"result\":\"{0}\",\"id\":1,\"x\":\"{0}\"}}\n", "x".repeat(99_000));
    let Some(Frame::TooLong(hidden)) = framer.push(hidden.as_bytes()).pop() else { panic!("not too long") };
    let Step::Judge(parts, _) = session.too_long(Side::Server, &hidden) else { panic!("not judged") };
    let sent = deliver(Vec::new(), &parts, vec![Ruling::Refuse(Refusal::TooLong)]).onward.unwrap();
    assert!(sent.starts_with(br#"{"jsonrpc":"2.0","id":null,"error":"#));
}

/// Messages of random members, alone or in a list, and what only looks like one.
const LINE: &str = concat!(
    r#"(\[|\[1,|)\{("id":(1|"a"|null),|"method":"(tools/call|x y)",|"result":(\{\}|\{"tools":\[\{\}\]\}|"t"),|"#,
    r#""error":(\{\}|1),|"params":\{"_meta":\{\}\},|"_meta":1,|"text":"a b",){0,5}"jsonrpc":"2\.0"\}(\]|)"#
);

proptest! {
    #[test]
    fn no_line_is_lost_and_nothing_panics(
        lines in prop::collection::vec(
            (any::<bool>(), LINE),
            0..8,
        ),
    ) {
        let mut session = Session::default();
        for (from_client, line) in &lines {
            let side = if *from_client { Side::Client } else { Side::Server };
            let Step::Judge(parts, _) = session.line(side, line.as_bytes()) else { continue };
            let refusals = vec![Ruling::Refuse(Refusal::Block); parts.len()];
            let answered = parts.iter().filter(|part| {
                !matches!(part.question.kind, MessageKind::Notification | MessageKind::Unknown)
            });
            let expected = answered.count();
            let delivery = deliver(line.clone().into_bytes(), &parts, refusals);
            let sent: Vec<_> = delivery.back.into_iter().chain(delivery.onward).collect();
            for message in &sent {
                prop_assert!(serde_json::from_slice::<serde_json::Value>(message).is_ok());
            }
            prop_assert!(sent.len() <= expected && sent.is_empty() == (expected == 0));
            for part in &parts {
                let message = Envelope::read(&line.as_bytes()[part.range.clone()]);
                let marked = reply::warned(&message, &part.question.method, &Notice::default());
                prop_assert!(marked.len() >= message.raw.len());
                let is_message = |line: &[u8]| matches!(Line::read(line), Line::Single(_) | Line::Batch(_));
                prop_assert_eq!(is_message(&marked), is_message(message.raw));
                let _ = items::without("tools/list", Era::Modern, message.raw, &[0]);
            }
        }
    }
}
