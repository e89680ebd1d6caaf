//! The gate: text in, decision out (papers/skillgate.txt III, and further where the pages of this room say so).
//!
//! ```text
//! Document -> views -> hits -> windows -> Evidence -> Judge -> Verdict -> Policy -> Decision
//!            (views)  (rules) (windows)              (judge)             (policy)
//! ```
//!
//! `assess` takes a document as far as it goes without a judge; `resolve` takes the judge's outcome to the
//! decision. Both are pure, so that a decision can be replayed from the audit log. Only [`judge::Judge`] is async.
//! Nothing here does I/O, reads a clock or knows of sockets.

pub mod action;
pub mod assess;
pub mod context;
pub mod decision;
pub mod document;
pub mod embedded;
pub mod evidence;
pub mod findings;
pub mod hit;
pub mod judge;
pub mod origin;
pub mod policy;
mod preamble;
pub mod redact;
pub mod resolve;
pub mod rules;
pub mod scan;
pub mod verdict;
pub mod views;
pub mod windows;

pub use action::Action;
pub use assess::{Assessment, Counting, Question, assess, assess_without};
pub use decision::{Decision, ExitClass};
pub use document::{Document, Kind, Part, Role};
pub use evidence::{Evidence, EvidenceHit, Window};
pub use findings::{Finding, Findings};
pub use hit::{Hit, ViewKind};
pub use judge::{Judge, JudgeFailure, JudgeOutcome};
pub use origin::Origin;
pub use policy::Policy;
pub use resolve::{Answers, resolve};
pub use scan::{Scan, scan};
pub use verdict::{Label, Verdict};
