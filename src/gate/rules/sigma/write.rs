//! The rule file of an imported rule. What is written has been read back, run and linted.

use toml::Value;

use super::Translation;
use super::document::SigmaRule;
use super::examples::Candidates;
use super::render::Draft;
use crate::gate::rules::definition::{Detection, Within};
use crate::gate::rules::{Category, RuleId, RuleSet, examples, lint};

/// The longest title, with room for a number behind it.
const LONGEST_TITLE: usize = 92;
/// The name under which a rule is read back.
const FILE: &str = "imported.toml";
/// ATT&CK's tactics by their names in Sigma tags, where they are not named like a category.
const TACTICS: &[(&str, &str)] = &[("stealth", "defense-evasion"), ("defense-impairment", "defense-evasion")];

/// What Sigma rules say of honest uses where they know none.
const NO_USE: &[&str] = &["unknown", "unlikely", "none"];

/// The rule file of all drafts of one Sigma rule.
pub(super) fn rules(
    sigma: &SigmaRule,
    drafts: Vec<Draft>,
    losses: Vec<String>,
) -> Result<Translation, String> {
    let mut translation =
        Translation { rules: Vec::new(), toml: String::new(), losses, derived: 0, wanting: 0 };
    for (at, draft) in drafts.into_iter().enumerate() {
        let id = id(sigma, at)?;
        let head = head(sigma, &id, at, &draft.detection, !translation.losses.is_empty());
        let source = source(sigma, !translation.losses.is_empty());
        let bare = read(&format!("{head}{source}"))?;
        let alone = bare.only(&id);
        let rule = bare.get(&id).ok_or("it cannot be read back")?;
        let anchors = format!("anchors = {}\n", list(&lint::needed_anchors(rule)));
        let texts = draft.candidates.keep(|text| examples::is_hit(rule, &alone, text));
        translation.derived += texts.matching.len() + texts.clean.len();
        translation.wanting += lint::FEWEST_EXAMPLES.saturating_sub(texts.matching.len())
            + lint::FEWEST_EXAMPLES.saturating_sub(texts.clean.len());
        translation.toml += &[&*head, &*anchors, &written_examples(&texts), &*source, "\n"].concat();
        translation.rules.push(id);
    }
    let complaints = read(&translation.toml)?.lint();
    let grave = complaints.iter().find(|fault| fault.code != "few-examples");
    grave.map_or(Ok(translation), |fault| Err(format!("the rule made of it has a fault: {}", fault.message)))
}

fn read(toml: &str) -> Result<RuleSet, String> {
    RuleSet::from_sources([(FILE, toml)]).map_err(|errors| {
        let first = errors.0.first().map(|fault| fault.message.clone());
        format!("the rule made of it has a fault: {}", first.unwrap_or_default())
    })
}

/// An id that follows from the Sigma rule's own, so that it is the same after each import.
fn id(sigma: &SigmaRule, at: usize) -> Result<RuleId, String> {
    let digits: String = sigma.id.chars().filter(char::is_ascii_hexdigit).take(8).collect();
    let number = u32::from_str_radix(&digits, 16).map_err(|_| format!("`{}` is no UUID", sigma.id))?;
    let part = if at == 0 { String::new() } else { format!("{at:02}") };
    format!("SIG-{number:010}{part}").parse().map_err(|error| format!("{error}"))
}

