//! Judges that are asked, and the choice between them and the embedded one (gate.md 4).
//!
//! Content leaves the machine only where an endpoint is configured. A judge's failure is a state of its own and never
//! SAFE; a failure that content can cause is SUSPICIOUS 0.5. Nothing here knows policy.

mod api;
pub mod asked;
pub mod auto;
pub mod breaker;
pub mod cache;
pub mod command;
pub mod endpoint;
mod http;
pub mod parse;
mod program;
pub mod prompt;
mod reply;
#[cfg(test)]
mod testing;
pub mod tokens;

pub use asked::{AskedJudge, Reach};
pub use auto::{JudgeSet, Judgement};
pub use cache::VerdictCache;
pub use endpoint::JudgeSetupError;
pub use tokens::Tokens;
