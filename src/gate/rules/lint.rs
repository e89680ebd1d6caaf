//! Judges the rules themselves: what the loader accepts may still be slow, blind or unexplained.
//!
//! Each complaint has a permanent code. A set that is shipped has none (tests/rules.rs). Nothing here runs a rule;
//! [`super::examples`] does.

use std::collections::BTreeMap;

use regex_syntax::hir::{Hir, HirKind, Repetition};

use super::definition::{Detection, Rule};
use super::fault::RuleFault;
use super::pattern::{self, Reach};
use super::set::anchors_hold;
use super::{RuleSet, literals};
use crate::gate::views::detectors::DETECTORS;

/// The shortest anchor: shorter ones stand in every text.
const SHORTEST_ANCHOR: usize = 3;
/// The longest pattern, in bytes.
const LONGEST_PATTERN: usize = 2000;
/// The longest counted gap.
const LONGEST_GAP: u32 = 2000;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 100;
/// The fewest `match` and the fewest `no_match` examples.
pub(super) const FEWEST_EXAMPLES: usize = 2;

/// All complaints about a set, in the order of the rules.
pub(super) fn lint(rules: &RuleSet) -> Vec<RuleFault> {
    let mut faults: Vec<_> = rules.iter().flat_map(complaints).collect();
    faults.extend(duplicates(rules));
    faults.sort_by(|a, b| a.rule.cmp(&b.rule));
    faults
}

fn complaints(rule: &Rule) -> Vec<RuleFault> {
    let mut faults = words(rule);
    faults.extend(anchors(rule));
    let unless = rule.unless.iter().map(|accident| &accident.regex);
    faults.extend(rule.detection.patterns().iter().chain(unless).flat_map(|text| pattern_faults(rule, text)));
    if let Detection::Detector(code) = &rule.detection {
        faults.extend(detector(rule, code));
    } else {
        faults.extend(examples(rule));
    }
    faults
}

/// What a person reads, and what reports count by.
fn words(rule: &Rule) -> Vec<RuleFault> {
    let mut faults = Vec::new();
    if rule.title.chars().count() > LONGEST_TITLE || rule.title.contains('\n') {
        faults.push(RuleFault::of(
            rule,
            "title",
            format!("the title takes one line of {LONGEST_TITLE} characters"),
        ));
    }
    if rule.scope.iter().next().is_none() || rule.views.is_empty() {
        faults.push(RuleFault::of(rule, "nowhere", "it applies nowhere: `scope` or `views` is empty"));
    }
    let unknown = rule.languages.iter().filter(|code| !is_language(code));
    faults.extend(unknown.map(|code| {
        RuleFault::of(rule, "language", format!("`{code}` is no language code")).with_help("such as de or zh")
    }));
    let odd = rule.attack.iter().filter(|id| !is_technique(id));
    faults.extend(odd.map(|id| {
        RuleFault::of(rule, "attack-id", format!("`{id}` is no ATT&CK technique"))
            .with_help("such as T1048 or T1048.003")
    }));
    faults
}

