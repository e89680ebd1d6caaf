//! `scan` for people: one line a unit, and the reasons where something was found.

use std::collections::BTreeMap;
use std::io::Write;

use super::Scanned;
use crate::base::printable;
use crate::cli::show;
use crate::daemon::engine::Engine;
use crate::daemon::record::hit_records;
use crate::gate::Action;
use crate::gate::decision::ExitClass;
use crate::io::audit::HitRecord;

/// The most places that are listed for one unit.
const MOST_PLACES: usize = 12;

/// Units by action.
#[derive(Default)]
pub(super) struct Count(BTreeMap<Action, usize>);

impl Count {
    pub(super) fn add(&mut self, action: Action) {
        *self.0.entry(action).or_default() += 1;
    }

    pub(super) fn total(&self) -> usize {
        self.0.values().sum()
    }
}

/// One unit. Allowed ones only where `verbose` asks for them.
pub(super) fn unit(
    out: &mut dyn Write,
    scanned: &Scanned,
    engine: &Engine,
    verbose: bool,
) -> std::io::Result<()> {
    let decision = &scanned.outcome.decision;
    let unread = &scanned.outcome.assessment.unread;
    if decision.action == Action::Allow && decision.exit == ExitClass::Passed && !verbose {
        return Ok(());
    }
    let style = show::style(decision.action);
    let action = format!("{style}{:<10}{style:#}", decision.action.name());
    let (path, label) = (printable(&scanned.path), decision.label);
    writeln!(out, "{action} {path}  {label} {:.2}", decision.confidence)?;
    if let Some(verdict) = scanned.outcome.verdict() {
        show::block(out, &verdict.rationale, "    ")?;
    }
    if let Some(failure) = scanned.outcome.failure() {
        writeln!(out, "    the judge failed: {}", printable(&failure))?;
    }
    for unread in unread {
        writeln!(
            out,
            "    not read: {} ({}) {}",
            if unread.path.is_empty() { "the message".into() } else { printable(&unread.path) },
            unread.reason,
            printable(&unread.detail)
        )?;
    }
    places(out, &hit_records(&scanned.document, &scanned.outcome.assessment.hits, engine), engine)?;
    writeln!(out, "    decided by {}\n", decision.line)
}

/// The places of hits, gravest first.
fn places(out: &mut dyn Write, hits: &[HitRecord], engine: &Engine) -> std::io::Result<()> {
    let mut hits: Vec<&HitRecord> = hits.iter().collect();
    hits.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
    hits.dedup_by(|a, b| (&a.rule, &a.file, a.line) == (&b.rule, &b.file, b.line));
    for hit in hits.iter().take(MOST_PLACES) {
        let title = engine.rules.get(&hit.rule).map_or("", |rule| rule.title.as_str());
        let by = hit.author.as_deref().map(|author| format!(" (rule by {author})")).unwrap_or_default();
        writeln!(
            out,
            "    {}:{}  {} {} {title}{by}",
            printable(&hit.file),
            hit.line,
            hit.rule,
            hit.severity
        )?;
    }
    if hits.len() > MOST_PLACES {
        writeln!(out, "    … and {}", show::count(hits.len() - MOST_PLACES, "more place"))?;
    }
    Ok(())
}

/// The last line.
pub(super) fn summary(out: &mut dyn Write, count: &Count) -> std::io::Result<()> {
    let of = |action| count.0.get(&action).copied().unwrap_or(0);
    writeln!(
        out,
        "{}: {} allowed, {} warned, {} quarantined, {} blocked",
        show::count(count.total(), "unit"),
        of(Action::Allow),
        of(Action::Warn),
        of(Action::Quarantine),
        of(Action::Block)
    )
}
