//! Intervals by drawing families again and again (the bootstrap), always the same draws.
//!
//! Whole families are drawn, with replacement: the twins of a pair and the skills of a campaign were made by one hand, and
//! to draw them one by one would make a figure look surer than it is.

use fastrand::Rng;

use super::spread::quantile;

/// How many times the families are drawn.
pub const RESAMPLES: usize = 1000;
/// Where every series of draws begins.
const SEED: u64 = 0x5EED_0F5E_ED0F_5EED;

/// How often each of so many families is drawn, once for each resample.
pub(super) fn draws(families: usize) -> impl Iterator<Item = Vec<f64>> {
    let mut random = Rng::with_seed(SEED);
    (0..RESAMPLES).map(move |_| {
        let mut times = vec![0.0; families];
        for _ in 0..families {
            times[random.u64(0..families as u64) as usize] += 1.0;
        }
        times
    })
}

/// The values between which 95 of 100 lie. Nothing where half of the resamples or more said nothing.
pub(super) fn interval(mut values: Vec<f64>) -> Option<(f64, f64)> {
    if values.len() * 2 <= RESAMPLES {
        return None;
    }
    values.sort_by(f64::total_cmp);
    Some((quantile(&values, 25)?, quantile(&values, 975)?))
}

#[cfg(test)]
mod tests {
    use super::{RESAMPLES, draws, interval};

    #[test]
    fn draws_are_the_same_every_time_and_as_many_as_there_are_families() {
        let first: Vec<Vec<f64>> = draws(7).collect();
        assert_eq!(first, draws(7).collect::<Vec<_>>());
        assert_eq!(first.len(), RESAMPLES);
        assert!(first.iter().all(|times| (times.iter().sum::<f64>() - 7.0).abs() < 1e-9));
        assert_ne!(first[0], first[1]);
    }

    #[test]
    fn an_interval_leaves_out_the_outermost_of_each_side() {
        let values: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(interval(values), Some((25.0, 975.0)));
        assert_eq!(interval(vec![0.5; 500]), None);
        assert_eq!(interval(vec![0.5; 501]), Some((0.5, 0.5)));
    }
}
