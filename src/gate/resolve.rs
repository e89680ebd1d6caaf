//! From what a judge said to what is done (gate.md 4 and 5, papers/skillgate.txt III-D).
//!
//! In this order: a denial blocks; a person's release, an allowance or an unscreened method passes; else the verdict's
//! line decides, overrides change it, and floors raise it: no milder action where a judge failed or content was not
//! read. Pure, and only over what the log keeps, so that a decision can be replayed. Invariants: a graver label or, for
//! anything but SAFE, more confidence never makes the action milder; a denial beats everything; `monitor` changes what
//! is done and nothing else.

use super::decision::{Decision, ExitClass, Floor, Step};
use super::embedded::EmbeddedJudge;
use super::judge::JudgeOutcome;
use super::policy::{Fit, Mode, OnError, Policy, PolicyLine, UnreadAction};
use super::rules::Severity;
use super::{Action, Findings, Kind, Label, Origin, Verdict};

/// What came back after a document was assessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// What the judge's call came to; nothing where the assessment was settled without one.
    pub judge: Option<JudgeOutcome>,
    /// The embedded judge's verdict over all hits, where the judge did not see all windows.
    pub over_all_hits: Option<Verdict>,
    /// The quarantine id of a release that holds for this digest, kind and source.
    pub release: Option<String>,
}

/// Why no judge is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// By this entry of `[deny]`.
    Denied(String),
    /// By this entry of `[allow]`.
    Allowed(String),
    /// Messages of this kind are not screened; the key.
    NotScreened(String),
    /// No rule matched.
    NoHits,
}

/// Decides without a judge where policy can.
pub(super) fn settled(findings: &Findings, policy: &Policy, origin: &Origin) -> Option<Settled> {
    if let Some(entry) = policy.deny.entry(&findings.digest, origin) {
        return Some(Settled::Denied(entry));
    }
    if let Some(entry) = policy.allow.entry(&findings.digest, origin) {
        return Some(Settled::Allowed(entry));
    }
    if let (Kind::Mcp, Some(method)) = (findings.kind, &origin.method)
        && let Some(key) = policy.screen.passes(origin.sender(), method)
    {
        return Some(Settled::NotScreened(key));
    }
    (findings.hits.is_empty() && !policy.prefilter.judge_everything).then_some(Settled::NoHits)
}

/// Decides.
pub fn resolve(findings: &Findings, answers: &Answers, policy: &Policy, origin: &Origin) -> Decision {
    let settled = settled(findings, policy, origin);
    let by_person = match (&settled, &answers.release) {
        (Some(Settled::Denied(entry)), _) => Some(Course::denied(policy, entry)),
        (_, Some(id)) => {
            Some(Course::judged_or_settled(settled.as_ref(), findings, answers, policy).released(id))
        }
        (Some(Settled::Allowed(entry)), _) => {
            Some(Course::passed(policy.line(entry), "policy allows this content, publisher or server"))
        }
        (Some(Settled::NotScreened(key)), _) => {
            Some(Course::passed(policy.line(key), "policy does not screen messages of this kind"))
        }
        _ => None,
    };
    if let Some(course) = by_person {
        return course.finish(policy, ExitClass::Passed);
    }
    let mut course = Course::judged_or_settled(settled.as_ref(), findings, answers, policy);
    course.apply_overrides(findings, policy, origin);
    if settled.is_none() {
        course.apply_judge_floors(findings, answers, policy);
    }
    let unread = course.apply_unread(findings, policy);
    course.finish(policy, unread)
}

/// A decision in the making.
struct Course {
    verdict: Verdict,
    action: Action,
    line: PolicyLine,
    steps: Vec<Step>,
    floors: Vec<Floor>,
}

impl Course {
    fn start(verdict: Verdict, action: Action, line: PolicyLine, why: String) -> Self {
        let steps = vec![Step { line: line.clone(), action, why }];
        Self { verdict, action, line, steps, floors: Vec::new() }
    }