/// Two or three small letters, as language tags begin.
fn is_language(code: &str) -> bool {
    matches!(code.len(), 2 | 3) && code.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// `T` and four digits, with `.` and three digits for a sub-technique.
pub(super) fn is_technique(id: &str) -> bool {
    let digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let (technique, sub) = id.split_once('.').map_or((id, None), |(technique, sub)| (technique, Some(sub)));
    technique.strip_prefix('T').is_some_and(|number| digits(number, 4))
        && sub.is_none_or(|sub| digits(sub, 3))
}

fn anchors(rule: &Rule) -> Vec<RuleFault> {
    if let Detection::Detector(_) = rule.detection {
        return Vec::new();
    }
    if rule.anchorless {
        let extra = (!rule.anchors.is_empty()).then(|| {
            RuleFault::of(rule, "anchor-unused", "an anchorless rule runs everywhere and needs no anchors")
        });
        return extra.into_iter().collect();
    }
    let short = rule.anchors.iter().filter(|anchor| anchor.len() < SHORTEST_ANCHOR);
    let mut faults: Vec<_> = short
        .map(|anchor| {
            RuleFault::of(rule, "anchor-short", format!("the anchor `{anchor}` stands in every text"))
                .with_help(format!("take {SHORTEST_ANCHOR} characters or more, four if you can"))
        })
        .collect();
    if anchors_hold(rule) {
        faults.extend(unused_anchors(rule));
    } else {
        faults.push(anchors_prove_nothing(rule));
    }
    faults
}

fn anchors_prove_nothing(rule: &Rule) -> RuleFault {
    let anchors = literals::lower_cased(&rule.anchors);
    let holds =
        |text: &&String| !pattern::parse(text).is_ok_and(|hir| literals::every_match_holds(&hir, &anchors));
    let culprit = rule.detection.patterns().iter().find(holds).map_or("", String::as_str);
    let derived = pattern::parse(culprit).ok().and_then(|hir| literals::derive(&hir));
    let texts = derived.map(|all| {
        let quoted = all.iter().map(|text| format!("`{}`", String::from_utf8_lossy(text)));
        quoted.collect::<Vec<_>>().join(", ")
    });
    let help = texts.map_or_else(
        || "no literal stands in every match of it; make one, or set `anchorless = true`".to_owned(),
        |texts| format!("every match of it holds one of {texts}; \\s+ between words may be a line break"),
    );
    RuleFault::of(rule, "anchor-missed", format!("`{}` can match without any of the anchors", short(culprit)))
        .with_help(help)
}

/// Anchors that can go without losing the proof: each costs a run of the patterns wherever it stands.
fn unused_anchors(rule: &Rule) -> Option<RuleFault> {
    let kept = needed_anchors(rule);
    let unused: Vec<_> =
        rule.anchors.iter().filter(|anchor| !kept.contains(anchor)).map(String::as_str).collect();
    let message = format!("every match holds an anchor without `{}`", unused.join("`, `"));
    let fault = || RuleFault::of(rule, "anchor-unused", message).with_help(format!("anchors = {kept:?}"));
    (!unused.is_empty()).then(fault)
}

/// The anchors of a rule without those that can go: the shortest go first.
pub(super) fn needed_anchors(rule: &Rule) -> Vec<String> {
    let mut kept = rule.clone();
    let mut shortest_first: Vec<_> = rule.anchors.iter().collect();
    shortest_first.sort_by_key(|anchor| anchor.len());
    for anchor in shortest_first {
        let fewer: Vec<_> = kept.anchors.iter().filter(|other| *other != anchor).cloned().collect();
        let with_all = std::mem::replace(&mut kept.anchors, fewer);
        if kept.anchors.is_empty() || !anchors_hold(&kept) {
            kept.anchors = with_all;
        }
    }
    kept.anchors
}

fn pattern_faults(rule: &Rule, text: &str) -> Vec<RuleFault> {
    let Ok(hir) = pattern::parse(text) else { return Vec::new() };
    let mut faults = Vec::new();
    if text.len() > LONGEST_PATTERN {
        faults.push(RuleFault::of(
            rule,
            "pattern-size",
            format!("a pattern is longer than {LONGEST_PATTERN} bytes"),
        ));
    }
    let reach = Reach::of(&hir);
    if has_open_gap(&hir) || (reach.bytes.is_none() && reach.lines.is_none()) {
        faults.push(
            RuleFault::of(rule, "unbounded-gap", format!("`{}` has a gap without an end", short(text)))
                .with_help(r"bound what can run over words: [^\n]{0,200} instead of .* or [^x]*"),
        );
    }
    faults
}

/// A pattern cut to what fits in a message.
fn short(pattern: &str) -> String {
    let mut short: String = pattern.chars().take(80).collect();
    if short.len() < pattern.len() {
        short.push('…');
    }
    short
}

/// True where something that runs over words is repeated without a bound, or nearly so.
fn has_open_gap(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Repetition(repetition) => is_open_gap(repetition) || has_open_gap(&repetition.sub),
        HirKind::Capture(capture) => has_open_gap(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_open_gap),
        _ => false,
    }
}

fn is_open_gap(repetition: &Repetition) -> bool {
    let runs_over_words = match repetition.sub.kind() {
        HirKind::Class(class) => pattern::holds(class, b' ') && pattern::holds(class, b'e'),
        _ => false,
    };
    runs_over_words && repetition.max.is_none_or(|max| max > LONGEST_GAP)
}

fn detector(rule: &Rule, code: &str) -> Option<RuleFault> {
    if DETECTORS.iter().any(|(known, _)| *known == code) {
        return None;
    }
    let near = crate::base::nearest(code, DETECTORS.iter().map(|(known, _)| *known));
    let fault = RuleFault::of(rule, "detector", format!("there is no detector `{code}`"));
    Some(near.map_or(fault.clone(), |near| fault.with_help(format!("did you mean `{near}`?"))))
}

