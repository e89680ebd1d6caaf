//! The socket: one daemon, one lock, no one else's connections.
//!
//! Invariant: whoever holds the lock owns the socket's name, so a socket file found under a lock just taken is stale and
//! may go. The folder is 0700 before the socket is bound, so that no connection slips in before its mode is set.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

use crate::io::{Home, HomeError};

/// Why the socket could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The home cannot be used.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// Another daemon has it.
    #[error("a daemon already runs for `{0}`: `skillgate status` shows it, `skillgate stop` ends it")]
    Running(PathBuf),
    /// The system refused something.
    #[error("{doing} `{path}`: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To what.
        path: String,
        /// The system's words.
        source: std::io::Error,
    },
}

/// The socket and the lock that goes with it; dropping it gives both up.
#[derive(Debug)]
pub struct Listening {
    /// Where connections come in.
    pub listener: UnixListener,
    socket: PathBuf,
    /// Device and inode of the socket, to know it from another of the same name.
    identity: Option<(u64, u64)>,
    _lock: File,
}

impl Listening {
    /// False where the socket's name is gone or another's: nobody can reach us any more.
    pub fn is_reachable(&self) -> bool {
        identity(&self.socket) == self.identity
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if self.is_reachable() {
            // A failure leaves a stale socket, which the next daemon removes.
            let _ = std::fs::remove_file(&self.socket);
        }
    }
}

/// Takes the lock and binds the socket of an opened home.
pub fn listen(home: &Home) -> Result<Listening, ListenError> {
    let socket = home.socket()?;
    let lock = take_lock(home)?;
    let io = |doing| {
        let path = socket.display().to_string();
        move |source| ListenError::Io { doing, path, source }
    };
    match std::fs::remove_file(&socket) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(io("removing a stale")(error));
        }
        _ => {}
    }
    let listener = UnixListener::bind(&socket).map_err(io("binding"))?;
    std::fs::set_permissions(&socket, Permissions::from_mode(0o600)).map_err(io("setting the mode of"))?;
    Ok(Listening { listener, identity: identity(&socket), socket, _lock: lock })
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let meta = path.symlink_metadata().ok()?;
    Some((meta.dev(), meta.ino()))
}

fn take_lock(home: &Home) -> Result<File, ListenError> {
    let path = home.lock();
    let io = |doing| {
        let path = path.display().to_string();
        move |source| ListenError::Io { doing, path, source }
    };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let lock = options.open(&path).map_err(io("opening"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(ListenError::Running(home.root().to_owned())),
        Err(TryLockError::Error(error)) => Err(io("locking")(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{ListenError, listen};
    use crate::io::Home;

    #[tokio::test]
    async fn one_daemon_at_a_time_and_a_stale_socket_is_no_obstacle() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home")).unwrap().open().unwrap();
        let first = listen(&home).unwrap();
        assert!(first.is_reachable());
        let socket = home.socket().unwrap();
        assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(matches!(listen(&home), Err(ListenError::Running(_))));
        drop(first);
        assert!(!socket.exists());
        std::fs::write(&socket, "left by a crash").unwrap();
        let second = listen(&home).unwrap();
        std::fs::remove_file(&socket).unwrap();
        assert!(!second.is_reachable());
    }
}
