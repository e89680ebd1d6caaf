//! One question: message to document to decision to answer.
//!
//! Nothing is answered before the log has the decision; what cannot be logged is not allowed. What is kept back lies in
//! quarantine before the agent is told its id.

use std::time::Instant;

use jiff::Timestamp;
use tracing::error;

use super::engine::{LONG, Outcome, aside, microseconds};
use super::record::record;
use super::state::{Daemon, Session};
use super::wire::{Answer, ScreenAnswer, ScreenRequest};
use crate::base::{Room, printable};
use crate::gate::{Action, Document};
use crate::io::audit::{DecisionRecord, Durability, Entry, Event};
use crate::io::quarantine::{Entry as QuarantineEntry, Payload as Kept, Status};
use crate::io::random;
use crate::mcp::anomaly::{Anomaly, AnomalyCode};
use crate::mcp::envelope::Envelope;
use crate::mcp::notice::{Notice, Refusal};
use crate::mcp::payload::Payload;
use crate::mcp::{Question, Side, reply};

type Reply = (Answer, Vec<u8>);

impl Daemon {
    /// Decides about one message and gives what the bridge is to do with it.
    pub(super) async fn screen(&self, session: &Session, question: &ScreenRequest, line: &[u8]) -> Reply {
        let start = Instant::now();
        let engine = self.engine();
        if !engine.policy.screen.covers(question.side, &question.method) {
            // A bridge that has not heard the policy yet, or not the new one, asks about everything.
            return passed(question);
        }
        let origin = session.origin(question.side, &question.method, question.target.as_ref());
        let read = || document(question, line, engine.policy.limits.room());
        let document = if line.len() as u64 > LONG { aside(read) } else { read() };
        let release = |document: &Document| {
            let release = self.releases.find(document.digest, document.kind, &origin, Timestamp::now())?;
            Some(release.entry)
        };
        let outcome = engine.decide(&document, &origin, release).await;
        let Ok(id) = random::decision_id() else {
            return unlogged(question, line, "no randomness for an id");
        };
        let session_id = Some(session.id.clone());
        let record = record(id, session_id, &document, &origin, &engine, &outcome, microseconds(start));
        match self.hold_and_log(record, line) {
            Ok(record) => {
                self.count(session, record.action);
                answer(question, line, &outcome, &record)
            }
            Err(fault) => unlogged(question, line, &fault),
        }
    }

    /// Puts what is held back into quarantine, then logs the decision.
    fn hold_and_log(&self, mut record: DecisionRecord, line: &[u8]) -> Result<DecisionRecord, String> {
        let durability = if record.action.forwards() {
            Durability::Written
        } else {
            record.quarantine = Some(record.id.clone());
            let entry =
                QuarantineEntry { status: Status::Pending, time: Timestamp::now(), decision: record.clone() };
            let id = self.hold(&Kept::Message(line), &entry).map_err(|fault| fault.to_string())?;
            record.quarantine = Some(id.to_string());
            Durability::Synced
        };
        let entry = Entry::Decision(Box::new(record));
        self.append(&entry, durability).map_err(|fault| fault.to_string())?;
        match entry {
            Entry::Decision(record) => Ok(*record),
            Entry::Event(_) => Err("an event stands where a decision was".to_owned()),
        }
    }

    /// The answer to a question that ended in a panic.
    pub(super) fn refuse_after_panic(&self, question: &ScreenRequest, line: &[u8]) -> Reply {
        error!(method = %printable(&question.method), bytes = line.len(), "a question panicked and was refused");
        let what = format!("method {}, {} bytes", question.method, line.len());
        self.note(&Event::by_daemon("panic", what, "the message was refused"));
        refuse(question, &Envelope::read(line))
    }
}

fn document(question: &ScreenRequest, line: &[u8], room: Room) -> Document {
    let target = question.target.as_deref().unwrap_or_default();
    let mut payload = Payload::of(&question.method, target, line);
    let found = question.anomalies.iter().filter_map(|code| AnomalyCode::named(code));
    if question.side == Side::Client {
        // An agent that quotes our notice forges nothing.
        let forged = [AnomalyCode::ForgedMeta, AnomalyCode::ForgedNotice];
        payload.anomalies.retain(|anomaly| !forged.contains(&anomaly.code));
    }
    payload.anomalies.extend(found.map(|code| Anomaly { code, path: String::new() }));
    Document::mcp(&payload, room)
}

fn answer(question: &ScreenRequest, line: &[u8], outcome: &Outcome, record: &DecisionRecord) -> Reply {
    let decided = |replaced| {
        Answer::Decision(ScreenAnswer {
            ask: question.ask,
            action: record.action,
            decision: record.id.clone(),
            replaced,
        })
    };
    let message = Envelope::read(line);
    let refusal = match record.action {
        Action::Allow => return (decided(false), Vec::new()),
        // Nothing is told to the server of what we think of the agent's message: the log has it.
        Action::Warn if question.side == Side::Client => return (decided(false), Vec::new()),
        Action::Warn => {
            let notice = notice(outcome, &record.id);
            return (decided(true), reply::warned(&message, &question.method, &notice));
        }
        Action::Quarantine => Refusal::Quarantine,
        Action::Block => Refusal::Block,
    };
    // A person finds the content under the entry's id.
    let notice = notice(outcome, record.quarantine.as_ref().unwrap_or(&record.id));
    let replacement = reply::refused(&refusable(question, &message), refusal, &notice);
    // What asks for no answer gets none: it is held back and that is all.
    (decided(replacement.is_some()), replacement.unwrap_or_default())
}

/// The message as an answer in its place needs it.
fn refusable(question: &ScreenRequest, message: &Envelope<'_>) -> Question {
    Question {
        side: question.side,
        kind: message.kind,
        method: question.method.clone(),
        target: String::new(),
        era: question.era,
        id: message.id.clone(),
        anomalies: Vec::new(),
    }
}

/// A decision that cannot be logged is not an allow.
fn unlogged(question: &ScreenRequest, line: &[u8], fault: &str) -> Reply {
    error!(fault, method = %printable(&question.method), "a decision could not be logged and nothing was let through");
    refuse(question, &Envelope::read(line))
}

/// A message of a kind that policy does not screen: nothing is decided about it, so there is nothing to log.
fn passed(question: &ScreenRequest) -> Reply {
    let answer =
        ScreenAnswer { ask: question.ask, action: Action::Allow, decision: String::new(), replaced: false };
    (Answer::Decision(answer), Vec::new())
}

/// A refusal without a decision: the log does not have it, so neither action nor id is named.
fn refuse(question: &ScreenRequest, message: &Envelope<'_>) -> Reply {
    let notice = Notice::default();
    let replacement = reply::refused(&refusable(question, message), Refusal::Unscreened, &notice);
    let answer = ScreenAnswer {
        ask: question.ask,
        action: Action::Block,
        decision: String::new(),
        replaced: replacement.is_some(),
    };
    (Answer::Decision(answer), replacement.unwrap_or_default())
}

/// Rules and categories, gravest first, in our own words only.
fn notice(outcome: &Outcome, id: &str) -> Notice {
    let mut findings = outcome.assessment.findings.hits.clone();
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.rule.cmp(&b.rule)));
    let mut categories: Vec<String> = findings.iter().map(|finding| finding.category.clone()).collect();
    categories.sort();
    categories.dedup();
    let rules = findings.into_iter().map(|finding| finding.rule.to_string()).collect();
    Notice { id: id.to_owned(), rules, categories }
}
