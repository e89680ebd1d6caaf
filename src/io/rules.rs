//! The rules that run: those compiled in, those of the user's folders, without those that policy switches off.
//!
//! A folder holds rule files at any depth (rules/README.md); a file that is no rule file by its name is left alone. Any
//! fault in any of them is an error: rules that somebody relies on never go missing quietly.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::gate::policy::RuleSettings;
use crate::gate::rules::{Disabled, RuleErrors, RuleSet, UnknownRule};

/// The largest rule file that is read, in bytes.
const LARGEST_FILE: u64 = 4 << 20;
/// The deepest folder that is looked into.
const DEEPEST: usize = 8;

/// Why the rules cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// A folder or file that is not there or cannot be read.
    #[error("reading rules from `{path}`: {source}; check the path, or `[rules] extra` in policy.toml")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A file that cannot be made.
    #[error("writing the rules `{path}`: {source}; take a folder that holds no rules yet")]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A file that no person wrote.
    #[error("reading rules from `{0}`: it is larger than 4 MiB; split it")]
    TooLarge(PathBuf),
    /// Rule files with faults.
    #[error("rule files with faults:\n{0}")]
    Faults(#[from] RuleErrors),
    /// Policy switches off a rule that does not exist.
    #[error("switching off rules: {0}; check `[rules] disable` in policy.toml")]
    Unknown(#[from] UnknownRule),
}

/// The rules of a policy.
pub fn effective(settings: &RuleSettings) -> Result<RuleSet, RulesError> {
    let mut rules = RuleSet::builtin().clone();
    if !settings.extra.is_empty() {
        let files = read(settings.extra.iter().map(Path::new))?;
        rules = rules.with(&parse(&files)?)?;
    }
    let disabled = settings
        .disable
        .iter()
        .map(|rule| Disabled { id: rule.id.clone(), reason: rule.reason.as_str().to_owned() });
    Ok(rules.without(disabled)?)
}

/// A rule file: its path as text, and what stands in it.
pub type RuleFile = (String, String);

/// The rules of these files.
pub fn parse(files: &[RuleFile]) -> Result<RuleSet, RuleErrors> {
    RuleSet::from_sources(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

/// Reads rule files, and those in folders, in order of their names.
pub fn read<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<Vec<RuleFile>, RulesError> {
    let mut files = Vec::new();
    for path in paths {
        let at = |source| RulesError::Io { path: path.to_owned(), source };
        if fs::metadata(path).map_err(at)?.is_dir() {
            for file in named(path, DEEPEST, &["toml"])? {
                files.push(read_file(&file)?);
            }
        } else {
            files.push(read_file(path)?);
        }
    }
    Ok(files)
}

/// Reads a Sigma file, or all of a folder: each with its name inside of it.
pub fn read_sigma(path: &Path) -> Result<Vec<(PathBuf, String)>, RulesError> {
    let at = |source| RulesError::Io { path: path.to_owned(), source };
    let is_folder = fs::metadata(path).map_err(at)?.is_dir();
    let files = if is_folder { named(path, DEEPEST, &["yml", "yaml"])? } else { vec![path.to_owned()] };
    let root = if is_folder { path } else { path.parent().unwrap_or(path) };
    let read = |file: PathBuf| {
        let text = read_file(&file)?.1;
        Ok((file.strip_prefix(root).unwrap_or(&file).to_owned(), text))
    };
    files.into_iter().map(read).collect()
}

/// Writes a new rule file at a name inside of a folder. One that is there already is somebody's work, and stays.
pub fn write_new(folder: &Path, name: &Path, text: &str) -> Result<PathBuf, RulesError> {
    let path = folder.join(name);
    let at = |source| RulesError::Write { path: path.clone(), source };
    fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(at)?;
    let mut file = fs::File::create_new(&path).map_err(at)?;
    file.write_all(text.as_bytes()).map_err(at)?;
    Ok(path)
}

/// The files of a folder that end in one of these, at any depth, in order of their names.
fn named(folder: &Path, depth: usize, endings: &[&str]) -> Result<Vec<PathBuf>, RulesError> {
    let at = |source| RulesError::Io { path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(at)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>().map_err(at)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() && depth > 0 && !path.is_symlink() {
            files.extend(named(&path, depth - 1, endings)?);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
            files.push(path);
        }
    }
    Ok(files)
}

fn read_file(path: &Path) -> Result<RuleFile, RulesError> {
    let at = |source| RulesError::Io { path: path.to_owned(), source };
    let metadata = fs::metadata(path).map_err(at)?;
    if !metadata.is_file() {
        return Err(at(io::Error::other("it is no file")));
    }
    if metadata.len() > LARGEST_FILE {
        return Err(RulesError::TooLarge(path.to_owned()));
    }
    let text = String::from_utf8(fs::read(path).map_err(at)?);
    let text = text.map_err(|_| at(io::Error::other("it is not UTF-8 text")))?;
    Ok((path.display().to_string(), text))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{RulesError, effective};
    use crate::gate::policy::RuleSettings;

    const RULE: &str = "[[rule]]\nid = 'TEAM-001'\ntitle = 't'\ndescription = 'd'\nremediation = 'r'\n\
        category = 'execution'\nseverity = 'low'\nconfidence = 'low'\nany = ['teamword']\n[rule.source]\nkind = 'own'\n";

    fn settings(extra: &std::path::Path) -> RuleSettings {
        RuleSettings { extra: vec![extra.display().to_string()], disable: Vec::new() }
    }

    #[test]
    fn folders_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/team.toml"), RULE).unwrap();
        fs::write(folder.path().join("notes.md"), "no rules").unwrap();
        let rules = effective(&settings(folder.path())).unwrap();
        assert!(rules.get(&"TEAM-001".parse().unwrap()).is_some());
    }

    #[test]
    fn a_folder_that_is_not_there_and_a_fault_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let missing = effective(&settings(&folder.path().join("x"))).unwrap_err();
        assert!(matches!(missing, RulesError::Io { .. }), "{missing}");
        fs::write(folder.path().join("bad.toml"), RULE.replace("title", "titel")).unwrap();
        let fault = effective(&settings(folder.path())).unwrap_err();
        assert!(fault.to_string().contains("bad.toml:3:1: TEAM-001: unknown key `titel`"), "{fault}");
    }

    #[test]
    fn switching_off_a_rule_that_is_not_there_is_an_error() {
        let text = "[rules]\ndisable = [{ id = 'NOSUCH-001', reason = 'r' }]";
        let policy = crate::gate::Policy::parse(text).unwrap();
        assert!(matches!(effective(&policy.rules).unwrap_err(), RulesError::Unknown(_)));
    }
}
