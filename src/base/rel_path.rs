//! A path inside a unit: forward slashes, no root, no way out.
//!
//! Invariant: never absolute, no empty, `.` or `..` segment, no backslash, no NUL. So joining one to a folder
//! stays inside that folder. Ordered by bytes.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A relative path with `/` between its segments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelPath(String);

/// Why a text is no relative path.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{}` is no path inside a folder: {reason}", crate::base::printable(path))]
pub struct RelPathError {
    path: String,
    reason: &'static str,
}

impl RelPath {
    /// Takes a path as it is; what would leave the folder is an error.
    pub fn new(path: impl Into<String>) -> Result<Self, RelPathError> {
        let path = path.into();
        match fault(&path) {
            Some(reason) => Err(RelPathError { path, reason }),
            None => Ok(Self(path)),
        }
    }

    /// What is left of a name without all that would lead elsewhere; `unnamed` where nothing is. Both slashes separate.
    pub fn tamed(name: &str) -> Self {
        let segments = name.split(['/', '\\', '\0']).filter(|segment| !matches!(*segment, "" | "." | ".."));
        let path = segments.collect::<Vec<_>>().join("/");
        Self(if path.is_empty() { "unnamed".to_owned() } else { path })
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// What stands after the last dot of the file name, lower-cased; nothing for dot files and bare names.
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.file_name().rsplit_once('.')?;
        (!stem.is_empty()).then(|| extension.to_ascii_lowercase())
    }

    /// The path without its last segment; nothing at the top.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// This path with another below it.
    #[must_use]
    pub fn join(&self, below: &Self) -> Self {
        Self(format!("{}/{}", self.0, below.0))
    }

    /// The path of an entry of this archive: `assets/tools.zip!/run.sh`.
    #[must_use]
    pub fn entry(&self, below: &Self) -> Self {
        Self(format!("{}!/{}", self.0, below.0))
    }

    /// What is left of the path below `folder`; nothing where it lies elsewhere.
    pub fn below(&self, folder: &Self) -> Option<Self> {
        self.0.strip_prefix(&folder.0)?.strip_prefix('/').map(|rest| Self(rest.to_owned()))
    }

    /// The segments, outermost first.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }
}

fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("it is empty");
    }
    if path.contains(['\\', '\0']) {
        return Some("it holds a backslash or a NUL");
    }
    path.split('/').find_map(|segment| match segment {
        "" => Some("it has an empty segment or starts at the root"),
        "." | ".." => Some("it has a `.` or `..` segment"),
        _ => None,
    })
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RelPath {
    type Error = RelPathError;

    fn try_from(path: String) -> Result<Self, RelPathError> {
        Self::new(path)
    }
}

impl From<RelPath> for String {
    fn from(path: RelPath) -> Self {
        path.0
    }
}

impl Borrow<str> for RelPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::RelPath;

    #[test]
    fn nothing_leaves_the_folder() {
        for bad in ["", "/a", "a//b", "../a", "a/..", "a/./b", "a\\b", "a\0", "a/"] {
            assert!(RelPath::new(bad).is_err(), "{bad:?}");
        }
        for good in ["a", "a/b.md", "..a", "a..", "名/前 x"] {
            assert!(RelPath::new(good).is_ok(), "{good:?}");
        }
    }

    #[test]
    fn any_name_can_be_tamed() {
        for (name, path) in [
            ("a/b", "a/b"),
            ("../a\\..\\b", "a/b"),
            ("/etc/x", "etc/x"),
            ("a\0b", "a/b"),
            ("..", "unnamed"),
            ("", "unnamed"),
        ] {
            let tamed = RelPath::tamed(name);
            assert_eq!((tamed.as_str(), RelPath::new(tamed.as_str()).as_ref()), (path, Ok(&tamed)));
        }
    }

    #[test]
    fn parts_of_a_path() {
        let path = RelPath::new("skills/x/SKILL.MD").unwrap();
        assert_eq!(path.file_name(), "SKILL.MD");
        assert_eq!(path.extension().as_deref(), Some("md"));
        assert_eq!(path.parent().unwrap().as_str(), "skills/x");
        assert_eq!(path.below(&RelPath::new("skills").unwrap()).unwrap().as_str(), "x/SKILL.MD");
        assert!(path.below(&RelPath::new("skill").unwrap()).is_none());
        assert_eq!(RelPath::new(".env").unwrap().extension(), None);
    }
}
