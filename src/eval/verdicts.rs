//! Verdicts of a judge elsewhere, one JSON object a line, about units that `export-evidence` wrote.
//!
//! All or nothing: a line that cannot be right, and a unit that was to be judged and was not, is an error, since figures
//! over what happens to be left would look as good as any.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use super::unit::Unit;
use crate::base::printable;
use crate::gate::{Policy, Verdict};

/// The name of the judge that such verdicts are reported under.
pub const JUDGE: &str = "imported";

/// How many faults are told; the others are counted.
const MOST_TOLD: usize = 20;

/// What is wrong with a file of verdicts.
#[derive(Debug, thiserror::Error)]
pub struct VerdictErrors {
    file: String,
    faults: Vec<Fault>,
}

/// One thing that is wrong, and on which line, where it is on one.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    line: Option<usize>,
    what: String,
}

/// Units with the verdicts of a judge elsewhere.
pub struct Imported<'a> {
    /// The units, as these verdicts have them decided.
    pub units: Vec<Unit<'a>>,
    /// Verdicts about units that are allowed unasked; they count for nothing.
    pub unasked: usize,
}

#[derive(Deserialize)]
struct Line {
    set: String,
    id: String,
    label: Value,
    confidence: Value,
}

/// One verdict.
struct Told {
    line: usize,
    verdict: Verdict,
}

/// The units as the verdicts in this text have them decided by this policy. `file` is how the text is called in errors.
pub fn import<'a>(
    file: &str,
    text: &str,
    units: &[Unit<'a>],
    policy: &Policy,
) -> Result<Imported<'a>, VerdictErrors> {
    let known: BTreeSet<(&str, &str)> = units.iter().map(name).collect();
    let mut told: BTreeMap<(String, String), Told> = BTreeMap::new();
    let mut faults = Vec::new();
    for (at, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        if let Err(what) = take(at + 1, text, &known, &mut told) {
            faults.push(Fault { line: Some(at + 1), what });
        }
    }
    let missing = |unit: &&Unit<'_>| unit.asked && !told.contains_key(&owned(name(unit)));
    faults.extend(units.iter().filter(missing).map(|unit| Fault {
        line: None,
        what: format!(
            "there is no verdict about `{}` of `{}`, in which something was found",
            printable(&unit.case.id),
            printable(&unit.case.set)
        ),
    }));
    if !faults.is_empty() {
        return Err(VerdictErrors { file: file.to_owned(), faults });
    }
    let judged = units.iter().map(|unit| {
        let told = told.get(&owned(name(unit)));
        told.map_or_else(|| unit.clone(), |told| unit.judged_by(told.verdict.clone(), policy))
    });
    let is_unasked = |unit: &&Unit<'_>| !unit.asked && told.contains_key(&owned(name(unit)));
    Ok(Imported { units: judged.collect(), unasked: units.iter().filter(is_unasked).count() })
}

fn name<'u>(unit: &'u Unit<'_>) -> (&'u str, &'u str) {
    (&unit.case.set, &unit.case.id)
}

fn owned((set, id): (&str, &str)) -> (String, String) {
    (set.to_owned(), id.to_owned())
}

/// Takes one line, or says what is wrong with it.
fn take(
    line: usize,
    text: &str,
    known: &BTreeSet<(&str, &str)>,
    told: &mut BTreeMap<(String, String), Told>,
) -> Result<(), String> {
    let Line { set, id, label, confidence } =
        serde_json::from_str(text).map_err(|error| unreadable(text, &error))?;
    if !known.contains(&(set.as_str(), id.as_str())) {
        return Err(unknown(&set, &id, known));
    }
    let verdict = Verdict {
        label: serde_json::from_value(label.clone())
            .map_err(|_| format!("the label {label} is none of SAFE, SUSPICIOUS, MALICIOUS"))?,
        confidence: confidence
            .as_f64()
            .filter(|confidence| (0.0..=1.0).contains(confidence))
            .ok_or_else(|| format!("the confidence {confidence} is no number from 0 to 1"))?,
        judge: JUDGE.to_owned(),
        rationale: String::new(),
        ..Verdict::no_hits()
    };
    let name = (set, id);
    if let Some(before) = told.get(&name) {
        return Err(format!("`{}` was judged on line {} already", printable(&name.1), before.line));
    }
    told.insert(name, Told { line, verdict });
    Ok(())
}

/// JSON has no NaN, and some programs write one all the same.
fn unreadable(text: &str, error: &serde_json::Error) -> String {
    let not_json = ["NaN", "Infinity"].into_iter().find(|word| error.is_syntax() && text.contains(word));
    match not_json {
        Some(word) => format!("{word} is no JSON: a confidence is a number from 0 to 1"),
        // The text is one line of the file, and which one is said already.
        None => error.to_string().replace(" at line 1 column", " at column"),
    }
}

fn unknown(set: &str, id: &str, known: &BTreeSet<(&str, &str)>) -> String {
    let sets: BTreeSet<&str> = known.iter().map(|(set, _)| *set).collect();
    let id = printable(id);
    if sets.contains(set) {
        return format!("no unit of `{}` has the id `{id}`", printable(set));
    }
    let sets: Vec<_> = sets.into_iter().map(printable).collect();
    format!("`{id}` is of the set `{}`, and the corpora are {}", printable(set), sets.join(", "))
}

impl fmt::Display for VerdictErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = printable(&self.file);
        let told = self.faults.iter().take(MOST_TOLD).map(|Fault { line, what }| match line {
            Some(line) => format!("`{file}` line {line}: {what}"),
            None => format!("`{file}`: {what}"),
        });
        f.write_str(&told.collect::<Vec<_>>().join("\n"))?;
        match self.faults.len().saturating_sub(MOST_TOLD) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}
