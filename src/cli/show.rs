//! How values look on a terminal: tables, times, colours, other people's text.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Row, Table, presets};
use jiff::Timestamp;

use crate::base::printable;
use crate::gate::policy::{PolicyFile, PolicyLine};
use crate::gate::{Action, Policy};

/// A table without lines between rows, as wide as the terminal allows.
pub(crate) fn table(heads: impl Into<Row>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads);
    table
}

/// Writes a table without the blanks at its lines' ends.
pub(crate) fn write_table(out: &mut dyn Write, table: &Table) -> std::io::Result<()> {
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A moment in UTC, to the second, as the log has it and `audit --since` takes it.
pub(crate) fn time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// How many there are of something: `1 unit`, `2 units`.
pub(crate) fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {one}{plural}")
}

/// The colour of an action. Its name always stands there too.
pub(crate) fn style(action: Action) -> Style {
    let color = match action {
        Action::Allow => AnsiColor::Green,
        Action::Warn => AnsiColor::Yellow,
        Action::Quarantine => AnsiColor::Magenta,
        Action::Block => AnsiColor::Red,
    };
    color.on_default().bold()
}

/// Other people's text on one line, made safe and cut to `width` characters.
pub(crate) fn clip(text: &str, width: usize) -> String {
    let cut: String = text.chars().take(width + 1).collect();
    let safe = printable(&cut);
    if safe.chars().count() <= width {
        safe.into_owned()
    } else {
        safe.chars().take(width - 1).chain(['…']).collect()
    }
}

/// Other people's text on several lines, each made safe and indented.
pub(crate) fn block(out: &mut dyn Write, text: &str, indent: &str) -> std::io::Result<()> {
    for line in text.lines() {
        writeln!(out, "{indent}{}", printable(line))?;
    }
    Ok(())
}

/// The line of policy that decided, in the file that was read, and the reason that stands there.
pub(crate) fn policy_line(line: &PolicyLine, policy: &Policy, file: Option<&Path>) -> String {
    let place = match (line.file, line.line, file) {
        (PolicyFile::User, Some(number), Some(file)) => {
            format!("{}:{number} {}", printable(&file.to_string_lossy()), line.key)
        }
        _ => line.to_string(),
    };
    match policy.reason(&line.key) {
        Some(reason) => format!("{place}: {}", printable(reason)),
        None => place,
    }
}

/// One fact of a list: its name, and the value beside it on one line.
pub(crate) fn fact(out: &mut dyn Write, name: &str, value: &str) -> std::io::Result<()> {
    // As wide as the longest name that is shown so, `server_digest`.
    writeln!(out, "{name:<14}{}", printable(value))
}

/// Our own words on lines of about 100 characters, each indented.
pub(crate) fn paragraph(out: &mut dyn Write, text: &str, indent: &str) -> std::io::Result<()> {
    const WIDTH: usize = 100;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.len() + word.len() >= WIDTH {
            writeln!(out, "{indent}{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{indent}{line}")
}

/// Microseconds as people read them.
pub(crate) fn elapsed(microseconds: u64) -> String {
    match microseconds {
        0..1_000 => format!("{microseconds} µs"),
        1_000..1_000_000 => format!("{:.1} ms", microseconds as f64 / 1e3),
        _ => format!("{:.1} s", microseconds as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn clipped_text_is_safe_and_short() {
        assert_eq!(super::clip("a\u{1b}[2Jb", 40), "a\\u{1b}[2Jb");
        assert_eq!(super::clip("abcdef", 4), "abc…");
        assert_eq!(super::clip("abcd", 4), "abcd");
    }

    #[test]
    fn paragraphs_break_between_words() {
        let mut out = Vec::new();
        super::paragraph(&mut out, &"word ".repeat(30), "  ").unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.len() == 2 && lines.iter().all(|line| line.starts_with("  word") && line.len() <= 102),
            "{text}"
        );
        assert_eq!(text.split_whitespace().count(), 30);
    }
}
