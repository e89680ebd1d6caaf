//! Libraries of skills as JSON lines: the text of each skill stands in its line.
//!
//! Nobody labelled them. They are presumed benign, as nearly all skills that people publish are, and serve as the
//! large pool of honest text that false alarms are counted on. Lines without `text` are catalogue entries and passed over.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::corpus::{Case, CorpusError, LARGEST};
use crate::io::home;

/// The end of a library's file name.
const EXTENSION: &str = "jsonl";

#[derive(Deserialize)]
struct Entry {
    id: String,
    text: Option<String>,
    kind: Option<String>,
    repo: Option<String>,
    source: Option<String>,
}

/// True for a path that names a library and no folder.
pub(super) fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == EXTENSION) && path.is_file()
}

/// The skills of a library, each text once.
pub(super) fn read(path: &Path) -> Result<Vec<Case>, CorpusError> {
    let all =
        home::read_text(path, LARGEST).map_err(|source| CorpusError::Io { path: path.to_owned(), source })?;
    let set = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    for (at, line) in all.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let entry: Entry = serde_json::from_str(line).map_err(|error| CorpusError::Line {
            path: path.to_owned(),
            line: at + 1,
            why: error.to_string(),
        })?;
        let is_whole = entry.kind.as_deref().is_none_or(|kind| kind == "full");
        let Some(text) = entry.text.filter(|_| is_whole) else { continue };
        if seen.insert(super::fingerprint(&text)) {
            let family = entry.repo.or(entry.source).unwrap_or_else(|| entry.id.clone());
            cases.push(Case::presumed_benign(&set, entry.id, &family, text));
        }
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::{is_library, read};
    use crate::eval::Expected;

    #[test]
    fn each_text_is_read_once_and_entries_without_text_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lib.jsonl");
        let lines = [
            r#"{"id":"a","text":"---\nname: a\n---\nSort a list.","repo":"who/what","kind":"full"}"#,
            r#"{"id":"b","text":"---\nname: a\n---\nSort  a list.","repo":"who/else","kind":"full"}"#,
            r#"{"id":"c","description":"only named","kind":"catalogue"}"#,
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        assert!(is_library(&path) && !is_library(folder.path()));
        let cases = read(&path).unwrap();
        assert_eq!(cases.len(), 1);
        assert_eq!((cases[0].set.as_str(), cases[0].family.as_str()), ("lib", "lib/who/what"));
        assert_eq!(cases[0].expected, Expected::Benign);
        assert!(cases[0].load(&crate::gate::Policy::default().limits).is_ok());
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lib.jsonl");
        std::fs::write(&path, "{\"id\":\"a\",\"text\":\"x\"}\nnot json\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 2"));
    }
}
