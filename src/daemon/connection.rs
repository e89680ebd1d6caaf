//! One connection: is it us, do the versions fit, then questions until it ends.
//!
//! A question is answered at once where no judge has to be waited for; otherwise it goes on beside the others, so that a
//! slow judge holds up no other id. A panic within a question is a refused message and a logged error.
//!
//! The end of a connection is not the end of a bridge: see [`super::reap`].

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::BufReader;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use super::engine::LONG;
use super::process::Process;
use super::record::event;
use super::start::is_newer;
use super::state::{Daemon, Session};
use super::wire::{self, Answer, Limit, PROTOCOL, Peer, Request, ScreenRequest, UNCHECKED_LIMIT, VERSION};
use crate::io::audit::AuditError;

/// How long a peer may take to say hello.
const HELLO: Duration = Duration::from_secs(5);

/// Questions of one connection that are open at once.
const OPEN_QUESTIONS: usize = 64;

type Reply = (Answer, Vec<u8>);
type Writer = Arc<Mutex<OwnedWriteHalf>>;
type Work = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// Serves a connection to its end.
pub(super) async fn serve(stream: UnixStream, daemon: Arc<Daemon>) {
    let process = match stream.peer_cred() {
        Ok(peer) if peer.uid() == rustix::process::geteuid().as_raw() => peer.pid().and_then(Process::now),
        Ok(peer) => return warn!(uid = peer.uid(), "a connection of another user was refused"),
        Err(error) => return warn!(%error, "a connection without credentials was refused"),
    };
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let Some(session) = greet(&mut reader, &mut writer, &daemon).await else { return };
    let mut connection = Connection {
        writer: Arc::new(Mutex::new(writer)),
        daemon,
        process,
        session: Arc::new(session),
        open: JoinSet::new(),
        permits: Arc::new(Semaphore::new(OPEN_QUESTIONS)),
    };
    connection.run(&mut reader).await;
    connection.end().await;
}

/// The handshake. A newer client drains this daemon, so that its own can start.
async fn greet(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    daemon: &Daemon,
) -> Option<Session> {
    let hello = tokio::time::timeout(HELLO, wire::read::<Request, _>(reader, UNCHECKED_LIMIT)).await;
    let Ok(Ok(Some((Request::Hello { protocol, version, peer }, _)))) = hello else {
        debug!("a connection that did not say hello was closed");
        return None;
    };
    let newer = is_newer(&version, VERSION);
    if newer || protocol != PROTOCOL {
        let mismatch = Answer::Mismatch { protocol: PROTOCOL, version: VERSION.to_owned() };
        let _ = wire::write(writer, &mismatch, &[]).await;
        warn!(theirs = version, ours = VERSION, "the versions do not fit");
        if newer {
            daemon.drain();
        }
        return None;
    }
    let session = daemon.open_session(peer)?;
    let welcome = Answer::Welcome(daemon.welcome(&session));
    if let Err(error) = wire::write(writer, &welcome, &[]).await {
        // Reading finds the end, and what goes with it is done there.
        debug!(%error, "a client went during the handshake");
    }
    Some(session)
}

struct Connection {
    writer: Writer,
    daemon: Arc<Daemon>,
    /// Who is at the other end; not known where it lives in another pid namespace.
    process: Option<Process>,
    session: Arc<Session>,
    open: JoinSet<()>,
    permits: Arc<Semaphore>,
}

impl Connection {
    async fn run(&mut self, reader: &mut BufReader<OwnedReadHalf>) {
        let mut draining = self.daemon.draining();
        loop {
            let limit = Limit::for_messages(self.daemon.max_message_bytes());
            let frame = tokio::select! {
                frame = wire::read::<Request, _>(reader, limit) => frame,
                _ = draining.wait_for(|draining| *draining) => return,
            };
            while self.open.try_join_next().is_some() {}
            match frame {
                Ok(Some((request, body))) => self.take(request, body).await,
                Ok(None) => return,
                Err(error) => return warn!(session = self.session.id, %error, "the connection is closed"),
            }
        }
    }

    async fn take(&mut self, request: Request, body: Vec<u8>) {
        match request {
            Request::Screen(question) => self.question(question, body).await,
            Request::Note(note) => {
                let logged = self.daemon.log_event(&event(&self.session, note));
                let refused = |fault: AuditError| Answer::Refused { why: fault.to_string() };
                self.answer(logged.map_or_else(refused, |()| Answer::Done)).await;
            }
            Request::Status => self.answer(Answer::Status(Box::new(self.daemon.status()))).await,
            Request::Reload => {
                let answer =
                    self.daemon.reload().map_or_else(|why| Answer::Refused { why }, |()| Answer::Done);
                self.answer(answer).await;
            }
            Request::Drain => {
                self.answer(Answer::Done).await;
                self.daemon.drain();
            }
            Request::Hello { .. } => {
                let why = "the handshake is done already".to_owned();
                self.answer(Answer::Refused { why }).await;
            }
        }
    }

    async fn answer(&self, answer: Answer) {
        send(&self.writer, (answer, Vec::new())).await;
    }

    async fn question(&mut self, question: ScreenRequest, line: Vec<u8>) {
        let Ok(permit) = self.permits.clone().acquire_owned().await else { return };
        let asked = Arc::new((question, line));
        let mut work = self.work(&asked);
        // Longer ones are scanned beside the connection, so that they hold up no other.
        if asked.1.len() as u64 <= LONG {
            match poll_once(&mut work) {
                Ok(Poll::Ready(reply)) => return send(&self.writer, reply).await,
                Ok(Poll::Pending) => {}
                Err(()) => {
                    return send(&self.writer, self.daemon.refuse_after_panic(&asked.0, &asked.1)).await;
                }
            }
        }
        let (writer, daemon) = (self.writer.clone(), self.daemon.clone());
        self.open.spawn(async move {
            let reply = tokio::spawn(work).await;
            send(&writer, reply.unwrap_or_else(|_| daemon.refuse_after_panic(&asked.0, &asked.1))).await;
            drop(permit);
        });
    }

    fn work(&self, asked: &Arc<(ScreenRequest, Vec<u8>)>) -> Work {
        let (daemon, session, asked) = (self.daemon.clone(), self.session.clone(), asked.clone());
        Box::pin(async move { daemon.screen(&session, &asked.0, &asked.1).await })
    }

    /// Sees to what the bridge may leave behind, and waits for open questions.
    async fn end(mut self) {
        // A daemon that drains leaves its bridges to the next one, to which they go now.
        if let (Some(bridge), false) = (self.process, *self.daemon.draining().borrow()) {
            self.daemon.reap_after(&self.session, bridge);
        }
        while self.open.join_next().await.is_some() {}
        self.daemon.close_session(&self.session);
    }
}

/// Polls work once where it stands; an error where it panicked. Work that is not done registers its real waker when it is
/// polled again.
fn poll_once(work: &mut Work) -> Result<Poll<Reply>, ()> {
    let mut context = Context::from_waker(Waker::noop());
    std::panic::catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(&mut context))).map_err(|_| ())
}

async fn send(writer: &Writer, (answer, body): Reply) {
    if let Err(error) = wire::write(&mut *writer.lock().await, &answer, &body).await {
        debug!(%error, "an answer found nobody");
    }
}

/// The agent and the server of a bridge.
pub(super) fn names(peer: &Peer) -> (Option<String>, Option<String>) {
    match peer {
        Peer::Bridge { agent, server, .. } => (agent.clone(), server.clone()),
        Peer::Control => (None, None),
    }
}
