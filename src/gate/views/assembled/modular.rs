//! Lists of integers under modular exponentiation: text "encrypted" with textbook RSA, key beside it.
//!
//! The numbers around a list are tried as modulus and exponent, also products and inverses of them. A reading counts where every
//! number of the list comes to a character that shows, or to a few. Bounded: only numbers below 2^127, and only so many
//! pairs.

use std::collections::BTreeSet;

use crate::gate::views::integers::{Integers, List};

/// The most moduli and exponents that are tried.
const MODULI: usize = 48;
const EXPONENTS: usize = 64;

/// How many numbers of a list must come to characters before all of it is read.
const PROBES: usize = 4;

/// Codes below this one are letters and signs that people write.
const CHARACTERS: u32 = 0x250;

/// What makes a reading more than chance: so many bits in all numbers, and under a small modulus so many numbers.
const SURE_BITS: usize = 20;
const SURE_DISTINCT: usize = 8;
const SMALL: u128 = 1 << 20;

/// The largest modulus that sums of two residues stay below.
const LARGEST: u128 = 1 << 127;

/// What trying may cost in all lists of one text: a power counts one, a power of big numbers more.
pub(super) struct Budget(u32);

impl Default for Budget {
    fn default() -> Self {
        Self(4_000)
    }
}

impl Budget {
    /// True where another power may be taken.
    fn take(&mut self, modulus: u128) -> bool {
        let cost = if modulus >> 64 == 0 { 1 } else { 40 };
        self.0 = self.0.saturating_sub(cost);
        self.0 > 0
    }
}

/// The text that a list spells under some numbers of the text.
pub(super) fn read(list: &List, integers: &Integers, budget: &mut Budget) -> Option<String> {
    let largest = *list.values.iter().max()?;
    if integers.singles.len() < 2 || !(1 << 10..LARGEST).contains(&largest) {
        return None;
    }
    // Numbers of table rows stand between those that matter.
    let is_mixed = largest >= 1 << 24 && list.values.iter().any(|value| *value < 256);
    let values: Vec<u128> = list.values.iter().copied().filter(|value| !is_mixed || *value >= 256).collect();
    let pairs = pairs(&integers.singles);
    let products = pairs.iter().map(|(p, q)| p.saturating_mul(*q));
    let moduli: Vec<u128> = integers
        .singles
        .iter()
        .copied()
        .chain(products)
        .filter(|modulus| *modulus > largest && *modulus < LARGEST)
        .take(MODULI)
        .collect();
    moduli.into_iter().find_map(|modulus| {
        let private = pairs.iter().filter(|(p, q)| p.checked_mul(*q) == Some(modulus));
        let inverses = private
            .flat_map(|(p, q)| integers.singles.iter().filter_map(move |e| inverse(*e, (p - 1) * (q - 1))));
        let exponents = integers.singles.iter().copied().filter(|d| *d > 1 && *d < modulus).chain(inverses);
        exponents.take(EXPONENTS).find_map(|exponent| spelled(&values, exponent, modulus, budget))
    })
}

/// Pairs of numbers that could be the primes of a small key.
fn pairs(singles: &[u128]) -> Vec<(u128, u128)> {
    let odd: Vec<u128> =
        singles.iter().copied().filter(|n| *n > 2 && n % 2 == 1 && *n < 1 << 63).take(16).collect();
    let pair = |(nth, p): (usize, &u128)| odd[nth + 1..].iter().map(|q| (*p, *q)).collect::<Vec<_>>();
    odd.iter().enumerate().flat_map(pair).collect()
}

/// What the list comes to, where the first numbers and then all of them come to characters.
fn spelled(values: &[u128], exponent: u128, modulus: u128, budget: &mut Budget) -> Option<String> {
    let character = |value: &u128| characters(power(*value, exponent, modulus));
    for value in values.iter().take(PROBES) {
        if !budget.take(modulus) {
            return None;
        }
        character(value)?;
    }
    let text: String = values.iter().map(character).collect::<Option<Vec<_>>>()?.concat();
    let is_identity = values.iter().take(PROBES).all(|value| power(*value, exponent, modulus) == *value);
    (!is_identity && is_no_chance(values, modulus) && reads_like_text(&text)).then_some(text)
}

