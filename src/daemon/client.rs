//! The client's end of the socket: handshake, then any number of questions at once.
//!
//! A lost connection fails every open question with [`ClientError::Lost`]; whoever asked decides whether to ask again. So
//! does a daemon that no longer answers: one that is stopped, or stuck.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::BufReader;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::wire::{
    self, Answer, Limit, PROTOCOL, Peer, Request, ScreenAnswer, ScreenRequest, UNCHECKED_LIMIT, VERSION,
    Welcome, WireError,
};

/// How long the handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(3);

/// Why the daemon could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens.
    #[error("no daemon listens on `{path}`: {source}")]
    NotRunning {
        /// The socket.
        path: String,
        /// The system's words.
        source: std::io::Error,
    },
    /// The socket belongs to another user's process.
    #[error("the process that listens on `{path}` runs as user {uid}, not as this one: it is not asked")]
    OtherUser {
        /// The socket.
        path: String,
        /// Its user.
        uid: u32,
    },
    /// The versions do not fit.
    #[error(
        "this is skillgate {VERSION} (protocol {PROTOCOL}) and the daemon is {version} (protocol {protocol}): run `skillgate stop`, then try again"
    )]
    Mismatch {
        /// The daemon's version.
        version: String,
        /// The daemon's protocol.
        protocol: u32,
    },
    /// The daemon refused.
    #[error("the daemon refused: {0}")]
    Refused(String),
    /// The connection was lost before the answer came.
    #[error("the connection to the daemon was lost")]
    Lost,
    /// The daemon spoke out of turn.
    #[error("the daemon gave an answer that does not fit the question")]
    Unexpected,
    /// The frame could not be written or read.
    #[error(transparent)]
    Wire(#[from] WireError),
}

/// How long a question waits before the daemon is asked whether it is still there, and how long that may take.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long one answer may take of a daemon that is there: longer than any judge's own limit.
const ANSWER: Duration = Duration::from_secs(120);

/// A connection over which the handshake is done.
#[derive(Debug)]
pub struct Client {
    /// What the daemon said at the handshake.
    pub welcome: Welcome,
    line: Arc<Line>,
    tasks: [tokio::task::JoinHandle<()>; 2],
}

/// What those who ask and those who answer share.
#[derive(Debug)]
struct Line {
    writer: tokio::sync::Mutex<OwnedWriteHalf>,
    /// Open questions by number; nothing once the connection is lost.
    open: Mutex<Option<HashMap<u64, Open>>>,
    /// Answers that are no decisions, in order.
    answers: tokio::sync::Mutex<tokio::sync::mpsc::UnboundedReceiver<Answer>>,
    /// A question was asked.
    asked: Notify,
}

#[derive(Debug)]
struct Open {
    since: Instant,
    answer: oneshot::Sender<(ScreenAnswer, Vec<u8>)>,
}

impl Client {
    /// Connects and shakes hands. Starts nothing.
    pub async fn connect(socket: &Path, peer: Peer) -> Result<Self, ClientError> {
        let path = socket.display().to_string();
        let stream = UnixStream::connect(socket)
            .await
            .map_err(|source| ClientError::NotRunning { path: path.clone(), source })?;
        check_peer(&stream, path)?;
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        let welcome = tokio::time::timeout(HANDSHAKE, shake_hands(&mut reader, &mut writer, peer))
            .await
            .map_err(|_| ClientError::Lost)??;
        Ok(Self::over(reader, writer, welcome))
    }

    fn over(reader: BufReader<OwnedReadHalf>, writer: OwnedWriteHalf, welcome: Welcome) -> Self {
        let (sender, answers) = tokio::sync::mpsc::unbounded_channel();
        let limit = Limit::for_messages(usize::try_from(welcome.max_message_bytes).unwrap_or(usize::MAX));
        let line = Arc::new(Line {
            writer: tokio::sync::Mutex::new(writer),
            open: Mutex::new(Some(HashMap::new())),
            answers: tokio::sync::Mutex::new(answers),
            asked: Notify::new(),
        });
        let reading = tokio::spawn(deliver(reader, limit, line.clone(), sender));
        let watching = tokio::spawn(watch(line.clone()));
        Self { welcome, line, tasks: [reading, watching] }
    }

    /// Asks about one message; any number of questions may be open at once.
    pub async fn screen(
        &self,
        request: ScreenRequest,
        message: &[u8],
    ) -> Result<(ScreenAnswer, Vec<u8>), ClientError> {
        let (answer, mut receiver) = oneshot::channel();
        match &mut *self.line.open() {
            Some(open) => open.insert(request.ask, Open { since: Instant::now(), answer }),
            None => return Err(ClientError::Lost),
        };
        self.line.asked.notify_one();
        let request = Request::Screen(request);
        let write = async { wire::write(&mut *self.line.writer.lock().await, &request, message).await };
        let answer = tokio::select! {
            biased;
            Ok(()) = write => receiver.await,
            // A daemon that is stopped reads no long message to its end.
            answer = &mut receiver => answer,
            else => return Err(ClientError::Lost),
        };
        answer.map_err(|_| ClientError::Lost)
    }

    /// Says something that needs no answer.
    pub async fn tell(&self, request: &Request) -> Result<(), ClientError> {
        self.line.tell(request).await
    }

