//! `skillgate rules test`: every hit of the prefilter, without a judge and without a decision.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::{Exit, source_words};
use crate::base::render::json;
use crate::base::{LineIndex, printable};
use crate::cli::show;
use crate::gate::context::Context;
use crate::gate::rules::definition::Source as RuleSource;
use crate::gate::rules::{Rule, RuleId, RuleSet};
use crate::gate::{Document, Hit, Scan, scan};
use crate::io::load::{self, Limits, LoadError, LoadedUnit, UnitKind};

/// The most characters of a match that are shown.
const WIDTH: usize = 160;

/// Scans what is at the path and shows the hits.
pub(super) fn test(path: &Path, rules: &RuleSet, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let mut total = 0;
    let found = load::load_path(path, &Limits::default()).map_err(|error| with_hint(error, path, rules))?;
    for unit in found.units() {
        let document = document(&unit);
        let scan = scan(&document, rules);
        total += scan.hits.len();
        write_hits(&unit, &document, &scan, rules, json, out)?;
        for surplus in &scan.surplus {
            let part = document.parts.get(surplus.part).map_or("", |part| &part.path);
            let more = show::count(surplus.hits, "more hit");
            eprintln!("not shown: {more} of {} in {}", surplus.rule, printable(part));
        }
        for unread in &document.unread {
            eprintln!("not read: {} ({})", printable(&unread.path), unread.reason);
        }
    }
    eprintln!("{} in {}", show::count(total, "hit"), show::count(found.len(), "unit"));
    Ok(Exit::Ok)
}

/// Whoever gives a rule's id wants to see the rule.
fn with_hint(error: LoadError, path: &Path, rules: &RuleSet) -> anyhow::Error {
    let id: Option<RuleId> = path.to_str().and_then(|text| text.parse().ok());
    match id.filter(|id| matches!(error, LoadError::Missing(_)) && rules.get(id).is_some()) {
        Some(id) => anyhow::anyhow!(
            "`{id}` is a rule and no path: `skillgate rules show {id}` shows it; `test` takes what rules are to run over"
        ),
        None => error.into(),
    }
}

fn document(unit: &LoadedUnit) -> Document {
    let name = unit.name.as_deref().unwrap_or(&unit.path);
    match unit.kind {
        UnitKind::Skill => Document::package(&unit.tree, name),
        UnitKind::Loose(_) | UnitKind::Archive => Document::loose(&unit.tree, name),
    }
}

fn write_hits(
    unit: &LoadedUnit,
    document: &Document,
    scan: &Scan,
    rules: &RuleSet,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let lines: Vec<_> = document.parts.iter().map(|part| LineIndex::new(&part.text)).collect();
    for hit in &scan.hits {
        let (Some(part), Some(rule)) = (document.parts.get(hit.part), rules.get(&hit.rule)) else { continue };
        let line = lines[hit.part].line(hit.span.start);
        if json {
            writeln!(out, "{}", json::text(&value(&unit.path, &part.path, line, hit, rule)))?;
        } else {
            let file =
                if unit.path == "." { part.path.clone() } else { format!("{}/{}", unit.path, part.path) };
            describe(&file, line, hit, rule, out)?;
        }
    }
    Ok(())
}

fn describe(file: &str, line: usize, hit: &Hit, rule: &Rule, out: &mut dyn Write) -> std::io::Result<()> {
    let title = show::clip(&rule.title, WIDTH);
    writeln!(out, "{}:{line}: {} {} {title}", printable(file), hit.severity, hit.rule)?;
    writeln!(out, "    | {}", show::clip(&hit.matched, WIDTH))?;
    let view = std::iter::once(hit.view.name()).chain(hit.layers.iter().map(String::as_str));
    let facts = view.chain(names(&hit.context));
    writeln!(out, "    {}", facts.collect::<Vec<_>>().join(", "))?;
    if let RuleSource::Sigma { .. } = rule.source {
        writeln!(out, "    {}", show::clip(&source_words(&rule.source), WIDTH))?;
    }
    Ok(())
}

/// What stands around a hit, in words.
fn names(context: &Context) -> impl Iterator<Item = &str> {
    let facts = [
        (context.code, "code"),
        (context.front_matter, "front matter"),
        (context.comment, "comment"),
        (context.quoted, "quoted"),
        (context.string_literal, "string literal"),
        (context.about_attacks, "about attacks"),
        (context.negated, "negated"),
        (context.listed, "listed"),
        (context.test_file, "test file"),
        (context.imperative, "imperative"),
        (context.to_agent, "to the agent"),
        (context.reported, "reported"),
    ];
    facts.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name)
}

fn value(unit: &str, file: &str, line: usize, hit: &Hit, rule: &Rule) -> Value {
    let mut value = json!({
        "unit": unit, "file": file, "line": line, "span": hit.span,
        "rule": hit.rule, "title": rule.title, "category": hit.category, "severity": hit.severity,
        "view": hit.view, "layers": hit.layers, "matched": hit.matched, "excerpt": hit.excerpt,
        "context": hit.context,
    });
    if let RuleSource::Sigma { .. } = rule.source {
        value["source"] = json!(source_words(&rule.source));
    }
    value
}
