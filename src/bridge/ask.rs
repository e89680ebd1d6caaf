//! Asking the daemon: connected early, asked again when the connection is lost, started again when it is gone.
//!
//! What cannot be decided is refused, or forwarded where the daemon said at a handshake that policy wants it so; before
//! the first handshake it is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::pump::Limits;
use super::screener::Screener;
use crate::daemon::start::connect_or_start;
use crate::daemon::wire::{Peer, ScreenAnswer, ScreenRequest};
use crate::daemon::{Client, ClientError};
use crate::gate::Action;
use crate::io::Home;
use crate::mcp::{AnomalyCode, Question, Refusal, Ruling, ScreenList};

/// Characters of a method and of a target that policy and log get to see: a longer one would not fit a frame's header,
/// and no method that policy names is as long.
const LONGEST_NAME: usize = 4096;

/// How often one question is asked. The second time is of a new daemon; a message that fells two is not asked again.
const ATTEMPTS: usize = 2;

/// How long one answer may take: longer than any judge's own limit.
const ANSWER: Duration = Duration::from_secs(120);

/// How long nobody tries to connect after that failed.
const REST: Duration = Duration::from_secs(2);

/// The bridge's line to the daemon.
#[derive(Debug)]
pub(super) struct Asker {
    home: Option<Home>,
    peer: Peer,
    limits: watch::Sender<Limits>,
    link: Mutex<Link>,
    next: AtomicU64,
    open_on_error: AtomicBool,
}

#[derive(Debug, Default)]
struct Link {
    client: Option<Arc<Client>>,
    rest_until: Option<Instant>,
}

impl Asker {
    /// Nothing is connected yet. Without a home nothing can be, and everything is refused.
    pub(super) fn new(home: Option<Home>, peer: Peer, limits: watch::Sender<Limits>) -> Self {
        let (link, next, open_on_error) = (Mutex::default(), AtomicU64::new(1), AtomicBool::new(false));
        Self { home, peer, limits, link, next, open_on_error }
    }

    /// Connects, so that the first question need not wait for that.
    pub(super) async fn connect(&self) {
        self.client().await;
    }

    /// The connection, made where there is none.
    async fn client(&self) -> Option<Arc<Client>> {
        let mut link = self.link.lock().await;
        if link.client.is_some() {
            return link.client.clone();
        }
        if link.rest_until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        let client = match connect_or_start(self.home.as_ref()?, self.peer.clone()).await {
            Ok(client) => Arc::new(client),
            Err(error) => {
                tracing::error!("nothing can be screened: {error}");
                link.rest_until = Some(Instant::now() + REST);
                return None;
            }
        };
        self.welcome(&client);
        link.client = Some(client.clone());
        Some(client)
    }

    fn welcome(&self, client: &Client) {
        let welcome = &client.welcome;
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
            target: Some(shortened(&question.target)).filter(|target| !target.is_empty()),
            era: question.era,
            anomalies: question.anomalies.iter().copied().map(AnomalyCode::name).map(str::to_owned).collect(),
        };
        let answer = tokio::time::timeout(ANSWER, client.screen(request, message)).await;
        answer.map_err(|_| ClientError::Lost)?.map(|(answer, body)| ruling(&answer, body))
    }
}

impl Screener for Asker {
    async fn screen(&self, question: &Question, message: &[u8]) -> Ruling {
        for _ in 0..ATTEMPTS {
            let Some(client) = self.client().await else { break };
            match self.ask(&client, question, message).await {
                Ok(ruling) => return ruling,
                Err(error) => tracing::warn!("asking the daemon: {error}"),
            }
            self.give_up(&client).await;
        }
        if self.open_on_error.load(Ordering::Relaxed) {
            Ruling::Forward
        } else {
            Ruling::Refuse(Refusal::Unscreened)
        }
    }
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
