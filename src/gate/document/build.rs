//! Making documents of what arrives: a package's tree, a loose file, a message.
//!
//! The digest covers everything that would be forwarded as it is, unread content included and archives unopened; the
//! parts are what can be read of it.

use std::sync::Arc;

use super::reading::Reading;
use super::{Anomaly, Document, Kind, Part, Role};
use crate::base::{Digest, DigestWriter, File, FileTree, Mode, RelPath, Room};
use crate::mcp::payload::Payload;
use crate::skill::{LooseKind, Skill, front_matter, leaf, loose, resource};

impl Document {
    /// A skill package. `fallback` names it where its front matter does not (its folder's name).
    pub fn package(tree: &FileTree, fallback: &str) -> Self {
        let skill = Skill::parse(tree);
        let mut reading = Reading::new(tree.unread().to_vec(), tree.room());
        if let Some(main) = &skill.file
            && let Some(file) = tree.get(main.as_str())
        {
            reading.text(main, file, Role::Instructions);
        }
        for resource in &skill.resources {
            if let Some(file) = tree.get(resource.path.as_str()) {
                reading.file(&resource.path, file, resource.kind, resource.format);
            }
        }
        reading.main_file(|path| leaf::is_skill_file(path) && path.parent().is_none());
        Self {
            kind: Kind::Package,
            name: skill.name.map_or_else(|| fallback.to_owned(), |name| name.value),
            description: skill.description.map(|description| description.value).unwrap_or_default(),
            digest: tree_digest(Kind::Package, tree),
            bytes: tree.total_bytes(),
            parts: reading.parts,
            unread: reading.unread,
            anomalies: reading.anomalies,
        }
    }

    /// A tree with one file that agents obey; `name` is the file's name or path.
    pub fn loose(tree: &FileTree, name: &str) -> Self {
        let mut reading = Reading::new(tree.unread().to_vec(), tree.room());
        for (path, file) in tree.iter() {
            let (kind, format) = resource::classify(path, &file.bytes);
            match loose::kind(path) {
                Some(LooseKind::Instructions | LooseKind::Command | LooseKind::Agent) if kind.is_text() => {
                    reading.text(path, file, Role::Instructions);
                }
                _ => reading.file(path, file, kind, format),
            }
        }
        // Whoever names one file asks about just that.
        let only = tree.iter().next().filter(|_| tree.len() == 1).map(|(path, _)| path.clone());
        reading.main_file(|path| loose::kind(path).is_some() || only.as_ref() == Some(path));
        reading.nothing_read(name, tree.total_bytes());
        reading.obey_packed_skills();
        let description = reading.parts.iter().find_map(description);
        Self {
            kind: Kind::Loose,
            name: name.to_owned(),
            description: description.unwrap_or_default(),
            digest: tree_digest(Kind::Loose, tree),
            bytes: tree.total_bytes(),
            parts: reading.parts,
            unread: reading.unread,
            anomalies: reading.anomalies,
        }
    }

    /// One message of an MCP server, or of an agent. Archives in it may unpack to as much as there is room for.
    pub fn mcp(payload: &Payload<'_>, room: Room) -> Self {
        let part = |field: &crate::mcp::payload::Field<'_>| Part {
            path: field.path.clone(),
            role: Role::Field,
            text: Arc::from(field.text.as_ref()),
        };
        let anomaly = |anomaly: &crate::mcp::anomaly::Anomaly| Anomaly {
            code: anomaly.code.name().to_owned(),
            path: anomaly.path.clone(),
        };
        let mut reading = Reading::new(payload.unread.clone(), room);
        reading.parts = payload.fields.iter().map(part).collect();
        reading.anomalies = payload.anomalies.iter().map(anomaly).collect();
        for blob in &payload.blobs {
            let path = RelPath::tamed(&blob.path);
            let (kind, format) = resource::classify(&path, &blob.bytes);
            reading.file(&path, &File::regular(blob.bytes.as_slice()), kind, format);
        }
        reading.whole_message();
        Self {
            kind: Kind::Mcp,
            name: if payload.target.is_empty() { payload.method.clone() } else { payload.target.clone() },
            description: String::new(),
            digest: payload_digest(payload),
            bytes: payload.bytes() as u64,
            parts: reading.parts,
            unread: reading.unread,
            anomalies: reading.anomalies,
        }
    }
}

/// The description in the front matter of a file of instructions.
fn description(part: &Part) -> Option<String> {
    let front_matter = front_matter::read(&part.text).front_matter;
    let words = front_matter.get("description")?.value.scalar()?.trim();
    (part.role == Role::Instructions).then(|| words.to_owned())
}

/// Sorted (path, mode, length, bytes) of every file, then what was left unread (gate.md 1).
fn tree_digest(kind: Kind, tree: &FileTree) -> Digest {
    let mut writer = DigestWriter::new(kind.name());
    for (path, file) in tree.iter() {
        let mode: &[u8] = if file.mode == Mode::Executable { b"x" } else { b"-" };
        writer.field(path.as_str().as_bytes()).field(mode).field(&file.bytes);
    }
    for unread in tree.unread() {
        let reason = unread.reason.name().as_bytes();
        writer.field(b"unread").field(unread.path.as_bytes()).field(reason).field(unread.detail.as_bytes());
    }
    writer.finish()
}

