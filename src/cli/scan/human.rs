//! `scan` for people: one line a unit, and the reasons where something was found.

use std::collections::BTreeMap;
use std::io::Write;

use super::suppress::{By, Suppressed};
use super::{ScanArgs, Scanned, report};
use crate::base::printable;
use crate::cli::show;
use crate::daemon::engine::{Engine, Outcome};
use crate::daemon::record::hit_records;
use crate::gate::decision::ExitClass;
use crate::gate::{Action, Decision};
use crate::io::audit::HitRecord;
use crate::io::judge::Tokens;

/// The most places that are listed for one unit.
const MOST_PLACES: usize = 12;

/// Units by action, and hits that were not counted.
#[derive(Default)]
pub(super) struct Count {
    units: BTreeMap<Action, usize>,
    suppressed: usize,
    /// Units that are forwarded though something in them was not read that policy cares about.
    unread: usize,
}

impl Count {
    pub(super) fn add(&mut self, decision: &Decision, suppressed: usize) {
        *self.units.entry(decision.action).or_default() += 1;
        self.suppressed += suppressed;
        self.unread += usize::from(decision.exit == ExitClass::Unread);
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
    arguments: &ScanArgs,
) -> std::io::Result<()> {
    let decision = &scanned.outcome.decision;
    let unread = &scanned.outcome.assessment.unread;
    let is_plain = decision.action == Action::Allow && decision.exit == ExitClass::Passed;
    if is_plain && scanned.suppressed.is_empty() && !(arguments.verbose || arguments.tokens) {
        return Ok(());
    }
    let style = show::style(decision.action);
    let action = format!("{style}{:<10}{style:#}", decision.action.name());
    let cached = if scanned.outcome.cached { " (cached)" } else { "" };
    writeln!(out, "{action} {}  {}{cached}", printable(&scanned.path), said(scanned))?;
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
    if arguments.tokens {
        let Tokens { full, judge } = report::tokens(scanned);
        writeln!(out, "    tokens: {full} in all texts, {judge} for a judge")?;
    }
    writeln!(
        out,
        "    decided by {}\n",
        show::policy_line(&decision.line, &engine.policy, engine.policy_file.as_deref())
    )
}

/// What the judge said; where none was asked, why there was nothing to ask about.
fn said(scanned: &Scanned) -> String {
    let Outcome { assessment, decision, .. } = &scanned.outcome;
    match scanned.outcome.verdict() {
        Some(_) => format!("{} {:.2}", decision.label, decision.confidence),
        None if !assessment.hits.is_empty() => "not judged".to_owned(),
        None if assessment.unread.is_empty() => "nothing found".to_owned(),
        None => "nothing found in what was read".to_owned(),
    }
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
        "{}: {} allowed, {} warned, {} quarantined, {} blocked{}{}",
        show::count(count.total(), "unit"),
        of(Action::Allow),
        of(Action::Warn),
        of(Action::Quarantine),
        of(Action::Block),
        match count.suppressed {
            0 => String::new(),
            suppressed => format!("; {} suppressed", show::count(suppressed, "hit")),
        },
        match count.unread {
            0 => String::new(),
            unread => format!("; {unread} not read whole (exit code 3 where nothing is worse)"),
        }
    )
}
