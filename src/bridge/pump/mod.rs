//! Moves lines both ways and asks about those that need it.
//!
//! One loop per direction reads, one task per direction writes, one task per question waits for its ruling; the session and
//! the two outboxes are shared under a lock that is never held across a wait. So a slow judge holds up only what
//! belongs to the message it judges, and a full pipe one way never stops the other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::watch;

use super::line::{Budget, Lines, Share, lines};
use super::screener::Screener;
use crate::base::printable;
use crate::mcp::outbox::Ticket;
use crate::mcp::session::Dropped;
use crate::mcp::{
    Fate, Frame, Framer, MessageKind, Outbox, Part, Refusal, Ruling, ScreenList, Session, Side, Step, deliver,
};

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// The four ends of the two pipes.
#[derive(Debug)]
pub(super) struct Ends<ClientIn, ClientOut, ServerIn, ServerOut> {
    pub(super) from_client: ClientIn,
    pub(super) to_client: ClientOut,
    pub(super) to_server: ServerIn,
    pub(super) from_server: ServerOut,
}

/// What the handshake with the daemon tells about messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Which messages are asked about.
    pub(super) screen: ScreenList,
    /// The longest message in bytes.
    pub(super) longest: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { screen: ScreenList::default(), longest: 64 << 20 }
    }
}

/// How far a session has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "four ends, each open or not by itself")]
pub(super) struct Progress {
    /// The agent will send nothing more, or reads no more.
    pub(super) client_gone: bool,
    /// The agent reads no more.
    pub(super) client_deaf: bool,
    /// The server will send nothing more.
    pub(super) server_gone: bool,
    /// The server reads no more: what it is asked from now on it will never answer.
    pub(super) server_deaf: bool,
    /// All that the server sent was handed to the agent, and nothing more will come.
    pub(super) delivered: bool,
}

/// A running pump.
#[derive(Debug)]
pub(super) struct Pump {
    shared: Arc<Shared>,
    progress: watch::Receiver<Progress>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    limits: watch::Receiver<Limits>,
    progress: watch::Sender<Progress>,
    /// The side that is no longer listened to.
    stop: watch::Sender<Option<Side>>,
}

#[derive(Debug)]
struct State {
    session: Session,
    from_client: Direction,
    from_server: Direction,
}

/// What is on its way in one direction.
#[derive(Debug)]
struct Direction {
    outbox: Outbox<(Option<Vec<u8>>, Share)>,
    lines: Lines,
    /// Its sender will send nothing more.
    ended: bool,
}

impl State {
    const fn from(&mut self, side: Side) -> &mut Direction {
        match side {
            Side::Client => &mut self.from_client,
            Side::Server => &mut self.from_server,
        }
    }

    /// Says what goes on in a message's place, and sends on all that may go now.
    fn settle(&mut self, side: Side, ticket: Ticket, line: Option<Vec<u8>>, share: Share) {
        let direction = self.from(side);
        for (line, share) in direction.outbox.settle(ticket, (line, share)) {
            if let Some(line) = line {
                direction.lines.send(line, share);
            }
        }
        direction.end_if_done();
    }
}

impl Direction {
    fn end_if_done(&self) {
        if self.ended && self.outbox.is_empty() {
            self.lines.end();
        }
    }
}