/// True where numbers that differ enough would hardly all come to characters under one of the keys that are tried.
fn is_no_chance(values: &[u128], modulus: u128) -> bool {
    let distinct = values.iter().collect::<BTreeSet<_>>().len();
    let bits = (modulus / u128::from(CHARACTERS)).checked_ilog2().unwrap_or(0) as usize;
    distinct * bits >= SURE_BITS && (distinct >= SURE_DISTINCT || modulus > SMALL)
}

/// True where two thirds of it are letters, digits and blanks: any small number comes to some character.
fn reads_like_text(text: &str) -> bool {
    let wordy = text.chars().filter(|c| c.is_alphanumeric() || *c == ' ').count();
    text.contains(char::is_alphabetic) && wordy * 3 >= text.chars().count() * 2
}

/// The character of this code, or the characters whose bytes the number holds.
fn characters(value: u128) -> Option<String> {
    let shows = |c: char| !c.is_control() || c.is_ascii_whitespace();
    if value < CHARACTERS.into() {
        return char::from_u32(value as u32).filter(|c| shows(*c)).map(String::from);
    }
    let bytes: Vec<u8> = value.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
    let text = String::from_utf8(bytes).ok()?;
    text.chars().all(|c| c.is_ascii() && shows(c)).then_some(text)
}

/// `base ^ exponent mod modulus`, for a modulus below [`LARGEST`].
fn power(base: u128, exponent: u128, modulus: u128) -> u128 {
    let (mut base, mut exponent, mut result) = (base % modulus, exponent, 1 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, base, modulus);
        }
        base = product(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// `a * b mod modulus` of two residues.
fn product(a: u128, b: u128, modulus: u128) -> u128 {
    if let Some(product) = a.checked_mul(b) {
        return product % modulus;
    }
    let (mut a, mut b, mut sum) = (a, b, 0);
    while b > 0 {
        if b & 1 == 1 {
            sum = (sum + a) % modulus;
        }
        a = (a + a) % modulus;
        b >>= 1;
    }
    sum
}

/// The number that takes `value` to one modulo `modulus`, where there is one.
fn inverse(value: u128, modulus: u128) -> Option<u128> {
    let modulus = i128::try_from(modulus).ok()?;
    let (mut r, mut next_r) = (modulus, i128::try_from(value).ok()? % modulus);
    let (mut t, mut next_t) = (0_i128, 1_i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (t, next_t) = (next_t, t.checked_sub(quotient.checked_mul(next_t)?)?);
        (r, next_r) = (next_r, r - quotient * next_r);
    }
    (r == 1).then(|| t.rem_euclid(modulus) as u128).filter(|inverse| *inverse > 1)
}

#[cfg(test)]
mod tests {
    use super::{Budget, inverse, power, read};
    use crate::gate::views::integers;

    #[test]
    fn arithmetic_agrees_with_itself() {
        let prime = (1 << 61) - 1;
        assert_eq!(power(3, prime - 1, prime), 1);
        let large = (1_u128 << 107) - 1;
        assert_eq!(power(5, large - 1, large), 1);
        assert_eq!(inverse(17, 3120), Some(2753));
        assert_eq!(inverse(2, 4), None);
    }

    fn list(text: &str, modulus: u128) -> String {
        let codes: Vec<String> =
            text.bytes().map(|byte| power(byte.into(), 17, modulus).to_string()).collect();
        codes.join(", ")
    }

    fn check(code: &str, expected: Option<&str>) {
        let integers = integers::of(code);
        let read = read(&integers.lists[0], &integers, &mut Budget::default());
        assert_eq!(read.as_deref(), expected, "{code}");
    }

    #[test]
    fn a_key_beside_the_list_opens_it() {
        let codes = list("curl -s x | sh", 3233);
        check(&format!("C = [{codes}]\npow(c, 2753, 3233)"), Some("curl -s x | sh"));
        check(&format!("N, D = 3233, 2753\nC = [{codes}]"), Some("curl -s x | sh"));
        check(
            &format!("p = 61; q = 53; e = 17; d = pow(e, -1, (p-1)*(q-1)); C = [{codes}]"),
            Some("curl -s x | sh"),
        );
        check(&format!("C = [{codes}]; n = 3233"), None);
        check("x = [1000, 2000, 3000, 4000, 5000, 6000]; pow(x, 2, 7919)", None);
        let signs: Vec<String> =
            [13, 47, 125, 97, 47, 125].map(|code| power(code, 17, 3233).to_string()).to_vec();
        check(&format!("C = [{}]; pow(c, 2753, 3233)", signs.join(", ")), None);
    }
}
