//! Reading the files of a unit: what is text becomes parts, what holds files is opened, the rest is listed.
//!
//! Every byte of a file ends up in a part or is accounted for among what was not read. Entries of archives are files like
//! any other, at most with a longer path.

use std::collections::{BTreeMap, BTreeSet};

use super::archive::{self, Budget};
use super::{Anomaly, Part, Role, binary, git, office, pickle, pyc};
use crate::base::text::{decode, text_beside, text_within};
use crate::base::{File, Mode, RelPath, Room, Unread, UnreadReason};
use crate::skill::{ResourceKind, leaf, resource};

/// How many times the same is said of entries of one archive.
const MOST_ALIKE: usize = 16;

/// Archives that other programs open and this one does not.
const OPENED_ELSEWHERE: &[&str] = &["7z", "rar", "cab", "lzma", "lz4", "ar"];

/// Parts, unread content and what was odd about a tree, as they are found.
pub(super) struct Reading {
    pub parts: Vec<Part>,
    pub unread: Vec<Unread>,
    pub anomalies: Vec<Anomaly>,
    budget: Budget,
}

impl Reading {
    /// Begins where this much is known not to be read, with room for what archives unpack to.
    pub(super) fn new(unread: Vec<Unread>, room: Room) -> Self {
        Self { parts: Vec::new(), unread, anomalies: Vec::new(), budget: Budget::new(room) }
    }

    /// Reads a file that is of this kind, and of this format where it is no text.
    pub(super) fn file(&mut self, path: &RelPath, file: &File, kind: ResourceKind, format: &str) {
        if file.mode == Mode::Executable && !may_be_run(kind, &file.bytes) {
            self.anomaly("execute-bit", path);
        }
        match kind {
            // Pages are read, and their comments hide like those of Markdown.
            ResourceKind::Text if git::is_hook(path) => self.text(path, file, Role::Script),
            ResourceKind::Markdown | ResourceKind::Text | ResourceKind::Script("html") => {
                self.text(path, file, Role::Reference);
            }
            ResourceKind::Script(_) => self.text(path, file, Role::Script),
            ResourceKind::Config(_) => self.text(path, file, Role::Config),
            ResourceKind::Media => {
                if binary::is_polyglot(format, &file.bytes) {
                    self.anomaly("polyglot", path);
                }
                self.between_bytes(path, file);
                self.unread(path, UnreadReason::Media, format);
            }
            ResourceKind::Executable => {
                self.anomaly("bundled-executable", path);
                self.unread(path, UnreadReason::Executable, format);
                if format == "pyc" {
                    self.other_text(path, pyc::words(&file.bytes));
                }
            }
            ResourceKind::Archive | ResourceKind::Binary => return self.packed(path, file, format),
        }
        if archive::is_zip_behind(&file.bytes) {
            self.open(path, file, archive::Format::Zip);
        }
    }

    /// Reads a file as text.
    pub(super) fn text(&mut self, path: &RelPath, file: &File, role: Role) {
        let text = decode(&file.bytes);
        if text.is_garbled() {
            self.unread(path, UnreadReason::Undecodable, "no UTF-8, UTF-16 or UTF-32 text");
        }
        if git::is_settings(path) {
            self.git_settings(path, &text.text);
        }
        let beside = text_beside(&file.bytes, &text);
        self.parts.push(Part { path: path.as_str().to_owned(), role, text: text.text });
        self.other_text(path, beside);
    }

    /// Opens what can be opened, and lists the rest.
    fn packed(&mut self, path: &RelPath, file: &File, format: &str) {
        if let Some(format) = archive::format(&file.bytes) {
            return self.open(path, file, format);
        }
        self.binary(path, file, format);
        if archive::is_zip_behind(&file.bytes) {
            self.open(path, file, archive::Format::Zip);
        }
    }

    fn open(&mut self, path: &RelPath, file: &File, format: archive::Format) {
        if !self.budget.enter(file.bytes.len()) {
            let detail = format!("more than {} archives within each other", self.budget.depth());
            self.unread(path, UnreadReason::TooDeep, &detail);
            return self.between_bytes(path, file);
        }
        let before = (self.unread.len(), self.anomalies.len());
        let opened = archive::open(format, path.file_name(), &file.bytes, &mut self.budget);
        let is_document = office::is_document(&opened.entries);
        self.faults(path, &opened.faults);
        self.other_text(path, text_within(&opened.beside));
        let mut checkouts = BTreeSet::new();
        for entry in opened.entries {
            let path = path.entry(&entry.path);
            if let Some(folder) = git::around_its_own(&path) {
                if checkouts.insert(folder.clone()) {
                    self.unread(&folder, UnreadReason::Git, git::READ);
                }
                continue;
            }
            self.faults(&path, &entry.faults);
            match entry.bytes {
                Some(bytes) if is_document => self.document_entry(&path, &entry.path, &File::regular(bytes)),
                Some(bytes) => self.entry(&path, &File::regular(bytes)),
                None => {}
            }
        }
        if self.budget.leave() {
            self.shorten(before);
        }
    }

    fn entry(&mut self, path: &RelPath, file: &File) {
        let (kind, format) = resource::classify(path, &file.bytes);
        self.file(path, file, kind, format);
    }

    /// Reads an entry of a document: its words, and not the names of what lays it out.
    fn document_entry(&mut self, path: &RelPath, inner: &RelPath, file: &File) {
        let (kind, _) = resource::classify(path, &file.bytes);
        if office::is_macros(inner) {
            self.file(path, file, ResourceKind::Executable, "macros");
        } else if office::is_xml(inner) && kind.is_text() {
            let words = office::words(&decode(&file.bytes).text);
            self.part(path.to_string(), words);
        } else if office::is_furniture(inner) && kind == ResourceKind::Binary {
            self.file(path, file, ResourceKind::Media, "part of a document");
        } else {
            self.entry(path, file);
        }
    }