    fn denied(policy: &Policy, entry: &str) -> Self {
        let verdict = Verdict { label: Label::Malicious, ..Verdict::no_hits() };
        let why = "policy denies this content, publisher or server".to_owned();
        Self::start(verdict, Action::Block, policy.line(entry), why)
    }

    /// A person's word changes what is done, and nothing of what the judge said.
    fn released(mut self, id: &str) -> Self {
        let why = format!("a person released exactly this content ({id})");
        self.set(Action::Allow, PolicyLine::builtin("release"), why);
        self.floors.clear();
        self
    }

    fn passed(line: PolicyLine, why: &str) -> Self {
        Self::start(Verdict::no_hits(), Action::Allow, line, why.to_owned())
    }

    /// Where the verdict's line leads, or where the absence of hits does.
    fn judged_or_settled(
        settled: Option<&Settled>,
        findings: &Findings,
        answers: &Answers,
        policy: &Policy,
    ) -> Self {
        match settled {
            Some(_) => Self::judged(policy, &Verdict::no_hits(), "no rule matched".to_owned()),
            None => Self::of_answers(findings, answers, policy),
        }
    }

    fn judged(policy: &Policy, verdict: &Verdict, why: String) -> Self {
        let verdict = sound(verdict);
        let (label, confidence) = (verdict.label, verdict.confidence);
        let line = policy.line(policy.verdict.key(label, confidence));
        Self::start(verdict, policy.verdict.action(label, confidence), line, why)
    }

    fn of_answers(findings: &Findings, answers: &Answers, policy: &Policy) -> Self {
        let (verdict, stand_in) = match &answers.judge {
            Some(JudgeOutcome::Answered(verdict)) => (verdict, ""),
            Some(JudgeOutcome::Degraded { verdict, .. }) => (verdict, " in place of the judge that failed"),
            Some(JudgeOutcome::Failed(_)) | None => return Self::failed(policy),
        };
        let mut course = Self::judged(policy, verdict, said(verdict, stand_in));
        let saw_all = findings.windows_dropped == 0 || verdict.judge == EmbeddedJudge::ID;
        if !saw_all {
            course.weigh_all_hits(findings, answers.over_all_hits.as_ref(), policy);
        }
        course
    }

    /// No judge answered: `on_error` is where overrides start from, and a floor afterwards.
    fn failed(policy: &Policy) -> Self {
        let (action, why) = on_error(policy);
        Self::start(unknown(), action, policy.line("on_error"), why.to_owned())
    }

    /// The judge saw some windows; the harsher of its verdict and the embedded judge's over all hits counts.
    fn weigh_all_hits(&mut self, findings: &Findings, second: Option<&Verdict>, policy: &Policy) {
        let second = second.map_or_else(unknown, sound);
        let (label, confidence) = (second.label, second.confidence);
        let line = policy.line(policy.verdict.key(label, confidence));
        let dropped = match findings.windows_dropped {
            1 => "1 window did not fit and the judge did not see it".to_owned(),
            dropped => format!("{dropped} windows did not fit and the judge did not see them"),
        };
        let why = format!("{dropped}; over all hits {}", said(&second, ""));
        if self.raise(policy.verdict.action(label, confidence), line, why, Floor::WindowsDropped) {
            self.verdict = second;
        }
    }

    /// The first override that fits wholly replaces the action; those that fit partly can only harden.
    fn apply_overrides(&mut self, findings: &Findings, policy: &Policy, origin: &Origin) {
        let fitting: Vec<(usize, Fit)> = policy
            .overrides
            .iter()
            .map(|exception| exception.fit(findings, origin))
            .enumerate()
            .filter(|(_, fit)| *fit != Fit::None)
            .collect();
        let deciding = fitting.iter().find(|(_, fit)| *fit == Fit::Wholly);
        if let Some(&(at, _)) = deciding {
            self.set(
                policy.overrides[at].action,
                policy.line(&format!("override[{at}]")),
                "an override fits".to_owned(),
            );
        }
        for &(at, fit) in &fitting {
            let action = policy.overrides[at].action;
            if fit == Fit::Partly && action > self.action {
                self.set(
                    action,
                    policy.line(&format!("override[{at}]")),
                    "an override fits in part".to_owned(),
                );
            }
        }
    }

