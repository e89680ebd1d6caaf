//! `skillgate quarantine`: look at what was kept back, and decide.
//!
//! Releasing, rejecting and purging are a person's acts (gate.md 8): see [`crate::io::person`].

use std::io::Write;

use anyhow::Context;
use clap::{Args, Subcommand};
use jiff::{SignedDuration, Timestamp};

use super::{Exit, audit, show};
use crate::base::printable;
use crate::io::audit::{AuditLog, DecisionRecord, Durability, Entry as AuditEntry, Event};
use crate::io::quarantine::{Entry, EntryId, QuarantineError, Release, Releases, SourceKey, Status, Store};
use crate::io::{Home, person};

/// Look at what was kept back, and decide about it.
#[derive(Debug, Args)]
pub(crate) struct QuarantineArgs {
    #[command(subcommand)]
    command: QuarantineCommand,
}

#[derive(Debug, Subcommand)]
enum QuarantineCommand {
    /// List what waits for a decision, newest first
    List {
        /// List what was released or rejected too
        #[arg(long)]
        all: bool,
        /// Print one JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Show one entry: why it was kept back, and what is in it
    Show {
        /// The entry's id, or that of a decision whose content it holds
        id: EntryId,
        /// Print the content of its files too, with invisible characters as escapes
        #[arg(long)]
        content: bool,
        /// Print its decision.json
        #[arg(long)]
        json: bool,
    },
    /// Let exactly these bytes from this source pass from now on (asks at the terminal)
    Release {
        /// The entry's id, or that of a decision whose content it holds
        id: EntryId,
        /// Why, for the audit log
        #[arg(long, value_name = "REASON", value_parser = parse_reason)]
        why: String,
        /// How many days the release holds
        #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..=3650))]
        days: u16,
    },
    /// Confirm that it stays out, and take back a release of it (asks at the terminal)
    Reject {
        /// The entry's id, or that of a decision whose content it holds
        id: EntryId,
        /// Why, for the audit log
        #[arg(long, value_name = "REASON", value_parser = parse_reason)]
        why: String,
    },
    /// Remove entries for good (asks at the terminal)
    Purge {
        /// The entries' ids
        #[arg(required_unless_present = "decided")]
        ids: Vec<EntryId>,
        /// All entries that were released or rejected
        #[arg(long, conflicts_with = "ids")]
        decided: bool,
    },
}

fn parse_reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it takes a reason in words, which the audit log keeps".to_owned()),
        reason => Ok(reason.to_owned()),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: QuarantineArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let home = Home::locate()?;
    let store = Store::at(&home);
    match arguments.command {
        QuarantineCommand::List { all, json } => list(&store, all, json, out),
        QuarantineCommand::Show { id, content, json } => show_one(&home, &id, content, json, out),
        QuarantineCommand::Release { id, why, days } => release(&home, &id, &why, days, out),
        QuarantineCommand::Reject { id, why } => reject(&home, &id, &why, out),
        QuarantineCommand::Purge { ids, decided } => purge(&home, &ids, decided, out),
    }
}

fn list(store: &Store, all: bool, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let (entries, broken) = store.list()?;
    for error in broken {
        eprintln!("warning: {error}");
    }
    let shown: Vec<_> = entries.iter().filter(|entry| all || entry.status == Status::Pending).collect();
    if json {
        for entry in shown {
            writeln!(out, "{}", serde_json::to_string(entry)?)?;
        }
        return Ok(Exit::Ok);
    }
    if shown.is_empty() {
        eprintln!("nothing waits for a decision");
        return Ok(Exit::Ok);
    }
    let mut table = show::table(["ID", "TIME", "STATUS", "ACTION", "LABEL", "SERVER", "WHAT", "RULES"]);
    for entry in shown {
        table.add_row(row(entry));
    }
    show::write_table(out, &table)?;
    Ok(Exit::Ok)
}

fn row(entry: &Entry) -> [String; 8] {
    let decision = &entry.decision;
    let what = decision.origin.target.as_ref().unwrap_or(&decision.name);
    let mut rules: Vec<_> = decision.hits.iter().map(|hit| hit.rule.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    [
        decision.id.clone(),
        show::time(entry.time),
        entry.status.name().to_owned(),
        decision.action.name().to_owned(),
        format!("{} {:.2}", decision.label, decision.confidence),
        show::clip(decision.origin.server.as_deref().unwrap_or("-"), 20),
        show::clip(what, 40),
        show::clip(&rules.join(" "), 40),
    ]
}

/// The entry with this id; for the id of a decision whose content was held already, the entry that holds it.
fn find(home: &Home, id: &EntryId) -> anyhow::Result<(EntryId, Entry)> {
    let store = Store::at(home);
    let missing = match store.get(id) {
        Err(missing @ QuarantineError::NoSuchEntry(_)) => missing,
        entry => return Ok((id.clone(), entry?)),
    };
    let Some(holder) = holder(home, id)? else { return Err(missing.into()) };
    let entry = store.get(&holder).with_context(|| format!("`{id}` was held as `{holder}`"))?;
    eprintln!("`{id}` is held as `{holder}`");
    Ok((holder, entry))
}

/// The entry that holds the content of a decision, where it is another one's.
fn holder(home: &Home, id: &EntryId) -> anyhow::Result<Option<EntryId>> {
    let Some((_, line)) = audit::find(&home.logs(), id.as_str())? else { return Ok(None) };
    let AuditEntry::Decision(decision) = line.entry else { return Ok(None) };
    let holder = decision.quarantine.map(|holder| holder.parse::<EntryId>()).transpose()?;
    Ok(holder.filter(|holder| holder != id))
}

fn show_one(
    home: &Home,
    id: &EntryId,
    content: bool,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let (id, entry) = find(home, id)?;
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&entry)?)?;
        return Ok(Exit::Ok);
    }
    show::fact(out, "status", entry.status.name())?;
    audit::describe(&show::time(entry.time), &entry.decision, out)?;
    for (name, bytes) in Store::at(home).payload(&id)? {
        show::fact(out, "file", &format!("{} ({} bytes)", show::clip(&name, 100), bytes.len()))?;
        if content {
            show::block(out, &String::from_utf8_lossy(&bytes), "    | ")?;
        }
    }
    Ok(Exit::Ok)
}

