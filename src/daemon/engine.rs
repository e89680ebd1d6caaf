//! Policy, rules and judges as one value: what a decision is made with.
//!
//! An engine is loaded whole or not at all and never changes; a reload makes another one. Deciding reads nothing but the
//! engine and its arguments, apart from the judge's call.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::base::Digest;
use crate::gate::policy::{JudgeBackend, JudgeChoice, JudgeChoiceError, Policy};
use crate::gate::resolve::Answers;
use crate::gate::rules::RuleSet;
use crate::gate::{
    Assessment, Counting, Decision, Document, Hit, JudgeOutcome, Origin, Question, Verdict, assess_without,
    resolve,
};
use crate::io::Home;
use crate::io::audit::Elapsed;
use crate::io::judge::{JudgeSet, JudgeSetupError, VerdictCache};
use crate::io::policy::{self, PolicyLoadError};
use crate::io::rules::{self, RulesError};

/// Documents of more bytes than this are assessed aside.
pub(super) const LONG: u64 = 64 << 10;

/// Policy, rules and judges.
pub struct Engine {
    /// The policy in force.
    pub policy: Policy,
    /// Its digest.
    pub policy_digest: Digest,
    /// The file it was read from, where there was one.
    pub policy_file: Option<PathBuf>,
    /// The rules in force.
    pub rules: RuleSet,
    /// Their digest.
    pub ruleset_digest: Digest,
    choice: JudgeChoice,
    judges: JudgeSet,
}

/// Why policy, rules or judges could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The policy file cannot be read or has mistakes.
    #[error(transparent)]
    Policy(#[from] PolicyLoadError),
    /// Rules cannot be read, have mistakes, or one that is switched off does not exist.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The judge cannot be set up.
    #[error(transparent)]
    Judge(#[from] JudgeSetupError),
    /// A judge is asked for that is not configured. A policy file cannot say this; the command line can.
    #[error(transparent)]
    Choice(#[from] JudgeChoiceError),
}

/// A document with everything that was found out about it.
pub struct Outcome {
    /// What the gate found.
    pub assessment: Assessment,
    /// Hits that somebody suppressed; nothing was decided with them.
    pub suppressed: Vec<Hit>,
    /// What the judges said.
    pub answers: Answers,
    /// True where the verdict is one that the judge gave earlier about the same Evidence.
    pub cached: bool,
    /// What is done.
    pub decision: Decision,
    /// Microseconds by stage; `total` is left to whoever knows when it began.
    pub elapsed: Elapsed,
}

impl Engine {
    /// Loads policy (this file, or the default where there is none), rules and judges. Verdicts of judges that are asked
    /// are kept in this home.
    pub fn load(policy_file: Option<&Path>, home: &Home) -> Result<Self, LoadError> {
        Self::load_judged_by(policy_file, None, Some(home))
    }

    /// The same with another judge than the policy's, where one is given. Without a home no verdicts are kept.
    pub fn load_judged_by(
        policy_file: Option<&Path>,
        judge: Option<JudgeBackend>,
        home: Option<&Home>,
    ) -> Result<Self, LoadError> {
        let mut policy = policy::load(policy_file)?;
        // Of what stands in the file: whoever was chosen to judge is named beside it.
        let policy_digest = policy.digest();
        policy.judge.backend = judge.unwrap_or(policy.judge.backend);
        let rules = rules::effective(&policy.rules)?;
        let choice = policy.judge.choice()?;
        // The embedded judge is asked anew in less time than a file takes to be read.
        let home = home.filter(|_| choice != JudgeChoice::Embedded);
        let cache = home.and_then(|home| VerdictCache::open(home, &policy.judge.cache, rules.digest()));
        let judges = JudgeSet::of(&policy.judge, choice, cache)?;
        Ok(Self {
            policy_digest,
            ruleset_digest: rules.digest(),
            policy_file: policy_file.map(Path::to_owned),
            policy,
            rules,
            choice,
            judges,
        })
    }

    /// The name of the judge that policy asks for.
    pub const fn judge(&self) -> &'static str {
        self.choice.name()
    }

    /// True where another judge than the embedded one may be asked.
    pub fn asks_another(&self) -> bool {
        self.choice != JudgeChoice::Embedded
    }

    /// Decides about a document. `release` finds a person's release of it and is asked only where it would matter.
    pub async fn decide(
        &self,
        document: &Document,
        origin: &Origin,
        release: impl FnOnce(&Document) -> Option<String>,
    ) -> Outcome {
        self.decide_without(document, origin, release, &|_| Counting::Counts).await
    }

    /// As [`decide`](Self::decide), as if the hits were not there that do not count.
    pub async fn decide_without(
        &self,
        document: &Document,
        origin: &Origin,
        release: impl FnOnce(&Document) -> Option<String>,
        counting: &(dyn Fn(&Hit) -> Counting + Sync),
    ) -> Outcome {
        let start = Instant::now();
        let assess = || assess_without(document, &self.rules, &self.policy, origin, counting);
        let (assessment, suppressed) = if document.text_bytes() > LONG { aside(assess) } else { assess() };
        let mut elapsed = Elapsed { assess: microseconds(start), ..Elapsed::default() };
        let mut answers = Answers::default();
        let mut cached = false;
        if let (Question::NeedsJudge, Some(evidence)) = (assessment.question, &assessment.evidence) {
            let start = Instant::now();
            let judgement = self.judges.ask(evidence).await;
            answers.judge = Some(judgement.outcome);
            answers.over_all_hits = judgement.over_all_hits;
            cached = judgement.cached;
            elapsed.judge = microseconds(start);
        }
        let mut decision = resolve(&assessment.findings, &answers, &self.policy, origin);
        if !decision.would_be.forwards() {
            answers.release = release(document);
            if answers.release.is_some() {
                decision = resolve(&assessment.findings, &answers, &self.policy, origin);
            }
        }
        Outcome { assessment, suppressed, answers, cached, decision, elapsed }
    }
}

impl Outcome {
    /// The verdict that was had, by whomever.
    pub fn verdict(&self) -> Option<&Verdict> {
        match self.answers.judge.as_ref()? {
            JudgeOutcome::Answered(verdict) | JudgeOutcome::Degraded { verdict, .. } => Some(verdict),
            JudgeOutcome::Failed(_) => None,
        }
    }

    /// Why the judge that was asked for did not answer.
    pub fn failure(&self) -> Option<String> {
        match self.answers.judge.as_ref()? {
            JudgeOutcome::Answered(_) => None,
            JudgeOutcome::Degraded { failure, .. } | JudgeOutcome::Failed(failure) => {
                Some(failure.to_string())
            }
        }
    }

    /// True where the embedded judge stood in for another.
    pub fn is_degraded(&self) -> bool {
        matches!(self.answers.judge, Some(JudgeOutcome::Degraded { .. }))
    }
}

/// Runs work that only computes so that it holds up no connection: a large message must not keep others from shaking
/// hands. Handing the connections over to another thread wakes one, which takes longer than a short message.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// Microseconds since a moment.
pub(crate) fn microseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
