use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ERROR_CODE, Envelope, Era, Notice, Question, Refusal, Side, VERDICT_KEY, refused, warned};

fn notice() -> Notice {
    Notice {
        id: "c1".to_owned(),
        rules: vec!["EXFIL-001".to_owned()],
        categories: vec!["exfiltration".to_owned()],
    }
}

fn question(side: Side, raw: &str, method: &str, era: Era) -> Question {
    let Envelope { kind, id, .. } = Envelope::read(raw.as_bytes());
    let (method, target, anomalies) = (method.to_owned(), String::new(), Vec::new());
    Question { side, kind, method, target, era, id, anomalies }
}

fn refuse(raw: &str, method: &str, era: Era) -> Option<Value> {
    let line = refused(&question(Side::Server, raw, method, era), Refusal::Block, &notice())?;
    Some(serde_json::from_slice(&line).unwrap())
}

fn warn(raw: &str, method: &str) -> String {
    String::from_utf8(warned(&Envelope::read(raw.as_bytes()), method, &notice())).unwrap()
}

const EVIL: &str = r#"{"jsonrpc":"2.0","id":"a\u0031","result":{"content":[{"type":"text","text":"EVIL"}]}}"#;

#[test]
fn a_refused_tool_answer_is_a_result_that_the_model_reads() {
    let reply = refuse(EVIL, "tools/call", Era::Legacy).unwrap();
    assert_eq!(reply["id"], "a1");
    assert_eq!(reply["result"]["isError"], true);
    assert_eq!(reply["result"]["content"].as_array().map(Vec::len), Some(1));
    assert_eq!(reply["result"].get("resultType"), None);
    assert_eq!(reply["result"]["_meta"][VERDICT_KEY]["rules"], json!(["EXFIL-001"]));
    assert_eq!(refuse(EVIL, "tools/call", Era::Modern).unwrap()["result"]["resultType"], "complete");
}

#[test]
fn every_other_refused_answer_is_an_error_of_our_own_code() {
    for method in ["resources/read", "prompts/get", "initialize", "vendor/x"] {
        let reply = refuse(EVIL, method, Era::Modern).unwrap();
        assert_eq!(reply["error"]["code"], ERROR_CODE);
        assert_eq!(reply["error"]["data"]["skillgate"]["action"], "block");
        assert_eq!(reply.get("result"), None);
    }
    assert!(!(-32_768..=-32_000).contains(&ERROR_CODE));
}

