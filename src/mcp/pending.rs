//! The requests that wait for their answers, in two id spaces.
//!
//! A cancelled request's entry is freed, but what it was is remembered for a while: its answer may still come, and is no
//! answer to an unknown id. Bounded for each side by itself: beyond the limit a request is not noted, and its answer
//! counts as one that nobody asked for.

use std::collections::{BTreeMap, VecDeque};

use super::id::Id;
use super::question::{Era, Side};

/// The most requests of one side that wait, and the most remembered after they were cancelled.
const MOST_WAITING: usize = 10_000;
const MOST_LATE: usize = 1000;

/// What is known of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) era: Era,
    pub(super) progress: Option<Id>,
    /// Another request with this id was waiting already.
    pub(super) doubled: bool,
}

/// All requests of a session that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct Pending {
    waiting: BTreeMap<(Side, Id), VecDeque<Asked>>,
    late: VecDeque<((Side, Id), Asked)>,
    counts: BTreeMap<Side, usize>,
}

impl Pending {
    /// Notes a request of `side`.
    pub(super) fn ask(&mut self, side: Side, id: Id, mut asked: Asked) {
        let count = self.counts.entry(side).or_default();
        if *count >= MOST_WAITING {
            return;
        }
        *count += 1;
        let same_id = self.waiting.entry((side, id)).or_default();
        asked.doubled = !same_id.is_empty();
        for earlier in same_id.iter_mut().filter(|_| asked.doubled) {
            earlier.doubled = true;
        }
        same_id.push_back(asked);
    }

    /// The request of `side` that is answered under this id: the oldest that waits, else one that was cancelled.
    pub(super) fn answer(&mut self, side: Side, id: &Id) -> Option<Asked> {
        let key = (side, id.clone());
        if let Some(asked) = self.take(&key) {
            return Some(asked);
        }
        let at = self.late.iter().position(|(late, _)| *late == key)?;
        self.late.remove(at).map(|(_, asked)| asked)
    }

    /// Frees the entry of a request that `side` cancelled.
    pub(super) fn cancel(&mut self, side: Side, id: &Id) {
        let key = (side, id.clone());
        if let Some(asked) = self.take(&key) {
            self.late.push_back((key, asked));
            if self.late.len() > MOST_LATE {
                self.late.pop_front();
            }
        }
    }

    /// How many requests of this side wait.
    pub(super) fn count(&self, side: Side) -> usize {
        self.counts.get(&side).copied().unwrap_or_default()
    }

    /// True where a request of this side waits under this id.
    pub(super) fn waits(&self, side: Side, id: &Id) -> bool {
        self.waiting.contains_key(&(side, id.clone()))
    }

    fn take(&mut self, key: &(Side, Id)) -> Option<Asked> {
        let same_id = self.waiting.get_mut(key)?;
        let asked = same_id.pop_front();
        if same_id.is_empty() {
            self.waiting.remove(key);
        }
        if let Some(count) = self.counts.get_mut(&key.0).filter(|_| asked.is_some()) {
            *count -= 1;
        }
        asked
    }
}
