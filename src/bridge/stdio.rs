//! Our own stdin and stdout, without a thread between where the system lets us.
//!
//! A pipe is opened anew by way of /proc, so that the non-blocking mode is ours alone; a socket, which is what some
//! agents give, is switched where it is not our stderr as well, since the server inherits that. Files and terminals are
//! read and written by threads.

use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream as StdUnixStream;

use rustix::fs::{FileType, Stat, fstat};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// What the agent writes.
pub(super) fn stdin() -> Box<dyn AsyncRead + Send + Unpin> {
    let stdin = std::io::stdin();
    match kind(stdin.as_fd()) {
        Some(FileType::Fifo) => match pipe::OpenOptions::new().open_receiver("/proc/self/fd/0") {
            Ok(pipe) => Box::new(pipe),
            Err(_) => Box::new(tokio::io::stdin()),
        },
        Some(FileType::Socket) => match socket(stdin.as_fd()) {
            Some(socket) => Box::new(socket),
            None => Box::new(tokio::io::stdin()),
        },
        _ => Box::new(tokio::io::stdin()),
    }
}

/// What the agent reads.
pub(super) fn stdout() -> Box<dyn AsyncWrite + Send + Unpin> {
    let stdout = std::io::stdout();
    match kind(stdout.as_fd()) {
        Some(FileType::Fifo) => match pipe::OpenOptions::new().open_sender("/proc/self/fd/1") {
            Ok(pipe) => Box::new(pipe),
            Err(_) => Box::new(tokio::io::stdout()),
        },
        Some(FileType::Socket) => match socket(stdout.as_fd()) {
            Some(socket) => Box::new(socket),
            None => Box::new(tokio::io::stdout()),
        },
        _ => Box::new(tokio::io::stdout()),
    }
}

fn kind(end: BorrowedFd<'_>) -> Option<FileType> {
    fstat(end).ok().map(|stat| FileType::from_raw_mode(stat.st_mode))
}

/// The socket, switched to non-blocking; nothing where that would switch our stderr too.
fn socket(end: BorrowedFd<'_>) -> Option<UnixStream> {
    let place = |stat: Stat| (stat.st_dev, stat.st_ino);
    let stderr = fstat(std::io::stderr()).ok().map(place);
    if stderr == fstat(end).ok().map(place) {
        return None;
    }
    let socket = StdUnixStream::from(end.try_clone_to_owned().ok()?);
    socket.set_nonblocking(true).ok()?;
    UnixStream::from_std(socket).ok()
}