    /// Asks something that is answered in order (status, drain, reload).
    pub async fn ask(&self, request: &Request) -> Result<Answer, ClientError> {
        self.line.ask(request).await
    }
}

impl Line {
    fn open(&self) -> MutexGuard<'_, Option<HashMap<u64, Open>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn tell(&self, request: &Request) -> Result<(), ClientError> {
        Ok(wire::write(&mut *self.writer.lock().await, request, &[]).await?)
    }

    async fn ask(&self, request: &Request) -> Result<Answer, ClientError> {
        let mut answers = self.answers.lock().await;
        self.tell(request).await?;
        match answers.recv().await {
            Some(Answer::Refused { why }) => Err(ClientError::Refused(why)),
            Some(answer) => Ok(answer),
            None => Err(ClientError::Lost),
        }
    }

    /// How long the oldest open question has been open.
    fn longest_open(&self) -> Option<Duration> {
        self.open().as_ref()?.values().map(|open| open.since.elapsed()).max()
    }

    /// False where the daemon says nothing any more.
    async fn is_there(&self) -> bool {
        tokio::time::timeout(PATIENCE, self.ask(&Request::Status)).await.is_ok_and(|answer| answer.is_ok())
    }

    /// Fails all open questions, and all that are asked later.
    fn lose(&self) {
        self.open().take();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

fn check_peer(stream: &UnixStream, path: String) -> Result<(), ClientError> {
    let uid = stream.peer_cred().map_err(WireError::Io)?.uid();
    if uid == rustix::process::geteuid().as_raw() {
        Ok(())
    } else {
        Err(ClientError::OtherUser { path, uid })
    }
}

async fn shake_hands(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    peer: Peer,
) -> Result<Welcome, ClientError> {
    let hello = Request::Hello { protocol: PROTOCOL, version: VERSION.to_owned(), peer };
    wire::write(writer, &hello, &[]).await?;
    let limit = Limit { header: 64 << 10, ..UNCHECKED_LIMIT };
    match wire::read(reader, limit).await? {
        Some((Answer::Welcome(welcome), _)) => Ok(welcome),
        Some((Answer::Mismatch { protocol, version }, _)) => Err(ClientError::Mismatch { version, protocol }),
        Some((Answer::Refused { why }, _)) => Err(ClientError::Refused(why)),
        Some(_) => Err(ClientError::Unexpected),
        None => Err(ClientError::Lost),
    }
}

/// Hands answers to whoever asked, until the connection ends; then fails all open questions.
async fn deliver(
    mut reader: BufReader<OwnedReadHalf>,
    limit: Limit,
    line: Arc<Line>,
    answers: tokio::sync::mpsc::UnboundedSender<Answer>,
) {
    while let Ok(Some((answer, body))) = wire::read::<Answer, _>(&mut reader, limit).await {
        let Answer::Decision(decision) = answer else {
            if answers.send(answer).is_err() {
                break;
            }
            continue;
        };
        if let Some(open) = line.open().as_mut().and_then(|open| open.remove(&decision.ask)) {
            // Whoever asked may have gone; its answer is then nobody's.
            let _ = open.answer.send((decision, body));
        }
    }
    line.lose();
}

/// Gives up a daemon that is stopped or stuck. One timer for all questions, since setting one for each wakes the
/// runtime once more for every message.
async fn watch(line: Arc<Line>) {
    loop {
        line.asked.notified().await;
        tokio::time::sleep(PATIENCE).await;
        while let Some(waited) = line.longest_open() {
            if waited >= ANSWER || (waited >= PATIENCE && !line.is_there().await) {
                return line.lose();
            }
            tokio::time::sleep(PATIENCE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{UnixListener, UnixStream};

    use super::{Answer, BufReader, Client, ClientError, Peer, Request, ScreenRequest, wire};
    use crate::mcp::{Era, Side};

    async fn connected() -> (Client, UnixStream, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let listener = UnixListener::bind(&socket).unwrap();
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut reader = BufReader::new(&mut stream);
            let hello = wire::read::<Request, _>(&mut reader, wire::UNCHECKED_LIMIT).await.unwrap();
            assert!(matches!(hello, Some((Request::Hello { .. }, _))));
            let welcome = wire::Welcome {
                version: wire::VERSION.to_owned(),
                session: "s".to_owned(),
                on_error_open: false,
                max_message_bytes: 1 << 20,
                screen: Vec::new(),
            };
            wire::write(&mut stream, &Answer::Welcome(welcome), &[]).await.unwrap();
            stream
        };
        let (client, stream) = tokio::join!(Client::connect(&socket, Peer::Control), serve);
        (client.unwrap(), stream, folder)
    }

    fn question() -> ScreenRequest {
        let (side, era) = (Side::Server, Era::default());
        let (method, anomalies) = ("tools/call".to_owned(), Vec::new());
        ScreenRequest { ask: 1, side, method, target: None, era, anomalies }
    }

    #[tokio::test]
    async fn a_daemon_that_is_stopped_is_given_up_however_long_the_message() {
        for length in [1, 8 << 20] {
            let (client, stream, _folder) = connected().await;
            tokio::time::pause();
            let message = vec![b'x'; length];
            let answer = client.screen(question(), &message).await;
            assert!(matches!(answer, Err(ClientError::Lost)), "{length}: {answer:?}");
            drop(stream);
            tokio::time::resume();
        }
    }
}
