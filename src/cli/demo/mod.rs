//! `skillgate demo`: the whole way in a second or two, in a home of its own.
//!
//! It starts a bridge in front of a small MCP server, plays an agent that fetches four things, and shows what came, what
//! was done, why, and how long it took; then the audit log and the quarantine. Everything it made is removed. The bridge,
//! the daemon and the judge are the real ones.

mod agent;
mod server;

use std::io::Write;

use crate::gate::Action;
use crate::io::Home;
use crate::io::audit::{DecisionRecord, Entry, Line, Lines};
use crate::io::quarantine::Store;

use super::{Exit, show};
use agent::{Agent, Got};

pub(super) use server::run as serve;

/// What the demo fetches and how a person would call it.
const FETCHES: &[(&str, &str)] = &[
    (server::BENIGN, "an honest skill"),
    (server::SUSPICIOUS, "a skill that wants to be loaded before all others"),
    (server::POISONED, "a skill that steals keys"),
    (server::TOOL, "a tool answer with invisible orders in it"),
];

/// Runs the demo.
pub(crate) fn run(out: &mut dyn Write) -> anyhow::Result<Exit> {
    let folder = tempfile::Builder::new().prefix("skillgate-demo-").tempdir()?;
    let home = Home::at(folder.path().join("home"))?.open()?;
    let shown = play(out, &home);
    // Whatever went wrong, no daemon is left behind in a folder that is about to go.
    let stopped = agent::stop_daemon(&home);
    shown?;
    stopped?;
    Ok(Exit::Ok)
}

fn play(out: &mut dyn Write, home: &Home) -> anyhow::Result<()> {
    writeln!(out, "An agent fetches four things from an MCP server. SkillGate stands between them.\n")?;
    let mut agent = Agent::start(home)?;
    let mut rows = Vec::new();
    for (what, words) in FETCHES {
        rows.push((*words, agent.fetch(what)?));
    }
    agent.stop()?;
    let decisions = decisions(home)?;
    table(out, &rows, &decisions)?;
    aftermath(out, home, &decisions)
}

fn table(out: &mut dyn Write, rows: &[(&str, Got)], decisions: &[DecisionRecord]) -> anyhow::Result<()> {
    anyhow::ensure!(
        rows.len() == decisions.len(),
        "{} things were fetched and {} decisions were logged",
        rows.len(),
        decisions.len()
    );
    for ((words, got), decision) in rows.iter().zip(decisions) {
        let style = show::style(decision.action);
        let action = format!("{style}{:<10}{style:#}", decision.action.name().to_uppercase());
        writeln!(out, "  {words:<52}{action}  {:>8}", show::elapsed(got.elapsed_us))?;
        for reason in reasons(decision) {
            writeln!(out, "      {}", show::clip(&reason, 100))?;
        }
        writeln!(out, "      the agent got: {}\n", show::clip(&got.text, 84))?;
    }
    Ok(())
}

/// The judge's reasons, one a line; the last ones are left to `audit show`.
fn reasons(decision: &DecisionRecord) -> Vec<String> {
    decision.rationale.lines().filter(|line| !line.trim().is_empty()).take(3).map(str::to_owned).collect()
}

fn aftermath(out: &mut dyn Write, home: &Home, decisions: &[DecisionRecord]) -> anyhow::Result<()> {
    writeln!(out, "In its audit log, as `skillgate audit` shows yours:")?;
    for decision in decisions {
        let mut rules: Vec<_> = decision.hits.iter().map(|hit| hit.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        let target = decision.origin.target.as_deref().unwrap_or_default();
        let label = format!("{} {:.2}", decision.label, decision.confidence);
        writeln!(
            out,
            "  {} {:<11}{:<16}{:<34}{}",
            decision.id,
            decision.action.name(),
            label,
            show::clip(target, 33),
            show::clip(&rules.join(" "), 40)
        )?;
    }
    let (entries, _) = Store::at(home).list()?;
    writeln!(
        out,
        "\nIn its quarantine, for a person to review, as `skillgate quarantine list` shows yours:"
    )?;
    for entry in entries {
        let target = entry.decision.origin.target.as_deref().unwrap_or_default();
        writeln!(out, "  {} {:<11}{}", entry.decision.id, entry.status.name(), show::clip(target, 60))?;
    }
    let count =
        |wanted: fn(Action) -> bool| decisions.iter().filter(|decision| wanted(decision.action)).count();
    let kept = count(|action| !action.forwards());
    let warned = count(|action| action == Action::Warn);
    let passed = count(|action| action == Action::Allow);
    writeln!(
        out,
        "\n{kept} kept from the agent, {warned} passed with a warning, {passed} passed byte for byte."
    )?;
    writeln!(out, "This was a home of its own, and it is gone; nothing was left behind.")?;
    Ok(())
}

/// The decisions of the demo's own log, in order.
fn decisions(home: &Home) -> anyhow::Result<Vec<DecisionRecord>> {
    let mut decisions = Vec::new();
    for line in Lines::open(&home.logs().join("audit.jsonl"))? {
        let line: Line = serde_json::from_slice(&line?)?;
        if let Entry::Decision(decision) = line.entry {
            decisions.push(*decision);
        }
    }
    Ok(decisions)
}
