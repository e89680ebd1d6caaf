//! A report on disk: `index.html`, the curves as SVG, `metrics.json` and `cases.jsonl`.
//!
//! Only a new or empty folder is written to, or one that holds an older report, known by its `metrics.json`. No file name
//! comes from a corpus, and nothing is removed but older curves of our own.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{curves, page};
use crate::base::printable;
use crate::base::render::json;
use crate::eval::evaluation::{Evaluation, MARK};
use crate::eval::unit::Unit;
use crate::gate::rules::RuleId;
use crate::gate::{Action, Label};
use crate::io::atomic;

/// The file by which a report is known.
const METRICS: &str = "metrics.json";

/// A folder that may be written to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There is something else in it.
    #[error(
        "`{}` holds something that is no report of `skillgate eval`: name a new folder for `--report`, or empty this one",
        printable(&.0.to_string_lossy())
    )]
    Foreign(PathBuf),
    /// It is no folder.
    #[error("`{}` is a file: name a new folder for `--report`", printable(&.0.to_string_lossy()))]
    File(PathBuf),
    /// A file or the folder cannot be read or written.
    #[error("writing the report to `{}`: {source}", printable(&path.to_string_lossy()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
}

/// One unit of a report: a line of `cases.jsonl`.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    set: &'a str,
    label: &'static str,
    provenance: &'a str,
    category: &'a str,
    technique: &'a str,
    family: &'a str,
    action: Action,
    score: f64,
    paper_score: f64,
    verdict: Option<Label>,
    confidence: Option<f64>,
    rules: Vec<RuleId>,
    relied_on: &'a std::collections::BTreeSet<RuleId>,
    elapsed_us: u64,
}

impl Folder {
    /// Makes sure, before anything is judged, that a report can go there. Makes the folder where there is none.
    pub fn claim(path: &Path) -> Result<Self, FolderError> {
        let fault = |source| FolderError::Io { path: path.to_owned(), source };
        if path.metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(FolderError::File(path.to_owned()));
        }
        std::fs::create_dir_all(path).map_err(fault)?;
        let is_empty = std::fs::read_dir(path).map_err(fault)?.next().is_none();
        if is_empty || is_report(path) {
            Ok(Self { path: path.to_owned() })
        } else {
            Err(FolderError::Foreign(path.to_owned()))
        }
    }

    /// Writes the report, in place of an older one.
    pub fn write(&self, evaluation: &Evaluation, units: &[Unit<'_>]) -> Result<(), FolderError> {
        let metrics = serde_json::to_value(evaluation).map_err(|error| self.fault(METRICS, error.into()))?;
        // First of all: what breaks off after this is still known as ours.
        self.put(METRICS, json::pretty(&metrics))?;
        self.remove_curves()?;
        let charts = curves::drawn(evaluation);
        for drawn in &charts {
            self.put(&drawn.file, drawn.chart.svg().into_string())?;
        }
        self.put("index.html", page::page(evaluation, &charts, units).into_string())?;
        let lines: Result<Vec<String>, _> =
            units.iter().map(|unit| serde_json::to_string(&line(unit))).collect();
        let lines = lines.map_err(|error| self.fault("cases.jsonl", error.into()))?;
        self.put("cases.jsonl", lines.join("\n"))
    }

    fn put(&self, name: &str, mut text: String) -> Result<(), FolderError> {
        text.push('\n');
        atomic::write_private(&self.path.join(name), text.as_bytes()).map_err(|error| self.fault(name, error))
    }

    /// An older report may have had more groups.
    fn remove_curves(&self) -> Result<(), FolderError> {
        let entries = std::fs::read_dir(&self.path).map_err(|error| self.fault("", error))?;
        for entry in entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(curves::is_ours))
        {
            std::fs::remove_file(entry.path())
                .map_err(|source| FolderError::Io { path: entry.path(), source })?;
        }
        Ok(())
    }

    fn fault(&self, name: &str, source: std::io::Error) -> FolderError {
        FolderError::Io { path: self.path.join(name), source }
    }
}

fn is_report(path: &Path) -> bool {
    let metrics = std::fs::read(path.join(METRICS)).unwrap_or_default();
    let metrics: serde_json::Value = serde_json::from_slice(&metrics).unwrap_or_default();
    metrics["report"] == MARK
}

fn line<'u>(unit: &'u Unit<'_>) -> Line<'u> {
    Line {
        id: &unit.case.id,
        set: &unit.case.set,
        label: unit.case.expected.name(),
        provenance: &unit.case.provenance,
        category: &unit.case.category,
        technique: &unit.case.technique,
        family: &unit.case.family,
        action: unit.decision.would_be,
        score: unit.score(),
        paper_score: unit.paper_score(),
        verdict: unit.asked.then_some(unit.decision.label),
        confidence: unit.asked.then_some(unit.decision.confidence),
        rules: unit.findings.rules(),
        relied_on: &unit.relied_on,
        elapsed_us: unit.elapsed_us,
    }
}