    fn apply_judge_floors(&mut self, findings: &Findings, answers: &Answers, policy: &Policy) {
        match &answers.judge {
            Some(JudgeOutcome::Answered(_)) => return,
            Some(JudgeOutcome::Degraded { .. }) => {}
            Some(JudgeOutcome::Failed(_)) | None => {
                let (action, why) = on_error(policy);
                self.raise(action, policy.line("on_error"), why.to_owned(), Floor::JudgeFailed);
            }
        }
        if let Some(hit) = findings.hits.iter().find(|hit| hit.severity == Severity::Critical) {
            let why = format!("the critical rule {} matched and the judge did not answer", hit.rule);
            let line = PolicyLine::builtin("floor.critical-unjudged");
            self.raise(Action::Quarantine, line, why, Floor::CriticalUnjudged);
        }
    }

    /// Raises the action for what was not read, and gives what the exit code says of it.
    fn apply_unread(&mut self, findings: &Findings, policy: &Policy) -> ExitClass {
        let mut class = ExitClass::Passed;
        for reason in &findings.unread {
            let wanted = policy.on_unread.get(*reason);
            if wanted != UnreadAction::Allow {
                class = ExitClass::Unread;
            }
            let line = policy.line(&format!("on_unread.{reason}"));
            self.raise(wanted.action(), line, format!("content was not read: {reason}"), Floor::Unread);
        }
        class
    }

    fn set(&mut self, action: Action, line: PolicyLine, why: String) {
        self.action = action;
        self.line = line.clone();
        self.steps.push(Step { line, action, why });
    }

    /// Makes the action harsher, where this is; says whether it did.
    fn raise(&mut self, action: Action, line: PolicyLine, why: String, floor: Floor) -> bool {
        let harsher = action > self.action;
        if harsher {
            self.set(action, line, why);
            if !self.floors.contains(&floor) {
                self.floors.push(floor);
            }
        }
        harsher
    }

    fn finish(self, policy: &Policy, unread: ExitClass) -> Decision {
        let action = match policy.mode {
            Mode::Enforce => self.action,
            Mode::Monitor => Action::Allow,
        };
        Decision {
            action,
            would_be: self.action,
            label: self.verdict.label,
            confidence: self.verdict.confidence,
            score: self.verdict.score(),
            line: self.line,
            steps: self.steps,
            floors: self.floors,
            exit: if action.forwards() { unread } else { ExitClass::Withheld },
        }
    }
}

/// What is assumed where nobody said anything.
fn unknown() -> Verdict {
    Verdict { label: Label::Suspicious, confidence: 0.5, judge: "nobody".to_owned(), ..Verdict::no_hits() }
}

/// The verdict, or SUSPICIOUS 0.5 in place of one whose confidence is none.
fn sound(verdict: &Verdict) -> Verdict {
    if (0.0..=1.0).contains(&verdict.confidence) {
        return verdict.clone();
    }
    Verdict { label: verdict.label.max(Label::Suspicious), confidence: 0.5, ..verdict.clone() }
}

const fn on_error(policy: &Policy) -> (Action, &'static str) {
    match policy.on_error {
        OnError::Closed => (Action::Block, "no judge answered, and policy is closed on errors"),
        OnError::Open => (Action::Warn, "no judge answered, and policy is open on errors"),
    }
}

fn said(verdict: &Verdict, stand_in: &str) -> String {
    format!("{} said {} with confidence {:.2}{stand_in}", verdict.judge, verdict.label, verdict.confidence)
}

#[cfg(test)]
mod tests;
