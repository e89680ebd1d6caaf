//! Several runs of the same: their mean, and how far they lie apart.

use serde::Serialize;

/// The value that so many of a thousand do not exceed, of values in rising order; nothing where there are none.
pub fn quantile<T: Copy>(sorted: &[T], per_mille: usize) -> Option<T> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((per_mille * last + 500) / 1000).copied()
}

/// Mean and standard deviation of several runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample's standard deviation; 0 for a single run.
    pub deviation: f64,
    /// In how many runs it could be said.
    pub runs: usize,
}

impl Spread {
    /// Of these values; nothing where there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len();
        if runs == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if runs == 1 { 0.0 } else { (squares / (runs - 1) as f64).sqrt() };
        Some(Self { mean, deviation, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, quantile};

    #[test]
    fn quantiles_are_of_the_nearest_value() {
        let values: Vec<u32> = (0..=100).collect();
        let of = |per_mille| quantile(&values, per_mille);
        assert_eq!([of(0), of(25), of(500), of(990), of(1000)], [0, 3, 50, 99, 100].map(Some));
        assert_eq!((quantile(&[7], 500), quantile::<u32>(&[], 500)), (Some(7), None));
    }

    #[test]
    fn the_deviation_is_the_samples() {
        // The paper's false positives by run: 7, 24 and 20.
        let spread = Spread::of(&[7.0, 24.0, 20.0]).unwrap();
        assert!((spread.mean - 17.0).abs() < 1e-9 && (spread.deviation - 79.0_f64.sqrt()).abs() < 1e-9);
        let one = Spread::of(&[0.5]).unwrap();
        assert!((one.mean - 0.5).abs() < 1e-9 && one.deviation.abs() < 1e-9);
        assert_eq!(Spread::of(&[]), None);
    }
}
