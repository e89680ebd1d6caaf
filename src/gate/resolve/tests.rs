use proptest::prelude::*;

use super::{Answers, resolve};
use crate::base::{Digest, UnreadReason};
use crate::gate::decision::Floor;
use crate::gate::judge::{JudgeFailure, JudgeOutcome};
use crate::gate::rules::Severity;
use crate::gate::{Action, Decision, ExitClass, Finding, Findings, Kind, Label, Origin, Policy, Verdict};

fn policy(text: &str) -> Policy {
    Policy::parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn findings(hits: &[(&str, Severity)]) -> Findings {
    let finding = |(rule, severity): &(&str, Severity)| Finding {
        rule: rule.parse().unwrap(),
        category: "execution".to_owned(),
        severity: *severity,
    };
    Findings {
        digest: Digest::of_bytes(b"it"),
        kind: Kind::Mcp,
        hits: hits.iter().map(finding).collect(),
        unread: Vec::new(),
        windows_dropped: 0,
    }
}

fn one_hit() -> Findings {
    findings(&[("EXEC-001", Severity::High)])
}

fn verdict(label: Label, confidence: f64) -> Verdict {
    Verdict { label, confidence, judge: "openai".to_owned(), ..Verdict::no_hits() }
}

fn answered(label: Label, confidence: f64) -> Answers {
    Answers { judge: Some(JudgeOutcome::Answered(verdict(label, confidence))), ..Answers::default() }
}

fn failure() -> JudgeFailure {
    JudgeFailure::TimedOut(1)
}

fn origin() -> Origin {
    Origin {
        agent: Some("codex".to_owned()),
        server: Some("tickets".to_owned()),
        server_digest: Some(Digest::of_bytes(b"command")),
        side: None,
        method: Some("tools/call".to_owned()),
        source: Some("mcp".to_owned()),
        publisher: Some("Somebody".to_owned()),
        target: None,
    }
}

/// Action and deciding line.
fn outcome(decision: &Decision) -> (Action, String) {
    (decision.action, decision.line.to_string())
}

fn check(findings: &Findings, answers: &Answers, text: &str, action: Action, line: &str) -> Decision {
    let decision = resolve(findings, answers, &policy(text), &origin());
    assert_eq!(outcome(&decision), (action, line.to_owned()), "{text}\n{:#?}", decision.steps);
    assert_eq!(decision.steps.last().map(|step| &step.line), Some(&decision.line));
    decision
}

#[test]
fn the_verdicts_line_decides() {
    let cases = [
        (Label::Malicious, 0.7, Action::Block, "default verdict.malicious.at_least"),
        (Label::Malicious, 0.69, Action::Quarantine, "default verdict.malicious.below"),
        (Label::Suspicious, 0.5, Action::Quarantine, "default verdict.suspicious.at_least"),
        (Label::Suspicious, 0.49, Action::Warn, "default verdict.suspicious.below"),
        (Label::Safe, 0.1, Action::Allow, "default verdict.safe"),
        (Label::Safe, f64::NAN, Action::Quarantine, "default verdict.suspicious.at_least"),
        (Label::Malicious, 7.0, Action::Quarantine, "default verdict.malicious.below"),
    ];
    for (label, confidence, action, line) in cases {
        let decision = check(&one_hit(), &answered(label, confidence), "", action, line);
        assert_eq!(decision.exit == ExitClass::Withheld, !action.forwards());
    }
}

#[test]
fn no_hits_need_no_judge_unless_everything_is_judged() {
    let none = findings(&[]);
    let decision = check(&none, &Answers::default(), "", Action::Allow, "default verdict.safe");
    assert_eq!((decision.label, decision.score.to_bits()), (Label::Safe, 0.0_f64.to_bits()));
    let everything = "[prefilter]\njudge_everything = true";
    check(&none, &Answers::default(), everything, Action::Block, "default on_error");
    let malicious = answered(Label::Malicious, 0.9);
    check(&none, &malicious, everything, Action::Block, "default verdict.malicious.at_least");
}

#[test]
fn a_denial_beats_a_release_and_a_release_beats_the_rest() {
    let digest = Digest::of_bytes(b"it");
    let deny = format!("[deny]\ndigests = [{{ digest = '{digest}', reason = 'r' }}]\n");
    let allow = format!("[allow]\ndigests = [{{ digest = '{digest}', reason = 'r' }}]\n");
    let released = Answers { release: Some("q1".to_owned()), ..answered(Label::Malicious, 1.0) };
    let both = format!("{allow}{deny}");
    check(&one_hit(), &released, &both, Action::Block, "policy.toml:4 deny.digests[0]");
    check(&one_hit(), &released, &allow, Action::Allow, "built-in release");
    check(
        &one_hit(),
        &answered(Label::Malicious, 1.0),
        &allow,
        Action::Allow,
        "policy.toml:2 allow.digests[0]",
    );
    let publisher = "[deny]\npublishers = [{ name = 'someBODY', reason = 'r' }]";
    check(&one_hit(), &released, publisher, Action::Block, "policy.toml:2 deny.publishers[0]");
    let server = "[deny]\nservers = [{ name = 'tickets', reason = 'r' }]";
    check(&one_hit(), &released, server, Action::Block, "policy.toml:2 deny.servers[0]");
}

#[test]
fn a_release_changes_what_is_done_and_not_what_the_judge_said() {
    let released = |answers| Answers { release: Some("q1".to_owned()), ..answers };
    let check = |findings: &Findings, answers| {
        check(findings, &released(answers), "", Action::Allow, "built-in release")
    };
    let decision = check(&one_hit(), answered(Label::Malicious, 0.9));
    assert_eq!(
        (decision.label, decision.confidence.to_bits(), decision.exit),
        (Label::Malicious, 0.9_f64.to_bits(), ExitClass::Passed)
    );
    let said: Vec<&str> = decision.reasons().collect();
    assert_eq!(
        said,
        ["openai said MALICIOUS with confidence 0.90", "a person released exactly this content (q1)"]
    );
    let mut dropped = one_hit();
    dropped.windows_dropped = 1;
    let second =
        Answers { over_all_hits: Some(verdict(Label::Malicious, 0.8)), ..answered(Label::Safe, 0.9) };
    let decision = check(&dropped, second);
    assert_eq!((decision.label, decision.floors), (Label::Malicious, Vec::new()));
    assert_eq!(check(&one_hit(), Answers::default()).label, Label::Suspicious);
}

#[test]
fn an_allowed_server_is_known_by_its_digest() {
    let server = |digest: &Digest| {
        format!("[allow]\nservers = [{{ name = 'tickets', digest = '{digest}', reason = 'r' }}]")
    };
    let bad = answered(Label::Malicious, 0.9);
    let ours = server(&Digest::of_bytes(b"command"));
    check(&one_hit(), &bad, &ours, Action::Allow, "policy.toml:2 allow.servers[0]");
    let other = server(&Digest::of_bytes(b"another"));
    check(&one_hit(), &bad, &other, Action::Block, "default verdict.malicious.at_least");
}

#[test]
fn a_method_that_is_not_screened_passes() {
    let text = "[screen]\n\"tools/call\" = false";
    check(&one_hit(), &Answers::default(), text, Action::Allow, "policy.toml:2 screen.tools/call");
    let mut package = one_hit();
    package.kind = Kind::Package;
    check(&package, &Answers::default(), text, Action::Block, "default on_error");
}

#[test]
fn overrides_harden_and_loosen_and_the_first_that_fits_wholly_decides() {
    let rule = |rule: &str, action: &str| {
        format!("[[override]]\nrule = '{rule}'\naction = '{action}'\nreason = 'r'\n")
    };
    let bad = answered(Label::Malicious, 0.9);
    let safe = answered(Label::Safe, 0.9);
    check(&one_hit(), &bad, &rule("EXEC-001", "warn"), Action::Warn, "policy.toml:1 override[0]");
    check(&one_hit(), &bad, &rule("EXEC-*", "allow"), Action::Allow, "policy.toml:1 override[0]");
    check(&one_hit(), &safe, &rule("EXEC-*", "block"), Action::Block, "policy.toml:1 override[0]");
    check(&one_hit(), &bad, &rule("EXFIL-*", "allow"), Action::Block, "default verdict.malicious.at_least");
    let two = rule("EXEC-001", "quarantine") + &rule("EXEC-*", "allow");
    check(&one_hit(), &bad, &two, Action::Quarantine, "policy.toml:1 override[0]");
    let origin_only = "[[override]]\nagent = ['claude-code', 'cod*']\nsource = 'mcp'\nkind = ['package', 'mcp']\n\
                       method = 'tools/*'\naction = 'warn'\nreason = 'r'\n";
    check(&findings(&[]), &Answers::default(), origin_only, Action::Warn, "policy.toml:1 override[0]");
    let severity =
        "[[override]]\nseverity = ['high', 'low']\ncategory = 'execution'\naction = 'warn'\nreason = 'r'\n";
    check(&one_hit(), &bad, severity, Action::Warn, "policy.toml:1 override[0]");
}

#[test]
fn a_tolerated_rule_carries_no_other_one_through() {
    let both = findings(&[("EXEC-001", Severity::Low), ("EXFIL-001", Severity::High)]);
    let tolerate = "[[override]]\nrule = 'EXEC-001'\naction = 'allow'\nreason = 'r'\n";
    check(
        &both,
        &answered(Label::Malicious, 0.9),
        tolerate,
        Action::Block,
        "default verdict.malicious.at_least",
    );
    let harden = tolerate.replace("allow", "quarantine");
    check(&both, &answered(Label::Safe, 0.9), &harden, Action::Quarantine, "policy.toml:1 override[0]");
}

#[test]
fn a_servers_name_alone_hardens_and_never_loosens() {
    let named = "[[override]]\nserver = 'tickets'\naction = 'warn'\nreason = 'r'\n";
    check(
        &one_hit(),
        &answered(Label::Malicious, 0.9),
        named,
        Action::Block,
        "default verdict.malicious.at_least",
    );
    check(&one_hit(), &answered(Label::Safe, 0.9), named, Action::Warn, "policy.toml:1 override[0]");
    let digest = Digest::of_bytes(b"command");
    let certain = format!("{named}server_digest = '{digest}'\n");
    check(&one_hit(), &answered(Label::Malicious, 0.9), &certain, Action::Warn, "policy.toml:1 override[0]");
}

#[test]
fn a_failed_judge_is_never_safe() {
    let failed = Answers { judge: Some(JudgeOutcome::Failed(failure())), ..Answers::default() };
    let decision = check(&one_hit(), &failed, "", Action::Block, "default on_error");
    assert_eq!((decision.label, decision.confidence.to_bits()), (Label::Suspicious, 0.5_f64.to_bits()));
    check(&one_hit(), &Answers::default(), "", Action::Block, "default on_error");
    check(&one_hit(), &failed, "on_error = 'open'", Action::Warn, "policy.toml:1 on_error");
    let loosened = "on_error = 'closed'\n[[override]]\nagent = 'codex'\naction = 'allow'\nreason = 'r'\n";
    let decision = check(&one_hit(), &failed, loosened, Action::Block, "policy.toml:1 on_error");
    assert_eq!(decision.floors, [Floor::JudgeFailed]);
    let critical = findings(&[("EXEC-001", Severity::Critical)]);
    check(&critical, &failed, "on_error = 'open'", Action::Quarantine, "built-in floor.critical-unjudged");
}

#[test]
fn a_stand_in_judge_lets_nothing_critical_through() {
    let stand_in = |label| Answers {
        judge: Some(JudgeOutcome::Degraded { verdict: verdict(label, 0.9), failure: failure() }),
        ..Answers::default()
    };
    let critical = findings(&[("EXEC-001", Severity::Low), ("EXFIL-001", Severity::Critical)]);
    let decision =
        check(&critical, &stand_in(Label::Safe), "", Action::Quarantine, "built-in floor.critical-unjudged");
    assert_eq!(decision.floors, [Floor::CriticalUnjudged]);
    check(&critical, &stand_in(Label::Malicious), "", Action::Block, "default verdict.malicious.at_least");
    check(&one_hit(), &stand_in(Label::Safe), "", Action::Allow, "default verdict.safe");
    let allow_all = "[[override]]\nagent = 'codex'\naction = 'allow'\nreason = 'r'\n";
    check(
        &critical,
        &stand_in(Label::Safe),
        allow_all,
        Action::Quarantine,
        "built-in floor.critical-unjudged",
    );
}

#[test]
fn what_the_judge_did_not_see_is_weighed_by_the_embedded_one() {
    let mut dropped = one_hit();
    dropped.windows_dropped = 3;
    let with = |label, second| Answers { over_all_hits: second, ..answered(label, 0.9) };
    let safe = Verdict { judge: "embedded".to_owned(), ..verdict(Label::Safe, 0.9) };
    let malicious = Verdict { label: Label::Malicious, ..safe.clone() };
    check(&dropped, &with(Label::Safe, Some(safe.clone())), "", Action::Allow, "default verdict.safe");
    let decision = check(
        &dropped,
        &with(Label::Safe, Some(malicious.clone())),
        "",
        Action::Block,
        "default verdict.malicious.at_least",
    );
    assert_eq!(
        (decision.label, decision.floors.as_slice()),
        (Label::Malicious, [Floor::WindowsDropped].as_slice())
    );
    check(&dropped, &with(Label::Safe, None), "", Action::Quarantine, "default verdict.suspicious.at_least");
    check(
        &dropped,
        &with(Label::Malicious, Some(safe)),
        "",
        Action::Block,
        "default verdict.malicious.at_least",
    );
    let by_embedded = Answers {
        judge: Some(JudgeOutcome::Answered(Verdict { label: Label::Safe, ..malicious })),
        ..Answers::default()
    };
    check(&dropped, &by_embedded, "", Action::Allow, "default verdict.safe");
}

#[test]
fn what_was_not_read_counts_by_its_worst() {
    let with = |reasons: &[UnreadReason], hits: Findings| Findings { unread: reasons.to_vec(), ..hits };
    let safe = answered(Label::Safe, 0.9);
    let media =
        check(&with(&[UnreadReason::Media], one_hit()), &safe, "", Action::Allow, "default verdict.safe");
    assert_eq!(media.exit, ExitClass::Passed);
    let binary = with(&[UnreadReason::Binary, UnreadReason::Media], findings(&[]));
    let decision = check(&binary, &Answers::default(), "", Action::Allow, "default verdict.safe");
    assert_eq!(decision.exit, ExitClass::Unread);
    let worse = with(&[UnreadReason::Binary, UnreadReason::Executable], findings(&[]));
    let decision = check(&worse, &Answers::default(), "", Action::Quarantine, "default on_unread.executable");
    assert_eq!(
        (decision.exit, decision.floors.as_slice()),
        (ExitClass::Withheld, [Floor::Unread].as_slice())
    );
    check(
        &worse,
        &answered(Label::Malicious, 0.9),
        "[prefilter]\njudge_everything = true",
        Action::Block,
        "default verdict.malicious.at_least",
    );
    check(
        &worse,
        &Answers::default(),
        "[on_unread]\nbinary = 'block'",
        Action::Block,
        "policy.toml:2 on_unread.binary",
    );
    let loosened = "[[override]]\nagent = 'codex'\naction = 'allow'\nreason = 'r'\n";
    check(&worse, &Answers::default(), loosened, Action::Quarantine, "default on_unread.executable");
    let released = Answers { release: Some("q".to_owned()), ..Answers::default() };
    let decision = check(&worse, &released, "", Action::Allow, "built-in release");
    assert_eq!(decision.exit, ExitClass::Passed);
}

#[test]
fn reasons_hold_no_word_of_author_or_judge() {
    let mut verdict = verdict(Label::Malicious, 0.9);
    verdict.rationale = "EVIL".to_owned();
    let failure = JudgeFailure::Refused { status: 500, detail: "EVIL".to_owned() };
    let answers = Answers { judge: Some(JudgeOutcome::Degraded { verdict, failure }), ..Answers::default() };
    let decision = resolve(&one_hit(), &answers, &Policy::default(), &origin());
    assert!(decision.reasons().all(|reason| !reason.contains("EVIL")));
    assert!(!serde_json::to_string(&decision).unwrap().contains("EVIL"));
}

const POLICIES: &[&str] = &[
    "",
    "on_error = 'open'",
    "[verdict]\nsafe = 'warn'",
    "[verdict.malicious]\nthreshold = 0.2\n[verdict.suspicious]\nthreshold = 0.9",
    "[prefilter]\njudge_everything = true",
    "[on_unread]\nbinary = 'block'\nexecutable = 'allow'",
    "[[override]]\nrule = 'EXEC-001'\naction = 'warn'\nreason = 'r'\n\
     [[override]]\nagent = 'codex'\naction = 'allow'\nreason = 'r'\n",
    "[[override]]\nrule = 'EXEC-*'\naction = 'quarantine'\nreason = 'r'\n\
     [[override]]\nkind = 'mcp'\naction = 'block'\nreason = 'r'\n",
    "[[override]]\nseverity = 'critical'\naction = 'block'\nreason = 'r'\n\
     [[override]]\nserver = 'tickets'\naction = 'quarantine'\nreason = 'r'\n",
];

fn any_label() -> impl Strategy<Value = Label> {
    prop_oneof![Just(Label::Safe), Just(Label::Suspicious), Just(Label::Malicious)]
}

fn any_findings() -> impl Strategy<Value = Findings> {
    let severity = prop_oneof![Just(Severity::Low), Just(Severity::High), Just(Severity::Critical)];
    let rule = prop_oneof![Just("EXEC-001"), Just("EXEC-002"), Just("EXFIL-001")];
    let unread =
        prop_oneof![Just(UnreadReason::Binary), Just(UnreadReason::Executable), Just(UnreadReason::Media)];
    let kind = prop_oneof![Just(Kind::Mcp), Just(Kind::Package)];
    (prop::collection::vec((rule, severity), 0..4), prop::collection::vec(unread, 0..3), kind, 0..2_usize)
        .prop_map(|(hits, unread, kind, windows_dropped)| Findings {
            kind,
            unread,
            windows_dropped,
            ..findings(&hits)
        })
}

/// How the judge answers; the verdict comes later.
#[derive(Clone, Copy, Debug)]
enum Manner {
    Answered,
    Degraded,
}

fn any_manner() -> impl Strategy<Value = Manner> {
    prop_oneof![Just(Manner::Answered), Just(Manner::Degraded)]
}

fn answers(manner: Manner, label: Label, confidence: f64, second: Option<Verdict>) -> Answers {
    let verdict = verdict(label, confidence);
    let judge = match manner {
        Manner::Answered => JudgeOutcome::Answered(verdict),
        Manner::Degraded => JudgeOutcome::Degraded { verdict, failure: failure() },
    };
    Answers { judge: Some(judge), over_all_hits: second, release: None }
}

proptest! {
    #[test]
    fn a_graver_or_surer_verdict_is_never_treated_more_mildly(
        findings in any_findings(),
        manner in any_manner(),
        one in (any_label(), 0.0..=1.0),
        other in (any_label(), 0.0..=1.0),
        second in prop::option::of((any_label(), 0.0..=1.0)),
        text in prop::sample::select(POLICIES),
    ) {
        let (mild, grave) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        prop_assume!(mild.0 == Label::Safe || mild.1 <= grave.1);
        let second = second.map(|(label, confidence)| verdict(label, confidence));
        let policy = policy(text);
        let action = |(label, confidence)| {
            resolve(&findings, &answers(manner, label, confidence, second.clone()), &policy, &origin()).action
        };
        prop_assert!(action(mild) <= action(grave));
    }

    #[test]
    fn a_denial_beats_everything(
        findings in any_findings(),
        manner in any_manner(),
        (label, confidence) in (any_label(), 0.0..=1.0),
        released in any::<bool>(),
        text in prop::sample::select(POLICIES),
    ) {
        let digest = findings.digest;
        let list = format!("digests = [{{ digest = '{digest}', reason = 'r' }}]");
        let policy = policy(&format!("{text}\n[allow]\n{list}\n[deny]\n{list}\n"));
        let mut answers = answers(manner, label, confidence, None);
        answers.release = released.then(|| "q".to_owned());
        let decision = resolve(&findings, &answers, &policy, &origin());
        prop_assert_eq!(decision.action, Action::Block);
        prop_assert_eq!(decision.line.key, "deny.digests[0]");
    }

    #[test]
    fn monitor_changes_what_is_done_and_nothing_else(
        findings in any_findings(),
        manner in any_manner(),
        (label, confidence) in (any_label(), 0.0..=1.0),
        text in prop::sample::select(POLICIES),
    ) {
        let answers = answers(manner, label, confidence, None);
        let enforced = resolve(&findings, &answers, &policy(text), &origin());
        let watched = resolve(&findings, &answers, &policy(&format!("mode = 'monitor'\n{text}")), &origin());
        prop_assert_eq!(enforced.would_be, enforced.action);
        prop_assert_eq!(watched.action, Action::Allow);
        prop_assert_eq!(watched.would_be, enforced.would_be);
        prop_assert_eq!(watched.line.key, enforced.line.key);
        prop_assert_eq!(watched.floors, enforced.floors);
        prop_assert!(watched.exit != ExitClass::Withheld);
    }

    #[test]
    fn the_same_is_decided_again_from_what_the_log_keeps(
        findings in any_findings(),
        manner in any_manner(),
        (label, confidence) in (any_label(), 0.0..=1.0),
        text in prop::sample::select(POLICIES),
    ) {
        let answers = answers(manner, label, confidence, None);
        let logged = serde_json::to_string(&findings).unwrap();
        let replayed: Findings = serde_json::from_str(&logged).unwrap();
        let policy = policy(text);
        prop_assert_eq!(
            resolve(&findings, &answers, &policy, &origin()),
            resolve(&replayed, &answers.clone(), &policy, &origin())
        );
    }
}
