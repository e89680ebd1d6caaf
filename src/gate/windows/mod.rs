//! Windows: the stretches of text around hits that a judge reads (gate.md 3, papers/skillgate.txt III-C).
//!
//! Each hit asks for `cw` characters on either side. Overlapping windows, and those within `cw / 4` of each other, are
//! one; a window never crosses a part. At most `ms` windows and `cap` characters go to the judge, whole ones by severity,
//! then by rules not yet shown, then by position; what stays out is listed. Secrets are redacted here. What a hit means
//! is not known here.

mod choose;
mod reading;
mod render;
mod stretch;

#[cfg(test)]
mod tests;

pub(super) use reading::Reading;

use super::evidence::DroppedWindow;
use super::policy::WindowSettings;
use super::{Document, Hit, Window};

/// The windows that the judge gets, most telling first, and those it does not.
pub fn select(
    document: &Document,
    hits: &[Hit],
    settings: &WindowSettings,
) -> (Vec<Window>, Vec<DroppedWindow>) {
    select_read(&Reading::of(document, hits), hits, settings)
}

/// [`select`] over parts whose secrets and lines are known already.
pub(super) fn select_read(
    reading: &Reading<'_>,
    hits: &[Hit],
    settings: &WindowSettings,
) -> (Vec<Window>, Vec<DroppedWindow>) {
    let stretches = stretch::around(reading.document, hits, settings.cw);
    choose::choose(reading, hits, stretches, settings)
}

/// For a document without hits that is judged all the same: the beginning of each part, instructions first, up to the
/// cap. A part that does not fit is listed as dropped.
pub(super) fn opening(document: &Document, settings: &WindowSettings) -> (Vec<Window>, Vec<DroppedWindow>) {
    let mut parts: Vec<usize> = (0..document.parts.len()).collect();
    parts.sort_by_key(|part| document.parts[*part].role);
    let stretches = parts.into_iter().map(|part| stretch::whole(document, part));
    choose::fill(&Reading::whole(document), stretches, settings)
}
