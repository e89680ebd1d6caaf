//! One session between an agent and a server, as a pure state machine: a line in, what to do with it out.
//!
//! Answers are matched with their requests by sender and id, in two id spaces, so that it is known what each one answers.
//! Nothing is renumbered, nothing is answered in anybody's place here, and each request's era is its own: there is no
//! negotiation. It knows nothing of pipes, decisions or notices.

use std::collections::BTreeSet;
use std::ops::Range;

use super::anomaly::AnomalyCode;
use super::envelope::{Envelope, Line, MessageKind};
use super::frame::TooLong;
use super::glimpse::{self, Glimpse};
use super::id::Id;
use super::items::items;
use super::lex::Broken;
use super::members::{Container, find, text_at};
use super::notice::Refusal;
use super::outbox::Lane;
use super::payload::Payload;
use super::pending::{Asked, Pending};
use super::question::{Era, Question, Side, UNKNOWN_METHOD};
use super::screen_list::ScreenList;
use super::walk::TOO_DEEP;

/// Messages up to this length are read here, to save the question where they carry no text at all.
const SHORT: usize = 1024;

/// The most tools of one list that can be withheld: no agent has more.
const MOST_WITHHELD: usize = 10_000;

/// The `_meta` key by which a request says that it is modern.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The `_meta` key that names the listen request to which a notification belongs.
const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";

/// What to do with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: it holds no message.
    Drop(Dropped),
    /// Send it on as it is, in its lanes.
    Pass(Vec<Lane>),
    /// Decide about its parts: one message, or those of a batch.
    Judge(Vec<Part>, Vec<Lane>),
}

/// Why a line is not sent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// It is blank.
    Blank,
    /// It comes from the server and is no message: a banner, a log line.
    Noise(Broken),
}

/// One message of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its bytes in the line.
    pub range: Range<usize>,
    /// What it is.
    pub question: Question,
    /// What is done with it.
    pub fate: Fate,
}

/// What is done with one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is sent on.
    Pass,
    /// The question is asked.
    Ask,
    /// It is refused without a question.
    Refuse(Refusal),
}

/// The state of a session.
#[derive(Debug, Default)]
pub struct Session {
    screen: ScreenList,
    pending: Pending,
    withheld: BTreeSet<String>,
}

/// True where an agent's parser may see another message than ours does: it is then screened as an answer to nobody
/// knows what, whatever it says it is.
fn is_two_faced(message: &Envelope<'_>) -> bool {
    let codes = [AnomalyCode::DuplicateTopLevelKey, AnomalyCode::AmbiguousKind, AnomalyCode::BadId];
    message.kind == MessageKind::Unknown || message.anomalies.iter().any(|found| codes.contains(&found.code))
}

/// A carriage return ends a line for some readers, so that a message within a message could come out: all of it is
/// screened.
fn ask_all(parts: Vec<Part>) -> Vec<Part> {
    let asked = |mut part: Part| {
        UNKNOWN_METHOD.clone_into(&mut part.question.method);
        if part.fate == Fate::Pass {
            part.fate = Fate::Ask;
        }
        part
    };
    parts.into_iter().map(asked).collect()
}

impl Session {
    /// A session that screens these messages.
    pub fn new(screen: ScreenList) -> Self {
        Self { screen, ..Self::default() }
    }

    /// Screens these messages from now on.
    pub fn set_screen(&mut self, screen: ScreenList) {
        self.screen = screen;
    }

    /// Takes a line that `side` sent.
    pub fn line(&mut self, side: Side, line: &[u8]) -> Step {
        let (parts, lanes): (Vec<_>, Vec<_>) = match Line::read(line) {
            Line::Blank => return Step::Drop(Dropped::Blank),
            Line::Noise(broken) if broken.why == TOO_DEEP => {
                let (part, lanes) =
                    self.unread(side, glimpse::ends(line, line), Refusal::Unreadable, line.len());
                return Step::Judge(vec![part], lanes);
            }
            Line::Noise(broken) if side == Side::Server => return Step::Drop(Dropped::Noise(broken)),
            Line::Noise(_) => return Step::Pass(Vec::new()),
            Line::Single(message) => [self.message(side, &message, 0..line.len())].into_iter().unzip(),
            Line::Batch(messages) => {
                messages.into_iter().map(|(range, message)| self.message(side, &message, range)).unzip()
            }
        };
        let parts = if side == Side::Server && line.contains(&b'\r') { ask_all(parts) } else { parts };
        let lanes = lanes.concat();
        if parts.iter().all(|part| part.fate == Fate::Pass) {
            Step::Pass(lanes)
        } else {
            Step::Judge(parts, lanes)
        }
    }

