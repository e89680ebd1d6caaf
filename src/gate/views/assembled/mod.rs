//! The assembled view: text that code puts together from pieces (gate.md 1).
//!
//! Pieces are joined where they stand, so that a rule sees the whole command. No language is parsed: what
//! joins literals in any common language counts, and joining too much costs nothing, since the raw view is
//! scanned beside it.

mod arithmetic;
mod char_codes;
mod concatenation;
mod giants;
mod literals;
mod masked;
mod modular;
mod shell_words;
mod substitution;
mod variables;
mod wildcards;

use super::unfold::{Found, Source};

/// Every text that the source puts together.
pub(super) fn all(source: &Source<'_>, found: &mut Vec<Found>) {
    let literals = literals::of(source.text);
    found.extend(concatenation::join(source, &literals));
    found.extend(shell_words::join(source, &literals));
    found.extend(char_codes::decode(source));
    found.extend(arithmetic::solve(source));
}
