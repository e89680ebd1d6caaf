//! `skillgate audit`: what was decided, and whether the log is whole.

mod describe;

use std::cmp::Reverse;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::{Args, Subcommand};
use jiff::Timestamp;

use self::describe::done;
pub(crate) use self::describe::{describe, known_rules};
use super::{Exit, show};
use crate::base::printable;
use crate::gate::{Action, Origin};
use crate::io::Home;
use crate::io::audit::{self, DecisionRecord, Entry, Event, Line, Lines};
use crate::mcp::Side;

/// Show what was decided, and check that the log is whole.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    command: Option<AuditCommand>,
    #[command(flatten)]
    list: ListArgs,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    /// List decisions and events, oldest first (the default)
    List(ListArgs),
    /// Show one decision whole
    Show {
        /// The decision's id
        id: String,
        /// Print the line of the log as it is
        #[arg(long)]
        json: bool,
    },
    /// Check the chain from the first line to the head; exit 1 where it is broken
    Verify {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only the last N lines that fit
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    last: usize,
    /// Only decisions with this action: allow, warn, quarantine or block
    #[arg(long, value_parser = parse_action)]
    action: Option<Action>,
    /// Only what concerns this agent
    #[arg(long)]
    agent: Option<String>,
    /// Only what concerns this server
    #[arg(long)]
    server: Option<String>,
    /// Only what concerns this method (`tools/call`, …)
    #[arg(long)]
    method: Option<String>,
    /// Only decisions in which this rule matched
    #[arg(long)]
    rule: Option<String>,
    /// Only what was written at or after this time (UTC), such as 2025-01-31 or 2025-01-31T09:00:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    since: Option<Timestamp>,
    /// Leave events out
    #[arg(long)]
    no_events: bool,
    /// Print the lines of the log as they are
    #[arg(long)]
    json: bool,
}

fn parse_time(text: &str) -> Result<Timestamp, String> {
    // A date alone is its first moment.
    text.parse().or_else(|_| format!("{text}T00:00:00Z").parse()).map_err(|_: jiff::Error| {
        "it takes a date (UTC), or date and time with a zone, such as 2025-01-31 or 2025-01-31T09:00:00Z"
            .to_owned()
    })
}

fn parse_action(text: &str) -> Result<Action, String> {
    [Action::Allow, Action::Warn, Action::Quarantine, Action::Block]
        .into_iter()
        .find(|action| action.name() == text)
        .ok_or_else(|| "it takes allow, warn, quarantine or block".to_owned())
}

/// Runs the command.
pub(crate) fn run(arguments: AuditArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let folder = Home::locate()?.logs();
    match arguments.command {
        None => list(&folder, &arguments.list, out),
        Some(AuditCommand::List(arguments)) => list(&folder, &arguments, out),
        Some(AuditCommand::Show { id, json }) => show_one(&folder, &id, json, out),
        Some(AuditCommand::Verify { json }) => verify(&folder, json, out),
    }
}

fn list(folder: &Path, arguments: &ListArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let mut kept = std::collections::VecDeque::new();
    for_each(folder, |bytes, line| {
        if arguments.fits(line) {
            kept.push_back((bytes.to_vec(), line.clone()));
            if kept.len() > arguments.last {
                kept.pop_front();
            }
        }
    })?;
    if arguments.json {
        for (bytes, _) in kept {
            out.write_all(&bytes)?;
        }
        return Ok(Exit::Ok);
    }
    if kept.is_empty() {
        let shown = folder.to_string_lossy();
        if folder.exists() {
            eprintln!("nothing in {} fits", printable(&shown));
        } else {
            eprintln!(
                "there is no log in {} yet; SKILLGATE_HOME says where it is looked for",
                printable(&shown)
            );
        }
        return Ok(Exit::Ok);
    }
    let mut table =
        show::table(["TIME", "ID", "ACTION", "LABEL", "AGENT", "SERVER", "WHAT", "RULES", "TOOK"]);
    for (_, line) in &kept {
        table.add_row(row(line));
    }
    show::write_table(out, &table)?;
    Ok(Exit::Ok)
}

impl ListArgs {
    fn fits(&self, line: &Line) -> bool {
        if self.since.is_some_and(|since| line.time < since) {
            return false;
        }
        match &line.entry {
            Entry::Event(event) => {
                let of_decisions = self.action.is_some() || self.rule.is_some();
                !self.no_events && !of_decisions && self.fits_origin(&event.origin)
            }
            Entry::Decision(decision) => self.fits_decision(decision),
        }
    }

    fn fits_origin(&self, origin: &Origin) -> bool {
        let same = |filter: &Option<String>, value: &Option<String>| filter.is_none() || filter == value;
        same(&self.agent, &origin.agent)
            && same(&self.server, &origin.server)
            && same(&self.method, &origin.method)
    }

