//! From an outcome, or a bridge's note, to the line that the audit log keeps.

use std::collections::BTreeMap;

use super::engine::{Engine, Outcome};
use super::state::Session;
use super::wire::{Done, Note};
use crate::base::LineIndex;
use crate::gate::embedded::Excuse;
use crate::gate::rules::Rule;
use crate::gate::rules::definition::Source;
use crate::gate::{Document, Evidence, Hit, Origin, redact};
use crate::io::audit::{DecisionRecord, Elapsed, Event, HitRecord, Tokens};

/// The most hits that a line lists; `hits_total` says how many there were.
const MOST_HITS: usize = 200;

/// The record of one decision.
pub fn record(
    id: String,
    session: Option<String>,
    document: &Document,
    origin: &Origin,
    engine: &Engine,
    outcome: &Outcome,
    total: u64,
) -> DecisionRecord {
    let Outcome { assessment, suppressed: _, answers, cached, decision, elapsed } = outcome;
    let verdict = outcome.verdict();
    let evidence = assessment.evidence.as_ref();
    DecisionRecord {
        id,
        session,
        origin: origin.clone(),
        kind: document.kind,
        name: redact::text(&document.name).into_owned(),
        digest: document.digest,
        bytes: document.bytes,
        hits: hit_records(document, &assessment.hits, evidence, engine),
        hits_total: assessment.hits.len()
            + assessment.surplus.iter().map(|surplus| surplus.hits).sum::<usize>(),
        findings: assessment.findings.hits.clone(),
        windows: evidence.map(|evidence| evidence.windows.clone()).unwrap_or_default(),
        windows_dropped: evidence.map(|evidence| evidence.windows_dropped.clone()).unwrap_or_default(),
        unread: assessment.unread.clone(),
        label: decision.label,
        confidence: decision.confidence,
        score: decision.score,
        rationale: verdict.map(|verdict| verdict.rationale.clone()).unwrap_or_default(),
        judge: verdict.map_or_else(|| "none".to_owned(), |verdict| verdict.judge.clone()),
        judge_version: verdict.map(|verdict| verdict.version.clone()).unwrap_or_default(),
        degraded: outcome.is_degraded(),
        failure: outcome.failure(),
        over_all_hits: answers.over_all_hits.clone(),
        tokens: verdict
            .map(|verdict| Tokens { input: verdict.tokens_in, output: verdict.tokens_out })
            .unwrap_or_default(),
        cached: *cached,
        action: decision.action,
        would_be: (decision.would_be != decision.action).then_some(decision.would_be),
        policy_line: decision.line.to_string(),
        reasons: decision.reasons().map(str::to_owned).collect(),
        floors: decision.floors.clone(),
        policy: engine.policy_digest,
        ruleset: engine.ruleset_digest,
        quarantine: None,
        // A release does not hold against a denial.
        released: answers.release.clone().filter(|_| decision.would_be.forwards()),
        elapsed_us: Elapsed { total, ..*elapsed },
    }
}

/// The event of what a bridge did by itself.
pub(super) fn event(session: &Session, note: Note) -> Event {
    let name = match note.done {
        Done::Refused => "refused",
        Done::Passed => "passed",
    };
    let target = note.target.iter().map(|target| format!(" {target}"));
    let subject = std::iter::once(note.method.clone()).chain(target).collect::<String>();
    let why = match note.lost {
        0 => note.why,
        lost => format!("{}; {lost} before it were not kept", note.why),
    };
    Event {
        who: "bridge".to_owned(),
        session: note.session.or_else(|| Some(session.id.clone())),
        origin: session.origin(note.side, &note.method, note.target.as_ref()),
        bytes: Some(note.bytes),
        at: Some(note.at),
        ..Event::by_daemon(name, subject, why)
    }
}

/// The hits as the log and `scan` list them.
/// `evidence` is what was made of exactly these hits.
pub fn hit_records(
    document: &Document,
    hits: &[Hit],
    evidence: Option<&Evidence>,
    engine: &Engine,
) -> Vec<HitRecord> {
    let excuses: BTreeMap<usize, Excuse> = evidence
        .filter(|evidence| evidence.hits.len() == hits.len())
        .map(|evidence| evidence.facts.set_aside.iter().map(|aside| (aside.hit, aside.excuse)).collect())
        .unwrap_or_default();
    let mut lines: Vec<Option<LineIndex>> = vec![None; document.parts.len()];
    hits.iter()
        .enumerate()
        .take(MOST_HITS)
        .filter_map(|(nth, hit)| {
            let part = document.parts.get(hit.part)?;
            let index = lines.get_mut(hit.part)?.get_or_insert_with(|| LineIndex::new(&part.text));
            Some(HitRecord {
                rule: hit.rule.clone(),
                severity: hit.severity,
                category: hit.category.clone(),
                author: engine.rules.get(&hit.rule).and_then(author),
                file: part.path.clone(),
                line: index.line(hit.span.start),
                view: hit.view,
                set_aside: excuses.get(&nth).copied(),
            })
        })
        .collect()
}

/// The author of a rule that is not ours, whose licence asks that they be named.
fn author(rule: &Rule) -> Option<String> {
    match &rule.source {
        Source::Own => None,
        Source::Sigma { author, .. } => Some(author.clone()),
    }
}
