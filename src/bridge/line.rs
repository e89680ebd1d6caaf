//! Lines on their way to a pipe: one write and one flush for each, in the order they were handed over.
//!
//! A line holds its share of the direction's memory until it is written or given up, so a slow reader slows its writer
//! down and fills nothing.

use std::sync::Arc;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The share of a line beside its bytes: what a pending question costs.
const OVERHEAD: usize = 4 << 10;
const UNIT: usize = 1 << 10;

/// How much may be on its way in one direction.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    units: u32,
    free: Arc<Semaphore>,
}

/// A line's share of the budget.
pub(super) type Share = Option<OwnedSemaphorePermit>;

impl Budget {
    /// Room for twice the longest message.
    pub(super) fn new(longest: usize) -> Self {
        let units = (longest.saturating_mul(2) / UNIT).clamp(1 << 10, 1 << 20);
        Self { units: units as u32, free: Arc::new(Semaphore::new(units)) }
    }

    /// Waits until there is room for a line of this length.
    pub(super) async fn take(&self, length: usize) -> Share {
        let units = u32::try_from((length + OVERHEAD) / UNIT).unwrap_or(u32::MAX).min(self.units);
        self.free.clone().acquire_many_owned(units).await.ok()
    }
}

#[derive(Debug)]
enum Item {
    Line(Vec<u8>, Share),
    End,
}

/// Where lines are handed over.
#[derive(Clone, Debug)]
pub(super) struct Lines(UnboundedSender<Item>);

/// The lines to be written.
#[derive(Debug)]
pub(super) struct Queue(UnboundedReceiver<Item>);

/// A way from many tasks to one pipe.
pub(super) fn lines() -> (Lines, Queue) {
    let (sender, receiver) = unbounded_channel();
    (Lines(sender), Queue(receiver))
}

impl Lines {
    /// Hands over a line, without its line feed. Where nobody writes any more it is given up.
    pub(super) fn send(&self, line: Vec<u8>, share: Share) {
        let _ = self.0.send(Item::Line(line, share));
    }

    /// Says that no more lines will come: the pipe is closed after those before.
    pub(super) fn end(&self) {
        let _ = self.0.send(Item::End);
    }
}

impl Queue {
    /// Writes lines until the end is said, then closes the pipe. Ends early where the reader is gone; lines are then given
    /// up as they come, so that nobody waits for room.
    pub(super) async fn write_to(mut self, mut pipe: impl AsyncWrite + Unpin) -> std::io::Result<()> {
        while let Some(Item::Line(mut line, share)) = self.0.recv().await {
            line.push(b'\n');
            pipe.write_all(&line).await?;
            pipe.flush().await?;
            drop(share);
        }
        pipe.shutdown().await
    }
}
