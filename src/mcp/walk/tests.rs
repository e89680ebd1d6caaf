use proptest::prelude::*;
use serde_json::Value;

use super::{Event, Walker};

/// Every key and string with its path, as the walk gives them; nothing where it says the bytes are no JSON.
fn strings(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let mut walker = Walker::new(bytes);
    let mut strings = Vec::new();
    while let Some(event) = walker.next().ok()? {
        match event {
            Event::Text(text) => strings.push((walker.path(), text.into_owned())),
            Event::Key(key) => strings.push((format!("{} =", walker.path()), key.into_owned())),
            _ => {}
        }
    }
    Some(strings)
}

fn codes(bytes: &[u8]) -> Vec<String> {
    let mut walker = Walker::new(bytes);
    while let Ok(Some(_)) = walker.next() {}
    walker.into_anomalies().into_iter().map(|found| format!("{} {}", found.code, found.path)).collect()
}

fn is_json(text: &str) -> bool {
    strings(text.as_bytes()).is_some()
}

#[test]
fn paths_name_the_way_to_each_string() {
    let found = strings(br#"{"a":[1,{"b":"x"}],"c.d":{"":"y"},"e":"z"}"#).unwrap();
    let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
    let expected =
        ["a =", "a[1].b =", "a[1].b", "[\"c.d\"] =", "[\"c.d\"][\"\"] =", "[\"c.d\"][\"\"]", "e =", "e"];
    assert_eq!(paths, expected);
}

#[test]
fn what_is_no_json_is_broken() {
    for text in
        ["", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{,}", "[1 2]", "{} {}", "[}", "]", "{\"a\":1,}", "\"x"]
    {
        assert!(!is_json(text), "{text}");
    }
    for text in ["{}", "[]", "1", " [ {} , [] ] \r", "\"x\"", "{\"a\":NaN}", "\u{feff}{}"] {
        assert!(is_json(text), "{text}");
    }
}

#[test]
fn anomalies_name_their_place() {
    let check = |text: &[u8], expected: &[&str]| assert_eq!(codes(text), expected);
    check(br#"{"x":{"a":1,"b":2,"\u0061":3}}"#, &["duplicate-key x.a"]);
    check(br#"{"Id":1,"id":2}"#, &["duplicate-top-level-key id"]);
    check(br#"{"x":{"Id":1,"id":2}}"#, &[]);
    check(br#"[{"a":1},{"a":1}]"#, &[]);
    check(b"\xef\xbb\xbf{}", &["byte-order-mark "]);
    check(b"{\"a\":\"\x07\"}", &["raw-control a"]);
    check(b"{\"a\":1,\r\"b\":2}", &["raw-control "]);
    check(b"{\"a\":[\"\xff\"]}", &["invalid-utf8 a[0]"]);
    check(br#"["\ud800"]"#, &["lone-surrogate [0]"]);
    check(br"[-Infinity]", &["not-a-number [0]"]);
}

#[test]
fn deep_nesting_is_read_and_told_and_bounded() {
    let nested = |depth: usize| format!("{}\"x\"{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(codes(nested(128).as_bytes()), Vec::<String>::new());
    assert_eq!(codes(nested(129).as_bytes()).len(), 1);
    assert_eq!(strings(nested(super::DEEPEST).as_bytes()).unwrap().len(), 1);
    assert!(strings(nested(super::DEEPEST + 1).as_bytes()).is_none());
}

#[test]
fn paths_stay_short_whatever_the_keys() {
    let key = "k".repeat(100_000);
    let text = format!("{}1{}", format!("{{\"{key}\":").repeat(50), "}".repeat(50));
    let mut walker = Walker::new(text.as_bytes());
    while let Ok(Some(_)) = walker.next() {
        assert!(walker.path().len() < 600);
    }
}

/// The same list by way of serde.
fn collect(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, strings)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            strings.push(key.clone());
            collect(value, strings);
        }),
        _ => {}
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn agrees_with_serde_on_valid_json(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let mut expected = Vec::new();
        collect(&value, &mut expected);
        let found: Vec<_> = strings(text.as_bytes()).unwrap().into_iter().map(|(_, text)| text).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn reads_all_that_serde_reads(text in "[\\[\\]{}:,\"\\\\ntu0-9.eE+-]{0,24}") {
        if serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok() {
            prop_assert!(is_json(&text));
        }
    }

    #[test]
    fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = strings(&bytes);
        let _ = codes(&bytes);
    }

    #[test]
    fn never_panics_on_near_json(text in "([\\[\\]{}:,\"]|\\\\u[dD][89abcdefAB][0-9]{2}|\\\\|x|1){0,40}") {
        let _ = codes(text.as_bytes());
    }
}
