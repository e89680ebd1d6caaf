//! What judging costs: how often a judge is asked, how many tokens it is sent, how long a decision takes
//! (papers/skillgate.txt, RQ2 and RQ3).

use std::collections::BTreeMap;

use serde::Serialize;

use super::set;
use crate::eval::metrics::spread::quantile;
use crate::eval::unit::Unit;

/// How often a judge is asked about the units of one set.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SetCalls {
    /// The corpus; `all` for all together.
    pub set: String,
    /// `skills` or `messages`; empty for all together.
    pub kind: &'static str,
    /// How often, and how rarely a cascade would.
    #[serde(flatten)]
    pub calls: Calls,
}

/// How often a judge is asked.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Calls {
    /// All units.
    pub units: usize,
    /// Those in which nothing was found: allowed unasked.
    pub skipped: usize,
    /// Those that a judge is asked about.
    pub asked: usize,
    /// Those among them of which the embedded judge is sure: a cascade asks nobody else.
    pub settled: usize,
    /// Those among them about which the judge that was asked gave no answer.
    pub failed: usize,
    /// Tokens in all questions, as the judge counts them; the embedded one uses none.
    pub tokens_in: u64,
    /// Tokens in all its answers.
    pub tokens_out: u64,
}

/// o200k tokens of one set.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tokens {
    /// The corpus; `all` for all together.
    pub set: String,
    /// `skills` or `messages`; empty for all together.
    pub kind: &'static str,
    /// Of all texts.
    pub full: usize,
    /// Of all texts, each unit cut at 12,000 characters.
    pub cut: usize,
    /// Of the texts of units that no judge is asked about: saved by not asking.
    pub skipped: usize,
    /// The same of texts that are cut.
    pub skipped_cut: usize,
    /// Of what is sent: preambles and windows.
    pub sent: usize,
    /// Of what a cascade would send.
    pub sent_by_cascade: usize,
}

/// How long decisions take on one path, in microseconds.
#[derive(Clone, Debug, Serialize)]
pub struct Latency {
    /// `no hit`, `judged`, or `all`, which is the mean weighted by how frequent the two are.
    pub path: &'static str,
    /// How many units went it.
    pub units: usize,
    /// The mean.
    pub mean_us: f64,
    /// Half of them took no longer.
    pub p50_us: u64,
    /// Nine of ten.
    pub p90_us: u64,
    /// 99 of 100.
    pub p99_us: u64,
}

