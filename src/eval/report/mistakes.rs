//! The units that were decided about wrongly, each by its name: for the page alone, since there may be many.

use super::cells;
use super::section::Section;
use crate::base::printable;
use crate::eval::corpus::Expected;
use crate::eval::unit::Unit;

/// The most units that a table names; `cases.jsonl` has all.
const MOST: usize = 500;
/// The most rules that are named of one.
const MOST_RULES: usize = 8;

/// What passed that should not have, and what was kept back that should have passed.
pub(super) fn sections(units: &[Unit<'_>]) -> Vec<Section> {
    let missed = wrong(units, Expected::Malicious);
    let alarms = wrong(units, Expected::Benign);
    let named = [
        ("Missed", "Malicious units that pass, the least suspicious first.", missed),
        ("False alarms", "Benign units that are kept back, the most suspicious first.", alarms),
    ];
    let sections = named.into_iter().filter(|(_, _, units)| !units.is_empty());
    sections.map(|(title, note, units)| section(title, note, &units)).collect()
}

fn section(title: &str, note: &str, units: &[&Unit<'_>]) -> Section {
    let section = Section::new(title, &["SET", "ID", "CATEGORY", "ACTION", "SCORE", "RULES"]).note(note);
    let more = units.len().saturating_sub(MOST);
    let rest = (more > 0).then(|| format!("{} more are in cases.jsonl.", cells::count(more)));
    rest.into_iter().fold(section, Section::note).rows(units.iter().take(MOST).map(|unit| row(unit)))
}

/// The units of this kind that were not decided about rightly.
fn wrong<'u, 'a>(units: &'u [Unit<'a>], expected: Expected) -> Vec<&'u Unit<'a>> {
    let of_kind = units.iter().filter(|unit| unit.case.expected == expected && !unit.is_right());
    let mut wrong: Vec<_> = of_kind.collect();
    wrong.sort_by(|a, b| a.score().total_cmp(&b.score()));
    if expected == Expected::Benign {
        wrong.reverse();
    }
    wrong
}

fn row(unit: &Unit<'_>) -> Vec<String> {
    let rules = unit.findings.rules();
    let more = rules.len().saturating_sub(MOST_RULES);
    let mut named: Vec<_> = rules.iter().take(MOST_RULES).map(ToString::to_string).collect();
    named.extend((more > 0).then(|| format!("and {more} more")));
    vec![
        unit.case.set.clone(),
        printable(&unit.case.id).into_owned(),
        unit.case.category.clone(),
        unit.decision.would_be.name().to_owned(),
        format!("{:.2}", unit.score()),
        named.join(" "),
    ]
}