impl Pump {
    /// Starts the pump's tasks. It runs until both senders have ended and all is delivered.
    pub(super) fn start<CI, CO, SI, SO, S>(
        ends: Ends<CI, CO, SI, SO>,
        screener: Arc<S>,
        limits: watch::Receiver<Limits>,
    ) -> Self
    where
        CI: AsyncRead + Unpin + Send + 'static,
        CO: AsyncWrite + Unpin + Send + 'static,
        SI: AsyncWrite + Unpin + Send + 'static,
        SO: AsyncRead + Unpin + Send + 'static,
        S: Screener,
    {
        let (to_server, server_queue) = lines();
        let (to_client, client_queue) = lines();
        let direction = |lines| Direction { outbox: Outbox::default(), lines, ended: false };
        let state = State {
            session: Session::new(limits.borrow().screen.clone()),
            from_client: direction(to_server),
            from_server: direction(to_client),
        };
        let (progress, watched) = watch::channel(Progress::default());
        let shared =
            Arc::new(Shared { state: Mutex::new(state), limits, progress, stop: watch::Sender::new(None) });
        let (from_client, from_server) = (shared.clone(), shared.clone());
        let client_screener = screener.clone();
        tokio::spawn(async move { from_client.read(Side::Client, ends.from_client, client_screener).await });
        tokio::spawn(async move { from_server.read(Side::Server, ends.from_server, screener).await });
        let told = shared.clone();
        tokio::spawn(async move {
            if let Err(error) = server_queue.write_to(ends.to_server).await {
                tracing::warn!("the server reads no more and is ended: {error}");
                told.tell(|progress| progress.server_deaf = true);
            }
        });
        let told = shared.clone();
        tokio::spawn(async move {
            let deaf = client_queue.write_to(ends.to_client).await.is_err();
            told.tell(|progress| {
                progress.delivered = true;
                progress.client_deaf |= deaf;
                progress.client_gone |= deaf;
            });
        });
        Self { shared, progress: watched }
    }

    /// How far the session has come, to be watched.
    pub(super) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// Listens to the server no longer: its process is gone, and somebody else holds its pipe open.
    pub(super) fn end_server(&self) {
        self.shared.stop.send_replace(Some(Side::Server));
    }

    /// How many requests of the agent wait for an answer.
    pub(super) fn waiting(&self) -> usize {
        self.shared.lock().session.waiting()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.send_modify(change);
    }

    /// Reads what `side` sends until it ends.
    async fn read<S: Screener>(
        self: Arc<Self>,
        side: Side,
        mut pipe: impl AsyncRead + Unpin,
        screener: Arc<S>,
    ) {
        let (mut limits, mut stop) = (self.limits.clone(), self.stop.subscribe());
        let longest = limits.borrow().longest;
        let (mut framer, budget) = (Framer::new(longest), Budget::new(longest));
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = tokio::select! {
                read = pipe.read(&mut chunk) => read.unwrap_or_else(|error| {
                    tracing::debug!("reading from the {side:?}: {error}");
                    0
                }),
                _ = stop.wait_for(|stopped| *stopped == Some(side)) => 0,
            };
            if limits.has_changed().unwrap_or(false) {
                let limits = limits.borrow_and_update();
                framer.set_limit(limits.longest);
                self.lock().session.set_screen(limits.screen.clone());
            }
            for frame in framer.push(&chunk[..length]) {
                self.frame(side, frame, &budget, &screener).await;
            }
            if length == 0 {
                break;
            }
        }
        if let Some(frame) = framer.finish() {
            self.frame(side, frame, &budget, &screener).await;
        }
        self.end(side);
    }

    fn end(&self, side: Side) {
        {
            let mut state = self.lock();
            let direction = state.from(side);
            direction.ended = true;
            direction.end_if_done();
        }
        self.tell(|progress| match side {
            Side::Client => progress.client_gone = true,
            Side::Server => progress.server_gone = true,
        });
    }

    /// Takes one frame: sends it on, drops it, or has it judged.
    async fn frame<S: Screener>(
        self: &Arc<Self>,
        side: Side,
        frame: Frame,
        budget: &Budget,
        screener: &Arc<S>,
    ) {
        let length = if let Frame::Line(line) = &frame { line.len() } else { 0 };
        let share = budget.take(length).await;
        let mut state = self.lock();
        let (step, line, bytes) = match frame {
            Frame::Line(line) => (state.session.line(side, &line), line, length as u64),
            Frame::TooLong(long) => {
                tracing::warn!("a message of {} bytes from the {side:?} is over the limit", long.bytes);
                (state.session.too_long(side, &long), Vec::new(), long.bytes)
            }
        };
        match step {
            Step::Drop(Dropped::Blank) => {}
            Step::Drop(Dropped::Noise(broken)) => log_noise(&line, broken),
            Step::Pass(lanes) => {
                let ticket = state.from(side).outbox.reserve(lanes);
                state.settle(side, ticket, Some(line), share);
            }
            Step::Judge(parts, lanes) => {
                let ticket = state.from(side).outbox.reserve(lanes);
                let (shared, screener, rulings) = (self.clone(), screener.clone(), Vec::new());
                let trial = Trial { shared, screener, side, ticket, line, bytes, share, parts, rulings };
                tokio::spawn(trial.judge());
            }
        }
    }
}

