//! The judge: Evidence in, Verdict out; the gate's one async seam (gate.md 4).
//!
//! The trait needs no runtime: a judge returns a boxed future and whoever calls it drives it. A failure is a state of
//! its own and never SAFE.

mod settings;

use std::future::Future;
use std::pin::Pin;

use super::{Evidence, Verdict};

pub use settings::{CommandSettings, EndpointSettings};

/// What a judge's call came to.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeOutcome {
    /// The judge that was asked for answered.
    Answered(Verdict),
    /// It could not; the embedded judge answered in its place, and policy's floor applies.
    Degraded {
        /// The embedded judge's verdict.
        verdict: Verdict,
        /// What went wrong with the one that was asked for.
        failure: JudgeFailure,
    },
    /// No judge answered: `on_error` decides.
    Failed(JudgeFailure),
}

/// Why a judge gave no verdict. A failure that the content itself can cause is not one of these: it is SUSPICIOUS 0.5.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeFailure {
    /// No connection.
    #[error("the judge could not be reached: {0}")]
    Unreachable(String),
    /// No answer in time.
    #[error("the judge did not answer within {0} ms")]
    TimedOut(u64),
    /// 408, 429 and 5xx after all retries, 401 and 403 at once.
    #[error("the judge answered with HTTP status {status}: {detail}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The endpoint's words, shortened.
        detail: String,
    },
    /// The breaker of this endpoint is open.
    #[error("the judge failed several times in a row and is left alone for {0} more seconds")]
    BreakerOpen(u64),
}

/// A verdict and how it was had.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// How it was had.
    pub manner: Manner,
}

/// How a verdict was had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// The judge gave it now.
    Fresh,
    /// It gave it earlier, about the same Evidence.
    Cached,
    /// It gave nothing that can be used, and the content can be why: SUSPICIOUS 0.5 stands in for its word.
    Unusable,
}

impl Judged {
    /// A verdict that the judge gave now.
    pub const fn fresh(verdict: Verdict) -> Self {
        Self { verdict, manner: Manner::Fresh }
    }
}

/// A boxed future, as a judge returns it.
pub type JudgeFuture<'a> = Pin<Box<dyn Future<Output = Result<Judged, JudgeFailure>> + Send + 'a>>;

/// Something that can tell an attack from its look-alike.
pub trait Judge: Send + Sync {
    /// `embedded`, `openai`, …: the name in policy, audit and output.
    fn id(&self) -> &str;

    /// The version or model, for the audit log and the verdict cache.
    fn version(&self) -> &str;

    /// Judges one Evidence.
    fn judge<'a>(&'a self, evidence: &'a Evidence) -> JudgeFuture<'a>;
}
