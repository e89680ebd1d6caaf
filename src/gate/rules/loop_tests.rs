//! The engine gives what a plain loop over all patterns gives (rules.md, engine).

use std::collections::BTreeMap;

use proptest::prelude::{Strategy, prop_oneof};
use proptest::sample::select;
use regex::bytes::{Regex, RegexBuilder};

use super::RuleSet;
use super::definition::{Detection, Rule, Within};
use super::program::{near, whole_characters, without_overlaps};
use super::tests::rule_text;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::context::Scopes;

/// Rules of every shape: bounded and open reach, several patterns, distances, lines, blocks, no anchors.
const SHAPES: &[&str] = &[
    "any = ['(?i)\\bcurl\\s+-d\\b']",
    "any = ['curl[^\\n]{0,12}\\|\\s*sh', 'wget \\S+']",
    "any = ['ab+a', 'b{2,3}']\nanchors = ['aba', 'abb', 'bb']",
    "any = ['(?s)eval.{0,9}\\)']",
    "any = ['(?m)^\\s*curl$', '(?i)EVAL\\s*\\(\\s*key']",
    "all = ['send', 'key\\w*']\nwithin = 7\nanchors = ['key']",
    "all = ['(?i)send', 'key', 'curl']\nwithin = 'line'",
    "all = ['send\\s+key', '\\beval\\b']\nwithin = 'block'",
    "all = ['send', '[k-y]+', '[a-e ]{2,3}x?', '\\d+']\nwithin = 6\nanchors = ['send']",
    "anchorless = true\nany = ['[0-9]{3}']",
    "anchorless = true\nall = ['[0-9]+', '[a-c]{2}']\nwithin = 4",
    "any = ['é.x', 'curl é']\nanchors = ['é']",
];

fn shapes() -> RuleSet {
    let texts: Vec<_> = (1..)
        .zip(SHAPES)
        .map(|(number, lines)| rule_text(&format!("id = 'EXFIL-{number:03}'\n{lines}")))
        .collect();
    RuleSet::from_sources([("t.toml", texts.concat().as_str())]).unwrap()
}

/// Texts put together from what the patterns are about.
fn texts() -> impl Strategy<Value = String> {
    let words = [
        "curl",
        "CURL",
        "curl -d",
        "wget x",
        "send",
        "key",
        "keys",
        "eval",
        "EVAL(",
        ")",
        "| sh",
        "|",
        "ab",
        "abb",
        "bba",
        "12",
        "345",
        " ",
        "  ",
        "\n",
        "\n\n",
        " \\\n",
        "\r\n",
        "\t",
        "é",
        "éx",
        "文",
        "x",
        "-d",
        "\u{200b}",
        "ſend",
        "curl é文x",
    ];
    let piece = prop_oneof![8 => select(words.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,4}"];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn found(rules: &RuleSet, text: &str) -> BTreeMap<usize, Vec<Span>> {
    let mut found = BTreeMap::new();
    rules.find(text, ViewKind::Raw, Scopes::ANY, |number, hits| {
        found.insert(number, hits);
    });
    found
}

/// Every pattern over the whole text, with another matcher and no literals.
fn looped(rules: &RuleSet, text: &str) -> BTreeMap<usize, Vec<Span>> {
    let hits = rules.iter().map(|rule| by_hand(rule, text)).enumerate();
    hits.filter(|(_, hits)| !hits.is_empty()).collect()
}

fn by_hand(rule: &Rule, text: &str) -> Vec<Span> {
    let compiled = |pattern: &String| RegexBuilder::new(pattern).unicode(false).build().unwrap();
    let patterns: Vec<Regex> = rule.detection.patterns().iter().map(compiled).collect();
    without_overlaps(match rule.detection {
        Detection::All { within, .. } => together(rule, &patterns, within, text),
        _ => sorted(patterns.iter().flat_map(|pattern| matches(pattern, text)).collect()),
    })
}

fn sorted(mut hits: Vec<Span>) -> Vec<Span> {
    hits.sort_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end)));
    hits
}

fn matches(pattern: &Regex, text: &str) -> Vec<Span> {
    let matches = pattern.find_iter(text.as_bytes());
    matches.map(|found| whole_characters(text, Span::new(found.start(), found.end()))).collect()
}

fn together(rule: &Rule, patterns: &[Regex], within: Within, text: &str) -> Vec<Span> {
    let is_pivot = |pattern: &Regex| rule.anchors.iter().any(|anchor| holds(pattern, anchor));
    let pivot = patterns.iter().position(is_pivot).unwrap_or(0);
    let pivots = matches(&patterns[pivot], text);
    let mut hits: Vec<_> = pivots.iter().map(|hit| Some(*hit)).collect();
    for (_, other) in patterns.iter().enumerate().filter(|(number, _)| *number != pivot) {
        let mut found: Vec<Span> = Vec::new();
        let mut from = 0;
        for (hit, pivot) in hits.iter_mut().zip(&pivots).filter(|(hit, _)| hit.is_some()) {
            let place = near(text, *pivot, within);
            from = from.max(place.start);
            while let Some(next) = other.find_at(text.as_bytes(), from.min(text.len())) {
                if next.start() > place.end {
                    break;
                }
                found.push(Span::new(next.start(), next.end()));
                from = next.end();
            }
            let inside = found.iter().filter(|span| place.start <= span.start && span.start <= place.end);
            let gap =
                |span: &&Span| span.start.saturating_sub(pivot.end) + pivot.start.saturating_sub(span.end);
            let nearest = inside.min_by_key(gap).map(|span| whole_characters(text, *span));
            *hit = hit.zip(nearest).map(|(all, span)| all.join(span));
        }
    }
    hits.into_iter().flatten().collect()
}

/// True where the anchor is what the pattern is written around.
fn holds(pattern: &Regex, anchor: &str) -> bool {
    pattern.as_str().to_lowercase().contains(anchor)
}

proptest::proptest! {
    #[test]
    fn windows_lose_nothing(text in texts()) {
        let rules = shapes();
        proptest::prop_assert_eq!(found(&rules, &text), looped(&rules, &text));
    }

    #[test]
    fn no_text_harms_the_compiled_in_rules(text in "(?s).{0,300}") {
        found(RuleSet::builtin(), &text);
    }
}

#[test]
fn every_example_is_found_by_loop_and_by_windows_alike() {
    let rules = RuleSet::builtin();
    let examples = rules.iter().flat_map(|rule| rule.examples.matching.iter().chain(&rule.examples.clean));
    let text = examples.fold(String::new(), |all, example| all + example + "\n");
    assert_eq!(found(rules, &text), looped_by_program(rules, &text));
}

/// The compiled-in rules are too many for the loop above on every text; their own patterns over the whole text do.
fn looped_by_program(rules: &RuleSet, text: &str) -> BTreeMap<usize, Vec<Span>> {
    // The text is taken as raw, so a rule that is only for other views hits nothing in it.
    let for_raw = rules.iter().enumerate().filter(|(_, rule)| rule.views.contains(&ViewKind::Raw));
    for_raw
        .map(|(number, _)| (number, rules.find_everywhere(number, text)))
        .filter(|(_, hits)| !hits.is_empty())
        .collect()
}
