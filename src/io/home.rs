//! SKILLGATE_HOME: where everything of ours lies, and the checks that make it trustworthy.
//!
//! Invariant: a [`Home`] that was opened is a folder owned by this user, mode 0700, with no symbolic link on the way
//! below the user's own home folder. What lies in it may then be believed as far as this uid is believed.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// The folder that holds socket, policy, logs, quarantine and releases.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

/// Why the home cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither SKILLGATE_HOME nor a home folder.
    #[error("no home folder is known: set SKILLGATE_HOME to the folder SkillGate shall use")]
    Unknown,
    /// SKILLGATE_HOME is not absolute.
    #[error("SKILLGATE_HOME is `{0}`, which is not an absolute path: give the whole path")]
    Relative(PathBuf),
    /// The folder cannot be made or read.
    #[error("opening `{path}`: {source}; check that the folder can be written, or set SKILLGATE_HOME")]
    Io {
        /// The folder.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// The folder belongs to somebody else, is open to others, or is reached through a link.
    #[error("`{path}` is not safe to use: {why}; {fix}")]
    Unsafe {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        why: String,
        /// What to do.
        fix: &'static str,
    },
    /// The socket's path does not fit into an address.
    #[error(
        "the socket path `{path}` has {length} bytes and the system takes {LONGEST_SOCKET_PATH}: set SKILLGATE_HOME to a shorter path"
    )]
    SocketPathTooLong {
        /// The path.
        path: PathBuf,
        /// Its length.
        length: usize,
    },
}

/// The longest path that fits into a socket address on Linux and macOS alike (macOS takes 103).
#[cfg(target_os = "macos")]
pub const LONGEST_SOCKET_PATH: usize = 103;
/// The longest path that fits into a socket address.
#[cfg(not(target_os = "macos"))]
pub const LONGEST_SOCKET_PATH: usize = 107;

impl Home {
    /// The folder that the environment names: SKILLGATE_HOME, else `~/.skillgate`. Nothing is made or checked.
    pub fn locate() -> Result<Self, HomeError> {
        if let Some(root) = std::env::var_os("SKILLGATE_HOME").filter(|root| !root.is_empty()) {
            return Self::at(PathBuf::from(root));
        }
        let dirs = directories::BaseDirs::new().ok_or(HomeError::Unknown)?;
        Ok(Self { root: dirs.home_dir().join(".skillgate") })
    }

    /// The folder that the environment names, where there is one, checked; nothing where there is none yet. For whoever
    /// only reads what lies in it.
    pub fn locate_existing() -> Result<Option<Self>, HomeError> {
        let home = match Self::locate() {
            Err(HomeError::Unknown) => return Ok(None),
            located => located?,
        };
        match home.root.symlink_metadata() {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            _ => home.open_existing().map(Some),
        }
    }

    /// This folder, by its absolute path.
    pub fn at(root: PathBuf) -> Result<Self, HomeError> {
        if root.is_absolute() { Ok(Self { root }) } else { Err(HomeError::Relative(root)) }
    }

    /// Makes the folder where it is missing and checks that it is safe.
    pub fn open(self) -> Result<Self, HomeError> {
        make_private_dir(&self.root).map_err(|source| HomeError::Io { path: self.root.clone(), source })?;
        check_private(&self.root)?;
        Ok(self)
    }

    /// Checks a folder that is there; a missing one is an error that names it.
    pub fn open_existing(self) -> Result<Self, HomeError> {
        check_private(&self.root)?;
        Ok(self)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `skillgate.sock`, checked to fit into a socket address.
    pub fn socket(&self) -> Result<PathBuf, HomeError> {
        let path = self.root.join("skillgate.sock");
        match path.as_os_str().len() {
            length if length > LONGEST_SOCKET_PATH => Err(HomeError::SocketPathTooLong { path, length }),
            _ => Ok(path),
        }
    }

    /// `daemon.lock`: held by the one daemon that owns the socket.
    pub fn lock(&self) -> PathBuf {
        self.root.join("daemon.lock")
    }

    /// `policy.toml`.
    pub fn policy(&self) -> PathBuf {
        self.root.join("policy.toml")
    }

    /// `logs/`.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// `quarantine/`.
    pub fn quarantine(&self) -> PathBuf {
        self.root.join("quarantine")
    }

    /// `cache/verdicts/`.
    pub fn verdicts(&self) -> PathBuf {
        self.root.join("cache").join("verdicts")
    }

    /// `releases/`.
    pub fn releases(&self) -> PathBuf {
        self.root.join("releases")
    }
}

/// Makes a folder and its parents, 0700 for those that are made.
pub fn make_private_dir(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens a file for appending, making it with mode 0600 where it is missing.
pub fn append_private(path: &Path) -> std::io::Result<File> {
    open_file(path, OpenOptions::new().append(true).create(true).mode(0o600))
}

/// Opens a file in this way, and nothing but a file: a pipe in its place would be waited for without end.
pub fn open_file(path: &Path, options: &mut OpenOptions) -> std::io::Result<File> {
    let quiet = OFlags::NONBLOCK.bits().cast_signed();
    let not_a_file =
        || std::io::Error::other("a pipe, device or folder stands where a file should: move it away");
    let file = match options.custom_flags(quiet).open(path) {
        // A pipe without a reader, a socket, a folder.
        Err(_) if path.metadata().is_ok_and(|metadata| !metadata.is_file()) => return Err(not_a_file()),
        opened => opened?,
    };
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_a_file()) }
}

