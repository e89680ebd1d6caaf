//! The README's first command, as a stranger runs it, and the picture of it.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads files and fails by panicking"
)]

use std::fmt::Write;
use std::path::Path;

use assert_cmd::Command;
use regex::Regex;

fn demo() -> String {
    let temporary = tempfile::tempdir().unwrap();
    let output = Command::cargo_bin("skillgate")
        .unwrap()
        .arg("demo")
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let left: Vec<_> = temporary.path().read_dir().unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    said
}

#[test]
fn the_demo_shows_what_passes_and_what_does_not_and_is_what_the_picture_shows() {
    let said = demo();
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("  a")).collect();
    let actions = ["ALLOW", "WARN", "BLOCK", "BLOCK"];
    assert!(lines.iter().zip(actions).all(|(line, action)| line.contains(action)), "{said}");
    assert!(
        said.contains("2 kept from the agent, 1 passed with a warning, 1 passed byte for byte."),
        "{said}"
    );
    assert!(!said.contains('\u{1b}'), "no colours into a pipe");

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/demo.svg");
    if std::env::var_os("DRAW").is_some() {
        std::fs::write(&file, drawn(&said)).unwrap();
    }
    let shown = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        lasting(&shown),
        lasting(&drawn(&said)),
        "the picture is not what the demo says: `DRAW=1 cargo test --release --test demo` draws it anew"
    );
}

/// The picture without what is another each time: times, and the ids of decisions, whose order in the quarantine is theirs.
fn lasting(picture: &str) -> Vec<String> {
    let time = Regex::new(r" +[0-9.]+ (?:µs|ms|s)\b").unwrap();
    let id = Regex::new(r"\b[a-z0-9]{12}\b").unwrap();
    let mut lines: Vec<String> = picture
        .lines()
        .map(|line| id.replace_all(&time.replace(line, " TIME"), "ID").into_owned())
        .map(|line| Regex::new(r#" y="\d+""#).unwrap().replace(&line, "").into_owned())
        .collect();
    lines.sort_unstable();
    lines
}

const LINE: usize = 20;
const LEFT: usize = 20;
/// Of a character at 14 px, about, in hundredths.
const WIDTH: usize = 843;

/// What was printed as a picture of a terminal.
fn drawn(said: &str) -> String {
    let lines: Vec<String> = ["$ skillgate demo", ""].into_iter().chain(said.lines()).map(escaped).collect();
    let columns = said.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (2 * LEFT + columns * WIDTH / 100, (lines.len() + 2) * LINE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; \
         fill: #c5c8c6; white-space: pre }} .a {{ fill: #98a84b; font-weight: bold }} \
         .w {{ fill: #d0b344; font-weight: bold }} .b {{ fill: #cc555a; font-weight: bold }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#292929\"/>\n"
    );
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let line = [("ALLOW", 'a'), ("WARN", 'w'), ("BLOCK", 'b')].iter().fold(
            line.clone(),
            |line, (action, class)| {
                let word = Regex::new(&format!(r"\b{action}(  +\d)")).unwrap();
                let marked = format!("<tspan class=\"{class}\">{action}</tspan>$1");
                word.replace(&line, marked).into_owned()
            },
        );
        writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{line}</text>", (number + 2) * LINE).unwrap();
    }
    svg + "</svg>\n"
}

fn escaped(line: &str) -> String {
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
