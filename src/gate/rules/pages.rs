//! The reference of the rules as Markdown: a page for each category and one that lists them.
//!
//! Everything on a page comes from the rules, so a page that differs from what is written here is out of date
//! (tests/rule_pages.rs). Examples are attackers' words: they stand in fences that they cannot close.

use std::fmt::Write as _;

use super::definition::{Detection, Rule, Source, Status};
use super::load::VIEWS;
use super::stats::{Counts, Stats};
use super::{Category, RuleSet};
use crate::gate::context::{Scope, Scopes};

/// What stands at the head of each page.
const NOTE: &str = "<!-- Written by `skillgate rules docs`; changes belong in the files under rules/. -->";

/// A page: its file name and its text.
pub type Page = (String, String);

/// All pages, the list of categories first.
pub fn pages(rules: &RuleSet) -> Vec<Page> {
    let stats = Stats::of(rules);
    let mut pages = vec![("README.md".to_owned(), index(&stats))];
    for (category, counts) in &stats.categories {
        let of_it: Vec<_> = rules.iter().filter(|rule| rule.category == *category).collect();
        pages.push((format!("{category}.md"), page(*category, counts, &of_it)));
    }
    pages
}

fn index(stats: &Stats) -> String {
    let mut text = format!(
        "{NOTE}\n\n# Rules\n\nWhat SkillGate looks for. A rule says where to look, never what it means: the judge decides. How \
         rules are written: [rules/README.md](../../rules/README.md).\n\n| category | rules | about |\n| --- | ---: | --- |\n"
    );
    for (category, counts) in &stats.categories {
        let _ = writeln!(
            text,
            "| [{category}]({category}.md) | {} | {} |",
            counts.all(),
            plain(category.about())
        );
    }
    let (all, sigma) = (stats.total.all(), stats.total.sigma);
    let _ = writeln!(text, "\n{all} rules, {sigma} of them from Sigma.");
    text
}

fn page(category: Category, counts: &Counts, rules: &[&Rule]) -> String {
    let mut text =
        format!("{NOTE}\n\n# {category}\n\n{} rules about {}.\n\n", counts.all(), plain(category.about()));
    text.push_str("| id | severity | what |\n| --- | --- | --- |\n");
    for rule in rules {
        let id = rule.id.as_str();
        let _ = writeln!(
            text,
            "| [{id}](#{}) | {} | {} |",
            id.to_ascii_lowercase(),
            rule.severity,
            plain(&rule.title)
        );
    }
    for rule in rules {
        text.push_str(&section(rule));
    }
    text
}

fn section(rule: &Rule) -> String {
    let mut text =
        format!("\n## {}\n\n**{}**\n\n{}\n\n", rule.id, plain(&rule.title), plain(&rule.description));
    let _ = writeln!(text, "Instead: {}\n", plain(&rule.remediation));
    let facts = facts(rule);
    let _ = writeln!(text, "{}", facts.join("; "));
    if let Detection::Detector(code) = &rule.detection {
        let _ = writeln!(text, "\nFound by the detector `{code}`.");
    }
    examples(&mut text, "Matches", &rule.examples.matching);
    examples(&mut text, "Leaves alone", &rule.examples.clean);
    if let Source::Sigma { id, author, licence, lossy, .. } = &rule.source {
        let lossy = if *lossy { ", some conditions left out" } else { "" };
        let _ = writeln!(text, "\nFrom Sigma {id} by {} ({licence}{lossy}).", plain(author));
    }
    if !rule.references.is_empty() {
        let links: Vec<_> = rule.references.iter().map(|link| format!("<{link}>")).collect();
        let _ = writeln!(text, "\nSee {}", links.join(", "));
    }
    text
}

/// What a person weighs a hit by, in a line.
fn facts(rule: &Rule) -> Vec<String> {
    let mut facts = vec![format!("severity {}, confidence {}", rule.severity, rule.confidence.name())];
    if !rule.attack.is_empty() {
        let links = rule
            .attack
            .iter()
            .map(|id| format!("[{id}](https://attack.mitre.org/techniques/{}/)", id.replace('.', "/")));
        facts.push(format!("ATT&CK {}", links.collect::<Vec<_>>().join(", ")));
    }
    if !rule.languages.is_empty() {
        facts.push(format!("languages {}", rule.languages.join(", ")));
    }
    if rule.scope != Scopes::ANY {
        facts.push(format!("in {}", rule.scope.iter().map(Scope::name).collect::<Vec<_>>().join(", ")));
    }
    if rule.views != VIEWS {
        let names: Vec<_> = rule.views.iter().map(|view| view.name()).collect();
        facts.push(format!("views {}", names.join(", ")));
    }
    if rule.status != Status::Stable {
        facts.push(rule.status.name().to_owned());
    }
    facts
}

fn examples(text: &mut String, name: &str, examples: &[String]) {
    if examples.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{name}:\n");
    let fence = fence(examples);
    let _ = writeln!(text, "{fence}text");
    for example in examples {
        let _ = writeln!(text, "{}", visible(example));
    }
    let _ = writeln!(text, "{fence}");
}

/// More backticks than stand in a row in any of the texts.
fn fence(texts: &[String]) -> String {
    let longest = |text: &String| text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(texts.iter().map(longest).max().unwrap_or(0).max(2) + 1)
}

/// A text of several lines with what cannot be seen as escapes.
fn visible(text: &str) -> String {
    text.lines().map(crate::base::printable).collect::<Vec<_>>().join("\n")
}

/// Text without a meaning in Markdown.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in crate::base::printable(text).chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~') {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::pages;
    use crate::gate::rules::RuleSet;
    use crate::gate::rules::tests::rule_text;

    #[test]
    fn what_attackers_write_stays_in_its_fence() {
        let lines = "title = 'A <b> | *thing*'\nany = ['curl']\n\
            examples = { match = [\"```\\ncurl\\u202e\", 'curl'], no_match = ['a', 'b'] }";
        let text = rule_text(lines);
        let rules = RuleSet::from_sources([("t.toml", text.as_str())]).unwrap();
        let pages = pages(&rules);
        let (name, page) = &pages[1];
        assert_eq!((name.as_str(), pages.len()), ("exfiltration.md", 2));
        assert!(page.contains("````text\n```\ncurl\\u{202e}\ncurl\n````"), "{page}");
        assert!(page.contains(r"A \<b\> \| \*thing\*"), "{page}");
    }
}
