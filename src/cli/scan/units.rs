//! From paths to documents.

use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use super::{ScanArgs, ScanAs};
use crate::base::{Unread, printable};
use crate::gate::policy::{Limits as PolicyLimits, Screened};
use crate::gate::{Document, Origin};
use crate::io::load::{self, Limits, LoadedUnit, UnitKind};
use crate::mcp::payload::{self, Payload};
use crate::mcp::question::Side;
use crate::mcp::screen_list::ScreenList;
use crate::mcp::session::{Session, Step};

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
    let limits = Limits {
        file_bytes: limits.max_file_bytes,
        unit_bytes: limits.max_unit_bytes,
        files: usize::try_from(limits.max_files).unwrap_or(usize::MAX),
        depth: usize::try_from(limits.max_depth).unwrap_or(usize::MAX),
        ..Limits::default()
    };
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
    let line = raw.trim_ascii();
    ensure_message(path, line)?;
    let (method, target) = match &arguments.answers {
        Some(request) => {
            let request = read_bounded(request, limits.max_message_bytes)?;
            let request = request.trim_ascii();
            ensure_answer(request, line)?;
            asked(request, line)?
        }
        None => (payload::guess_method(line).into_owned(), String::new()),
    };
    let payload = Payload::of(&method, &target, line);
    let origin = Origin {
        source: Some("scan".to_owned()),
        method: Some(method).filter(|method| !method.is_empty()),
        target: Some(target).filter(|target| !target.is_empty()),
        ..Origin::default()
    };
    let document = Box::new(Document::mcp(&payload));
    Ok(Found::Unit { path: path.display().to_string(), document, origin })
}

/// Refuses JSON that is no message. What is no JSON at all is a message that cannot be read, as it is on the wire.
fn ensure_message(path: &Path, line: &[u8]) -> anyhow::Result<()> {
    let is_message = match serde_json::from_slice(line) {
        Ok(Value::Object(_)) | Err(_) => true,
        Ok(Value::Array(batch)) => !batch.is_empty() && batch.iter().all(Value::is_object),
        Ok(_) => false,
    };
    anyhow::ensure!(
        is_message,
        "`{}` holds no JSON-RPC message: give an object, or a batch of objects",
        printable(&path.to_string_lossy())
    );
    Ok(())
}

/// Refuses a request that another message would answer.
fn ensure_answer(request: &[u8], line: &[u8]) -> anyhow::Result<()> {
    if let (Some(asked), Some(answered)) = (member(request, "id"), member(line, "id")) {
        anyhow::ensure!(
            asked == answered,
            "the message answers the request with id {}, and the one in the file of `--answers` has id {}: give the \
             request that belongs to it",
            printable(&answered.to_string()),
            printable(&asked.to_string())
        );
    }
    Ok(())
}

/// Method and target as a session would know them that saw the request before the message.
fn asked(request: &[u8], line: &[u8]) -> anyhow::Result<(String, String)> {
    let every = Screened::ALL.iter().map(|screened| screened.key());
    let mut session = Session::new(ScreenList::new(every));
    session.line(Side::Client, request);
    anyhow::ensure!(
        session.waiting() == 1,
        "the file of `--answers` holds no JSON-RPC request: give an object with `jsonrpc`, `id` and `method`"
    );
    match session.line(Side::Server, line) {
        Step::Judge(parts, _) => {
            let question =
                parts.into_iter().next().map(|part| part.question).context("the message is empty")?;
            Ok((question.method, question.target))
        }
        // An answer without a word in it passes a session unasked.
        Step::Pass(_) if member(line, "result").or_else(|| member(line, "error")).is_some() => {
            let method = member(request, "method");
            Ok((method.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(), String::new()))
        }
        Step::Pass(_) | Step::Drop(_) => anyhow::bail!(
            "the message is no JSON-RPC answer: give an object with `id` and `result` or `error`, or leave `--answers` out"
        ),
    }
}

/// A member of a JSON object.
fn member(json: &[u8], key: &str) -> Option<Value> {
    serde_json::from_slice::<Value>(json).ok()?.get(key).cloned()
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
