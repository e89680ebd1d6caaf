//! `scan` for code hosts: a result for each rule and place in units that are not allowed.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::Scanned;
use super::suppress::{By, Suppressed};
use crate::base::LineIndex;
use crate::base::diagnostic::{Diagnostic, Level, Source};
use crate::base::render::json;
use crate::base::render::sarif::{self, Rule, Suppression, Tool};
use crate::daemon::engine::Engine;
use crate::gate::rules::Severity;
use crate::gate::{Action, Document, Hit, Part};

/// The most results of one unit.
const MOST: usize = 100;

/// Results so far. Texts are kept for lines and columns.
#[derive(Default)]
pub(super) struct Results(Vec<Found>);

struct Found {
    diagnostic: Diagnostic,
    text: std::sync::Arc<str>,
    properties: Map<String, Value>,
    suppression: Option<Suppression>,
}

impl Results {
    /// Takes the hits of a unit that is not simply allowed, and those that were not counted in any.
    pub(super) fn add(&mut self, scanned: &Scanned, engine: &Engine) {
        let decision = &scanned.outcome.decision;
        let properties = json!({
            "action": decision.action, "label": decision.label, "confidence": decision.confidence,
            "score": decision.score, "unit": scanned.path,
        });
        let Value::Object(properties) = properties else { return };
        let counting: &[Hit] =
            if decision.action == Action::Allow { &[] } else { &scanned.outcome.assessment.hits };
        let mut hits: Vec<(&Hit, Option<&Suppressed>)> = counting.iter().map(|hit| (hit, None)).collect();
        // Of each suppressed hit there is a record, in the same order.
        hits.extend(scanned.outcome.suppressed.iter().zip(scanned.suppressed.iter().map(Some)));
        hits.sort_by(|(a, _), (b, _)| {
            b.severity.cmp(&a.severity).then_with(|| (a.part, a.span).cmp(&(b.part, b.span)))
        });
        hits.dedup_by(|(a, _), (b, _)| (&a.rule, a.part, a.span) == (&b.rule, b.part, b.span));
        for (hit, suppressed) in hits.into_iter().take(MOST) {
            let Some(part) = scanned.document.parts.get(hit.part) else { continue };
            let diagnostic = diagnostic(scanned, part, hit, engine);
            self.0.push(Found {
                diagnostic,
                text: part.text.clone(),
                properties: properties.clone(),
                suppression: suppressed.map(suppression),
            });
        }
    }

    /// The whole log.
    pub(super) fn log(&self, engine: &Engine) -> String {
        let rules: Vec<Rule> = engine.rules.iter().map(rule).collect();
        let sources: Vec<Source<'_>> = self.0.iter().map(|found| Source::new(&found.text)).collect();
        let outcomes: Vec<sarif::Outcome<'_>> = self
            .0
            .iter()
            .zip(&sources)
            .map(|(found, source)| sarif::Outcome {
                diagnostic: &found.diagnostic,
                source: Some(source),
                properties: found.properties.clone(),
                suppressed: found.suppression.clone(),
            })
            .collect();
        let tool = Tool { name: "SkillGate", version: env!("CARGO_PKG_VERSION"), url: None };
        json::pretty(&sarif::log(&tool, &rules, &outcomes))
    }
}

fn diagnostic(scanned: &Scanned, part: &Part, hit: &Hit, engine: &Engine) -> Diagnostic {
    let title = engine.rules.get(&hit.rule).map_or("", |rule| rule.title.as_str());
    let file = file(&scanned.path, &scanned.document, part.container().unwrap_or(&part.path));
    let mut diagnostic = Diagnostic::new(level(hit.severity), hit.rule.to_string(), title).in_file(file);
    if part.container().is_none() {
        return diagnostic.at(hit.span);
    }
    // A code host can show the archive and no line in it.
    let line = LineIndex::new(&part.text).line(hit.span.start);
    diagnostic.notes.push(format!("in `{}`, line {line}", part.path));
    diagnostic
}

fn suppression(suppressed: &Suppressed) -> Suppression {
    let (kind, until) = match (suppressed.by, suppressed.expires) {
        (By::Baseline, Some(day)) => ("external", format!(" (until {day})")),
        (By::Baseline, None) => ("external", String::new()),
        (By::Inline, _) => ("inSource", String::new()),
    };
    Suppression { kind, reason: format!("{}{until}", suppressed.reason) }
}

/// The file as the code host knows it: the unit's path with the part's below it.
fn file(unit: &str, document: &Document, part: &str) -> String {
    let unit = Path::new(unit);
    match document.kind {
        crate::gate::Kind::Package => unit.join(part).display().to_string(),
        crate::gate::Kind::Loose | crate::gate::Kind::Mcp => unit.display().to_string(),
    }
}

const fn level(severity: Severity) -> Level {
    match severity {
        Severity::Info | Severity::Low => Level::Note,
        Severity::Medium => Level::Warning,
        Severity::High | Severity::Critical => Level::Error,
    }
}

fn rule(rule: &crate::gate::rules::Rule) -> Rule {
    let score = match rule.severity {
        Severity::Info => 1.0,
        Severity::Low => 3.0,
        Severity::Medium => 5.5,
        Severity::High => 8.0,
        Severity::Critical => 9.5,
    };
    let tags = std::iter::once("security".to_owned())
        .chain([rule.category.name().to_owned()])
        .chain(rule.attack.iter().cloned());
    Rule {
        id: rule.id.to_string(),
        title: rule.title.clone(),
        description: rule.description.clone(),
        help: rule.remediation.clone(),
        url: None,
        level: level(rule.severity),
        tags: tags.collect(),
        security_severity: Some(score),
    }
}
