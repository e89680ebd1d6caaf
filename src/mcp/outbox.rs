//! The order in which messages of one direction go out.
//!
//! Messages that belong together share a lane and keep their order in it: an answer and the progress notifications of its
//! request, a subscription's notifications, notifications of one method. A message that is still being judged holds up
//! its lanes and nothing else.

use std::collections::{BTreeMap, VecDeque};

use super::id::Id;
use super::question::Side;

/// What messages may belong to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// A request of this side, with its answer, its cancellation and its subscription's notifications.
    Request(Side, Id),
    /// A progress token.
    Progress(Id),
    /// Notifications of one method.
    Method(String),
}

/// A message's place in an outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

#[derive(Debug)]
struct Waiting<T> {
    lanes: Vec<Lane>,
    message: Option<T>,
}

/// The messages that have come in and not yet gone out.
#[derive(Debug)]
pub struct Outbox<T> {
    next: u64,
    waiting: BTreeMap<Ticket, Waiting<T>>,
    lanes: BTreeMap<Lane, VecDeque<Ticket>>,
}

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Self { next: 0, waiting: BTreeMap::new(), lanes: BTreeMap::new() }
    }
}

impl<T> Outbox<T> {
    /// Gives a message that came in its place, before it is known what becomes of it.
    pub fn reserve(&mut self, mut lanes: Vec<Lane>) -> Ticket {
        lanes.sort_unstable();
        lanes.dedup();
        let ticket = Ticket(self.next);
        self.next += 1;
        for lane in &lanes {
            self.lanes.entry(lane.clone()).or_default().push_back(ticket);
        }
        self.waiting.insert(ticket, Waiting { lanes, message: None });
        ticket
    }

    /// Says what goes out in this place, and gives all that may go out now, in the order it came in.
    pub fn settle(&mut self, ticket: Ticket, message: T) -> Vec<T> {
        if let Some(waiting) = self.waiting.get_mut(&ticket) {
            waiting.message = Some(message);
        }
        let mut released = BTreeMap::new();
        let mut look_at = vec![ticket];
        while let Some(ticket) = look_at.pop() {
            if !self.may_go(ticket) {
                continue;
            }
            let Some(gone) = self.waiting.remove(&ticket) else { continue };
            look_at.extend(gone.lanes.iter().filter_map(|lane| self.advance(lane)));
            released.extend(gone.message.map(|message| (ticket, message)));
        }
        released.into_values().collect()
    }

    /// How many messages wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// True where none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn may_go(&self, ticket: Ticket) -> bool {
        let is_first = |lane: &Lane| self.lanes.get(lane).and_then(VecDeque::front) == Some(&ticket);
        self.waiting
            .get(&ticket)
            .is_some_and(|waiting| waiting.message.is_some() && waiting.lanes.iter().all(is_first))
    }

    /// Takes the first message off a lane and gives the next one.
    fn advance(&mut self, lane: &Lane) -> Option<Ticket> {
        let queue = self.lanes.get_mut(lane)?;
        queue.pop_front();
        let next = queue.front().copied();
        if next.is_none() {
            self.lanes.remove(lane);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Id, Lane, Outbox, Side};

    fn request(id: &str) -> Lane {
        Lane::Request(Side::Client, Id::read(id.as_bytes()).unwrap())
    }

    fn progress(token: &str) -> Lane {
        Lane::Progress(Id::read(token.as_bytes()).unwrap())
    }

    #[test]
    fn progress_never_overtakes_nor_falls_behind_its_answer() {
        let mut outbox = Outbox::default();
        let first = outbox.reserve(vec![progress("9")]);
        let answer = outbox.reserve(vec![request("1"), progress("9")]);
        let late = outbox.reserve(vec![progress("9")]);
        let other = outbox.reserve(vec![request("2")]);
        assert_eq!(outbox.settle(late, "late"), Vec::<&str>::new());
        assert_eq!(outbox.settle(answer, "answer"), Vec::<&str>::new());
        assert_eq!(outbox.settle(other, "other"), ["other"]);
        assert_eq!(outbox.settle(first, "first"), ["first", "answer", "late"]);
        assert!(outbox.is_empty() && outbox.lanes.is_empty());
    }

    #[test]
    fn a_message_without_lanes_waits_for_nobody() {
        let mut outbox = Outbox::default();
        outbox.reserve(vec![request("1")]);
        let free = outbox.reserve(Vec::new());
        assert_eq!(outbox.settle(free, 1), [1]);
        assert_eq!(outbox.len(), 1);
    }

    proptest! {
        #[test]
        fn all_go_out_once_and_in_order_within_a_lane(
            messages in prop::collection::vec(prop::collection::vec(0..4_u8, 0..3), 1..24),
            seed in any::<u64>(),
        ) {
            let mut outbox = Outbox::default();
            let lane = |n: &u8| request(&n.to_string());
            let mut open: Vec<_> = messages
                .iter()
                .enumerate()
                .map(|(index, lanes)| (index, outbox.reserve(lanes.iter().map(lane).collect())))
                .collect();
            let (mut out, mut state) = (Vec::new(), seed);
            while !open.is_empty() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (index, ticket) = open.swap_remove((state >> 33) as usize % open.len());
                out.extend(outbox.settle(ticket, index));
            }
            for n in 0..4 {
                let in_lane: Vec<_> = out.iter().filter(|index| messages[**index].contains(&n)).collect();
                prop_assert!(in_lane.is_sorted());
            }
            prop_assert_eq!(out.len(), messages.len());
            prop_assert!(outbox.is_empty());
        }
    }
}
