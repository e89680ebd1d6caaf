//! From a document to its hits: every rule over every view of every part (papers/skillgate.txt III-B).
//!
//! A hit in the normalised, decoded, hidden or assembled view that the raw view gave already (same rule, same place) is
//! the same hit and not reported again. Nothing is cut off before windows are chosen; only what is beyond [`Kept`] is
//! counted instead of kept. Time is linear in the document, and what hits take is bounded whatever its size. Detectors
//! report through the rules that bear their codes; a detector without a rule says nothing.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::context::{Blocks, Context, Scopes};
use super::hit::excerpt;
use super::rules::{Rule, RuleId, RuleSet};
use super::views::detectors::{self, StructuralHit};
use super::views::{self, View};
use super::{Document, Hit, Part, ViewKind};
use crate::base::Span;

/// Hits of one rule in one document that are kept; more are counted.
pub const MOST_OF_RULE: usize = 10_000;

/// Hits of one document that are kept, whatever the rule; more are counted.
pub const MOST_STORED: usize = 20_000;

/// Hits that are kept of every rule all the same, so that many of one kind crowd out none of another.
pub const FEWEST_OF_RULE: usize = 50;

/// Characters of a match that a hit keeps.
const LONGEST_MATCH: usize = 200;

/// What the prefilter found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The hits in order of part, place, rule and view.
    pub hits: Vec<Hit>,
    /// Hits that were counted and not kept.
    pub surplus: Vec<Surplus>,
    /// Indexes of the parts that carry more than was decoded: more layers, or more text.
    pub undecoded: Vec<usize>,
}

/// Hits of one rule that are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surplus {
    /// The rule.
    pub rule: RuleId,
    /// Index of the part in which the first of them is.
    pub part: usize,
    /// How many more there are.
    pub hits: usize,
}

/// Runs the rules over a document.
pub fn scan(document: &Document, rules: &RuleSet) -> Scan {
    let views: Vec<Vec<View<'_>>> = document.parts.iter().map(views::of).collect();
    let places: Vec<_> = document.parts.iter().map(Places::of).collect();
    let mut scan = Scan::default();
    let mut kept = Kept::default();
    for (part, (views, places)) in views.iter().zip(&places).enumerate() {
        let scopes = Blocks::scopes_within(document.parts[part].role);
        let mut part = PartScan { rules, part, places, shown: BTreeSet::new() };
        for view in views {
            let keep = |number, spans: Vec<Span>| part.keep(number, &spans, view, &mut kept, &mut scan.hits);
            rules.find(&view.text, view.kind, scopes, keep);
        }
    }
    for hit in detectors::run(document, &views) {
        let Some(number) = rules.of_detector(hit.code).filter(|number| kept.takes(*number, hit.part)) else {
            continue;
        };
        let context = places.get(hit.part).map(|places| places.blocks().context(hit.span));
        scan.hits.push(structural_hit(hit, context.unwrap_or_default(), rules.numbered(number)));
    }
    scan.surplus = kept.surplus(rules);
    let undecoded = views.iter().enumerate().filter(|(_, views)| views.iter().any(View::is_cut));
    scan.undecoded = undecoded.map(|(part, _)| part).collect();
    scan.hits.sort_by(|a, b| order(a).cmp(&order(b)));
    scan
}

fn order(hit: &Hit) -> (usize, Span, &RuleId, ViewKind) {
    (hit.part, hit.span, &hit.rule, hit.view)
}

/// How many hits are kept, of each rule and in all, and how many are not.
#[derive(Default)]
struct Kept {
    of_rule: BTreeMap<usize, usize>,
    all: usize,
    /// By rule the part of the first that is not kept, and how many they are.
    beyond: BTreeMap<usize, (usize, usize)>,
}

impl Kept {
    /// Counts a hit, and tells whether it is kept.
    fn takes(&mut self, rule: usize, part: usize) -> bool {
        let of_rule = self.of_rule.entry(rule).or_default();
        let is_kept = *of_rule < FEWEST_OF_RULE || (*of_rule < MOST_OF_RULE && self.all < MOST_STORED);
        if is_kept {
            *of_rule += 1;
            self.all += 1;
        } else {
            self.beyond.entry(rule).or_insert((part, 0)).1 += 1;
        }
        is_kept
    }

