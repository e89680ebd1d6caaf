//! Values as cells of a table.

use crate::eval::metrics::{Estimate, Share, Spread};
use crate::eval::tables::Tally;

/// What stands where nothing can be said.
const NOTHING: &str = "-";

/// `0.817 [0.780, 0.850]`.
pub(super) fn estimate(estimate: Estimate) -> String {
    match (estimate.value, estimate.interval) {
        (None, _) => NOTHING.to_owned(),
        (Some(value), None) => format!("{value:.3}"),
        (Some(value), Some((low, high))) => format!("{value:.3} [{low:.2}, {high:.2}]"),
    }
}

/// `1.13 % [0.60, 1.90]`.
pub(super) fn percent_estimate(estimate: Estimate) -> String {
    match (estimate.value, estimate.interval) {
        (None, _) => NOTHING.to_owned(),
        (Some(value), None) => percent(value),
        (Some(value), Some((low, high))) => {
            format!("{} [{:.2}, {:.2}]", percent(value), 100.0 * low, 100.0 * high)
        }
    }
}

/// `0.817 ± 0.013`.
pub(super) fn spread(spread: Option<Spread>) -> String {
    match spread {
        None => NOTHING.to_owned(),
        Some(Spread { mean, runs: 1, .. }) => format!("{mean:.3}"),
        Some(Spread { mean, deviation, .. }) => format!("{mean:.3} ± {deviation:.3}"),
    }
}

/// `1.13 % ± 0.59`.
pub(super) fn percent_spread(spread: Option<Spread>) -> String {
    match spread {
        None => NOTHING.to_owned(),
        Some(Spread { mean, runs: 1, .. }) => percent(mean),
        Some(Spread { mean, deviation, .. }) => format!("{} ± {:.2}", percent(mean), 100.0 * deviation),
    }
}

/// `13/43 30.2 % [18.6, 45.1]`.
pub(super) fn share(share: Share) -> String {
    if share.of == 0 {
        return NOTHING.to_owned();
    }
    let (low, high) = share.interval();
    let Share { hits, of } = share;
    format!("{hits}/{of} {:.1} % [{:.1}, {:.1}]", 100.0 * share.value(), 100.0 * low, 100.0 * high)
}

/// `13/43`, or nothing of none.
pub(super) fn fraction(share: Share) -> String {
    if share.of == 0 { NOTHING.to_owned() } else { format!("{}/{}", share.hits, share.of) }
}

/// What is kept back, and what is warned of.
pub(super) fn tally(tally: Tally) -> [String; 2] {
    let warned = if tally.warned.of == 0 { NOTHING.to_owned() } else { tally.warned.hits.to_string() };
    [share(tally.flagged), warned]
}

/// `1.13 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// `0.817`.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.3}"))
}

/// `1.13 %`, or nothing.
pub(super) fn percent_or_nothing(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), percent)
}

/// `1,110`.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// `4.2 ms`.
pub(super) fn milliseconds(microseconds: f64) -> String {
    format!("{:.1} ms", microseconds / 1e3)
}

#[cfg(test)]
mod tests {
    use super::{count, estimate, percent_estimate, share, spread};
    use crate::eval::metrics::{Estimate, Share, Spread};

    #[test]
    fn values_say_what_they_do_not_know() {
        let known = Estimate { value: Some(0.0113), interval: Some((0.006, 0.019)) };
        assert_eq!(percent_estimate(known), "1.13 % [0.60, 1.90]");
        assert_eq!(estimate(Estimate { value: Some(0.8166), interval: None }), "0.817");
        assert_eq!(estimate(Estimate { value: None, interval: None }), "-");
        assert_eq!(share(Share::default()), "-");
        assert_eq!(spread(Spread::of(&[0.8, 0.9])), "0.850 ± 0.071");
        assert_eq!(spread(Spread::of(&[0.8])), "0.800");
        assert_eq!([count(0), count(999), count(3_022_409)], ["0", "999", "3,022,409"]);
    }
}