    /// Takes a line that `side` sent and that is over the limit.
    pub fn too_long(&mut self, side: Side, line: &TooLong) -> Step {
        let (part, lanes) = self.unread(side, line.glimpse(), Refusal::TooLong, 0);
        Step::Judge(vec![part], lanes)
    }

    /// Notes which tools of a list reached the agent: calls to the others are refused until a later list has them.
    pub fn tools_listed(&mut self, offered: &[u8], delivered: &[u8]) {
        let names = |list| items("tools/list", list).into_iter().map(|item| item.name);
        self.withheld.extend(names(offered).take(MOST_WITHHELD));
        for name in names(delivered) {
            self.withheld.remove(&name);
        }
    }

    /// How many requests of the agent wait for an answer.
    pub fn waiting(&self) -> usize {
        self.pending.count(Side::Client)
    }

    fn message(&mut self, side: Side, message: &Envelope<'_>, range: Range<usize>) -> (Part, Vec<Lane>) {
        let (mut question, lanes) = match message.kind {
            MessageKind::Request => self.request(side, message),
            MessageKind::Notification => self.notification(side, message),
            MessageKind::Response | MessageKind::Error => self.answer(side, message),
            MessageKind::Unknown => (bare(side, message), Vec::new()),
        };
        question
            .anomalies
            .extend(message.anomalies.iter().map(|found| found.code).filter(|code| of_the_envelope(*code)));
        if side == Side::Server && is_two_faced(message) {
            UNKNOWN_METHOD.clone_into(&mut question.method);
        }
        let fate = self.fate(message, &question);
        (Part { range, question, fate }, lanes)
    }

    fn fate(&self, message: &Envelope<'_>, question: &Question) -> Fate {
        let calls = question.side == Side::Client && question.kind == MessageKind::Request;
        if calls && question.method == "tools/call" && self.withheld.contains(&question.target) {
            return Fate::Refuse(Refusal::Withheld);
        }
        if !self.screen.wants(question.side, &question.method) {
            return Fate::Pass;
        }
        let silent =
            || message.raw.len() <= SHORT && Payload::of(&question.method, "", message.raw).is_silent();
        if question.anomalies.is_empty() && silent() { Fate::Pass } else { Fate::Ask }
    }

    fn request(&mut self, side: Side, message: &Envelope<'_>) -> (Question, Vec<Lane>) {
        let mut question = bare(side, message);
        let params = Params::read(message);
        question.target = params.text(&["name", "uri", "taskId"]);
        question.era = params.era();
        let Some(id) = message.id.clone() else { return (question, Vec::new()) };
        let withheld = side == Side::Client && self.withheld.contains(&question.target);
        if !(withheld && question.method == "tools/call") {
            let asked = Asked {
                method: question.method.clone(),
                target: question.target.clone(),
                era: question.era,
                progress: params.meta_id("progressToken"),
                doubled: false,
            };
            self.pending.ask(side, id.clone(), asked);
        }
        (question, vec![Lane::Request(side, id)])
    }

    fn notification(&mut self, side: Side, message: &Envelope<'_>) -> (Question, Vec<Lane>) {
        let question = bare(side, message);
        let params = Params::read(message);
        let lane = match question.method.as_str() {
            "notifications/cancelled" => params.id("requestId").map(|id| {
                self.pending.cancel(side, &id);
                // A modern server cancels a subscription, which is the client's request.
                let asker = if self.pending.waits(side.other(), &id) { side.other() } else { side };
                Lane::Request(asker, id)
            }),
            "notifications/progress" => params.id("progressToken").map(Lane::Progress),
            _ => params.meta_id(SUBSCRIPTION_KEY).map(|id| Lane::Request(side.other(), id)),
        };
        let lane = lane.unwrap_or_else(|| Lane::Method(question.method.clone()));
        (question, vec![lane])
    }