fn head(sigma: &SigmaRule, id: &RuleId, at: usize, detection: &Detection, is_lossy: bool) -> String {
    let part = if at == 0 { String::new() } else { format!(" ({})", at + 1) };
    let title: String = sigma.title.chars().take(LONGEST_TITLE).collect();
    let (severity, confidence) = weight(sigma, is_lossy);
    let mut toml = String::from("[[rule]]\n");
    let mut line = |key: &str, value: &str| toml += &[key, " = ", value, "\n"].concat();
    line("id", &quoted(id.as_str()));
    line("title", &quoted(&format!("{title}{part}")));
    line("description", &quoted(&sigma.description));
    line("remediation", &quoted(&remediation(sigma)));
    line("category", &quoted(category(sigma).name()));
    line("attack", &list(&techniques(sigma)));
    line("severity", &quoted(severity));
    line("confidence", &quoted(confidence));
    match detection {
        Detection::Any(patterns) => line("any", &list(patterns)),
        Detection::All { patterns, within } => {
            line("all", &list(patterns));
            let near = match within {
                Within::Characters(count) => count.to_string(),
                Within::Line => quoted("line"),
                Within::Block => quoted("block"),
            };
            line("within", &near);
        }
        Detection::Detector(code) => line("detector", &quoted(code)),
    }
    if !sigma.references.is_empty() {
        line("references", &list(&sigma.references));
    }
    line("status", &quoted("experimental"));
    toml
}

fn source(sigma: &SigmaRule, is_lossy: bool) -> String {
    format!(
        "[rule.source]\nkind = \"sigma\"\nid = {}\nauthor = {}\nlicence = {}\nmodified = false\nlossy = {is_lossy}\n",
        quoted(&sigma.id),
        quoted(&sigma.author),
        quoted(&sigma.licence),
    )
}

fn written_examples(texts: &Candidates) -> String {
    format!("[rule.examples]\nmatch = {}\nno_match = {}\n", list(&texts.matching), list(&texts.clean))
}

/// Severity by level; confidence by how long the Sigma rule has stood, and by how much of it is left.
fn weight(sigma: &SigmaRule, is_lossy: bool) -> (&'static str, &'static str) {
    let severity = match sigma.level.as_str() {
        "informational" => "info",
        "low" => "low",
        "high" => "high",
        "critical" => "critical",
        _ => "medium",
    };
    let is_proven = matches!(sigma.status.as_str(), "stable" | "test") && !is_lossy;
    (severity, if is_proven { "medium" } else { "low" })
}

fn remediation(sigma: &SigmaRule) -> String {
    let says_nothing = |text: &&String| NO_USE.iter().any(|word| text.eq_ignore_ascii_case(word));
    let uses: Vec<_> = sigma.honest_uses.iter().filter(|text| !says_nothing(text)).collect();
    match uses.as_slice() {
        [] => "Do without it, or say in the skill why the task needs it.".to_owned(),
        uses => {
            let named: Vec<_> = uses.iter().map(|text| text.trim_end_matches('.')).collect();
            format!(
                "Do without it, or say in the skill why the task needs it. Honest uses: {}.",
                named.join("; ")
            )
        }
    }
}

fn category(sigma: &SigmaRule) -> Category {
    let tactics = sigma
        .tags
        .iter()
        .filter_map(|tag| tag.to_ascii_lowercase().strip_prefix("attack.").map(str::to_owned));
    let named = |tactic: String| {
        let name = tactic.replace('_', "-");
        let name = TACTICS.iter().find(|(sigma, _)| *sigma == name).map_or(name.as_str(), |(_, ours)| *ours);
        Category::named(name)
    };
    // Most command lines are some kind of execution, so another tactic says more.
    let mut categories: Vec<_> = tactics.filter_map(named).collect();
    categories.sort_by_key(|category| category.name() == Category::EXECUTION.name());
    categories.first().copied().unwrap_or(Category::EXECUTION)
}

fn techniques(sigma: &SigmaRule) -> Vec<String> {
    let ids = sigma.tags.iter().filter_map(|tag| tag.strip_prefix("attack.").map(str::to_ascii_uppercase));
    ids.filter(|id| lint::is_technique(id)).collect()
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
    match quoted.as_slice() {
        [] | [_] => format!("[{}]", quoted.join("")),
        _ => format!("[\n  {},\n]", quoted.join(",\n  ")),
    }
}

/// A TOML string, which `toml` writes with the quotes that fit.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
