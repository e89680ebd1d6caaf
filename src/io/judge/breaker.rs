//! The breaker of one endpoint: after several failures in a row it is left alone for a while.
//!
//! A pure state machine; the time is an argument. When the pause is over one call may try (half open): its success
//! closes the breaker, its failure opens it again for twice as long. A try that never reports back does not hold the
//! breaker: after another pause the next call may try.

use std::time::{Duration, Instant};

/// When to open, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerSettings {
    /// Failures in a row that open it.
    pub failures: u32,
    /// The first pause.
    pub pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self { failures: 3, pause: Duration::from_secs(30), longest_pause: Duration::from_secs(300) }
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// The endpoint answered, whatever the answer was.
    Answered,
    /// It did not.
    Failed,
}

/// The state of one endpoint.
#[derive(Clone, Debug)]
pub struct Breaker {
    settings: BreakerSettings,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed { failures: u32 },
    Open { until: Instant, pause: Duration },
    HalfOpen { until: Instant, pause: Duration },
}

impl Breaker {
    /// A closed breaker.
    pub const fn new(settings: BreakerSettings) -> Self {
        Self { settings, state: State::Closed { failures: 0 } }
    }

    /// Lets a call through, or says how long the endpoint is still left alone.
    pub fn admit(&mut self, now: Instant) -> Result<(), Duration> {
        match self.state {
            State::Closed { .. } => Ok(()),
            State::Open { until, .. } | State::HalfOpen { until, .. } if now < until => Err(until - now),
            State::Open { pause, .. } | State::HalfOpen { pause, .. } => {
                self.state = State::HalfOpen { until: now + pause, pause };
                Ok(())
            }
        }
    }

    /// Notes how an admitted call ended.
    pub fn record(&mut self, now: Instant, end: CallEnd) {
        self.state = match (end, self.state) {
            (CallEnd::Answered, _) => State::Closed { failures: 0 },
            (CallEnd::Failed, State::Closed { failures }) if failures + 1 < self.settings.failures => {
                State::Closed { failures: failures + 1 }
            }
            (CallEnd::Failed, State::Closed { .. }) => self.open(now, self.settings.pause),
            (CallEnd::Failed, State::HalfOpen { pause, .. }) => self.open(now, pause * 2),
            // A call that began before the breaker opened says nothing new.
            (CallEnd::Failed, open @ State::Open { .. }) => open,
        };
    }

    fn open(&self, now: Instant, pause: Duration) -> State {
        let pause = pause.min(self.settings.longest_pause);
        State::Open { until: now + pause, pause }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Breaker, BreakerSettings, CallEnd};

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn opened(start: Instant) -> Breaker {
        let mut breaker = Breaker::new(BreakerSettings::default());
        for _ in 0..3 {
            breaker.admit(start).unwrap();
            breaker.record(start, CallEnd::Failed);
        }
        breaker
    }

    #[test]
    fn opens_only_after_failures_in_a_row() {
        let start = Instant::now();
        let mut breaker = Breaker::new(BreakerSettings::default());
        for end in [CallEnd::Failed, CallEnd::Failed, CallEnd::Answered, CallEnd::Failed, CallEnd::Failed] {
            breaker.admit(start).unwrap();
            breaker.record(start, end);
        }
        assert_eq!(breaker.admit(start), Ok(()));
        breaker.record(start, CallEnd::Failed);
        assert_eq!(breaker.admit(start + seconds(10)), Err(seconds(20)));
    }

    #[test]
    fn half_open_lets_one_call_try() {
        let start = Instant::now();
        let mut breaker = opened(start);
        assert_eq!(breaker.admit(start + seconds(30)), Ok(()));
        assert!(breaker.admit(start + seconds(31)).is_err());
        breaker.record(start + seconds(32), CallEnd::Answered);
        assert_eq!(breaker.admit(start + seconds(32)), Ok(()));
        assert_eq!(breaker.admit(start + seconds(32)), Ok(()));
    }

    #[test]
    fn pauses_grow_to_a_limit() {
        let mut now = Instant::now();
        let mut breaker = opened(now);
        for expected in [30, 60, 120, 240, 300, 300] {
            assert_eq!(breaker.admit(now), Err(seconds(expected)));
            now += seconds(expected);
            breaker.admit(now).unwrap();
            breaker.record(now, CallEnd::Failed);
        }
    }

    #[test]
    fn a_lost_try_does_not_hold_the_breaker() {
        let start = Instant::now();
        let mut breaker = opened(start);
        breaker.admit(start + seconds(30)).unwrap();
        assert_eq!(breaker.admit(start + seconds(60)), Ok(()));
    }
}
