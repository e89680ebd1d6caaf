//! Which judge is asked, and what happens when it does not answer.
//!
//! The configured LLM, else the embedded judge. A failing LLM is replaced by the embedded judge and the outcome says so.
//! Where windows did not fit, an LLM's verdict speaks only for what it saw: the embedded judge, which works from all
//! hits, is asked as well (gate.md 3). Nothing here decides what is done.

use std::sync::Arc;

use super::asked::AskedJudge;
use super::cache::VerdictCache;
use super::endpoint::JudgeSetupError;
use crate::gate::embedded::EmbeddedJudge;
use crate::gate::judge::Manner;
use crate::gate::policy::{JudgeChoice, JudgeSettings};
use crate::gate::{Evidence, Judge, JudgeOutcome, Label, Verdict};

/// The judges of one policy.
#[derive(Clone)]
pub enum JudgeSet {
    /// The embedded judge alone.
    Embedded,
    /// This one, with the embedded judge behind it.
    Asked(Arc<dyn Judge>),
    /// The embedded judge where it is sure, this one where it is not.
    Cascade(Arc<dyn Judge>),
}

/// What the judges said.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The outcome of the judge that was asked for.
    pub outcome: JudgeOutcome,
    /// The embedded judge's verdict over all hits, where the other saw only some of them.
    pub over_all_hits: Option<Verdict>,
    /// True where the verdict is one that the judge gave earlier about the same Evidence.
    pub cached: bool,
}

/// At or above this confidence the embedded judge settles a cascade by itself.
const SURE: f64 = 0.95;

impl JudgeSet {
    /// The judges of these settings, remembering what they said where there is a cache.
    pub fn of(
        settings: &JudgeSettings,
        choice: JudgeChoice,
        cache: Option<VerdictCache>,
    ) -> Result<Self, JudgeSetupError> {
        let asked = |name| -> Result<Arc<dyn Judge>, JudgeSetupError> {
            Ok(Arc::new(AskedJudge::of(settings, name)?.remembering(cache)))
        };
        Ok(match choice {
            JudgeChoice::Embedded => Self::Embedded,
            JudgeChoice::Asked(name) => Self::Asked(asked(name)?),
            JudgeChoice::Cascade(name) => Self::Cascade(asked(name)?),
        })
    }

    /// Asks the right judge; never fails.
    pub async fn ask(&self, evidence: &Evidence) -> Judgement {
        match self {
            Self::Embedded => settled(EmbeddedJudge.verdict(evidence)),
            Self::Asked(judge) => ask_other(judge.as_ref(), evidence).await,
            Self::Cascade(judge) => {
                let verdict = EmbeddedJudge.verdict(evidence);
                if is_sure(&verdict) { settled(verdict) } else { ask_other(judge.as_ref(), evidence).await }
            }
        }
    }
}

/// True where this verdict of the embedded judge's settles a cascade: nobody else is asked.
pub fn is_sure(verdict: &Verdict) -> bool {
    verdict.confidence >= SURE && verdict.label != Label::Suspicious
}

fn settled(verdict: Verdict) -> Judgement {
    Judgement { outcome: JudgeOutcome::Answered(verdict), over_all_hits: None, cached: false }
}

async fn ask_other(judge: &dyn Judge, evidence: &Evidence) -> Judgement {
    match judge.judge(evidence).await {
        Ok(judged) => {
            let partial = !evidence.windows_dropped.is_empty();
            let over_all_hits = partial.then(|| EmbeddedJudge.verdict(evidence));
            let cached = judged.manner == Manner::Cached;
            Judgement { outcome: JudgeOutcome::Answered(judged.verdict), over_all_hits, cached }
        }
        Err(failure) => Judgement {
            outcome: JudgeOutcome::Degraded { verdict: EmbeddedJudge.verdict(evidence), failure },
            over_all_hits: None,
            cached: false,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::Arc;

    use super::{JudgeSet, Judgement};
    use crate::gate::evidence::DroppedWindow;
    use crate::gate::judge::{JudgeFuture, Judged};
    use crate::gate::{Evidence, Judge, JudgeFailure, JudgeOutcome, Label, Verdict};
    use crate::io::judge::testing::evidence;

    /// A judge that always says the same.
    struct Fixed(Result<Label, JudgeFailure>);

    impl Judge for Fixed {
        fn id(&self) -> &'static str {
            "fixed"
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn judge<'a>(&'a self, _: &'a Evidence) -> JudgeFuture<'a> {
            let verdict = self.0.clone().map(|label| Verdict {
                label,
                judge: "fixed".to_owned(),
                ..Verdict::no_hits()
            });
            Box::pin(ready(verdict.map(Judged::fresh)))
        }
    }

    fn judge_of(judgement: &Judgement) -> &str {
        match &judgement.outcome {
            JudgeOutcome::Answered(verdict) | JudgeOutcome::Degraded { verdict, .. } => &verdict.judge,
            JudgeOutcome::Failed(_) => "",
        }
    }

    async fn ask(said: Result<Label, JudgeFailure>, evidence: &Evidence) -> Judgement {
        JudgeSet::Asked(Arc::new(Fixed(said))).ask(evidence).await
    }

    #[tokio::test]
    async fn a_failing_judge_is_replaced_and_the_outcome_says_so() {
        let failure = JudgeFailure::TimedOut(5);
        let judgement = ask(Err(failure.clone()), &evidence("p", "x")).await;
        assert_eq!(judge_of(&judgement), "embedded");
        assert!(matches!(judgement.outcome, JudgeOutcome::Degraded { failure: said, .. } if said == failure));
    }

    #[tokio::test]
    async fn a_verdict_over_some_windows_asks_for_a_second_verdict() {
        let mut evidence = evidence("p", "x");
        assert_eq!(ask(Ok(Label::Safe), &evidence).await.over_all_hits, None);
        evidence.windows_dropped.push(DroppedWindow { file: "a".to_owned(), line: 1, hits: vec![0] });
        assert_eq!(ask(Ok(Label::Safe), &evidence).await.over_all_hits.unwrap().judge, "embedded");
        assert_eq!(ask(Ok(Label::Suspicious), &evidence).await.over_all_hits.unwrap().judge, "embedded");
    }

    #[tokio::test]
    async fn a_cascade_asks_only_where_the_embedded_judge_is_unsure() {
        let fixed = || JudgeSet::Cascade(Arc::new(Fixed(Ok(Label::Malicious))));
        let evidence = evidence("p", "x");
        let embedded = JudgeSet::Embedded.ask(&evidence).await;
        let JudgeOutcome::Answered(verdict) = &embedded.outcome else { panic!("{embedded:?}") };
        let expected = if verdict.confidence >= super::SURE { "embedded" } else { "fixed" };
        assert_eq!(judge_of(&fixed().ask(&evidence).await), expected);
    }
}
