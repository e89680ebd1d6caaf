//! `scan` for people: one line a unit, and the reasons where something was found.

use std::collections::BTreeMap;
use std::io::Write;

use super::Scanned;
use super::suppress::{By, Suppressed};
use crate::base::printable;
use crate::cli::show;
use crate::daemon::engine::Engine;
use crate::daemon::record::hit_records;
use crate::gate::Action;
use crate::gate::decision::ExitClass;
use crate::io::audit::HitRecord;

/// The most places that are listed for one unit.
const MOST_PLACES: usize = 12;

/// Units by action, and hits that were not counted.
#[derive(Default)]
pub(super) struct Count {
    units: BTreeMap<Action, usize>,
    suppressed: usize,
}

impl Count {
    pub(super) fn add(&mut self, action: Action, suppressed: usize) {
        *self.units.entry(action).or_default() += 1;
        self.suppressed += suppressed;
    }

    pub(super) fn total(&self) -> usize {
        self.units.values().sum()
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
    let is_plain = decision.action == Action::Allow && decision.exit == ExitClass::Passed;
    if is_plain && scanned.suppressed.is_empty() && !verbose {
        return Ok(());
    }
    let style = show::style(decision.action);
    let action = format!("{style}{:<10}{style:#}", decision.action.name());
    let (path, label) = (printable(&scanned.path), decision.label);
    let cached = if scanned.outcome.cached { " (cached)" } else { "" };
    writeln!(out, "{action} {path}  {label} {:.2}{cached}", decision.confidence)?;
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
    let assessment = &scanned.outcome.assessment;
    places(
        out,
        &hit_records(&scanned.document, &assessment.hits, assessment.evidence.as_ref(), engine),
        engine,
    )?;
    suppressed(out, &scanned.suppressed)?;
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
        let aside = hit.set_aside.map(|excuse| format!(" [{}]", excuse.words())).unwrap_or_default();
        writeln!(
            out,
            "    {}:{}  {} {} {title}{by}{aside}",
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

/// What was not counted, and who says so.
fn suppressed(out: &mut dyn Write, hits: &[Suppressed]) -> std::io::Result<()> {
    for Suppressed { hit, by, reason, expires } in hits.iter().take(MOST_PLACES) {
        let by = match (by, expires) {
            (By::Baseline, Some(day)) => format!("by the baseline until {day}"),
            (By::Baseline, None) => "by the baseline".to_owned(),
            (By::Inline, _) => "by a comment".to_owned(),
        };
        let (file, reason) = (printable(&hit.file), printable(reason));
        writeln!(out, "    {file}:{}  {} {} suppressed {by}: {reason}", hit.line, hit.rule, hit.severity)?;
    }
    if hits.len() > MOST_PLACES {
        writeln!(out, "    … and {} suppressed", show::count(hits.len() - MOST_PLACES, "more hit"))?;
    }
    Ok(())
}

/// The last line.
pub(super) fn summary(out: &mut dyn Write, count: &Count) -> std::io::Result<()> {
    let of = |action| count.units.get(&action).copied().unwrap_or(0);
    writeln!(
        out,
        "{}: {} allowed, {} warned, {} quarantined, {} blocked{}",
        show::count(count.total(), "unit"),
        of(Action::Allow),
        of(Action::Warn),
        of(Action::Quarantine),
        of(Action::Block),
        match count.suppressed {
            0 => String::new(),
            suppressed => format!("; {} suppressed", show::count(suppressed, "hit")),
        }
    )
}
