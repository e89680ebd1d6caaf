//! How many of so many, with Wilson's interval.
//!
//! It counts units one by one and knows nothing of families; for small counts and for none it still says something,
//! where a resample cannot.

use serde::Serialize;

/// How many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Those that count.
    pub hits: usize,
    /// All of them.
    pub of: usize,
}

impl Share {
    /// Counts one more.
    pub fn add(&mut self, is_hit: bool) {
        self.hits += usize::from(is_hit);
        self.of += 1;
    }

    /// The share of those of which this is true.
    pub fn among<T>(units: impl IntoIterator<Item = T>, is_hit: impl Fn(T) -> bool) -> Self {
        units.into_iter().fold(Self::default(), |mut share, unit| {
            share.add(is_hit(unit));
            share
        })
    }

    /// The share, 0 to 1; 0 of none.
    pub fn value(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.hits as f64 / self.of as f64 }
    }

    /// Wilson's interval, in which the true share lies in 95 of 100 cases.
    pub fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.96;
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let n = self.of as f64;
        let share = self.value();
        let centre = share + Z * Z / (2.0 * n);
        let width = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        ((centre - width).max(0.0) / scale, (centre + width) / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn intervals_hold_the_share_and_stay_within_bounds() {
        let (low, high) = Share { hits: 0, of: 20 }.interval();
        assert!(low.abs() < 1e-9 && (0.16..0.17).contains(&high), "{low} {high}");
        let (low, high) = Share { hits: 50, of: 100 }.interval();
        assert!((0.40..0.41).contains(&low) && (0.59..0.60).contains(&high), "{low} {high}");
    }

    #[test]
    fn a_share_counts_what_is_true() {
        let share = Share::among([1, 2, 3, 4], |number| number > 3);
        assert_eq!(share, Share { hits: 1, of: 4 });
        assert!((share.value() - 0.25).abs() < 1e-9);
        assert!(Share::default().value().abs() < 1e-9);
    }
}
