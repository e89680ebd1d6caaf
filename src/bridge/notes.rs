//! What the bridge did by itself, until the daemon has logged it.
//!
//! Bounded: where there is no room the oldest goes, and the one after it says how many went.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::daemon::wire::Note;

/// The most notes that are kept.
const MOST: usize = 256;

/// Notes on their way.
#[derive(Debug, Default)]
pub(super) struct Notes {
    kept: Mutex<VecDeque<Note>>,
    due: Notify,
}

impl Notes {
    /// Keeps a note and says that it is due.
    pub(super) fn add(&self, note: Note) {
        let mut kept = self.kept();
        if kept.len() >= MOST
            && let Some(gone) = kept.pop_front()
            && let Some(oldest) = kept.front_mut()
        {
            oldest.lost += gone.lost + 1;
        }
        kept.push_back(note);
        self.due.notify_one();
    }

    /// Says that what is kept may go now.
    pub(super) fn wake(&self) {
        self.due.notify_one();
    }

    /// Waits until something may go.
    pub(super) async fn due(&self) {
        self.due.notified().await;
    }

    /// The oldest.
    pub(super) fn oldest(&self) -> Option<Note> {
        self.kept().front().cloned()
    }

    /// Forgets a note that was the oldest, where it still is.
    pub(super) fn forget(&self, logged: &Note) {
        let mut kept = self.kept();
        if kept.front() == Some(logged) {
            kept.pop_front();
        }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Note>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{MOST, Note, Notes};
    use crate::daemon::wire::Done;
    use crate::mcp::Side;

    fn note(bytes: u64) -> Note {
        Note {
            done: Done::Refused,
            why: "why".to_owned(),
            side: Side::Server,
            method: "tools/call".to_owned(),
            target: None,
            bytes,
            at: Timestamp::UNIX_EPOCH,
            session: None,
            lost: 0,
        }
    }

    #[tokio::test]
    async fn the_oldest_make_room_and_are_counted() {
        let notes = Notes::default();
        for bytes in 0..MOST as u64 + 3 {
            notes.add(note(bytes));
        }
        notes.due().await;
        let oldest = notes.oldest().unwrap();
        assert_eq!((oldest.bytes, oldest.lost, notes.kept().len()), (3, 3, MOST));
        notes.forget(&note(99));
        notes.forget(&oldest);
        assert_eq!(notes.oldest(), Some(note(4)));
    }
}