/// The bytes of a file, and of nothing but a file.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path, OpenOptions::new().read(true))?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a file of at most so many, and of nothing but a file.
pub fn read_bytes(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_file(path, OpenOptions::new().read(true))?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other(format!("it is larger than {most} bytes")));
    }
    Ok(bytes)
}

/// [`read_bytes`] as text, without the mark of its byte order.
pub fn read_text(path: &Path, most: u64) -> std::io::Result<String> {
    let text = String::from_utf8(read_bytes(path, most)?);
    let text = text.map_err(|_| std::io::Error::other("it is not UTF-8 text"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Checks owner and mode of the folder, and that its last component and those below the user's home are no links.
fn check_private(path: &Path) -> Result<(), HomeError> {
    let fail = |source: std::io::Error| HomeError::Io { path: path.to_owned(), source };
    let unsafe_home = |why: String, fix| HomeError::Unsafe { path: path.to_owned(), why, fix };
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(folder) => folder,
        Err(rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR) => {
            return Err(unsafe_home(
                "it is a symbolic link or no folder".to_owned(),
                "remove it, or set SKILLGATE_HOME to the folder itself",
            ));
        }
        Err(errno) => return Err(fail(errno.into())),
    };
    let stat = rustix::fs::fstat(&folder).map_err(|errno| fail(errno.into()))?;
    let user = rustix::process::geteuid().as_raw();
    if stat.st_uid != user {
        return Err(unsafe_home(
            format!("it belongs to user {} and this is user {user}", stat.st_uid),
            "set SKILLGATE_HOME to a folder of your own",
        ));
    }
    if stat.st_mode & 0o077 != 0 {
        return Err(unsafe_home(
            format!("its mode is {:03o}, so others can reach it", stat.st_mode & 0o777),
            "run `chmod 700` on it after making sure that nobody changed it",
        ));
    }
    if let Some(link) = link_on_the_way(path) {
        return Err(unsafe_home(
            format!("`{}` on the way to it is a symbolic link of another user's", link.display()),
            "set SKILLGATE_HOME to a path without such links",
        ));
    }
    Ok(())
}

/// The first component above the folder that is a link which neither root nor this user owns.
fn link_on_the_way(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    path.ancestors().skip(1).find_map(|component| {
        let meta = component.symlink_metadata().ok()?;
        let foreign = meta.file_type().is_symlink() && meta.uid() != user && meta.uid() != 0;
        foreign.then(|| component.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{Home, HomeError};

    fn home(path: impl Into<std::path::PathBuf>) -> Home {
        Home::at(path.into()).unwrap()
    }

    #[test]
    fn a_fresh_home_is_private() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(dir.path().join("a/b")).open().unwrap();
        let mode = home.root().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_home_that_others_can_reach_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let error = home(dir.path()).open().unwrap_err();
        assert!(error.to_string().contains("its mode is 755"), "{error}");
    }

    #[test]
    fn a_link_as_home_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("real")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("real"), dir.path().join("link")).unwrap();
        assert!(matches!(home(dir.path().join("link")).open(), Err(HomeError::Unsafe { .. })));
    }

    #[test]
    fn a_socket_path_that_does_not_fit_is_named() {
        let home = home(format!("/{}", "x".repeat(120)));
        assert!(matches!(home.socket(), Err(HomeError::SocketPathTooLong { length: 136, .. })));
        assert!(matches!(Home::at("x".into()), Err(HomeError::Relative(_))));
    }
}
