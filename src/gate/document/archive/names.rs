//! The names of entries, made into paths that stay below the archive.

use super::Fault;
use crate::base::{RelPath, UnreadReason};

/// The path below the archive, and what is to be said of a name that leads elsewhere. Both slashes separate, as they do
/// for the programs of one system or another.
pub(super) fn clean(name: &[u8]) -> (RelPath, Option<Fault>) {
    let shown = String::from_utf8_lossy(name);
    let escapes = is_absolute(&shown) || shown.split(['/', '\\']).any(|segment| segment == "..");
    let fault = escapes.then(|| (UnreadReason::Escaping, format!("its name is `{shown}`")));
    (RelPath::tamed(&shown), fault)
}

/// The name of what a stream holds: the archive's without the ending that says how it is packed.
pub(super) fn unpacked(name: &str) -> RelPath {
    RelPath::tamed(name.rsplit_once('.').map_or("", |(stem, _)| stem))
}

/// True where a link at `from` leads out of the archive.
pub(super) fn leads_out(from: &RelPath, target: &str) -> bool {
    let mut depth = from.segments().count().saturating_sub(1);
    let mut segments = target.split(['/', '\\']).filter(|segment| !matches!(*segment, "" | "."));
    is_absolute(target)
        || segments.any(|segment| {
            let left = if segment == ".." { depth.checked_sub(1) } else { Some(depth + 1) };
            depth = left.unwrap_or_default();
            left.is_none()
        })
}

fn is_absolute(name: &str) -> bool {
    name.starts_with(['/', '\\']) || name.get(1..2) == Some(":")
}

#[cfg(test)]
mod tests {
    use super::{clean, leads_out, unpacked};
    use crate::base::RelPath;

    #[test]
    fn names_stay_below_the_archive_and_say_where_they_led() {
        for (name, path, escapes) in [
            ("a/b.sh", "a/b.sh", false),
            ("./a//b", "a/b", false),
            ("a\\b", "a/b", false),
            ("../../etc/cron.d/x", "etc/cron.d/x", true),
            ("/etc/x", "etc/x", true),
            ("C:\\x", "C:/x", true),
            ("a/..\\..\\x", "a/x", true),
            ("..", "unnamed", true),
            ("", "unnamed", false),
        ] {
            let (cleaned, fault) = clean(name.as_bytes());
            assert_eq!((cleaned.as_str(), fault.is_some()), (path, escapes), "{name}");
        }
        assert_eq!(clean(b"a\xff").0.as_str(), "a\u{fffd}");
    }

    #[test]
    fn streams_lose_their_ending() {
        assert_eq!(unpacked("notes.csv.gz").as_str(), "notes.csv");
        assert_eq!(unpacked("notes").as_str(), "unnamed");
    }

    #[test]
    fn links_that_lead_out_are_told() {
        let from = RelPath::new("a/b/link").unwrap();
        for (target, out) in [
            ("x", false),
            ("../../x", false),
            ("../../../x", true),
            ("/etc/x", true),
            ("c/../../../../x", true),
        ] {
            assert_eq!(leads_out(&from, target), out, "{target}");
        }
    }
}
