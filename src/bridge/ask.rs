//! Asking the daemon: connected early, asked again when the connection is lost, started again when it is gone.
//!
//! What cannot be decided is refused, or forwarded where the daemon said at a handshake that policy wants it so; before
//! the first handshake it is refused. Either is noted, and what else the bridge refused by itself, for the audit log.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::notes::Notes;
use super::pump::Limits;
use super::screener::Screener;
use crate::daemon::start::connect_or_start;
use crate::daemon::wire::{Done, Note, Peer, Request, ScreenAnswer, ScreenRequest};
use crate::daemon::{Client, ClientError};
use crate::gate::Action;
use crate::io::Home;
use crate::mcp::{AnomalyCode, Question, Refusal, Ruling, ScreenList};

/// Characters of a method and of a target that policy and log get to see: a longer one would not fit a frame's header,
/// and no method that policy names is as long.
const LONGEST_NAME: usize = 4096;

/// How often one question is asked. The second time is of a new daemon; a message that fells two is not asked again.
const ATTEMPTS: usize = 2;

/// How long the log may take to have a note.
const NOTED: Duration = Duration::from_secs(5);

/// How long after a log that could not be written it is tried again.
const AGAIN: Duration = Duration::from_secs(3);

/// How long nobody tries to connect after that failed.
const REST: Duration = Duration::from_secs(2);

/// How far the telling of notes came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// As far as there is somebody to tell.
    AsFarAsCan,
    /// The daemon cannot write its log: worth another try after a while.
    LogFails,
}

/// The bridge's line to the daemon.
#[derive(Debug)]
pub(super) struct Asker {
    home: Option<Home>,
    peer: Peer,
    limits: watch::Sender<Limits>,
    link: Mutex<Link>,
    next: AtomicU64,
    open_on_error: AtomicBool,
    notes: Notes,
    /// Notes are told one after the other.
    telling: Mutex<()>,
    /// The last session's id.
    session: StdMutex<Option<String>>,
}

#[derive(Debug, Default)]
struct Link {
    client: Option<Arc<Client>>,
    /// Until when nobody tries, and why.
    rest: Option<(Instant, String)>,
}

impl Asker {
    /// Nothing is connected yet. Without a home nothing can be, and everything is refused.
    pub(super) fn new(home: Option<Home>, peer: Peer, limits: watch::Sender<Limits>) -> Self {
        let (link, next, open_on_error) = (Mutex::default(), AtomicU64::new(1), AtomicBool::new(false));
        let (notes, telling, session) = (Notes::default(), Mutex::default(), StdMutex::default());
        Self { home, peer, limits, link, next, open_on_error, notes, telling, session }
    }

    /// Connects, so that the first question need not wait for that, then tells what is noted. Goes on for ever.
    pub(super) async fn attend(&self) {
        // What went wrong is said.
        let _ = self.client().await;
        loop {
            self.notes.due().await;
            if self.tell_notes().await == Told::LogFails {
                tokio::time::sleep(AGAIN).await;
                self.notes.wake();
            }
        }
    }

    /// Tells the daemon what is noted, as far as it can be reached; the rest is told at the next connection.
    pub(super) async fn tell_notes(&self) -> Told {
        let _alone = self.telling.lock().await;
        while let Some(note) = self.notes.oldest() {
            let Ok(client) = self.client().await else { return Told::AsFarAsCan };
            let told = tokio::time::timeout(NOTED, client.ask(&Request::Note(note.clone()))).await;
            match told.unwrap_or(Err(ClientError::Lost)) {
                Ok(_) => self.notes.forget(&note),
                Err(ClientError::Refused(why)) => {
                    tracing::warn!("the audit log does not have what was refused: {why}");
                    return Told::LogFails;
                }
                Err(_) => {
                    self.give_up(&client).await;
                    return Told::AsFarAsCan;
                }
            }
        }
        Told::AsFarAsCan
    }

    /// The connection, made where there is none; else why there is none.
    async fn client(&self) -> Result<Arc<Client>, String> {
        let mut link = self.link.lock().await;
        if let Some(client) = &link.client {
            return Ok(client.clone());
        }
        if let Some((_, why)) = link.rest.as_ref().filter(|(until, _)| Instant::now() < *until) {
            return Err(why.clone());
        }
        let home = self.home.as_ref().ok_or("there is no home for a daemon")?;
        let client = match connect_or_start(home, self.peer.clone()).await {
            Ok(client) => Arc::new(client),
            Err(error) => {
                tracing::error!("nothing can be screened: {error}");
                link.rest = Some((Instant::now() + REST, error.to_string()));
                return Err(error.to_string());
            }
        };
        self.welcome(&client);
        link.client = Some(client.clone());
        Ok(client)
    }

