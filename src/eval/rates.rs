//! Shares with their intervals, and the area under the curve.

use std::fmt;

use super::corpus::{Case, Expected};

/// How many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rate {
    hits: usize,
    of: usize,
}

impl Rate {
    /// Counts one more.
    pub(super) fn add(&mut self, is_hit: bool) {
        self.hits += usize::from(is_hit);
        self.of += 1;
    }

    /// The share, 0 to 1.
    pub(super) fn share(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.hits as f64 / self.of as f64 }
    }

    /// Wilson's interval, in which the true share lies in 95 of 100 cases.
    pub(super) fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.96;
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let n = self.of as f64;
        let share = self.share();
        let centre = share + Z * Z / (2.0 * n);
        let width = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        ((centre - width).max(0.0) / scale, (centre + width) / scale)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        let percent = 100.0 * self.share();
        write!(
            f,
            "{:>5}/{:<5} {percent:>5.1} % [{:.1}, {:.1}]",
            self.hits,
            self.of,
            100.0 * low,
            100.0 * high
        )
    }
}

/// What is reported together: a corpus, a label, and what must not be thrown together with others.
pub(super) fn group(case: &Case) -> String {
    let label = if case.expected == Expected::Malicious { "malicious" } else { "benign" };
    let kind = match (case.expected, case.security_themed, case.is_message()) {
        (_, _, true) => "messages".to_owned(),
        (Expected::Benign, true, _) => "security-themed".to_owned(),
        _ => case.provenance.clone(),
    };
    format!("{} {label}, {kind}", case.set)
}

/// The chance that a malicious unit scores higher than a benign one.
pub(super) fn area(scored: &[(f64, bool)]) -> f64 {
    let mut sorted: Vec<&(f64, bool)> = scored.iter().collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut won) = (0_usize, 0.0);
    for tied in sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let malicious = tied.iter().filter(|(_, label)| *label).count();
        let benign = tied.len() - malicious;
        won += malicious as f64 * (below as f64 + benign as f64 / 2.0);
        below += benign;
    }
    let malicious = scored.iter().filter(|(_, label)| *label).count();
    if malicious == 0 || below == 0 { 0.5 } else { won / (malicious as f64 * below as f64) }
}

#[cfg(test)]
mod tests {
    use super::{Rate, area};

    #[test]
    fn intervals_hold_the_share_and_stay_within_bounds() {
        let (low, high) = Rate { hits: 0, of: 20 }.interval();
        assert!(low.abs() < 1e-9 && (0.16..0.17).contains(&high), "{low} {high}");
        let (low, high) = Rate { hits: 50, of: 100 }.interval();
        assert!((0.40..0.41).contains(&low) && (0.59..0.60).contains(&high), "{low} {high}");
    }

    #[test]
    fn the_area_counts_ties_as_half() {
        assert!((area(&[(1.0, true), (0.0, false)]) - 1.0).abs() < 1e-9);
        assert!((area(&[(0.0, true), (0.0, false)]) - 0.5).abs() < 1e-9);
        assert!((area(&[(2.0, true), (0.0, true), (1.0, false)]) - 0.5).abs() < 1e-9);
    }
}