    fn surplus(&self, rules: &RuleSet) -> Vec<Surplus> {
        let surplus = |(number, (part, hits)): (&usize, &(usize, usize))| Surplus {
            rule: rules.numbered(*number).id.clone(),
            part: *part,
            hits: *hits,
        };
        self.beyond.iter().map(surplus).collect()
    }
}

/// What stands around the places of a part, read when the first hit asks.
struct Places<'a> {
    part: &'a Part,
    blocks: OnceCell<Blocks<'a>>,
}

impl<'a> Places<'a> {
    const fn of(part: &'a Part) -> Self {
        Self { part, blocks: OnceCell::new() }
    }

    fn blocks(&self) -> &Blocks<'a> {
        self.blocks.get_or_init(|| Blocks::of(self.part))
    }
}

/// The scan of one part.
struct PartScan<'a> {
    rules: &'a RuleSet,
    part: usize,
    places: &'a Places<'a>,
    /// Rule and place of every hit that is kept and needed no decoding.
    shown: BTreeSet<(usize, Span)>,
}

impl PartScan<'_> {
    fn keep(&mut self, number: usize, spans: &[Span], view: &View<'_>, kept: &mut Kept, hits: &mut Vec<Hit>) {
        for span in spans.iter().map(|span| from_its_line(&view.text, *span)) {
            let place = view.to_part(span);
            if !self.fits(number, place) || self.shown.contains(&(number, place)) {
                continue;
            }
            if kept.takes(number, self.part) {
                if view.layers.is_empty() {
                    self.shown.insert((number, place));
                }
                hits.push(self.hit(number, span, place, view));
            }
        }
    }

    /// True where the rule applies to the place.
    fn fits(&self, number: usize, place: Span) -> bool {
        let scope = self.rules.numbered(number).scope;
        scope == Scopes::ANY || scope.meets(self.places.blocks().scope_of(place.start))
    }

    fn hit(&self, number: usize, span: Span, place: Span, view: &View<'_>) -> Hit {
        let rule = self.rules.numbered(number);
        let is_accident = self.rules.is_accident(number, &view.text, span);
        let shown = if view.kind == ViewKind::Raw { String::new() } else { excerpt(&view.text, span) };
        Hit {
            rule: rule.id.clone(),
            category: rule.category.name().to_owned(),
            severity: if is_accident { rule.severity.milder() } else { rule.severity },
            view: view.kind,
            layers: view.layers.iter().map(ToString::to_string).collect(),
            part: self.part,
            span: place,
            matched: span.of(&view.text).unwrap_or_default().chars().take(LONGEST_MATCH).collect(),
            excerpt: shown,
            context: self.places.blocks().context(place),
        }
    }
}

/// A match without the line breaks that it begins with, and the blanks about them: what it is about stands behind them,
/// and may stand in another block.
fn from_its_line(text: &str, span: Span) -> Span {
    let matched = span.of(text).unwrap_or_default();
    let rest = matched.trim_start();
    let blanks = &matched[..matched.len() - rest.len()];
    if rest.is_empty() || !blanks.contains('\n') {
        span
    } else {
        Span::new(span.start + blanks.len(), span.end)
    }
}

fn structural_hit(found: StructuralHit, context: Context, rule: &Rule) -> Hit {
    let decoded = if found.layers.is_empty() { String::new() } else { format!(": {}", found.matched) };
    Hit {
        rule: rule.id.clone(),
        category: rule.category.name().to_owned(),
        severity: rule.severity,
        view: found.view,
        layers: found.layers.iter().map(ToString::to_string).collect(),
        part: found.part,
        span: found.span,
        excerpt: found.detail + &decoded,
        matched: found.matched,
        context,
    }
}

#[cfg(test)]
mod tests {
    use super::{FEWEST_OF_RULE, MOST_OF_RULE, MOST_STORED, Scan, scan};
    use crate::base::{Digest, Span};
    use crate::gate::rules::RuleSet;
    use crate::gate::rules::tests::rule_text;
    use crate::gate::{Document, Kind, Part, Role, ViewKind};