    fn faults(&mut self, path: &RelPath, faults: &[archive::Fault]) {
        for (reason, detail) in faults {
            self.unread(path, *reason, detail);
        }
    }

    /// Of what says the same about many entries of an archive, keeps the first and the number of the others.
    fn shorten(&mut self, (unread, anomalies): (usize, usize)) {
        let mut counts: BTreeMap<(UnreadReason, String), usize> = BTreeMap::new();
        let mut others: BTreeMap<(UnreadReason, String), Unread> = BTreeMap::new();
        for listed in self.unread.split_off(unread) {
            let key = (listed.reason, listed.detail.clone());
            let count = counts.entry(key.clone()).or_default();
            *count += 1;
            if *count <= MOST_ALIKE {
                self.unread.push(listed);
            } else {
                others.insert(key, listed);
            }
        }
        for (key, mut last) in others {
            let more = counts.get(&key).map_or(0, |count| count - MOST_ALIKE);
            last.detail = format!("{} (and {more} alike, of which this is the last)", last.detail);
            self.unread.push(last);
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let kept = self.anomalies.split_off(anomalies).into_iter().filter(|anomaly| {
            let count = counts.entry(anomaly.code.clone()).or_default();
            *count += 1;
            *count <= MOST_ALIKE
        });
        self.anomalies.extend(kept.collect::<Vec<_>>());
    }

    /// What somebody installs who unpacks an archive that is one unit: the skills in it are obeyed.
    pub(super) fn obey_packed_skills(&mut self) {
        for part in &mut self.parts {
            if part.path.contains("!/")
                && RelPath::new(part.path.as_str()).is_ok_and(|path| leaf::is_skill_file(&path))
            {
                part.role = Role::Instructions;
            }
        }
    }

    fn binary(&mut self, path: &RelPath, file: &File, format: &str) {
        if binary::is_encrypted(format, &file.bytes) {
            self.unread(path, UnreadReason::Encrypted, format);
        } else {
            if pickle::runs_something(&file.bytes) {
                self.anomaly("pickled-program", path);
            }
            self.between_bytes(path, file);
            let is_opened_elsewhere = OPENED_ELSEWHERE.contains(&format);
            self.unread(
                path,
                if is_opened_elsewhere { UnreadReason::Ambiguous } else { UnreadReason::Binary },
                format,
            );
        }
    }

    fn between_bytes(&mut self, path: &RelPath, file: &File) {
        self.other_text(path, text_within(&file.bytes));
    }

    /// Screens text that a file holds besides what it is, as a part `file!text`.
    fn other_text(&mut self, path: &RelPath, text: String) {
        self.part(format!("{path}!text"), text);
    }

    fn part(&mut self, path: String, text: String) {
        if !text.is_empty() {
            self.parts.push(Part { path, role: Role::Reference, text: text.into() });
        }
    }

    /// Lists once more, as what it is, a file that was not read and is what the agent obeys.
    pub(super) fn main_file(&mut self, is_main: impl Fn(&RelPath) -> bool) {
        let is_lost = |unread: &&Unread| {
            unread.reason != UnreadReason::Media
                && RelPath::new(unread.path.as_str()).is_ok_and(|path| is_main(&path))
        };
        if let Some(lost) = self.unread.iter().find(is_lost) {
            let detail = format!("agents obey this file, and it was not read: {}", lost.reason);
            self.unread.push(Unread { path: lost.path.clone(), reason: UnreadReason::MainFile, detail });
        }
    }

    /// Lists a file of which nothing came to be read, and nothing is known why: an archive without entries.
    pub(super) fn nothing_read(&mut self, path: &str, bytes: u64) {
        if bytes > 0 && self.parts.is_empty() && self.unread.is_empty() {
            let detail = "there is nothing in it that could be read".to_owned();
            self.unread.push(Unread { path: path.to_owned(), reason: UnreadReason::MainFile, detail });
        }
    }

    /// Lists once more, as what it is, a message that is none: what is not read of it is all of it.
    pub(super) fn whole_message(&mut self) {
        if let Some(lost) = self.unread.iter().find(|unread| unread.path.is_empty()) {
            let detail = format!("the message is not read: {}", lost.reason);
            self.unread.push(Unread { path: String::new(), reason: UnreadReason::MainFile, detail });
        }
    }

    /// Lists the settings of a checkout that name a program, which git runs at the next command.
    fn git_settings(&mut self, path: &RelPath, text: &str) {
        for key in git::programs(text) {
            self.unread(path, UnreadReason::Executable, &format!("`{key}` names a program that git runs"));
        }
    }

    fn unread(&mut self, path: &RelPath, reason: UnreadReason, detail: &str) {
        self.unread.push(Unread { path: path.as_str().to_owned(), reason, detail: detail.to_owned() });
    }

    fn anomaly(&mut self, code: &str, path: &RelPath) {
        self.anomalies.push(Anomaly { code: code.to_owned(), path: path.as_str().to_owned() });
    }
}

/// Programs, and texts that name their interpreter, may have an execute bit.
fn may_be_run(kind: ResourceKind, bytes: &[u8]) -> bool {
    matches!(kind, ResourceKind::Script(_) | ResourceKind::Executable) || bytes.starts_with(b"#!")
}