    fn welcome(&self, client: &Client) {
        let welcome = &client.welcome;
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(welcome.session.clone());
        self.notes.wake();
        self.open_on_error.store(welcome.on_error_open, Ordering::Relaxed);
        self.limits.send_replace(Limits {
            screen: ScreenList::new(welcome.screen.iter().cloned()),
            longest: usize::try_from(welcome.max_message_bytes).unwrap_or(usize::MAX),
        });
    }

    /// Gives up a connection that failed, unless somebody else has already made a new one.
    async fn give_up(&self, failed: &Arc<Client>) {
        let mut link = self.link.lock().await;
        if link.client.as_ref().is_some_and(|client| Arc::ptr_eq(client, failed)) {
            link.client = None;
        }
    }

    async fn ask(&self, client: &Client, question: &Question, message: &[u8]) -> Result<Ruling, ClientError> {
        let request = ScreenRequest {
            ask: self.next.fetch_add(1, Ordering::Relaxed),
            side: question.side,
            method: shortened(&question.method),
            target: target(question),
            era: question.era,
            anomalies: question.anomalies.iter().copied().map(AnomalyCode::name).map(str::to_owned).collect(),
        };
        client.screen(request, message).await.map(|(answer, body)| ruling(&answer, body))
    }
}

impl Asker {
    /// Asks until there is a ruling; else why there is none.
    async fn decide(&self, question: &Question, message: &[u8]) -> Result<Ruling, String> {
        let mut fault = String::new();
        for _ in 0..ATTEMPTS {
            let client = self.client().await?;
            match self.ask(&client, question, message).await {
                Ok(ruling) => return Ok(ruling),
                Err(error) => fault = error.to_string(),
            }
            tracing::warn!("asking the daemon: {fault}");
            self.give_up(&client).await;
        }
        Err(fault)
    }

    fn note(&self, done: Done, question: &Question, bytes: u64, why: &str) {
        self.notes.add(Note {
            done,
            why: shortened(why),
            side: question.side,
            method: shortened(&question.method),
            target: target(question),
            bytes,
            at: Timestamp::now(),
            session: self.session.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            lost: 0,
        });
    }
}

impl Screener for Asker {
    async fn screen(&self, question: &Question, message: &[u8]) -> Ruling {
        let why = match self.decide(question, message).await {
            Ok(ruling) => return ruling,
            Err(why) => format!("{}: {why}", Refusal::Unscreened.name()),
        };
        let (done, ruling) = if self.open_on_error.load(Ordering::Relaxed) {
            (Done::Passed, Ruling::Forward)
        } else {
            (Done::Refused, Ruling::Refuse(Refusal::Unscreened))
        };
        self.note(done, question, message.len() as u64, &why);
        ruling
    }

    fn refused(&self, question: &Question, bytes: u64, refusal: Refusal) {
        let why = match refusal {
            Refusal::TooLong => "longer than the limit for one message",
            Refusal::Unreadable => "nested too deep to be screened",
            Refusal::Withheld => "the tool's description was kept from the agent",
            Refusal::Unscreened => "the question came to no end",
            Refusal::Block | Refusal::Quarantine => "decided before",
        };
        self.note(Done::Refused, question, bytes, &format!("{}: {why}", refusal.name()));
    }
}

/// What was asked for, as policy and log get to see it.
fn target(question: &Question) -> Option<String> {
    Some(shortened(&question.target)).filter(|target| !target.is_empty())
}

fn shortened(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

fn ruling(answer: &ScreenAnswer, body: Vec<u8>) -> Ruling {
    match (answer.action.forwards(), answer.replaced) {
        (true, false) => Ruling::Forward,
        (true, true) => Ruling::Mark(body),
        (false, true) => Ruling::Answer(body),
        (false, false) if answer.action == Action::Quarantine => Ruling::Refuse(Refusal::Quarantine),
        (false, false) => Ruling::Refuse(Refusal::Block),
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Refusal, Ruling, ScreenAnswer, ruling};

    #[test]
    fn answers_become_rulings() {
        let check = |action, replaced, expected| {
            let answer = ScreenAnswer { ask: 1, action, decision: String::new(), replaced };
            assert_eq!(ruling(&answer, vec![7]), expected);
        };
        check(Action::Allow, false, Ruling::Forward);
        check(Action::Warn, false, Ruling::Forward);
        check(Action::Warn, true, Ruling::Mark(vec![7]));
        check(Action::Quarantine, true, Ruling::Answer(vec![7]));
        check(Action::Quarantine, false, Ruling::Refuse(Refusal::Quarantine));
        check(Action::Block, false, Ruling::Refuse(Refusal::Block));
    }
}