    fn scanned(lines: &str, text: &str) -> Scan {
        let rules = RuleSet::from_sources([("t.toml", rule_text(lines).as_str())]).unwrap();
        let part = Part { path: "SKILL.md".to_owned(), role: Role::Instructions, text: text.into() };
        let document = Document {
            kind: Kind::Package,
            name: "t".to_owned(),
            description: String::new(),
            digest: Digest::of_bytes(text.as_bytes()),
            bytes: text.len() as u64,
            parts: vec![part],
            unread: Vec::new(),
            anomalies: Vec::new(),
        };
        scan(&document, &rules)
    }

    #[test]
    fn a_hit_of_two_views_is_reported_once() {
        let hits = scanned("any = ['curl']", "ﬁle; curl; ｃurl").hits;
        let places: Vec<_> = hits.iter().map(|hit| (hit.view, hit.span)).collect();
        assert_eq!(places, [(ViewKind::Raw, Span::new(7, 11)), (ViewKind::Normalised, Span::new(13, 19))]);
        assert_eq!(hits[1].matched, "curl");
        assert!(hits[1].excerpt.starts_with("file; curl"));
    }

    #[test]
    fn a_match_that_begins_with_a_line_break_stands_where_its_words_do() {
        let starts = |text: &str| -> Vec<_> {
            let hits = scanned(r"any = ['(?:^|\s+|;)curl']", text).hits;
            hits.iter().map(|hit| (hit.span.start, hit.context.code, hit.matched.clone())).collect()
        };
        assert_eq!(starts("```sh\n\n  curl x\n```\n"), [(9, true, "curl".to_owned())]);
        assert_eq!(starts("```sh\ncurl x\n```\n"), [(6, true, "curl".to_owned())]);
    }

    #[test]
    fn an_accident_weighs_less_and_is_never_silent() {
        let rule = "any = ['curl']\nunless = [{ regex = '--help', where = 'line' }]";
        let severities: Vec<_> =
            scanned(rule, "curl --help\ncurl x").hits.iter().map(|hit| hit.severity.name()).collect();
        assert_eq!(severities, ["medium", "high"]);
    }

    #[test]
    fn a_rule_looks_only_where_its_scope_says() {
        let text = "Use curl.\n\n```sh\ncurl x\n```\n";
        let starts = |lines: &str| -> Vec<_> {
            scanned(lines, text).hits.iter().map(|hit| (hit.span.start, hit.context.code)).collect()
        };
        assert_eq!(starts("any = ['curl']"), [(4, false), (17, true)]);
        assert_eq!(starts("any = ['curl']\nscope = ['code']"), [(17, true)]);
        assert_eq!(starts("any = ['curl']\nscope = ['prose', 'frontmatter']"), [(4, false)]);
    }

    #[test]
    fn too_many_hits_are_counted() {
        let scan = scanned("any = ['curl']", &"curl ".repeat(MOST_OF_RULE + 3));
        assert_eq!((scan.hits.len(), scan.surplus[0].hits), (MOST_OF_RULE, 3));
    }

    #[test]
    fn many_hits_of_some_rules_leave_room_for_those_of_others() {
        let rule =
            |name: &str, word: &str| rule_text(&format!("any = ['{word}']")).replace("EXFIL-001", name);
        let words = ["curl", "wget", "scp", "nc1"];
        let files: Vec<(String, String)> = words
            .iter()
            .enumerate()
            .map(|(nth, word)| (format!("{nth}.toml"), rule(&format!("EXFIL-00{}", nth + 1), word)))
            .collect();
        let rules = RuleSet::from_sources(files.iter().map(|(name, text)| (&**name, &**text)));
        let mut kept = super::Kept::default();
        for rule in 0..3 {
            for _ in 0..MOST_OF_RULE {
                kept.takes(rule, 0);
            }
        }
        let taken = (0..FEWEST_OF_RULE + 5).filter(|_| kept.takes(3, 7)).count();
        assert_eq!((kept.all, taken), (MOST_STORED + 2 * FEWEST_OF_RULE, FEWEST_OF_RULE));
        let surplus = kept.surplus(&rules.unwrap());
        assert_eq!((surplus[1].part, surplus[1].hits), (7, 5));
    }
}
