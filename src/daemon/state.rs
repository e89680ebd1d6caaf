//! What the daemon holds: the engine, the log, quarantine, sessions and counters.
//!
//! The engine is replaced whole by a reload; a question keeps the one it began with. The log has one writer at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use arc_swap::ArcSwap;
use jiff::Timestamp;
use tokio::sync::watch;
use tracing::{error, info, warn};

use super::connection;
use super::engine::{Engine, LoadError};
use super::process::Process;
use super::reap::{Reaped, reap, sweep};
use super::server::Asked;
use super::wire::{ChildGroup, Decisions, Peer, Refused, SessionStatus, Status, VERSION, Welcome};
use crate::base::Digest;
use crate::gate::policy::{Mode, OnError, loosened};
use crate::gate::{Action, Kind, Origin};
use crate::io::audit::{AuditError, AuditLog, Durability, Entry, Event, Head};
use crate::io::quarantine::{
    Entry as QuarantineEntry, EntryId, Payload, QuarantineError, Releases, SourceKey, Status as EntryStatus,
    Store,
};
use crate::io::{Home, policy, random};
use crate::mcp::Side;

/// Why the daemon cannot work.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// Policy, rules or judges.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The audit log.
    #[error(transparent)]
    Audit(#[from] AuditError),
}

/// The daemon's state.
pub struct Daemon {
    home: Home,
    engine: ArcSwap<Engine>,
    audit: Mutex<AuditLog>,
    pub(super) quarantine: Store,
    pub(super) releases: Releases,
    sessions: Mutex<BTreeMap<String, Arc<Session>>>,
    held: Mutex<BTreeMap<HeldKey, EntryId>>,
    /// The servers whose bridge is waited for, so that one that comes and goes is waited for once.
    watched: Mutex<BTreeSet<ChildGroup>>,
    counters: Counters,
    /// The last reload, where it failed.
    refused: Mutex<Option<Refused>>,
    draining: watch::Sender<bool>,
    started: Instant,
}

/// What makes held-back content the same: bytes, kind and source.
type HeldKey = (Digest, Kind, String);

/// How many held-back contents are remembered.
const MOST_HELD: usize = 10_000;

/// One connection of a bridge or a command.
#[derive(Clone, Debug)]
pub struct Session {
    /// Its id in the log.
    pub id: String,
    /// Who is at the other end.
    pub peer: Peer,
    screened: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
struct Counters([AtomicU64; 4]);

impl Daemon {
    /// Loads everything; nothing is served before it is whole.
    pub(super) fn set_up(home: Home) -> Result<Self, SetupError> {
        let engine = Engine::load(policy::in_home(&home).as_deref(), &home)?;
        let audit = AuditLog::open(&home)?;
        Ok(Self {
            engine: ArcSwap::from_pointee(engine),
            audit: Mutex::new(audit),
            quarantine: Store::at(&home),
            releases: Releases::at(&home),
            sessions: Mutex::default(),
            held: Mutex::default(),
            watched: Mutex::default(),
            counters: Counters::default(),
            refused: Mutex::default(),
            draining: watch::Sender::new(false),
            started: Instant::now(),
            home,
        })
    }

    /// The engine as it is now.
    pub(super) fn engine(&self) -> Arc<Engine> {
        self.engine.load_full()
    }

    /// Reads policy and rules anew; where they do not load the old ones stay.
    pub(super) fn reload(&self) -> Result<(), String> {
        match Engine::load(policy::in_home(&self.home).as_deref(), &self.home) {
            Ok(engine) => {
                self.note_policy(Some(&self.engine()), &engine);
                self.engine.store(Arc::new(engine));
                *self.refused() = None;
                Ok(())
            }
            Err(fault) => {
                error!(%fault, "the reload failed and the old policy stays");
                self.note(&Event::by_daemon("policy_refused", "", fault.to_string()));
                *self.refused() = Some(Refused { at: Timestamp::now(), why: fault.to_string() });
                Err(fault.to_string())
            }
        }
    }