fn release(home: &Home, id: &EntryId, why: &str, days: u16, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let (id, entry) = find(home, id)?;
    let expires = Timestamp::now() + SignedDuration::from_hours(24 * i64::from(days));
    tell_what_is_released(&entry, expires);
    let person = person::confirm(&format!("releasing `{id}`"), id.as_str())?;
    let now = Timestamp::now();
    let release = Release {
        entry: id.to_string(),
        digest: entry.decision.digest,
        kind: entry.decision.kind,
        source: SourceKey::of(&entry.decision.origin),
        who: person.name.clone(),
        time: now,
        why: why.to_owned(),
        expires,
    };
    // What cannot be logged is not done.
    log(home, &event("released", &entry, &person.name, why), now)?;
    Releases::at(home).add(release)?;
    Store::at(home).set_status(&id, Status::Released)?;
    writeln!(
        out,
        "released `{id}` until {}: these bytes from this source pass, and no others",
        show::time(expires)
    )?;
    Ok(Exit::Ok)
}

/// Tells the person at the terminal what would pass, and how far the release reaches.
fn tell_what_is_released(entry: &Entry, expires: Timestamp) {
    let decision = &entry.decision;
    let origin = &decision.origin;
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let from = [("", &origin.source), ("server ", &origin.server)]
        .into_iter()
        .filter_map(|(what, name)| Some(format!("{what}{}", name.as_ref()?)))
        .chain(
            origin
                .server_digest
                .map(|digest| format!("started by the command with digest {}", digest.short())),
        )
        .collect::<Vec<_>>()
        .join(", ");
    let facts = [
        ("label", format!("{} {:.2}", decision.label, decision.confidence)),
        ("server", name(&origin.server)),
        ("method", origin.method_in_words()),
        ("target", name(&origin.target)),
        ("name", decision.name.clone()),
        ("rules", main_rules(decision)),
        (
            "releases",
            format!("these {}, digest {}", show::count(decision.bytes, "byte"), decision.digest.short()),
        ),
        ("from", format!("{from}; for every agent")),
        ("until", show::time(expires)),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        eprintln!("{name:<12}{}", printable(value));
    }
}

/// The gravest rules that matched, with their titles.
fn main_rules(decision: &DecisionRecord) -> String {
    const MOST: usize = 3;
    let mut findings: Vec<_> = decision.findings.iter().collect();
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.rule.cmp(&b.rule)));
    findings.dedup_by(|a, b| a.rule == b.rule);
    let rules = audit::known_rules();
    let named = findings.iter().take(MOST).map(|finding| {
        let title = rules.get(&finding.rule).map_or("", |rule| &rule.title);
        format!("{} {} {title}", finding.rule, finding.severity).trim_end().to_owned()
    });
    let more = findings.len().saturating_sub(MOST);
    named.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>().join("; ")
}

fn reject(home: &Home, id: &EntryId, why: &str, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let (id, entry) = find(home, id)?;
    let person = person::confirm(&format!("rejecting `{id}`"), id.as_str())?;
    log(home, &event("rejected", &entry, &person.name, why), Timestamp::now())?;
    let revoked = Releases::at(home).revoke(entry.decision.digest)?;
    Store::at(home).set_status(&id, Status::Rejected)?;
    writeln!(out, "rejected `{id}`{}", if revoked { "; its release was taken back" } else { "" })?;
    Ok(Exit::Ok)
}

fn purge(home: &Home, ids: &[EntryId], decided: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let store = Store::at(home);
    let entries = if decided {
        let (entries, _) = store.list()?;
        entries.into_iter().filter(|entry| entry.status != Status::Pending).collect()
    } else {
        ids.iter().map(|id| store.get(id)).collect::<Result<Vec<_>, _>>()?
    };
    if entries.is_empty() {
        eprintln!("nothing to purge");
        return Ok(Exit::Ok);
    }
    let what = if entries.len() == 1 { "1 entry".to_owned() } else { format!("{} entries", entries.len()) };
    let person = person::confirm(&format!("removing {what} for good"), "purge")?;
    for entry in &entries {
        log(home, &event("purged", entry, &person.name, ""), Timestamp::now())?;
        store.purge(&entry.decision.id.parse()?)?;
        writeln!(out, "purged `{}`", entry.decision.id)?;
    }
    Ok(Exit::Ok)
}

fn event(event: &str, entry: &Entry, who: &str, why: &str) -> Event {
    Event {
        who: who.to_owned(),
        digest: Some(entry.decision.digest),
        ..Event::by_daemon(event, entry.decision.id.clone(), why)
    }
}

fn log(home: &Home, event: &Event, time: Timestamp) -> anyhow::Result<()> {
    let mut log = AuditLog::open(home)?;
    log.append(&AuditEntry::Event(Box::new(event.clone())), time, Durability::Synced)?;
    Ok(())
}
