//! Writing a baseline: a person accepts what a scan found.
//!
//! What is written loosens later scans, so it needs a person at a terminal, as a release does, and is an event of the
//! audit log. What an older baseline accepted and still holds keeps its reason and its day.

use std::io::Write;
use std::path::Path;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};

use super::is_untouchable;
use crate::base::printable;
use crate::cli::scan::{ScanArgs, Scanned};
use crate::cli::show;
use crate::daemon::engine::Engine;
use crate::gate::policy::Reason;
use crate::gate::{Action, Hit};
use crate::io::audit::{AuditLog, Durability, Entry, Event};
use crate::io::baseline::{self, Accepted, Baseline, content_digest};
use crate::io::{Home, person};

/// What a scan found, to be accepted.
pub(in crate::cli::scan) struct Draft {
    reason: Reason,
    today: Date,
    expires: Date,
    folder: std::path::PathBuf,
    /// Units that were looked at, and what there is in them.
    units: Vec<String>,
    found: Vec<Accepted>,
    /// Findings that nobody can accept.
    untouchable: usize,
}

impl Draft {
    /// Begins one, where the arguments ask for it.
    pub(in crate::cli::scan) fn of(
        arguments: &ScanArgs,
        folder: Option<&Path>,
        engine: &Engine,
        today: Date,
    ) -> anyhow::Result<Option<Self>> {
        let Some((file, reason)) = arguments.write_baseline.as_ref().zip(arguments.reason.as_ref()) else {
            return Ok(None);
        };
        let days = i64::from(engine.policy.quarantine.release_days);
        let expires = arguments.expires.map_or_else(|| today.checked_add(days.days()), Ok)?;
        anyhow::ensure!(expires > today, "`--expires {expires}` is not after today: give a later day");
        Ok(Some(Self {
            reason: reason.clone(),
            today,
            expires,
            folder: folder.map_or_else(|| baseline::folder_of(file), Path::to_owned),
            units: Vec::new(),
            found: Vec::new(),
            untouchable: 0,
        }))
    }

    /// Takes what was found in a unit that is not simply allowed, suppressed or not.
    pub(in crate::cli::scan) fn unit(&mut self, scanned: &Scanned, engine: &Engine) -> anyhow::Result<()> {
        let unit = baseline::unit_from(&self.folder, &scanned.real)?;
        let outcome = &scanned.outcome;
        let counting = outcome.assessment.hits.iter().filter(|_| outcome.decision.action != Action::Allow);
        for hit in counting.chain(&outcome.suppressed) {
            self.hit(&unit, scanned, hit, engine);
        }
        self.units.push(unit);
        Ok(())
    }

    fn hit(&mut self, unit: &str, scanned: &Scanned, hit: &Hit, engine: &Engine) {
        let Some(part) = scanned.document.parts.get(hit.part) else { return };
        if engine.rules.get(&hit.rule).is_some_and(is_untouchable) {
            self.untouchable += 1;
            return;
        }
        let accepted = Accepted {
            unit: unit.to_owned(),
            file: part.path.clone(),
            rule: hit.rule.clone(),
            content: content_digest(&part.text),
            reason: self.reason.clone(),
            by: person::user_name(),
            since: self.today,
            expires: self.expires,
        };
        if self.found.iter().all(|found| found.key() != accepted.key()) {
            self.found.push(accepted);
        }
    }

    /// Asks the person at the terminal, logs, and writes the file.
    pub(in crate::cli::scan) fn write(self, path: &Path, home: &Home) -> anyhow::Result<()> {
        let old = if path.exists() { Baseline::load(path)?.accepted } else { Vec::new() };
        let Self { reason, today, expires, units, found, untouchable, .. } = self;
        let (here, mut accepted): (Vec<_>, Vec<_>) =
            old.into_iter().partition(|entry| units.contains(&entry.unit));
        let holds = |entry: &Accepted| {
            today < entry.expires
                && found.iter().any(|found| found.key() == entry.key() && found.content == entry.content)
        };
        let kept: Vec<_> = here.into_iter().filter(holds).collect();
        let new: Vec<_> =
            found.into_iter().filter(|found| kept.iter().all(|kept| kept.key() != found.key())).collect();
        if untouchable > 0 {
            let what = show::count(untouchable, "finding");
            eprintln!("warning: {what} about SkillGate itself cannot be accepted");
        }
        let shown = printable(&path.to_string_lossy()).into_owned();
        if new.is_empty() && !path.exists() {
            eprintln!("nothing to accept: `{shown}` is not written");
            return Ok(());
        }
        let what = format!("accepting {} until {expires} in `{shown}`", show::count(new.len(), "finding"));
        let width = new.iter().map(|entry| entry.rule.as_str().len()).max().unwrap_or(0);
        for entry in &new {
            eprintln!(
                "{:<width$}  {}: {}",
                entry.rule.as_str(),
                printable(&entry.unit),
                printable(&entry.file)
            );
        }
        let person = person::confirm(&what, "accept")?;
        let event = Event { who: person.name, ..Event::by_daemon("baseline_written", what, reason.as_str()) };
        // What cannot be logged is not done.
        let now = Timestamp::now();
        AuditLog::open(home)?.append(&Entry::Event(Box::new(event)), now, Durability::Synced)?;
        accepted.extend(kept);
        accepted.extend(new);
        Baseline::of(accepted).save(path)?;
        writeln!(std::io::stderr(), "wrote `{shown}`")?;
        Ok(())
    }
}