fn payload_digest(payload: &Payload<'_>) -> Digest {
    let mut writer = DigestWriter::new(Kind::Mcp.name());
    writer.field(payload.method.as_bytes());
    for (path, bytes) in payload.forwarded() {
        writer.field(path.as_bytes()).field(bytes);
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use crate::base::{File, FileTree, Mode, RelPath, Room, UnreadReason};
    use crate::gate::{Document, Role};
    use crate::mcp::payload::Payload;

    fn tree(files: &[(&str, &[u8])]) -> FileTree {
        files.iter().map(|(path, bytes)| (RelPath::new(*path).unwrap(), File::regular(*bytes))).collect()
    }

    #[test]
    fn a_package_has_its_main_file_first_and_lists_what_it_cannot_read() {
        let tree = tree(&[
            ("SKILL.md", b"---\nname: a\ndescription: does b\n---\nx"),
            ("bin/run", b"\x7fELF\x02"),
            ("a.sh", b"echo"),
            ("logo.png", b"\x89PNG\r\n\x1a\n"),
        ]);
        let document = Document::package(&tree, "folder");
        assert_eq!((document.name.as_str(), document.description.as_str()), ("a", "does b"));
        let parts: Vec<_> = document.parts.iter().map(|part| (part.path.as_str(), part.role)).collect();
        assert_eq!(parts, [("SKILL.md", Role::Instructions), ("a.sh", Role::Script)]);
        let unread: Vec<_> =
            document.unread.iter().map(|unread| (unread.path.as_str(), unread.reason)).collect();
        assert_eq!(unread, [("bin/run", UnreadReason::Executable), ("logo.png", UnreadReason::Media)]);
    }

    #[test]
    fn what_is_odd_about_files_is_noted() {
        let png = b"\x89PNG\r\n\x1a\n\0\0IEND\xaeB\x60\x82\n#!/bin/sh\necho hello to all of you\n";
        let mut tree = tree(&[("SKILL.md", b"x"), ("b.png", png), ("c.bin", b"\x7fELF\x02")]);
        let executable = |bytes: &[u8]| File { mode: Mode::Executable, ..File::regular(bytes) };
        tree.insert(RelPath::new("notes.txt").unwrap(), executable(b"words"));
        tree.insert(RelPath::new("run").unwrap(), executable(b"#!/bin/sh\nid"));
        let document = Document::package(&tree, "x");
        let anomalies: Vec<_> =
            document.anomalies.iter().map(|odd| (odd.code.as_str(), odd.path.as_str())).collect();
        assert_eq!(
            anomalies,
            [("polyglot", "b.png"), ("bundled-executable", "c.bin"), ("execute-bit", "notes.txt")]
        );
        let hidden = document.parts.iter().find(|part| part.path == "b.png!text").unwrap();
        assert!(hidden.text.contains("echo hello"));
    }

    #[test]
    fn a_loose_file_takes_its_description_from_front_matter() {
        let text = b"---\ndescription: Commits\n---\nCommit all.";
        let document = Document::loose(&tree(&[(".claude/commands/commit.md", text)]), "commit.md");
        assert_eq!((document.description.as_str(), document.parts[0].role), ("Commits", Role::Instructions));
    }

    #[test]
    fn the_digest_covers_bytes_names_modes_and_unread_files() {
        let digest = |files: &[(&str, &[u8])]| Document::package(&tree(files), "x").digest;
        let one = digest(&[("SKILL.md", b"a"), ("b.bin", b"\0\0")]);
        assert_eq!(one, digest(&[("b.bin", b"\0\0"), ("SKILL.md", b"a")]));
        assert_ne!(one, digest(&[("SKILL.md", b"a"), ("b.bin", b"\0\x01")]));
        assert_ne!(one, digest(&[("SKILL.md", b"a"), ("c.bin", b"\0\0")]));
        let mut executable = tree(&[("SKILL.md", b"a")]);
        let file = File { mode: Mode::Executable, ..File::regular(*b"\0\0") };
        executable.insert(RelPath::new("b.bin").unwrap(), file);
        assert_ne!(one, Document::package(&executable, "x").digest);
        assert_ne!(one, Document::loose(&tree(&[("SKILL.md", b"a"), ("b.bin", b"\0\0")]), "x").digest);
    }

    #[test]
    fn a_message_has_the_same_digest_under_any_id() {
        let digest = |raw: &str| {
            Document::mcp(&Payload::of("tools/call", "t", raw.as_bytes()), Room::default()).digest
        };
        let message = |id: &str, text: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        assert_eq!(digest(&message("1", "x")), digest(&message("\"other\"", "x")));
        assert_ne!(digest(&message("1", "x")), digest(&message("1", "y")));
    }
}
