use proptest::prelude::*;

use super::{Entry, Node, Reading, Value, read};
use crate::base::Span;

/// A value on one line, as in JSON but without quotes.
fn shown(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(bool) => bool.to_string(),
        Value::Number(text) => format!("#{text}"),
        Value::Text(text) => text.replace('\n', "|"),
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => format!("{{{}}}", all_shown(entries)),
    }
}

fn all_shown(entries: &[Entry]) -> String {
    let one = |entry: &Entry| format!("{}: {}", entry.key.value, shown(&entry.value));
    entries.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Reads a file with this YAML between fences; gives the entries and the codes of the diagnostics.
#[track_caller]
fn check(yaml: &str, entries: &str, codes: &[&str]) {
    check_file(&format!("---\n{yaml}\n---\nbody\n"), entries, codes, "body\n");
}

#[track_caller]
fn check_file(text: &str, entries: &str, codes: &[&str], body: &str) {
    let reading = read(text);
    assert_eq!(all_shown(&reading.front_matter.entries), entries, "{text}");
    let found: Vec<&str> = reading.diagnostics.iter().map(|diagnostic| diagnostic.code.as_ref()).collect();
    assert_eq!(found, codes, "{text}\n{:?}", reading.diagnostics);
    assert_eq!(reading.body.of(text), Some(body), "{text}");
    check_promises(text, &reading);
}

#[test]
fn strict_yaml_keeps_types_order_and_unknown_keys() {
    check(
        "name: a\nversion: 1.10\non: true\nx-own: ~\nempty:",
        "name: a, version: #1.10, on: true, x-own: null, empty: null",
        &[],
    );
    check(
        "l: [a, 'b', {c: d}]\nm:\n  k: v\n  l:\n  - 1\n  - x",
        "l: [a, b, {c: d}], m: {k: v, l: [#1, x]}",
        &[],
    );
    check("d: >\n  one\n  two\n\nk: |\n  a\n  b", "d: one two|, k: a|b|", &[]);
    check("a: &x [1]\nb: *x\n<<: y", "a: [#1], b: [#1], <<: y", &[]);
    check("a: !!str 1\nb: \"\\u0041\"", "a: 1, b: A", &[]);
    check("{x: 1}: z\nTrue: y", "{x: 1}: z, True: y", &[]);
}

#[test]
fn spans_point_at_keys_and_values() {
    let text = "---\nname: 'é x' # c\nm:\n  - a\n  - b\n\nz: 1\n---\n";
    let front_matter = read(text).front_matter;
    let parts: Vec<_> = front_matter.entries.iter().map(|entry| entry.span().of(text).unwrap()).collect();
    assert_eq!(parts, ["name: 'é x'", "m:\n  - a\n  - b", "z: 1"]);
    assert_eq!(front_matter.comments, [Span::new(17, 20)]);
    assert_eq!(front_matter.span.of(text), Some(text));
    assert_eq!(front_matter.get("m").unwrap().value.span.of(text), Some("- a\n  - b"));
}

#[test]
fn values_that_yaml_refuses_are_read_as_agents_read_them() {
    check("name: a\ndescription: Use when: x", "name: a, description: Use when: x", &["front-matter-colon"]);
    check("description: \"a\": b", "description: \"a\": b", &["front-matter-colon"]);
    check("d: ends with:\nk: v", "d: ends with:, k: v", &["front-matter-colon"]);
    check("d: one\n  two: three\nk: v", "d: one two: three, k: v", &["front-matter-colon"]);
    check("argument-hint: [a] [b]\nk: v", "argument-hint: [a] [b], k: v", &["front-matter-unquoted"]);
    check("d: @here\nk: `x`", "d: @here, k: `x`", &["front-matter-unquoted", "front-matter-unquoted"]);
    check("d: 'it's'", "d: it's", &["front-matter-unquoted"]);
    check("d: *.py\nk: %x", "d: *.py, k: %x", &["front-matter-unquoted", "front-matter-unquoted"]);
    check("description: one\ntwo three\nk: v", "description: one two three, k: v", &["front-matter-wrapped"]);
    check("d: |\none\ntwo\nk: v", "d: one|two, k: v", &["front-matter-wrapped"]);
    check("m:\n\ta: 1\n\tb: 2\nk: v", "m: {a: #1, b: #2}, k: v", &["front-matter-tab"]);
    check("m:\n  a: x: y\n  b: [1]\nk: v", "m: {a: x: y, b: [#1]}, k: v", &["front-matter-colon"]);
    check("a b c\nk: v", "k: v", &["front-matter-invalid"]);
    check("- a\n- b", "", &["front-matter-invalid", "front-matter-invalid"]);
    check("l:\n  - [a\n  - b\nk: v", "l: - [a - b, k: v", &["front-matter-invalid"]);
}

#[test]
fn repairs_say_where_and_how() {
    let text = "---\nname: é\ndescription: Use: when\n---\n";
    let reading = read(text);
    let diagnostic = &reading.diagnostics[0];
    assert_eq!(diagnostic.span.unwrap(), Span::new(29, 30));
    assert_eq!(diagnostic.span.unwrap().of(text), Some(":"));
    assert!(diagnostic.help.as_ref().unwrap().contains("double quotes"));
    assert!(reading.front_matter.repaired);
}

#[test]
fn fences_are_found_as_loaders_find_them() {
    let a = "a: b";
    check_file("\u{feff}---\na: b\n---\nx", a, &["front-matter-bom"], "x");
    check_file("---\r\na: b\r\n---\r\nx", a, &["front-matter-crlf"], "x");
    check_file("--- \na: b\n---\t\nx", a, &["fence-space", "fence-space"], "x");
    check_file("\n \n---\na: b\n---\nx", a, &["front-matter-late"], "x");
    check_file("---\na: b\n---", a, &[], "");
    check_file("---\n---\nx", "", &["front-matter-empty"], "x");
    check_file("---\n\n---\nx", "", &["front-matter-empty"], "x");
    check_file("---\na: b\n\nx\n", a, &["front-matter-unclosed"], "\nx\n");
    check_file("---\na: |\n  b\n# x", "a: b|", &["front-matter-unclosed"], "");
    check_file("---\na: |\n  x\n  ---\n  y\n---\nx", "a: x|---|y|", &["inner-fence"], "x");
    check_file("---\na: b\n---\n\n---\nc: d\n---\nx", a, &["front-matter-second"], "\n---\nc: d\n---\nx");
    check_file("---\na: b\n---\n\n---\n\nx", a, &[], "\n---\n\nx");
    check_file("\u{feff}x", "", &[], "x");
    for none in
        ["", "---", "---\n", "# x\n---\na: b\n---\n", "---\n\n# rule\n", "----\na: b\n----\n", "--- a: b ---"]
    {
        check_file(none, "", &[], none);
    }
}

#[test]
fn what_loaders_disagree_about_is_said() {
    check("a: 1\na: 2", "a: #1, a: #2", &["front-matter-duplicate"]);
    let text = "---\na: 1\na: 2\n---\n";
    assert_eq!(read(text).front_matter.get("a").unwrap().value.scalar(), Some("2"));
    check(
        "a: !own x\nb: !!python/object:os.system x",
        "a: x, b: x",
        &["front-matter-tag", "front-matter-tag"],
    );
}

#[test]
fn bombs_are_refused_quickly() {
    let bomb = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned(), |yaml, n| {
        let alias = format!("*a{}", n - 1);
        format!("{yaml}a{n}: &a{n} [{}]\n", [alias.as_str(); 8].join(", "))
    });
    let deep_flow = format!("a: {}", "[".repeat(50_000));
    let deep_block = (0..300).fold(String::new(), |yaml, depth| format!("{yaml}{}a:\n", " ".repeat(depth)));
    let dashes = format!("a: {}", "- ".repeat(50_000));
    let many = "a: b: c\n".repeat(20_000);
    let comments = "# c\n".repeat(50_000);
    for yaml in [bomb, deep_flow, deep_block, dashes, many, format!("{comments}a: b")] {
        let text = format!("---\n{yaml}\n---\n");
        let reading = read(&text);
        check_promises(&text, &reading);
        assert!(reading.diagnostics.len() <= 2 * super::MOST_REPAIRS + 2);
    }
    let large = format!("---\na: {}\n---\nx", "y".repeat(super::LARGEST));
    check_file(&large, "", &["front-matter-large"], "x");
}

