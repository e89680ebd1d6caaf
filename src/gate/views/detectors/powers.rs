//! Lists of big integers in a text that raises numbers to powers modulo another, where no key was found beside them.

use super::{StructuralHit, raw};
use crate::gate::views::integers;

/// The fewest numbers of a list, and the smallest of them.
const COUNT: usize = 8;
const SMALLEST: u128 = 1 << 16;

/// One hit for each list.
pub(super) fn find(text: &str) -> impl Iterator<Item = StructuralHit> {
    let lists = if raises(text) { integers::of(text).lists } else { Vec::new() };
    let big = lists.into_iter().filter(|list| {
        list.values.len() >= COUNT
            && list.values.iter().filter(|value| **value >= SMALLEST).count() * 10 >= list.values.len() * 8
    });
    big.map(move |list| {
        raw(
            "modular-exponentiation",
            text,
            list.span,
            format!("{} numbers, no key beside them", list.values.len()),
        )
    })
}

/// True where a power is taken modulo something.
fn raises(text: &str) -> bool {
    let calls = text.match_indices("pow(").any(|(at, call)| {
        let arguments = &text[at + call.len()..];
        let end = arguments.find([')', '\n']).unwrap_or(arguments.len());
        arguments[..end].matches(',').count() == 2
    });
    calls
        || ["modpow", "modPow", "powmod", "mod_pow", "ModPow", "modexp"]
            .iter()
            .any(|name| text.contains(name))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn big_numbers_under_powers_are_found() {
        let list = "[123456789, 223456789, 323456789, 423456789, 523456789, 623456789, 723456789, 823456789]";
        assert_eq!(find(&format!("c = {list}\nm = [pow(x, d, n) for x in c]")).count(), 1);
        assert_eq!(find(&format!("c = {list}\nmodPow(c[0], d, n)")).count(), 1);
        assert_eq!(find(&format!("c = {list}\nmath.pow(2, 3)")).count(), 0);
        assert_eq!(find("pow(x, d, n); c = [1, 2, 3, 4, 5, 6, 7, 8]").count(), 0);
    }
}
