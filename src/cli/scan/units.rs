//! From paths to documents.

use std::path::Path;

use super::{ScanArgs, ScanAs};
use crate::base::{Unread, printable};
use crate::gate::policy::Limits as PolicyLimits;
use crate::gate::{Document, Origin};
use crate::io;
use crate::io::load::{self, Limits, LoadedUnit, UnitKind};
use anyhow::Context;

/// Something that was found at a path.
pub(super) enum Found {
    /// A unit.
    Unit {
        /// Its path as a person would open it.
        path: String,
        /// The unit.
        document: Box<Document>,
        /// Where it came from.
        origin: Origin,
    },
    /// A place that could not be searched for units.
    NotSearched(Unread),
}

/// Calls `visit` with everything at a path, one after the other.
pub(super) fn each(
    path: &Path,
    arguments: &ScanArgs,
    limits: &PolicyLimits,
    mut visit: impl FnMut(Found) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if arguments.kind == Some(ScanAs::Mcp) {
        return visit(message(path, arguments, limits)?);
    }
    let limits = Limits::from(limits);
    let collection = match arguments.kind {
        Some(ScanAs::Skill) => load::load_skill(path, &limits)?,
        _ => load::load_path(path, &limits)?,
    };
    if collection.is_empty() {
        eprintln!("note: no skill and no file that agents obey in `{}`", printable(&path.to_string_lossy()));
    }
    for unread in collection.unread() {
        visit(Found::NotSearched(unread.clone()))?;
    }
    for unit in collection.units() {
        for note in &unit.notes {
            eprintln!("note: {}: {}", printable(&unit.path), printable(&note.message));
        }
        visit(found(path, &unit, arguments.kind))?;
    }
    Ok(())
}

fn found(root: &Path, unit: &LoadedUnit, kind: Option<ScanAs>) -> Found {
    let path = if unit.path == "." { root.to_owned() } else { root.join(&unit.path) };
    let origin = Origin { source: Some("scan".to_owned()), ..Origin::default() };
    let name = unit.name.as_deref().unwrap_or(&unit.path);
    let as_skill = kind.map_or(unit.kind == UnitKind::Skill, |kind| kind == ScanAs::Skill);
    let document =
        if as_skill { Document::package(&unit.tree, name) } else { Document::loose(&unit.tree, name) };
    Found::Unit { path: path.display().to_string(), document: Box::new(document), origin }
}

/// One message; its method from the request it answers, else from its shape.
fn message(path: &Path, arguments: &ScanArgs, limits: &PolicyLimits) -> anyhow::Result<Found> {
    let raw = read_bounded(path, limits.max_message_bytes)?;
    let request = arguments.answers.as_ref().map(|request| read_bounded(request, limits.max_message_bytes));
    let request = request.transpose()?;
    let (document, origin) = io::message::document(&raw, request.as_deref(), limits.room())
        .with_context(|| format!("`{}`", printable(&path.to_string_lossy())))?;
    let origin = Origin { source: Some("scan".to_owned()), ..origin };
    Ok(Found::Unit { path: path.display().to_string(), document: Box::new(document), origin })
}

fn read_bounded(path: &Path, limit: u64) -> anyhow::Result<Vec<u8>> {
    use std::io::Read;
    let shown = || format!("reading `{}`", printable(&path.to_string_lossy()));
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(load::LoadError::Missing(path.to_owned()).into());
        }
        metadata => metadata.with_context(shown)?,
    };
    anyhow::ensure!(
        metadata.is_file(),
        "`{}` is no file: give one that holds a JSON-RPC message",
        printable(&path.to_string_lossy())
    );
    let file = std::fs::File::open(path).with_context(shown)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).with_context(shown)?;
    anyhow::ensure!(
        bytes.len() as u64 <= limit,
        "`{}` is over `limits.max_message_bytes` of the policy ({limit} bytes)",
        printable(&path.to_string_lossy())
    );
    Ok(bytes)
}
