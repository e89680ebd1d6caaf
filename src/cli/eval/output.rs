//! Where an evaluation goes: the terminal, one JSON object, a report.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::human;
use crate::base::render::json;
use crate::eval::{Evaluation, Folder, Unit};

/// Where an evaluation goes.
#[derive(Debug, Args)]
pub(super) struct Output {
    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write a page with curves, all figures and all units into this folder: a new or empty one, or an older report
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One object
    Json,
}

impl Output {
    /// The report's folder, before anything is judged for it.
    pub(super) fn claim(&self) -> anyhow::Result<Option<Folder>> {
        Ok(self.report.as_deref().map(Folder::claim).transpose()?)
    }

    /// Prints an evaluation and writes its report.
    pub(super) fn give(
        &self,
        evaluation: &Evaluation,
        units: &[Unit<'_>],
        folder: Option<Folder>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Human => human::write(evaluation, out)?,
            Format::Json => writeln!(out, "{}", json::pretty(&serde_json::to_value(evaluation)?))?,
        }
        if let Some(folder) = folder {
            folder.write(evaluation, units)?;
        }
        Ok(())
    }
}
