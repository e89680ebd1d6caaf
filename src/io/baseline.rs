//! Baselines: findings of a scan that a person accepted, each for one unit, file, rule and content, until a day.
//!
//! A baseline lies beside the skills that it is about, where whoever changes them can change it too. So nothing reads one
//! by itself: only the scan that is told to. Units are named by their path from the folder of the baseline.

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::atomic;
use crate::base::{Digest, printable};
use crate::gate::policy::Reason;
use crate::gate::rules::RuleId;

/// The version of the format.
const VERSION: u32 = 1;

/// A baseline of this size is none.
const LARGEST: u64 = 16 << 20;

/// What stands at the head of the file.
const HEAD: &str = "\
# Findings that `skillgate scan --baseline` does not count, each for exactly this content and until it expires.
# Written by `skillgate scan … --write-baseline FILE --reason TEXT`; docs/scan.md tells more.
";

/// Why a baseline was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The system refused.
    #[error("the baseline `{}`: {source}; `--write-baseline` writes one", shown(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// A file with mistakes.
    #[error("the baseline `{}` has a mistake and is not used:\n{mistake}", shown(path))]
    Mistake {
        /// The file.
        path: PathBuf,
        /// Where, and what.
        mistake: String,
    },
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// A file of accepted findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The version of the format.
    version: u32,
    /// What was accepted, in order of unit, file and rule.
    #[serde(default)]
    pub accepted: Vec<Accepted>,
}

/// Everything that a rule finds in one file of one unit, as long as the file stays what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// The unit's path from the folder of the baseline; `.` is that folder.
    pub unit: String,
    /// The file in the unit, or the field of a message.
    pub file: String,
    /// The rule.
    pub rule: RuleId,
    /// The digest of the file's text.
    pub content: Digest,
    /// Why, in the person's words.
    pub reason: Reason,
    /// Who accepted it.
    pub by: String,
    /// The day on which it was accepted.
    pub since: Date,
    /// The first day on which it does not count any more.
    pub expires: Date,
}

impl Accepted {
    /// What it is about, whatever the content is.
    pub fn key(&self) -> (&str, &str, &str) {
        (&self.unit, &self.file, self.rule.as_str())
    }
}

/// The digest of a file's text, as baselines have it.
pub fn content_digest(text: &str) -> Digest {
    Digest::of_bytes(text.as_bytes())
}

impl Baseline {
    /// A baseline of these.
    pub fn of(accepted: Vec<Accepted>) -> Self {
        Self { version: VERSION, accepted }
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let text = read(path).map_err(|source| BaselineError::Io { path: path.to_owned(), source })?;
        let mistake = |mistake: String| BaselineError::Mistake { path: path.to_owned(), mistake };
        let baseline: Self =
            toml::from_str(&text).map_err(|error| mistake(error.to_string().trim_end().to_owned()))?;
        if baseline.version != VERSION {
            return Err(mistake(format!(
                "`version` is {}, and this SkillGate reads {VERSION}",
                baseline.version
            )));
        }
        Ok(baseline)
    }

    /// Replaces the file.
    pub fn save(mut self, path: &Path) -> Result<(), BaselineError> {
        self.accepted.sort_by(|a, b| a.key().cmp(&b.key()));
        let io = |source| BaselineError::Io { path: path.to_owned(), source };
        let body = toml::to_string(&self).map_err(|error| io(std::io::Error::other(error)))?;
        let mut text = HEAD.to_owned();
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{body}");
        atomic::write_private(&folder_of(path).join(path.file_name().unwrap_or_default()), text.as_bytes())
            .map_err(io)
    }
}

/// The folder that a baseline names units from.
pub fn folder_of(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// The path of a unit from a folder, with `/` between names; both exist.
pub fn unit_from(folder: &Path, unit: &Path) -> std::io::Result<String> {
    let (folder, unit) = (std::fs::canonicalize(folder)?, std::fs::canonicalize(unit)?);
    let shared = folder.components().zip(unit.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = unit.components().skip(shared).filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    let path = up.chain(down).collect::<Vec<_>>().join("/");
    Ok(if path.is_empty() { ".".to_owned() } else { path })
}

fn read(path: &Path) -> std::io::Result<String> {
    // A pipe would be waited for without end.
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::other("a pipe, device or folder is no baseline"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(std::io::Error::other("it is larger than 16 MiB"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Accepted, Baseline, content_digest, folder_of, unit_from};

    fn accepted(unit: &str) -> Accepted {
        Accepted {
            unit: unit.to_owned(),
            file: "run.sh".to_owned(),
            rule: "EXFIL-001".parse().unwrap(),
            content: content_digest("x"),
            reason: "our own collector".to_owned().try_into().unwrap(),
            by: "ada (uid 1000)".to_owned(),
            since: "2026-01-31".parse().unwrap(),
            expires: "2026-05-01".parse().unwrap(),
        }
    }

    #[test]
    fn what_is_written_is_read_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("accepted.toml");
        let baseline = Baseline::of(vec![accepted("b"), accepted("a")]);
        baseline.save(&path).unwrap();
        assert_eq!(Baseline::load(&path).unwrap().accepted, [accepted("a"), accepted("b")]);
    }

    #[test]
    fn a_bad_file_names_the_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("accepted.toml");
        let whole = toml::to_string(&Baseline::of(vec![accepted("a")])).unwrap();
        for (from, to, expected) in [
            ("version = 1", "version = 2", "this SkillGate reads 1"),
            ("reason = \"", "raeson = \"", "raeson"),
            ("our own collector", " ", "needs a reason"),
            ("2026-05-01", "soon", "expires"),
        ] {
            std::fs::write(&path, whole.replace(from, to)).unwrap();
            let error = Baseline::load(&path).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("accepted.toml"), "{error}");
        }
        let error = Baseline::load(&folder.path().join("none.toml")).unwrap_err().to_string();
        assert!(error.contains("none.toml") && error.contains("--write-baseline"), "{error}");
        assert!(Baseline::load(folder.path()).unwrap_err().to_string().contains("no baseline"));
    }

    #[test]
    fn units_are_named_from_the_folder_of_the_baseline() {
        let folder = tempfile::tempdir().unwrap();
        let (base, unit) = (folder.path().join("ci"), folder.path().join("skills/notes"));
        std::fs::create_dir_all(&base).unwrap();
        std::fs::create_dir_all(&unit).unwrap();
        assert_eq!(unit_from(folder.path(), &unit).unwrap(), "skills/notes");
        assert_eq!(unit_from(&base, &unit).unwrap(), "../skills/notes");
        assert_eq!(unit_from(&unit, &unit).unwrap(), ".");
        assert_eq!(folder_of(Path::new("a.toml")), Path::new("."));
    }
}
