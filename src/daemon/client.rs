//! The client's end of the socket: handshake, then any number of questions at once.
//!
//! A lost connection fails every pending question with [`ClientError::Lost`]; whoever asked decides whether to ask again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::BufReader;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::oneshot;

use super::wire::{
    self, Answer, Limit, PROTOCOL, Peer, Request, ScreenAnswer, ScreenRequest, UNCHECKED_LIMIT, VERSION,
    Welcome, WireError,
};

/// How long the handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);

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

type Pending = Arc<Mutex<Option<HashMap<u64, oneshot::Sender<(ScreenAnswer, Vec<u8>)>>>>>;

/// A connection over which the handshake is done.
#[derive(Debug)]
pub struct Client {
    /// What the daemon said at the handshake.
    pub welcome: Welcome,
    writer: tokio::sync::Mutex<OwnedWriteHalf>,
    pending: Pending,
    /// Answers that are no decisions, in order.
    answers: tokio::sync::Mutex<tokio::sync::mpsc::UnboundedReceiver<Answer>>,
    reader: tokio::task::JoinHandle<()>,
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
        let pending: Pending = Arc::new(Mutex::new(Some(HashMap::new())));
        let (sender, answers) = tokio::sync::mpsc::unbounded_channel();
        let limit = Limit::for_messages(usize::try_from(welcome.max_message_bytes).unwrap_or(usize::MAX));
        let reader = tokio::spawn(deliver(reader, limit, pending.clone(), sender));
        Self {
            welcome,
            writer: tokio::sync::Mutex::new(writer),
            pending,
            answers: tokio::sync::Mutex::new(answers),
            reader,
        }
    }

    /// Asks about one message; any number of questions may be open at once.
    pub async fn screen(
        &self,
        request: ScreenRequest,
        line: &[u8],
    ) -> Result<(ScreenAnswer, Vec<u8>), ClientError> {
        let (sender, receiver) = oneshot::channel();
        let ask = request.ask;
        match &mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(pending) => pending.insert(ask, sender),
            None => return Err(ClientError::Lost),
        };
        let request = Request::Screen(request);
        let written = wire::write(&mut *self.writer.lock().await, &request, line).await;
        written.map_err(|_| ClientError::Lost)?;
        receiver.await.map_err(|_| ClientError::Lost)
    }

    /// Says something that needs no answer.
    pub async fn tell(&self, request: &Request) -> Result<(), ClientError> {
        Ok(wire::write(&mut *self.writer.lock().await, request, &[]).await?)
    }

    /// Asks something that is answered in order (status, drain, reload).
    pub async fn ask(&self, request: &Request) -> Result<Answer, ClientError> {
        let mut answers = self.answers.lock().await;
        self.tell(request).await?;
        match answers.recv().await {
            Some(Answer::Refused { why }) => Err(ClientError::Refused(why)),
            Some(answer) => Ok(answer),
            None => Err(ClientError::Lost),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.reader.abort();
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

/// Hands answers to whoever asked, until the connection ends; then fails all that are pending.
async fn deliver(
    mut reader: BufReader<OwnedReadHalf>,
    limit: Limit,
    pending: Pending,
    answers: tokio::sync::mpsc::UnboundedSender<Answer>,
) {
    while let Ok(Some((answer, body))) = wire::read::<Answer, _>(&mut reader, limit).await {
        let Answer::Decision(decision) = answer else {
            if answers.send(answer).is_err() {
                break;
            }
            continue;
        };
        let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = pending.as_mut().and_then(|open| open.remove(&decision.ask)) {
            // Whoever asked may have gone; its answer is then nobody's.
            let _ = sender.send((decision, body));
        }
    }
    pending.lock().unwrap_or_else(PoisonError::into_inner).take();
}
