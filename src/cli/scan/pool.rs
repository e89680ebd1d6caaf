//! Units decided on all cores, and handed on in the order in which they were found.
//!
//! The threads live as long as the scan, and share what the patterns learn of texts. At most two units a thread wait, so
//! that a large tree needs no more memory than a small one.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::Context as _;
use tokio::runtime::{Builder, Runtime};

use super::suppress::Grants;
use crate::daemon::engine::{Engine, Outcome, microseconds};
use crate::gate::{Document, Hit, Origin};

/// A unit that is to be decided about.
pub(super) struct Unit {
    /// Its path as a person would open it.
    pub(super) path: String,
    /// Its path as it is opened here.
    pub(super) real: PathBuf,
    /// What it holds.
    pub(super) document: Document,
    /// Where it came from.
    pub(super) origin: Origin,
    /// The hits that are not to be counted.
    pub(super) grants: Grants,
}

/// A unit with what was decided about it.
pub(super) struct Decided {
    pub(super) unit: Unit,
    pub(super) outcome: Outcome,
    pub(super) elapsed_us: u64,
}

struct Job {
    unit: Unit,
    answer: SyncSender<Decided>,
}

/// Units that are being decided about, in order.
pub(super) struct Queue {
    jobs: SyncSender<Job>,
    answers: VecDeque<Receiver<Decided>>,
    most: usize,
}

impl Queue {
    /// Takes a unit; gives the first one that waits back where too many do.
    pub(super) fn push(&mut self, unit: Unit) -> anyhow::Result<Option<Decided>> {
        let (answer, answered) = sync_channel(1);
        self.jobs.send(Job { unit, answer }).ok().context(ENDED)?;
        self.answers.push_back(answered);
        if self.answers.len() > self.most { self.pop() } else { Ok(None) }
    }

    /// Gives the first unit that waits back; nothing where none does.
    pub(super) fn pop(&mut self) -> anyhow::Result<Option<Decided>> {
        self.answers.pop_front().map(|answer| answer.recv().ok().context(ENDED)).transpose()
    }
}

const ENDED: &str =
    "a thread ended before it had decided about its unit; scan the paths one by one to find it";

/// Runs `body` with threads that decide: one for each core, or a single one where a judge is asked that is not built in.
pub(super) fn with_queue<R>(
    engine: &Engine,
    body: impl FnOnce(&mut Queue) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if engine.asks_another() { 1 } else { cores };
    let runtime = || Builder::new_current_thread().enable_all().build();
    let runtimes: Vec<Runtime> = (0..threads).map(|_| runtime()).collect::<Result<_, _>>()?;
    let (jobs, waiting) = sync_channel(threads);
    let waiting = Mutex::new(waiting);
    thread::scope(|scope| {
        for runtime in runtimes {
            let waiting = &waiting;
            scope.spawn(move || work(waiting, &runtime, engine));
        }
        body(&mut Queue { jobs, answers: VecDeque::new(), most: 2 * threads })
    })
}

fn work(waiting: &Mutex<Receiver<Job>>, runtime: &Runtime, engine: &Engine) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { unit, answer }) = next else { return };
        let start = Instant::now();
        let counting = |hit: &Hit| unit.grants.counting(hit);
        let decided = engine.decide_without(&unit.document, &unit.origin, |_| None, &counting);
        let outcome = runtime.block_on(decided);
        // Nobody waits where the scan has failed.
        let _ = answer.send(Decided { elapsed_us: microseconds(start), unit, outcome });
    }
}
