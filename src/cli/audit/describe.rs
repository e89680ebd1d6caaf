//! A decision in words, for `audit show` and `quarantine show`.

use std::borrow::Cow;
use std::io::Write;

use crate::cli::show;
use crate::gate::policy::RuleSettings;
use crate::gate::rules::RuleSet;
use crate::io::audit::{DecisionRecord, HitRecord, Tokens};
use crate::io::{Home, policy, rules};

/// What was done: also whose release let it pass, and what would have been done but for `mode = "monitor"`.
pub(super) fn done(decision: &DecisionRecord) -> String {
    let action = decision.action;
    match (&decision.released, decision.would_be) {
        (Some(entry), _) => format!("{action} (released by {entry})"),
        (None, Some(would_be)) => format!("{action} (would {would_be})"),
        (None, None) => action.name().to_owned(),
    }
}

/// The rules in whose words decisions are told: those compiled in and those of the user's folders, where they can be
/// read, and also those that are switched off by now.
pub(crate) fn known_rules() -> Cow<'static, RuleSet> {
    let in_home = || {
        let file = policy::in_home(&Home::locate().ok()?);
        let extra = policy::load(file.as_deref()).ok()?.rules.extra;
        rules::effective(&RuleSettings { extra, disable: Vec::new() }).ok()
    };
    in_home().map_or(Cow::Borrowed(RuleSet::builtin()), Cow::Owned)
}

/// Writes a decision.
pub(crate) fn describe(time: &str, decision: &DecisionRecord, out: &mut dyn Write) -> std::io::Result<()> {
    facts(time, decision, out)?;
    if !decision.rationale.is_empty() {
        writeln!(out, "reasons")?;
        show::block(out, &decision.rationale, "    ")?;
    }
    if !decision.hits.is_empty() {
        hits(&decision.hits, &known_rules(), out)?;
    }
    for unread in &decision.unread {
        show::fact(out, "unread", &format!("{} {} {}", unread.path, unread.reason, unread.detail))?;
    }
    for window in &decision.windows {
        show::fact(out, "window", &format!("{}:{}", window.file, window.line))?;
        show::block(out, &window.text, "    | ")?;
    }
    Ok(())
}

fn facts(time: &str, decision: &DecisionRecord, out: &mut dyn Write) -> std::io::Result<()> {
    let mut fact = |name: &str, value: &str| match value {
        "" => Ok(()),
        value => show::fact(out, name, value),
    };
    let word = |word: &Option<String>| word.clone().unwrap_or_default();
    let origin = &decision.origin;
    let verdict = format!("{} {:.2}, score {:.2}", decision.label, decision.confidence, decision.score);
    let before = if decision.cached { ", as it said before" } else { "" };
    let judge = match decision.judge.as_str() {
        "none" => String::new(),
        judge => format!("{judge} {}{before}", decision.judge_version),
    };
    let tokens = match decision.tokens {
        Tokens { input: 0, output: 0 } => String::new(),
        Tokens { input, output } => format!("{input} in, {output} out"),
    };
    let known = [
        ("id", decision.id.clone()),
        ("time", time.to_owned()),
        ("action", done(decision)),
        ("why", decision.policy_line.clone()),
        ("quarantine", word(&decision.quarantine)),
        ("label", verdict),
        ("judge", judge),
        ("tokens", tokens),
        ("failure", word(&decision.failure)),
        ("session", word(&decision.session)),
        ("agent", word(&origin.agent)),
        ("server", word(&origin.server)),
        ("server_digest", origin.server_digest.map(|digest| digest.to_string()).unwrap_or_default()),
        ("source", word(&origin.source)),
        ("method", origin.method_in_words()),
        ("target", word(&origin.target)),
        ("name", decision.name.clone()),
        ("digest", decision.digest.to_string()),
        ("bytes", decision.bytes.to_string()),
        ("policy", decision.policy.short()),
        ("ruleset", decision.ruleset.short()),
        ("took", show::elapsed(decision.elapsed_us.total)),
    ];
    known.iter().try_for_each(|(name, value)| fact(name, value))
}

fn hits(hits: &[HitRecord], rules: &RuleSet, out: &mut dyn Write) -> std::io::Result<()> {
    for hit in hits {
        let title = rules.get(&hit.rule).map_or("", |rule| &rule.title);
        let author = hit.author.as_deref().map(|author| format!(" by {author}")).unwrap_or_default();
        let place = format!("{} {} {}:{} ({})", hit.rule, hit.severity, hit.file, hit.line, hit.view);
        show::fact(out, "hit", format!("{place} {title}{author}").trim_end())?;
    }
    Ok(())
}
