//! A section: a title, what has to be said with it, and a table.

use super::{costs, detection};
use crate::eval::evaluation::Evaluation;

/// A table with its title.
#[derive(Clone, Debug)]
pub struct Section {
    /// What it is about.
    pub title: String,
    /// What has to be known to read it.
    pub notes: Vec<String>,
    /// The heads of its columns.
    pub heads: Vec<&'static str>,
    /// Its rows. Cells may hold other people's text.
    pub rows: Vec<Vec<String>>,
    /// Too long for a terminal: only reports have it.
    pub is_detail: bool,
}

impl Section {
    /// A section without rows.
    pub(super) fn new(title: impl Into<String>, heads: &[&'static str]) -> Self {
        Self {
            title: title.into(),
            notes: Vec::new(),
            heads: heads.to_vec(),
            rows: Vec::new(),
            is_detail: false,
        }
    }

    /// With this said.
    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With these rows.
    pub(super) fn rows(mut self, rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// Only for reports.
    pub(super) const fn detail(mut self) -> Self {
        self.is_detail = true;
        self
    }
}

/// The sections of an evaluation, without empty ones, each title saying what the judge may have seen before.
pub fn sections(evaluation: &Evaluation) -> Vec<Section> {
    let all = detection::sections(evaluation).into_iter().chain(costs::sections(evaluation));
    let tagged = all.filter(|section| !section.rows.is_empty()).map(|section| {
        let title = format!("{} ({})", section.title, evaluation.basis.tag());
        Section { title, ..section }
    });
    tagged.collect()
}
