//! `skillgate rules stats`: how many rules there are of each kind, beside the paper's counts.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Value, json};

use super::Exit;
use crate::base::render::json;
use crate::cli::show;
use crate::gate::rules::stats::{Counts, PAPER, PAPER_SIGMA, Stats, paper};
use crate::gate::rules::{RuleSet, Severity};

/// Counts and shows.
pub(super) fn show(rules: &RuleSet, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let stats = Stats::of(rules);
    if json {
        writeln!(out, "{}", json::pretty(&value(&stats, rules)))?;
        return Ok(Exit::Ok);
    }
    write_categories(&stats, out)?;
    let together: Vec<_> = PAPER.iter().filter(|(names, _)| names.len() > 1).collect();
    for (names, count) in together {
        writeln!(out, "({count}): {} together; here {}", names.join(", "), stats.own_of(names))?;
    }
    writeln!(out)?;
    let sources = [("own", stats.total.own()), ("sigma", stats.total.sigma)];
    write_line("source", sources.into_iter(), out)?;
    write_line("language", stats.languages.iter().map(|(code, count)| (code.as_str(), *count)), out)?;
    write_line("view", stats.views.iter().map(|(name, count)| (*name, *count)), out)?;
    writeln!(out)?;
    let [all, patterns, anchors] =
        [(stats.total.all(), "rule"), (stats.patterns, "pattern"), (stats.anchors, "anchor")]
            .map(|(number, one)| show::count(number, one));
    writeln!(out, "{all}, {patterns}, {anchors}, {}", rules.digest())?;
    Ok(Exit::Ok)
}

fn write_categories(stats: &Stats, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut table = show::table([
        "CATEGORY", "RULES", "OWN", "PAPER", "SIGMA", "CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO",
    ]);
    for (category, counts) in &stats.categories {
        let paper = match paper(*category) {
            Some((count, false)) => count.to_string(),
            Some((count, true)) => format!("({count})"),
            None => String::new(),
        };
        table.add_row(row(category.name(), counts, paper));
    }
    let of_paper = PAPER.iter().map(|(_, count)| count).sum::<usize>();
    table.add_row(row("all", &stats.total, format!("{of_paper}+{PAPER_SIGMA}")));
    show::write_table(out, &table)?;
    Ok(())
}

fn row(name: &str, counts: &Counts, paper: String) -> Vec<String> {
    let [all, own, sigma] = [counts.all(), counts.own(), counts.sigma].map(|count| count.to_string());
    let severities = counts.severities.iter().rev().map(ToString::to_string);
    [name.to_owned(), all, own, paper, sigma].into_iter().chain(severities).collect()
}

fn write_line<'a>(
    name: &str,
    counts: impl Iterator<Item = (&'a str, usize)>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let counts: Vec<_> = counts.map(|(of, count)| format!("{of} {count}")).collect();
    writeln!(out, "{name:<10}{}", counts.join(", "))?;
    Ok(())
}

/// `categories` has the counts by severity alone, as it always had; what came later stands beside it.
fn value(stats: &Stats, rules: &RuleSet) -> Value {
    let of_each = |of: fn(&Counts) -> Value| -> serde_json::Map<_, _> {
        stats.categories.iter().map(|(category, counts)| (category.name().to_owned(), of(counts))).collect()
    };
    let paper = PAPER
        .iter()
        .map(|(names, count)| json!({ "categories": names, "paper": count, "own": stats.own_of(names) }));
    json!({
        "rules": stats.total.all(), "patterns": stats.patterns, "anchors": stats.anchors, "digest": rules.digest(),
        "categories": of_each(|counts| json!(by_severity(counts))),
        "category_sources": of_each(|counts| json!({ "own": counts.own(), "sigma": counts.sigma })),
        "severities": by_severity(&stats.total),
        "sources": { "own": stats.total.own(), "sigma": stats.total.sigma },
        "languages": stats.languages, "views": stats.views,
        "paper": { "attack": paper.collect::<Vec<_>>(), "sigma": PAPER_SIGMA },
    })
}

fn by_severity(counts: &Counts) -> BTreeMap<&'static str, usize> {
    Severity::ALL.into_iter().map(Severity::name).zip(counts.severities).collect()
}