    fn fits_decision(&self, decision: &DecisionRecord) -> bool {
        self.action.is_none_or(|action| action == decision.action)
            && self.fits_origin(&decision.origin)
            && self
                .rule
                .as_deref()
                .is_none_or(|rule| decision.hits.iter().any(|hit| hit.rule.as_str() == rule))
    }
}

fn row(line: &Line) -> Vec<String> {
    let time = show::time(line.time);
    match &line.entry {
        Entry::Event(event) => event_row(time, event),
        Entry::Decision(decision) => decision_row(time, decision),
    }
}

fn event_row(time: String, event: &Event) -> Vec<String> {
    let what = show::clip(&format!("{} {} {}", event.event, event.subject, event.why), 60);
    let word = |word: &Option<String>| show::clip(word.as_deref().unwrap_or_default(), 20);
    let (agent, server) = (word(&event.origin.agent), word(&event.origin.server));
    vec![time, String::new(), "event".to_owned(), String::new(), agent, server, what]
}

fn decision_row(time: String, decision: &DecisionRecord) -> Vec<String> {
    let origin = &decision.origin;
    let word = |word: &Option<String>| show::clip(word.as_deref().unwrap_or("-"), 20);
    let what = origin.target.as_ref().unwrap_or(&decision.name);
    let sent = if origin.sender() == Side::Client { "sent " } else { "" };
    let method = origin.method.as_deref().unwrap_or(decision.kind.name());
    let what = show::clip(&format!("{sent}{method} {what}"), 48);
    let mut hits: Vec<_> =
        decision.hits.iter().map(|hit| (Reverse(hit.severity), hit.rule.as_str())).collect();
    hits.sort_unstable();
    let mut rules: Vec<&str> = Vec::new();
    for (_, rule) in hits {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    vec![
        time,
        decision.id.clone(),
        done(decision),
        format!("{} {:.2}", decision.label, decision.confidence),
        word(&origin.agent),
        word(&origin.server),
        what,
        show::clip(&rules.join(" "), 40),
        show::elapsed(decision.elapsed_us.total),
    ]
}

fn show_one(folder: &Path, id: &str, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let Some((bytes, line)) = find(folder, id)? else {
        anyhow::bail!(
            "no decision `{}` in {}: `skillgate audit` lists them",
            printable(id),
            printable(&folder.to_string_lossy())
        );
    };
    match &line.entry {
        _ if json => out.write_all(&bytes)?,
        Entry::Decision(decision) => describe(&show::time(line.time), decision, out)?,
        Entry::Event(_) => {}
    }
    Ok(Exit::Ok)
}

/// The line of a decision, as it is in the log and parsed.
pub(super) fn find(folder: &Path, id: &str) -> anyhow::Result<Option<(Vec<u8>, Line)>> {
    let mut found = None;
    for_each(folder, |bytes, line| {
        if matches!(&line.entry, Entry::Decision(decision) if decision.id == id) {
            found = Some((bytes.to_vec(), line.clone()));
        }
    })?;
    Ok(found)
}

fn verify(folder: &Path, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    if !folder.exists() {
        eprintln!("there is no log in {} yet", printable(&folder.to_string_lossy()));
    }
    let report = if folder.exists() { audit::verify(folder)? } else { audit::Report::default() };
    let whole = report.faults.is_empty();
    if json {
        let faults: Vec<_> = report
            .faults
            .iter()
            .map(|fault| serde_json::json!({"file": fault.file, "line": fault.line, "what": fault.what}))
            .collect();
        let value = serde_json::json!({
            "whole": whole, "files": report.files, "lines": report.lines, "faults": faults,
        });
        writeln!(out, "{value}")?;
    } else {
        for fault in &report.faults {
            writeln!(out, "{}:{}: {}", printable(&fault.file.to_string_lossy()), fault.line, fault.what)?;
        }
        let word = if whole { "whole" } else { "broken" };
        let (lines, files) = (show::count(report.lines, "line"), show::count(report.files, "file"));
        writeln!(out, "the chain is {word}: {lines} in {files}")?;
    }
    Ok(if whole { Exit::Ok } else { Exit::Found })
}

/// Runs over all lines that can be read; `verify` is for those that cannot.
fn for_each(folder: &Path, mut take: impl FnMut(&[u8], &Line)) -> anyhow::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for path in audit::files(folder)? {
        let reading = || format!("reading `{}`", printable(&path.to_string_lossy()));
        for bytes in Lines::open(&path).with_context(reading)? {
            let bytes = bytes.with_context(reading)?;
            match serde_json::from_slice(&bytes) {
                Ok(line) => take(&bytes, &line),
                Err(error) => {
                    eprintln!(
                        "warning: a line of {} cannot be read: {error}; run `skillgate audit verify`",
                        printable(&path.to_string_lossy())
                    );
                }
            }
        }
    }
    Ok(())
}