    fn answer(&mut self, side: Side, message: &Envelope<'_>) -> (Question, Vec<Lane>) {
        let mut question = bare(side, message);
        let lanes = self.match_request(&mut question);
        (question, lanes)
    }

    /// Fills in what is known of the request that this answers.
    fn match_request(&mut self, question: &mut Question) -> Vec<Lane> {
        let requester = question.side.other();
        let asked = question.id.as_ref().and_then(|id| self.pending.answer(requester, id));
        let mut lanes: Vec<_> =
            question.id.clone().map(|id| Lane::Request(requester, id)).into_iter().collect();
        let Some(asked) = asked else {
            UNKNOWN_METHOD.clone_into(&mut question.method);
            question.anomalies.push(AnomalyCode::UnknownId);
            return lanes;
        };
        lanes.extend(asked.progress.map(Lane::Progress));
        if asked.doubled {
            question.anomalies.push(AnomalyCode::DuplicateInFlightId);
        }
        question.method = asked.method;
        question.target = asked.target;
        question.era = asked.era;
        lanes
    }

    /// A message of which only its ends were seen. What shows neither a method nor an id and comes from the server is most
    /// likely an answer with its id in the middle: the agent is told, though not to which request it belongs.
    fn unread(&mut self, side: Side, seen: Glimpse, refusal: Refusal, length: usize) -> (Part, Vec<Lane>) {
        let kind = match (&seen.method, &seen.id) {
            (Some(_), Some(_)) => MessageKind::Request,
            (Some(_), None) => MessageKind::Notification,
            (None, None) if side == Side::Client => MessageKind::Unknown,
            (None, _) => MessageKind::Response,
        };
        let method = seen.method.unwrap_or_default();
        let (target, era, anomalies) = (String::new(), Era::Legacy, Vec::new());
        let mut question = Question { side, kind, method, target, era, id: seen.id, anomalies };
        let lanes = match kind {
            MessageKind::Response => self.match_request(&mut question),
            _ => question.id.clone().map(|id| Lane::Request(side, id)).into_iter().collect(),
        };
        (Part { range: 0..length, question, fate: Fate::Refuse(refusal) }, lanes)
    }
}

fn bare(side: Side, message: &Envelope<'_>) -> Question {
    Question {
        side,
        kind: message.kind,
        method: message.method.as_deref().unwrap_or_default().to_owned(),
        target: String::new(),
        era: Era::Legacy,
        id: message.id.clone(),
        anomalies: Vec::new(),
    }
}

/// True for anomalies that only the envelope can find; the payload finds the others again.
fn of_the_envelope(code: AnomalyCode) -> bool {
    matches!(code, AnomalyCode::MissingVersion | AnomalyCode::BadId | AnomalyCode::AmbiguousKind)
}

/// The params of a message, for looking things up.
struct Params<'a> {
    raw: &'a [u8],
    members: Option<Container<'a>>,
}

impl<'a> Params<'a> {
    fn read(message: &Envelope<'a>) -> Self {
        let members = message.params.clone().and_then(|range| Container::read(message.raw, range));
        Self { raw: message.raw, members }
    }

    fn get(&self, key: &str) -> Option<Range<usize>> {
        self.members.as_ref()?.get(key)
    }

    fn meta(&self, key: &str) -> Option<Range<usize>> {
        find(self.raw, self.get("_meta")?, &[key])
    }

    /// The first of these members that is a string.
    fn text(&self, keys: &[&str]) -> String {
        let found = keys.iter().find_map(|key| text_at(self.raw, self.get(key)?));
        found.unwrap_or_default().into_owned()
    }

    fn id(&self, key: &str) -> Option<Id> {
        Id::read(&self.raw[self.get(key)?])
    }

    fn meta_id(&self, key: &str) -> Option<Id> {
        Id::read(&self.raw[self.meta(key)?])
    }

    fn era(&self) -> Era {
        if self.meta(VERSION_KEY).is_some() { Era::Modern } else { Era::Legacy }
    }
}

#[cfg(test)]
mod tests;