/// Units by set, and all of them at the end.
fn by_set<'u, 'a>(units: &'u [Unit<'a>]) -> Vec<(String, &'static str, Vec<&'u Unit<'a>>)> {
    let mut sets: BTreeMap<(&str, &'static str), Vec<&Unit<'_>>> = BTreeMap::new();
    for unit in units {
        sets.entry(set(unit)).or_default().push(unit);
    }
    let mut named: Vec<_> =
        sets.into_iter().map(|((set, kind), units)| (set.to_owned(), kind, units)).collect();
    if named.len() > 1 {
        named.push(("all".to_owned(), "", units.iter().collect()));
    }
    named
}

/// How often a judge is asked.
pub(super) fn calls(units: &[Unit<'_>]) -> Vec<SetCalls> {
    let sets = by_set(units).into_iter();
    sets.map(|(set, kind, units)| SetCalls { set, kind, calls: Calls::of(units.iter().copied()) }).collect()
}

impl Calls {
    /// How often a judge is asked about these units.
    pub fn of<'u, 'a: 'u>(units: impl Iterator<Item = &'u Unit<'a>>) -> Self {
        units.fold(Self::default(), |mut calls, unit| {
            calls.units += 1;
            calls.skipped += usize::from(!unit.asked);
            calls.asked += usize::from(unit.asked);
            calls.settled += usize::from(unit.is_settled_by_embedded());
            calls.failed += usize::from(unit.failure.is_some());
            calls.tokens_in += unit.verdict.as_ref().map_or(0, |verdict| verdict.tokens_in);
            calls.tokens_out += unit.verdict.as_ref().map_or(0, |verdict| verdict.tokens_out);
            calls
        })
    }
}

/// What asking costs; nothing where tokens were not counted.
pub(super) fn tokens(units: &[Unit<'_>]) -> Vec<Tokens> {
    if units.iter().any(|unit| unit.cost.is_none()) {
        return Vec::new();
    }
    let of_set = |(set, kind, units): (String, &'static str, Vec<&Unit<'_>>)| {
        let nothing = Tokens { set, kind, ..Tokens::default() };
        units.iter().fold(nothing, |mut tokens, unit| {
            let Some(cost) = unit.cost else { return tokens };
            tokens.full += cost.tokens.full;
            tokens.cut += cost.cut;
            tokens.sent += cost.tokens.judge;
            if !unit.asked {
                tokens.skipped += cost.tokens.full;
                tokens.skipped_cut += cost.cut;
            }
            if !unit.is_settled_by_embedded() {
                tokens.sent_by_cascade += cost.tokens.judge;
            }
            tokens
        })
    };
    by_set(units).into_iter().map(of_set).collect()
}

impl Tokens {
    /// The share of whole texts that is not sent, 0 to 1 (or below 0, where more is sent than there was).
    pub fn saving(&self) -> f64 {
        saved(self.full, self.sent)
    }

    /// The part of it that not asking saves.
    pub fn skip_saving(&self) -> f64 {
        saved(self.full, self.full - self.skipped)
    }

    /// The part of it that sending windows in place of whole texts saves.
    pub fn snippet_saving(&self) -> f64 {
        self.saving() - self.skip_saving()
    }

    /// The share of texts cut at 12,000 characters that is not sent.
    pub fn saving_of_cut(&self) -> f64 {
        saved(self.cut, self.sent)
    }

    /// The part of it that not asking saves.
    pub fn skip_saving_of_cut(&self) -> f64 {
        saved(self.cut, self.cut - self.skipped_cut)
    }

    /// The share of whole texts that a cascade does not send.
    pub fn saving_of_cascade(&self) -> f64 {
        saved(self.full, self.sent_by_cascade)
    }
}

fn saved(of: usize, sent: usize) -> f64 {
    if of == 0 { 0.0 } else { 1.0 - sent as f64 / of as f64 }
}

/// How long decisions take, by path.
pub(super) fn latency(units: &[Unit<'_>]) -> Vec<Latency> {
    let times = |is_of_path: fn(&Unit<'_>) -> bool| {
        units.iter().filter(|unit| is_of_path(unit)).map(|unit| unit.elapsed_us).collect::<Vec<_>>()
    };
    let paths = [
        ("no hit", times(|unit| !unit.asked)),
        ("judged", times(|unit| unit.asked)),
        ("all", times(|_| true)),
    ];
    paths.into_iter().filter_map(|(path, times)| Latency::of(path, times)).collect()
}

impl Latency {
    fn of(path: &'static str, mut times: Vec<u64>) -> Option<Self> {
        times.sort_unstable();
        Some(Self {
            path,
            units: times.len(),
            mean_us: times.iter().sum::<u64>() as f64 / times.len() as f64,
            p50_us: quantile(&times, 500)?,
            p90_us: quantile(&times, 900)?,
            p99_us: quantile(&times, 990)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Latency, Tokens};

    #[test]
    fn savings_add_up() {
        // Half of the text is never asked about, a tenth is sent of the other half.
        let tokens =
            Tokens { full: 1000, skipped: 500, sent: 50, cut: 200, skipped_cut: 100, ..Tokens::default() };
        let close =
            |value: f64, expected: f64| assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        close(tokens.saving(), 0.95);
        close(tokens.skip_saving(), 0.5);
        close(tokens.snippet_saving(), 0.45);
        close(tokens.saving_of_cut(), 0.75);
        close(tokens.skip_saving_of_cut(), 0.5);
        close(Tokens::default().saving(), 0.0);
    }

    #[test]
    fn percentiles_are_of_the_sorted_times() {
        let latency = Latency::of("all", (0..=100).rev().collect()).unwrap();
        assert_eq!((latency.p50_us, latency.p90_us, latency.p99_us, latency.units), (50, 90, 99, 101));
        assert!((latency.mean_us - 50.0).abs() < 1e-9);
        assert!(Latency::of("all", Vec::new()).is_none());
    }
}
