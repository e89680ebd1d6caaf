//! From paths to documents.

use std::path::{Path, PathBuf};

use super::{ScanArgs, ScanAs};
use crate::base::{RelPath, Unread, UnreadReason, printable};
use crate::gate::policy::Limits as PolicyLimits;
use crate::gate::{Document, Origin};
use crate::io;
use crate::io::git::Changed;
use crate::io::load::{self, Limits, LoadedUnit, UnitKind};
use crate::skill::leaf;
use anyhow::Context;

/// Something that was found at a path.
pub(super) enum Found {
    /// A unit.
    Unit {
        /// Its path as a person would open it.
        path: String,
        /// Its path as it is opened here.
        real: PathBuf,
        /// The unit.
        document: Box<Document>,
        /// Where it came from.
        origin: Origin,
    },
    /// A place that could not be searched for units.
    NotSearched(Unread),
}

/// Where to look.
pub(super) struct Place {
    /// The path that is opened.
    pub path: PathBuf,
    /// What people know it as: the same, or its path in a repository that was cloned.
    pub shown: PathBuf,
    /// Only units that this touches.
    pub changed: Option<Changed>,
}

impl Place {
    /// True for a unit at this place below, `.` being the path itself.
    fn wants(&self, below: &str) -> bool {
        let unit = std::fs::canonicalize(beneath(&self.path, below));
        self.changed.as_ref().is_none_or(|changed| unit.is_ok_and(|unit| changed.touches(&unit)))
    }
}

fn beneath(path: &Path, below: &str) -> PathBuf {
    if below == "." { path.to_owned() } else { path.join(below) }
}

/// Calls `visit` with everything at a path, one after the other.
pub(super) fn each(
    place: &Place,
    arguments: &ScanArgs,
    limits: &PolicyLimits,
    mut visit: impl FnMut(Found) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let path = &place.path;
    if arguments.kind == Some(ScanAs::Mcp) {
        return if place.wants(".") { visit(message(place, arguments, limits)?) } else { Ok(()) };
    }
    let limits = Limits::from(limits);
    let collection = match arguments.kind {
        Some(ScanAs::Skill) => load::load_skill(path, &limits)?,
        _ => load::load_path(path, &limits)?,
    };
    for unread in collection.unread() {
        visit(Found::NotSearched(unread.clone()))?;
    }
    let mut seen = Seen::default();
    for unit in collection.units_at(|below| place.wants(below)) {
        let document = document(&unit, arguments.kind);
        if unit.kind == UnitKind::Archive && !is_skill(&unit, &document) {
            match hiding_a_skill(&document) {
                Some(unread) => visit(Found::NotSearched(Unread { path: unit.path, ..unread.clone() }))?,
                None => seen.archives.push(unit.path),
            }
            continue;
        }
        seen.units += 1;
        for note in &unit.notes {
            eprintln!("note: {}: {}", printable(&unit.path), printable(&note.message));
        }
        visit(found(place, &unit, document))?;
    }
    seen.tell(place, arguments.changed.as_deref().filter(|_| !collection.is_empty()));
    Ok(())
}

/// What a search came by.
#[derive(Default)]
struct Seen {
    units: usize,
    /// Archives that hold no skill.
    archives: Vec<String>,
}

/// How many archives are named that hold no skill.
const MOST_NAMED: usize = 5;

impl Seen {
    fn tell(&self, place: &Place, changed_since: Option<&str>) {
        let shown = place.shown.to_string_lossy();
        match changed_since {
            Some(base) if self.units + self.archives.len() == 0 => {
                eprintln!("note: nothing in `{}` has changed since `{}`", printable(&shown), printable(base));
            }
            _ if self.units == 0 => {
                eprintln!("note: no skill and no file that agents obey in `{}`", printable(&shown));
            }
            _ => {}
        }
        if !self.archives.is_empty() {
            let named = self.archives.iter().take(MOST_NAMED).map(|path| format!("`{}`", printable(path)));
            let more = self.archives.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            eprintln!(
                "note: archives without a skill were not looked at: {}{more}; to look at one, name it",
                named.collect::<Vec<_>>().join(", ")
            );
        }
    }
}

fn document(unit: &LoadedUnit, kind: Option<ScanAs>) -> Document {
    let name = unit.name.as_deref().unwrap_or(&unit.path);
    let as_skill = kind.map_or(unit.kind == UnitKind::Skill, |kind| kind == ScanAs::Skill);
    if as_skill { Document::package(&unit.tree, name) } else { Document::loose(&unit.tree, name) }
}

/// True for an archive that agents' users install as a skill.
fn is_skill(archive: &LoadedUnit, document: &Document) -> bool {
    let is_named_so = RelPath::new(archive.path.as_str()).is_ok_and(|path| leaf::is_skill_archive(&path));
    is_named_so || document.holds_packed_skill()
}

/// What was not read of an archive, where a skill may be in just that.
fn hiding_a_skill(document: &Document) -> Option<&Unread> {
    let is_whole = |unread: &&Unread| !unread.path.contains("!/");
    let may_hide = |unread: &&Unread| {
        use UnreadReason::{Ambiguous, Encrypted, TooDeep, TooLarge, TooMany, Undecodable};
        matches!(unread.reason, Ambiguous | Encrypted | TooDeep | TooLarge | TooMany | Undecodable)
    };
    document.unread.iter().find(|unread| is_whole(unread) || may_hide(unread))
}

fn found(place: &Place, unit: &LoadedUnit, document: Document) -> Found {
    let origin = Origin { source: Some("scan".to_owned()), ..Origin::default() };
    let shown = beneath(&place.shown, &unit.path).display().to_string();
    Found::Unit {
        path: if shown.is_empty() { ".".to_owned() } else { shown },
        real: beneath(&place.path, &unit.path),
        document: Box::new(document),
        origin,
    }
}

/// One message; its method from the request it answers, else from its shape.
fn message(place: &Place, arguments: &ScanArgs, limits: &PolicyLimits) -> anyhow::Result<Found> {
    let path = &place.path;
    let raw = read_bounded(path, limits.max_message_bytes)?;
    let request = arguments.answers.as_ref().map(|request| read_bounded(request, limits.max_message_bytes));
    let request = request.transpose()?;
    let (document, origin) = io::message::document(&raw, request.as_deref(), limits.room())
        .with_context(|| format!("`{}`", printable(&path.to_string_lossy())))?;
    let origin = Origin { source: Some("scan".to_owned()), ..origin };
    let shown = place.shown.display().to_string();
    Ok(Found::Unit { path: shown, real: path.clone(), document: Box::new(document), origin })
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
