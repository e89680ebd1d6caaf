//! Logistic regression without negative weights: what an attacker adds must not make a document milder.
//!
//! Full gradients with momentum, projected after every step; deterministic, since the order of examples and features is
//! that of the input.

/// Examples as the features that they show.
#[derive(Clone, Debug, Default)]
pub(super) struct Examples {
    /// Indices of the features of each example.
    pub(super) rows: Vec<Vec<usize>>,
    /// True for what works against its user.
    pub(super) labels: Vec<bool>,
    /// What each feature is expected to weigh: examples of some kinds are few.
    pub(super) expected: Vec<f64>,
}

/// A fitted model.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    /// The sum of an example without features.
    pub(super) bias: f64,
    /// What each feature adds, 0 or more.
    pub(super) weights: Vec<f64>,
}

/// Steps; more change no weight by what is kept of it.
const STEPS: usize = 1500;
/// How strongly weights are drawn to what is expected of them before any example is seen.
const RIDGE: f64 = 2.0;

impl Fitted {
    /// Fits a model to the examples of these indices.
    pub(super) fn to(examples: &Examples, chosen: &[usize]) -> Self {
        let mut model = Self { bias: -2.0, weights: examples.expected.clone() };
        let mut ahead = model.clone();
        let longest = chosen.iter().map(|at| examples.rows[*at].len()).max().unwrap_or(0) + 1;
        // The curvature of the loss is at most a quarter of the squared length of each row.
        let step = 1.0 / (0.25 * chosen.len() as f64 * longest as f64 / 4.0 + RIDGE);
        for nth in 0..STEPS {
            let next = ahead.descended(examples, chosen, step);
            let momentum = nth as f64 / (nth as f64 + 3.0);
            ahead = Self {
                bias: next.bias + momentum * (next.bias - model.bias),
                weights: next
                    .weights
                    .iter()
                    .zip(&model.weights)
                    .map(|(new, old)| new + momentum * (new - old))
                    .collect(),
            };
            model = next;
        }
        model
    }

    /// The sum of an example.
    pub(super) fn sum(&self, row: &[usize]) -> f64 {
        row.iter().fold(self.bias, |sum, feature| sum + self.weights[*feature])
    }

    fn descended(&self, examples: &Examples, chosen: &[usize], step: f64) -> Self {
        let mut bias = 0.0;
        let pulls = self.weights.iter().zip(&examples.expected);
        let mut slopes: Vec<f64> = pulls.map(|(weight, expected)| RIDGE * (weight - expected)).collect();
        for at in chosen {
            let expected = 1.0 / (1.0 + (-self.sum(&examples.rows[*at])).exp());
            let error = expected - f64::from(u8::from(examples.labels[*at]));
            bias += error;
            for feature in &examples.rows[*at] {
                slopes[*feature] += error;
            }
        }
        let weights =
            self.weights.iter().zip(&slopes).map(|(weight, slope)| (weight - step * slope).max(0.0));
        Self { bias: self.bias - step * bias, weights: weights.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Examples, Fitted};

    #[test]
    fn what_tells_gets_weight_and_what_does_not_gets_none() {
        let mut examples = Examples::default();
        for nth in 0..200 {
            // Feature 0 shows with the label, 1 without any regard to it, 2 against it.
            let label = nth % 4 == 0;
            let mut row = Vec::new();
            if label {
                row.push(0);
            } else {
                row.push(2);
            }
            if nth % 3 == 0 {
                row.push(1);
            }
            examples.rows.push(row);
            examples.labels.push(label);
        }
        examples.expected = vec![0.0; 3];
        let all: Vec<usize> = (0..200).collect();
        let model = Fitted::to(&examples, &all);
        assert!(model.weights[0] > 2.0, "{model:?}");
        assert!(model.weights[1] < 0.5 && model.weights[2] < 1e-6, "{model:?}");
        assert!(model.sum(&[0]) > 0.0 && model.sum(&[2]) < 0.0, "{model:?}");
    }
}