    pub(super) fn take_signal(&self, asked: Asked) {
        match asked {
            Asked::Drain => self.drain(),
            // What went wrong is in both logs already.
            Asked::Reload => self.reload().unwrap_or_default(),
        }
    }

    /// Stops accepting questions and ends when the open ones are answered.
    pub(super) fn drain(&self) {
        self.draining.send_replace(true);
    }

    /// Becomes true when the daemon drains.
    pub(super) fn draining(&self) -> watch::Receiver<bool> {
        self.draining.subscribe()
    }

    pub(super) fn max_message_bytes(&self) -> usize {
        usize::try_from(self.engine.load().policy.limits.max_message_bytes).unwrap_or(usize::MAX)
    }

    /// Opens a session; nothing where no id can be had.
    pub(super) fn open_session(&self, peer: Peer) -> Option<Session> {
        let id = random::decision_id()
            .inspect_err(|error| error!(%error, "no randomness for a session id"))
            .ok()?;
        let session = Session { id: id.clone(), peer, screened: Arc::default() };
        info!(session = id, peer = ?session.peer, "session opened");
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::new(session.clone()));
        Some(session)
    }

    pub(super) fn close_session(&self, session: &Session) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(&session.id);
        info!(session = session.id, "session closed");
    }

    /// Waits beside everything else for the end of a bridge that hung up, then kills the server that it left.
    pub(super) fn reap_after(self: &Arc<Self>, session: &Session, bridge: Process) {
        let Peer::Bridge { child: Some(child), .. } = session.peer.clone() else { return };
        if !self.watched().insert(child.clone()) {
            return;
        }
        let (daemon, session) = (self.clone(), session.id.clone());
        tokio::spawn(async move {
            bridge.ended().await;
            if reap(&child) == Reaped::Killed {
                warn!(session, group = child.group, "a bridge went without its server, which was killed");
            }
            daemon.watched().remove(&child);
        });
    }

    /// Does what the first question would otherwise have to wait for.
    pub(super) fn warm_up(&self) {
        self.engine().rules.warm_up();
    }

    /// Kills what bridges left behind while no daemon ran.
    pub(super) fn sweep() {
        let swept = sweep();
        if swept > 0 {
            warn!(processes = swept, "bridges went without their servers, which were killed");
        }
    }

    fn refused(&self) -> MutexGuard<'_, Option<Refused>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watched(&self) -> MutexGuard<'_, BTreeSet<ChildGroup>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a client has to know of the policy.
    pub(super) fn welcome(&self, session: &Session) -> Welcome {
        let engine = self.engine();
        let screen = engine.policy.screen.iter().filter(|(_, on)| *on);
        Welcome {
            version: VERSION.to_owned(),
            session: session.id.clone(),
            on_error_open: engine.policy.on_error == OnError::Open,
            max_message_bytes: engine.policy.limits.max_message_bytes,
            screen: screen.map(|(screened, _)| screened.key().to_owned()).collect(),
        }
    }

    pub(super) fn status(&self) -> Status {
        let engine = self.engine();
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let bridges = sessions.values().filter(|session| matches!(session.peer, Peer::Bridge { .. }));
        let waits = |entry: &&QuarantineEntry| entry.status == EntryStatus::Pending;
        Status {
            version: VERSION.to_owned(),
            pid: std::process::id(),
            uptime_seconds: self.started.elapsed().as_secs(),
            sessions: bridges.map(|session| session.status()).collect(),
            decisions: self.counters.read(),
            judge: engine.judge().to_owned(),
            rules: engine.rules.len(),
            policy: engine
                .policy_file
                .as_ref()
                .map_or("default".to_owned(), |file| file.display().to_string()),
            policy_outdated: policy::load(policy::in_home(&self.home).as_deref())
                .map_or(true, |policy| policy.digest() != engine.policy_digest),
            reload_refused: self.refused().clone(),
            monitor: engine.policy.mode == Mode::Monitor,
            quarantined: self
                .quarantine
                .list()
                .map_or(0, |(entries, _)| entries.iter().filter(waits).count()),
        }
    }

    /// Appends a line; an error means that nothing may be allowed on its strength.
    pub(super) fn append(&self, entry: &Entry, durability: Durability) -> Result<Head, AuditError> {
        let mut audit = self.audit.lock().unwrap_or_else(PoisonError::into_inner);
        audit.append(entry, Timestamp::now(), durability)
    }

    /// Keeps content in quarantine under the decision's id, and gives the entry's id. Content that is held already, and
    /// that nobody has purged, is not stored again: an agent that tries a hundred times makes one entry.
    pub(super) fn hold(
        &self,
        payload: &Payload<'_>,
        entry: &QuarantineEntry,
    ) -> Result<EntryId, QuarantineError> {
        let decision = &entry.decision;
        let source = SourceKey::of(&decision.origin).as_str().to_owned();
        let key = (decision.digest, decision.kind, source);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = held.get(&key)
            && self.quarantine.get(id).is_ok()
        {
            return Ok(id.clone());
        }
        let id = self.quarantine.keep(payload, entry)?;
        if held.len() >= MOST_HELD {
            held.clear();
        }
        held.insert(key, id.clone());
        Ok(id)
    }

    pub(super) fn count(&self, session: &Session, action: Action) {
        session.screened.fetch_add(1, Ordering::Relaxed);
        self.counters.0[action as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Logs an event; where that fails the daemon's own log has it.
    pub(super) fn note(&self, event: &Event) {
        // What went wrong has been said.
        let _ = self.log_event(event);
    }

    /// Logs an event, for somebody who has to know whether the log has it.
    pub(super) fn log_event(&self, event: &Event) -> Result<(), AuditError> {
        let logged = self.append(&Entry::Event(Box::new(event.clone())), Durability::Synced);
        logged
            .map(|_| ())
            .inspect_err(|fault| error!(%fault, event = event.event, "an event could not be logged"))
    }

    pub(super) fn note_start(&self) {
        let pid = std::process::id();
        info!(pid, version = VERSION, home = %self.home.root().display(), "the daemon listens");
        self.note(&Event::by_daemon("start", format!("skillgate {VERSION}"), format!("pid {pid}")));
        self.note_policy(None, &self.engine());
    }

    pub(super) fn note_stop(&self) {
        self.note(&Event::by_daemon("stop", format!("skillgate {VERSION}"), ""));
        info!("the daemon ends");
    }

    fn note_policy(&self, old: Option<&Engine>, new: &Engine) {
        let file = new.policy_file.as_ref().map_or("default".to_owned(), |file| file.display().to_string());
        let event = |name: &str, why: String| Event {
            digest: Some(new.policy_digest),
            ..Event::by_daemon(name, file.clone(), why)
        };
        self.note(&event("policy_loaded", format!("rule set {}", new.ruleset_digest)));
        let looser = old.map(|old| loosened(&old.policy, &new.policy)).unwrap_or_default();
        if !looser.is_empty() {
            warn!(?looser, "the policy was loosened");
            self.note(&event("policy_loosened", looser.join("; ")));
        }
    }
}

impl Session {
    /// Where a message of this session comes from.
    pub(super) fn origin(&self, side: Side, method: &str, target: Option<&String>) -> Origin {
        let (agent, server) = connection::names(&self.peer);
        let server_digest = match &self.peer {
            Peer::Bridge { server_digest, .. } => Some(*server_digest),
            Peer::Control => None,
        };
        Origin {
            agent,
            server,
            server_digest,
            side: Some(side),
            method: Some(method.to_owned()),
            target: target.cloned(),
            source: Some("mcp".to_owned()),
            publisher: None,
        }
    }

    fn status(&self) -> SessionStatus {
        let (agent, server) = connection::names(&self.peer);
        SessionStatus {
            session: self.id.clone(),
            agent,
            server,
            screened: self.screened.load(Ordering::Relaxed),
        }
    }
}

impl Counters {
    fn read(&self) -> Decisions {
        let read = |action: Action| self.0[action as usize].load(Ordering::Relaxed);
        Decisions {
            allow: read(Action::Allow),
            warn: read(Action::Warn),
            quarantine: read(Action::Quarantine),
            block: read(Action::Block),
        }
    }
}