fn examples(rule: &Rule) -> Option<RuleFault> {
    let counts = (rule.examples.matching.len(), rule.examples.clean.len());
    (counts.0 < FEWEST_EXAMPLES || counts.1 < FEWEST_EXAMPLES).then(|| {
        let message = format!("it has {} `match` and {} `no_match` examples", counts.0, counts.1);
        RuleFault::of(rule, "few-examples", message)
            .with_help(format!("give {FEWEST_EXAMPLES} of each or more"))
    })
}

/// Two rules with one title, one pattern or one detector are one rule.
fn duplicates(rules: &RuleSet) -> Vec<RuleFault> {
    let mut titles = BTreeMap::new();
    let mut detections = BTreeMap::new();
    let mut faults = Vec::new();
    for rule in rules.iter() {
        if let Some(first) = titles.insert(rule.title.to_lowercase(), &rule.id) {
            faults.push(RuleFault::of(rule, "duplicate-title", format!("{first} has the same title")));
        }
        if let Detection::All { .. } = rule.detection {
            continue;
        }
        let code = match &rule.detection {
            Detection::Detector(code) => vec![code],
            any => any.patterns().iter().collect(),
        };
        for text in code {
            if let Some(first) = detections.insert(text, &rule.id) {
                faults.push(RuleFault::of(
                    rule,
                    "duplicate-pattern",
                    format!("{first} has `{}` too", short(text)),
                ));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use crate::gate::rules::RuleSet;
    use crate::gate::rules::tests::rule_text;

    #[track_caller]
    fn check(lines: &str, expected: &[&str]) {
        let enough = "examples = { match = ['a', 'b'], no_match = ['c', 'd'] }\n";
        let examples = if lines.contains("examples") { "" } else { enough };
        let text = rule_text(&format!("{examples}{lines}"));
        let rules = RuleSet::from_sources([("t.toml", text.as_str())]).unwrap();
        let codes: Vec<_> = rules.lint().iter().map(|fault| fault.code).collect();
        assert_eq!(codes, expected, "{lines}: {:?}", rules.lint());
    }

    #[test]
    fn sound_rules_are_left_alone() {
        check(r"any = ['curl\s+\S+[^\n]{0,200}x']", &[]);
        check("anchors = ['curl', 'wget']\nany = ['(?:curl|wget) -d']\nattack = ['T1048', 'T1048.003']", &[]);
        check("anchorless = true\nany = ['[0-9a-f]{40}']", &[]);
        check("detector = 'polyglot'", &[]);
    }

    #[test]
    fn each_weakness_has_its_code() {
        check("anchors = ['wget']\nany = ['curl']", &["anchor-missed"]);
        check("anchors = ['do not']\nany = ['do\\s+not']", &["anchor-missed"]);
        check("anchors = ['curl', 'url']\nany = ['curl -d']", &["anchor-unused"]);
        check("anchors = ['-d']\nany = ['curl -d']", &["anchor-short"]);
        check("anchorless = true\nanchors = ['curl']\nany = ['curl']", &["anchor-unused"]);
        check("any = ['curl.*sh']", &["unbounded-gap"]);
        check("any = ['curl[^|]*sh']", &["unbounded-gap"]);
        check("any = ['curl[^|]{0,5000}sh']", &["unbounded-gap"]);
        check("any = ['curl']\nexamples = { match = ['curl'], no_match = [] }", &["few-examples"]);
        check("any = ['curl']\nattack = ['T48', 'T1048.3']", &["attack-id", "attack-id"]);
        check("any = ['curl']\nlanguages = ['de', 'German']", &["language"]);
        check("any = ['curl']\nscope = []", &["nowhere"]);
        check("detector = 'poliglot'", &["detector"]);
        check(&format!("title = '{}'\nany = ['curl']", "t".repeat(101)), &["title"]);
    }

    #[test]
    fn two_rules_are_not_one() {
        let text = rule_text("any = ['curl']") + &rule_text("id = 'EXFIL-002'\nany = ['wget', 'curl']");
        let codes: Vec<_> = RuleSet::from_sources([("t.toml", text.as_str())])
            .unwrap()
            .lint()
            .iter()
            .map(|f| f.code)
            .collect();
        assert_eq!(codes, ["few-examples", "few-examples", "duplicate-title", "duplicate-pattern"]);
    }
}