/// Every span lies in the text, between characters.
#[track_caller]
fn check_promises(text: &str, reading: &Reading) {
    let is_in = |span: Span| assert!(span.of(text).is_some(), "{span:?} in {text:?}");
    let front_matter = &reading.front_matter;
    [front_matter.span, front_matter.yaml, reading.body].into_iter().for_each(is_in);
    front_matter.comments.iter().copied().for_each(is_in);
    reading.diagnostics.iter().filter_map(|diagnostic| diagnostic.span).for_each(is_in);
    check_entries(&front_matter.entries, &is_in);
    assert!(front_matter.span.covers(front_matter.yaml));
    assert!(front_matter.span.end <= reading.body.start);
}

fn check_entries(entries: &[Entry], is_in: &impl Fn(Span)) {
    for entry in entries {
        is_in(entry.key.span);
        check_node(&entry.value, is_in);
    }
}

fn check_node(node: &Node, is_in: &impl Fn(Span)) {
    is_in(node.span);
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| check_node(item, is_in)),
        Value::Map(entries) => check_entries(entries, is_in),
        _ => {}
    }
}

fn yaml() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n  "),
        Just("\n\t"),
        Just(": "),
        Just(":"),
        Just("- "),
        Just("key"),
        Just("é"),
        Just("'"),
        Just("\""),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just("|"),
        Just(">"),
        Just("#"),
        Just(" "),
        Just("&a "),
        Just("*a"),
        Just("!t "),
        Just("? "),
        Just("---"),
        Just("..."),
        Just("%"),
        Just("@"),
        Just("\r"),
        Just("1"),
        Just("\u{feff}"),
        Just("\0"),
        Just("name: x\n"),
        Just("\u{2028}"),
        Just("~"),
        Just(", "),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_front_matter_breaks_a_promise(yaml in yaml(), start in prop_oneof![Just("---\n"), Just("\u{feff}--- \r\n"), Just("\n---\n")]) {
        for text in [format!("{start}{yaml}\n---\nbody"), format!("{start}{yaml}")] {
            check_promises(&text, &read(&text));
        }
    }
}
