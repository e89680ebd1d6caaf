//! Diagnostics shown: to a person, to a program, to a code host.
//!
//! All three take the same values and the source text they speak of, and give text or JSON back; who prints decides
//! about colour and where it goes. Text that others wrote comes out with control, bidi and invisible characters as
//! escapes. Nothing here knows what a rule or a skill is: rules come as plain values.

pub mod human;
pub mod json;
pub mod sarif;

pub use human::Style;