/// A line that is being judged. Whatever happens to its task, it is settled once: what has no ruling is refused.
struct Trial<S: Screener> {
    shared: Arc<Shared>,
    screener: Arc<S>,
    side: Side,
    ticket: Ticket,
    line: Vec<u8>,
    /// How long the line was, also where it was too long to be kept.
    bytes: u64,
    share: Share,
    parts: Vec<Part>,
    rulings: Vec<Ruling>,
}

impl<S: Screener> Trial<S> {
    async fn judge(mut self) {
        for part in &self.parts {
            let message = self.line.get(part.range.clone()).unwrap_or_default();
            self.rulings.push(match part.fate {
                Fate::Pass => Ruling::Forward,
                Fate::Refuse(refusal) => Ruling::Refuse(refusal),
                Fate::Ask => self.screener.screen(&part.question, message).await,
            });
        }
    }

    /// Says what was refused without a question, or because its question came to no end.
    fn note_refusals(&self) {
        for (index, part) in self.parts.iter().enumerate() {
            let refusal = match part.fate {
                Fate::Refuse(refusal) => refusal,
                Fate::Ask if self.rulings.len() <= index => Refusal::Unscreened,
                Fate::Ask | Fate::Pass => continue,
            };
            let bytes = if self.parts.len() == 1 { self.bytes } else { part.range.len() as u64 };
            self.screener.refused(&part.question, bytes, refusal);
        }
    }

    /// Says where the agent gets an error that belongs to no request of the `waiting` ones (see `mcp::reply`).
    fn log_strays(&self, waiting: usize) {
        for (part, ruling) in self.parts.iter().zip(&self.rulings) {
            let is_answer = matches!(part.question.kind, MessageKind::Response | MessageKind::Error);
            let is_kept = matches!(ruling, Ruling::Answer(_) | Ruling::Refuse(_));
            if is_answer && is_kept && part.question.id.is_none() {
                tracing::warn!(
                    "an answer of the {:?} without an id was kept back; it belongs to no request, and {waiting} wait",
                    self.side
                );
            }
        }
    }

    /// Notes which tools of a list reach the agent.
    fn note_tools(&self, session: &mut Session) {
        let lists =
            self.parts.iter().zip(&self.rulings).filter(|(part, _)| part.question.method == "tools/list");
        for (part, ruling) in lists.filter(|(part, _)| part.question.side == Side::Server) {
            let offered = self.line.get(part.range.clone()).unwrap_or_default();
            session.tools_listed(
                offered,
                match ruling {
                    Ruling::Forward => offered,
                    Ruling::Mark(instead) | Ruling::Answer(instead) => instead,
                    Ruling::Refuse(_) => &[],
                },
            );
        }
    }
}

impl<S: Screener> Drop for Trial<S> {
    fn drop(&mut self) {
        self.note_refusals();
        self.rulings.resize(self.parts.len(), Ruling::Refuse(Refusal::Unscreened));
        let mut state = self.shared.lock();
        self.note_tools(&mut state.session);
        self.log_strays(state.session.waiting());
        let line = std::mem::take(&mut self.line);
        let delivery = deliver(line, &self.parts, std::mem::take(&mut self.rulings));
        for back in delivery.back {
            state.from(self.side.other()).lines.send(back, None);
        }
        state.settle(self.side, self.ticket, delivery.onward, self.share.take());
    }
}

fn log_noise(line: &[u8], broken: crate::mcp::Broken) {
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]);
    tracing::warn!("dropped a line of the server that is no message ({broken}): {}", printable(&shown));
}

#[cfg(test)]
mod tests;
