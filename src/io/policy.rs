//! The user's policy from disk: `policy.toml` in SkillGate's home, or a file that was named on the command line.
//!
//! No file there is the default; a file that cannot be read or has a mistake is an error and never the default. Files in
//! projects or scanned folders are not looked for.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Home;
use crate::gate::Policy;
use crate::gate::policy::PolicyErrors;

/// The largest policy that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// A policy's text and where it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyText {
    /// The file; nothing where there is none and the default holds.
    pub path: Option<PathBuf>,
    /// What stands in it.
    pub text: String,
}

/// Why there is no policy to go by.
#[derive(Debug, thiserror::Error)]
pub enum PolicyLoadError {
    /// A file that is not there or cannot be read.
    #[error("reading the policy `{path}`: {source}; `skillgate policy default` prints one to start from")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A file with mistakes.
    #[error(
        "the policy `{path}` has mistakes and is not used; `skillgate policy check` shows them\n{errors}"
    )]
    Mistakes {
        /// The file.
        path: PathBuf,
        /// All that were found.
        errors: PolicyErrors,
    },
}

/// The policy file of a home, where there is one. One that is there and cannot be read is an error when it is read.
pub fn in_home(home: &Home) -> Option<PathBuf> {
    let path = home.policy();
    path.symlink_metadata().is_ok().then_some(path)
}

/// The text of this file, or none where none is given.
pub fn read(file: Option<&Path>) -> Result<PolicyText, PolicyLoadError> {
    let Some(path) = file else { return Ok(PolicyText::default()) };
    let text = read_file(path).map_err(|source| PolicyLoadError::Io { path: path.to_owned(), source })?;
    Ok(PolicyText { path: Some(path.to_owned()), text })
}

/// The effective policy: this file over the default, or the default where none is given.
pub fn load(file: Option<&Path>) -> Result<Policy, PolicyLoadError> {
    let PolicyText { path, text } = read(file)?;
    let path = path.unwrap_or_default();
    Policy::parse(&text).map_err(|errors| PolicyLoadError::Mistakes { path, errors })
}

fn read_file(path: &Path) -> io::Result<String> {
    // A pipe would be waited for without end.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("a pipe, device or folder is no policy"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::{PolicyLoadError, in_home, load};
    use crate::gate::Policy;
    use crate::gate::policy::Mode;
    use crate::io::Home;

    #[test]
    fn no_file_is_the_default_and_a_bad_file_never_is() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().to_owned()).unwrap();
        assert_eq!(load(in_home(&home).as_deref()).unwrap(), Policy::default());
        std::fs::write(home.policy(), "mode = 'monitor'").unwrap();
        assert_eq!(load(in_home(&home).as_deref()).unwrap().mode, Mode::Monitor);
        let named = folder.path().join("other.toml");
        assert!(matches!(load(Some(&named)), Err(PolicyLoadError::Io { .. })));
        for bad in ["mdoe = 'monitor'".as_bytes(), b"\xff", &vec![b'#'; (1 << 20) + 1]] {
            std::fs::write(&named, bad).unwrap();
            let error = load(Some(&named)).unwrap_err();
            assert!(error.to_string().contains("other.toml"), "{error}");
        }
    }
}