#[test]
fn the_answer_keeps_the_bytes_of_the_id_and_no_word_of_the_server() {
    let line =
        refused(&question(Side::Server, EVIL, "tools/call", Era::Legacy), Refusal::Quarantine, &notice());
    let line = String::from_utf8(line.unwrap()).unwrap();
    assert!(line.contains(r#""id":"a\u0031""#) && !line.contains("EVIL"));
}

#[test]
fn a_refused_request_is_answered_and_a_notification_is_not() {
    let request = r#"{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{}}"#;
    let reply = refuse(request, "sampling/createMessage", Era::Legacy).unwrap();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(5), &json!(ERROR_CODE)));
    assert_eq!(
        refuse(r#"{"jsonrpc":"2.0","method":"notifications/message"}"#, "notifications/message", Era::Legacy),
        None
    );
    let stray = refuse(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#, "tools/call", Era::Legacy).unwrap();
    assert_eq!((&stray["id"], &stray["error"]["code"]), (&Value::Null, &json!(ERROR_CODE)));
}

#[test]
fn a_refused_call_of_the_agent_is_answered_as_a_tool_would_and_says_what_was_kept() {
    let call =
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t","arguments":{"a":"EVIL"}}}"#;
    for refusal in [Refusal::Block, Refusal::TooLong, Refusal::Unscreened] {
        let line =
            refused(&question(Side::Client, call, "tools/call", Era::Modern), refusal, &notice()).unwrap();
        let reply: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(5), &json!(true)));
        let text = reply["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("This message") && text.contains("send it another way"), "{text}");
    }
    let read = r#"{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"u:v"}}"#;
    let line =
        refused(&question(Side::Client, read, "resources/read", Era::Legacy), Refusal::Block, &notice());
    let reply: Value = serde_json::from_slice(&line.unwrap()).unwrap();
    assert_eq!(reply["error"]["code"], ERROR_CODE);
}

#[test]
fn a_warning_changes_nothing_else() {
    let raw = r#" {"id": 1.0,"result":{ "content":[ {"type":"text","text":"\u0041"} ],"structuredContent":{"n":1e2} }, "jsonrpc":"2.0"}"#;
    let marked = warn(raw, "tools/call");
    let verdict = notice().verdict("warn").to_string();
    let block = json!({ "type": "text", "text": notice().warned() }).to_string();
    let expected = raw
        .replace(r#""\u0041"}"#, &format!(r#""\u0041"}},{block}"#))
        .replace("1e2}", &format!(r#"1e2}},"_meta":{{"{VERDICT_KEY}":{verdict}}}"#));
    assert_eq!(marked, expected);
    let read = warn(raw, "resources/read");
    assert!(!read.contains(&block) && read.contains(&verdict));
}

#[test]
fn marks_of_others_are_taken_out() {
    let check = |meta: &str, left: &str| {
        let marked = warn(&format!(r#"{{"id":1,"result":{{"_meta":{meta}}}}}"#), "prompts/get");
        let verdict = notice().verdict("warn");
        let expected = format!(r#"{{"id":1,"result":{{"_meta":{{"{VERDICT_KEY}":{verdict}{left}}}}}}}"#);
        assert_eq!(marked, expected);
    };
    check("{}", "");
    check(r#"{"a":1}"#, r#","a":1"#);
    check(r#"{"skillgate/verdict":{"action":"allow"}}"#, "");
    check(r#"{"skillgate/verdict":1,"a":2,"SKILLGATE/x":3,"b":4}"#, r#","a":2,"b":4"#);
    check("null", "");
}

#[test]
fn requests_notifications_and_errors_are_marked_where_there_is_a_place() {
    assert!(
        warn(r#"{"method":"notifications/message","params":{"data":"x"}}"#, "")
            .contains(r#""_meta":{"skillgate/"#)
    );
    assert!(
        warn(r#"{"id":1,"error":{"code":1,"message":"m"}}"#, "")
            .contains(r#""message":"m","data":{"skillgate":"#)
    );
    assert!(warn(r#"{"id":1,"error":{"code":1,"data":{"a":1}}}"#, "").contains(r#"{"a":1,"skillgate":"#));
    for raw in [
        r#"{"id":1,"error":{"data":"text"}}"#,
        r#"{"id":1,"result":"x"}"#,
        r#"{"method":"m"}"#,
        "[]",
        "no json",
    ] {
        assert_eq!(warn(raw, "tools/call"), raw);
    }
}

proptest! {
    #[test]
    fn a_warned_result_is_json_and_else_the_same(
        members in prop::collection::btree_map("[a-c]|_meta|content", 0..3_usize, 0..5),
        pretty in any::<bool>(),
    ) {
        let value = |kind: usize| match kind {
            0 => json!({ "x": [1, "y"] }),
            1 => json!([{ "type": "text", "text": "t" }]),
            _ => json!("s"),
        };
        let result: serde_json::Map<_, _> = members.into_iter().map(|(key, kind)| (key, value(kind))).collect();
        let message = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        let raw = if pretty { serde_json::to_string_pretty(&message) } else { serde_json::to_string(&message) }.unwrap();
        let marked: Value = serde_json::from_str(&warn(&raw, "tools/call")).unwrap();
        prop_assert_eq!(&marked["result"]["_meta"][VERDICT_KEY]["action"], "warn");
        for (key, before) in &result {
            let after = &marked["result"][key];
            match (key.as_str(), before) {
                ("_meta", Value::Object(before)) => prop_assert!(before.iter().all(|(key, value)| after[key] == *value)),
                ("_meta", _) => {}
                ("content", Value::Array(before)) => prop_assert_eq!(&after.as_array().unwrap()[..before.len()], &before[..]),
                _ => prop_assert_eq!(after, before),
            }
        }
    }
}
