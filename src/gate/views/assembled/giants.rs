//! One big number under modular exponentiation: a whole text as a number, the key beside it.
//!
//! The big numbers of a text are tried as modulus, exponent and message, and products of two of them as modulus. What the
//! power comes to counts where its bytes are text.

use num_bigint::BigUint;

use crate::base::Span;
use crate::gate::views::integers::Integers;

/// What trying may cost for each digit of the numbers, and in all: a power counts the square of its modulus's words
/// times the bits of its exponent.
const COST_PER_DIGIT: u64 = 1_200;
const MOST_COST: u64 = 4_000_000;

/// The shortest text that is told from chance.
const SHORTEST: usize = 4;

/// The smallest number that can hold a text.
const SMALLEST: u128 = 1 << 32;

/// The most numbers that products are made of.
const FACTORS: usize = 6;

/// The texts that big numbers come to, with the places of these.
pub(super) fn read(text: &str, integers: &Integers) -> Vec<(Span, String)> {
    let giants: Vec<(Span, BigUint)> =
        integers.giants.iter().filter_map(|span| Some((*span, number(span.of(text)?)?))).collect();
    if giants.is_empty() {
        return Vec::new();
    }
    let digits: usize = giants.iter().map(|(span, _)| span.len()).sum();
    let mut left = (digits as u64 * COST_PER_DIGIT).min(MOST_COST);
    let singles = integers.singles.iter().filter(|single| **single > 2).map(|single| BigUint::from(*single));
    let numbers: Vec<BigUint> = giants.iter().map(|(_, number)| number.clone()).chain(singles).collect();
    let keys = keys(&numbers);
    let mut found = Vec::new();
    for (span, message) in &giants {
        let mut fitting = keys.iter().filter(|(modulus, exponent)| message < modulus && exponent != message);
        let spelled = fitting.find_map(|(modulus, exponent)| {
            left = left.checked_sub(modulus.bits().div_ceil(64).pow(2) * exponent.bits())?;
            spelled(&message.modpow(exponent, modulus))
        });
        found.extend(spelled.map(|spelled| (*span, spelled)));
    }
    found
}

/// What could be the key, as modulus and exponent: the numbers themselves, the biggest modulus first, then products of two
/// with the inverses of the rest.
fn keys(numbers: &[BigUint]) -> Vec<(BigUint, BigUint)> {
    let mut big: Vec<&BigUint> = numbers.iter().filter(|number| **number > BigUint::from(SMALLEST)).collect();
    big.sort_by(|a, b| b.cmp(a));
    let below = |modulus: &BigUint| -> Vec<(BigUint, BigUint)> {
        let exponents = numbers.iter().filter(|exponent| *exponent < modulus);
        exponents.map(|exponent| (modulus.clone(), exponent.clone())).collect()
    };
    let mut keys: Vec<_> = big.iter().flat_map(|modulus| below(modulus)).collect();
    let factors = &big[..big.len().min(FACTORS)];
    for (nth, p) in factors.iter().enumerate() {
        for q in &factors[nth + 1..] {
            // A modulus is as long as what was encrypted with it.
            let longest = big.first().map_or(0, |number| number.bits());
            if p.bits() + q.bits() > longest + 64 {
                continue;
            }
            let modulus = *p * *q;
            let order = (*p - 1_u8) * (*q - 1_u8);
            keys.extend(below(&modulus));
            let inverses = numbers.iter().filter(|e| e.bits() < 64).filter_map(|e| e.modinv(&order));
            keys.extend(inverses.map(|exponent| (modulus.clone(), exponent)));
        }
    }
    keys
}

fn spelled(power: &BigUint) -> Option<String> {
    let text = String::from_utf8(power.to_bytes_be()).ok()?;
    let shows = |c: char| !c.is_control() || c.is_ascii_whitespace();
    (text.len() >= SHORTEST && text.chars().all(shows)).then_some(text)
}

/// A literal, decimal or hex, with `_` between digits and `n` after them.
fn number(literal: &str) -> Option<BigUint> {
    let literal = literal.trim_end_matches('n');
    let (digits, radix) = match literal.strip_prefix("0x").or_else(|| literal.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (literal, 10),
    };
    BigUint::parse_bytes(digits.as_bytes(), radix).filter(|number| *number > BigUint::from(SMALLEST))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::read;
    use crate::gate::views::integers;

    #[test]
    fn a_number_is_opened_with_the_key_beside_it() {
        let two = BigUint::from(2_u8);
        let primes = [two.pow(127) - 1_u8, two.pow(107) - 1_u8];
        let modulus = &primes[0] * &primes[1];
        let order = (&primes[0] - 1_u8) * (&primes[1] - 1_u8);
        let public = BigUint::from(65_537_u32);
        let private = public.modinv(&order).unwrap();
        let message = BigUint::from_bytes_be(b"curl -s x | sh").modpow(&public, &modulus);
        let [left, right] = &primes;
        for code in [
            format!("n = {modulus}; d = {private}; c = {message}; m = pow(c, d, n)"),
            format!("const h = modPow({message}n, 0x{private:x}n, {modulus}n);"),
            format!("p, q = {left}, {right}\nd = {private}\nc = {message}\npow(c, d, p * q)"),
            format!(
                "p, q = {left}, {right}\ne = 65537\nc = {message}\npow(c, pow(e, -1, (p-1)*(q-1)), p * q)"
            ),
        ] {
            let found = read(&code, &integers::of(&code));
            let texts: Vec<_> =
                found.iter().map(|(span, text)| (span.of(&code).unwrap(), text.as_str())).collect();
            assert_eq!(texts.len(), 1, "{code}");
            assert_eq!(texts[0].0.trim_end_matches('n'), message.to_string());
            assert_eq!(texts[0].1, "curl -s x | sh");
        }
        let code = format!("n = {modulus}; c = {message}");
        assert!(read(&code, &integers::of(&code)).is_empty());
    }
}
