//! A labelled unit with what became of it: all that figures and reports read.
//!
//! What was found stays beside what was decided, so that another verdict about the same findings (weights that did not see
//! the unit, a judge elsewhere) can be taken to its own decision without another scan.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::{Case, Expected};
use super::metrics::{Item, Sample};
use super::run::Judged;
use crate::gate::embedded::{EmbeddedJudge, traits};
use crate::gate::rules::{RuleId, Severity};
use crate::gate::{
    Action, Answers, Decision, Document, Findings, JudgeOutcome, Label, Origin, Policy, Question, Verdict,
    resolve,
};
use crate::io::judge::{Tokens, auto};

/// Characters of a whole file that a judge without windows is given (papers/skillgate.txt, RQ2).
pub const WHOLE_FILE: usize = 12_000;

/// One unit.
#[derive(Clone)]
pub struct Unit<'a> {
    /// What it is.
    pub case: &'a Case,
    /// Where it came from, as far as its corpus says.
    pub origin: Origin,
    /// What was found in it.
    pub findings: Findings,
    /// True where a judge has to be asked.
    pub asked: bool,
    /// What the judge said.
    pub verdict: Option<Verdict>,
    /// What the embedded judge says of what another was asked.
    pub embedded: Option<Verdict>,
    /// Why the judge that was asked did not answer.
    pub failure: Option<String>,
    /// What was decided.
    pub decision: Decision,
    /// The rules that the verdict relies on.
    pub relied_on: BTreeSet<RuleId>,
    /// Its size.
    pub bytes: u64,
    /// From the file on disk to the decision.
    pub elapsed_us: u64,
    /// What it would cost to ask about it, where that was counted.
    pub cost: Option<Cost>,
    /// What the embedded judge's model could weigh of it; nothing where there is nothing to weigh.
    pub traits: Option<BTreeSet<String>>,
}

/// What is looked at beside the decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looks {
    /// Count tokens.
    pub tokens: bool,
    /// Keep what the embedded judge's model could weigh.
    pub traits: bool,
}

/// o200k tokens of one unit.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Whole, and what a judge gets.
    pub tokens: Tokens,
    /// Of the whole cut at [`WHOLE_FILE`] characters.
    pub cut: usize,
}

impl<'a> Unit<'a> {
    /// What the gate made of a unit.
    pub fn of(judged: Judged<'a>, looks: Looks) -> Self {
        let Judged { case, document, origin, outcome, elapsed_us } = judged;
        let evidence = outcome.assessment.evidence.as_ref();
        let asked = outcome.assessment.question == Question::NeedsJudge;
        let shown = evidence.filter(|_| asked);
        let verdict = outcome.verdict().cloned();
        let hits = shown.map_or(&[][..], |evidence| &evidence.hits);
        let relied_on = verdict.iter().flat_map(|verdict| &verdict.relied_on).filter_map(|at| hits.get(*at));
        Self {
            case,
            asked,
            relied_on: relied_on.map(|hit| hit.rule.clone()).collect(),
            embedded: shown.map(|evidence| EmbeddedJudge.verdict(evidence)),
            traits: shown.filter(|_| looks.traits).map(traits),
            cost: looks.tokens.then(|| Cost {
                tokens: Tokens::of(&document, shown),
                cut: Tokens::of_texts(&cut(document.clone())),
            }),
            failure: outcome.failure(),
            bytes: document.bytes,
            verdict,
            origin,
            elapsed_us,
            decision: outcome.decision,
            findings: outcome.assessment.findings,
        }
    }

    /// The same unit as this verdict would have it decided.
    pub fn judged_by(&self, verdict: Verdict, policy: &Policy) -> Self {
        let mut unit = self.clone();
        if unit.asked {
            let answers = Answers {
                judge: Some(JudgeOutcome::Answered(verdict.clone())),
                over_all_hits: self.embedded.clone(),
                release: None,
            };
            unit.decision = resolve(&self.findings, &answers, policy, &self.origin);
            unit.verdict = Some(verdict);
            unit.failure = None;
            unit.relied_on.clear();
        }
        unit
    }

    /// True where it is known to work against its user.
    pub fn is_malicious(&self) -> bool {
        self.case.expected == Expected::Malicious
    }

    /// True where policy keeps it back.
    pub fn is_flagged(&self) -> bool {
        !self.decision.would_be.forwards()
    }

    /// True where policy lets it pass with a warning.
    pub fn is_warned(&self) -> bool {
        self.decision.would_be == Action::Warn
    }

    /// True where the verdict is right: a malicious unit kept back, or another forwarded.
    pub fn is_right(&self) -> bool {
        self.is_malicious() == self.is_flagged()
    }

    /// How likely it works against its user, 0 to 1: `score` of `scan`.
    pub fn score(&self) -> f64 {
        if self.asked { self.decision.score } else { 0.0 }
    }

    /// The paper's score (III-G2): 0 where nobody was asked, the confidence of MALICIOUS, else what is left of it.
    pub fn paper_score(&self) -> f64 {
        match (self.asked, self.decision.label) {
            (false, _) => 0.0,
            (true, Label::Malicious) => self.decision.confidence,
            (true, _) => 1.0 - self.decision.confidence,
        }
    }

    /// The gravest severity that hit.
    pub fn severity(&self) -> Option<Severity> {
        self.findings.hits.iter().map(|hit| hit.severity).max()
    }

    /// True where the embedded judge is sure enough that a cascade asks nobody else.
    pub fn is_settled_by_embedded(&self) -> bool {
        self.embedded.as_ref().is_some_and(auto::is_sure)
    }
}

/// How a way to tell the kinds apart sees one unit.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The higher, the more it is held for malicious.
    pub score: f64,
    /// The same, as the paper scores.
    pub paper_score: f64,
    /// Kept back.
    pub is_flagged: bool,
}

impl View {
    /// As the gate sees it.
    pub fn of_gate(unit: &Unit<'_>) -> Self {
        Self { score: unit.score(), paper_score: unit.paper_score(), is_flagged: unit.is_flagged() }
    }

    /// By this score alone.
    pub const fn by_score(score: f64, is_flagged: bool) -> Self {
        Self { score, paper_score: score, is_flagged }
    }
}

/// The units of these numbers as a sample, each seen this way.
pub fn sample(units: &[Unit<'_>], members: &[usize], view: impl Fn(&Unit<'_>) -> View) -> Sample {
    let items = members.iter().zip(families(units, members)).map(|(at, family)| {
        let unit = &units[*at];
        let View { score, paper_score, is_flagged } = view(unit);
        Item { score, paper_score, is_flagged, is_malicious: unit.is_malicious(), family }
    });
    Sample::new(items.collect())
}

/// The number of each unit's family among them.
fn families(units: &[Unit<'_>], members: &[usize]) -> Vec<usize> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let numbered = members.iter().map(|at| {
        let next = numbers.len();
        *numbers.entry(units[*at].case.family.as_str()).or_insert(next)
    });
    numbered.collect()
}

/// The document with its texts cut at [`WHOLE_FILE`] characters together, instructions first.
pub fn cut(mut document: Document) -> Document {
    let mut order: Vec<usize> = (0..document.parts.len()).collect();
    order.sort_by_key(|at| document.parts[*at].role);
    let mut left = WHOLE_FILE;
    for at in order {
        let part = &mut document.parts[at];
        let end = part.text.char_indices().nth(left).map_or(part.text.len(), |(end, _)| end);
        part.text = part.text[..end].into();
        left = left.saturating_sub(part.text.chars().count());
    }
    document.parts.retain(|part| !part.text.is_empty());
    document
}

#[cfg(test)]
mod tests {
    use super::{WHOLE_FILE, cut};
    use crate::base::{File, FileTree, RelPath};
    use crate::gate::Document;

    #[test]
    fn a_cut_document_has_its_instructions_and_no_more_than_allowed() {
        let mut tree = FileTree::new();
        let mut add = |path: &str, text: String| {
            tree.insert(RelPath::new(path).unwrap(), File::regular(text.as_bytes()));
        };
        add("SKILL.md", "é".repeat(7000));
        add("a.md", "x".repeat(7000));
        add("b.md", "never".to_owned());
        let document = Document::package(&tree, "n");
        let texts = |document: &Document| -> Vec<(String, usize)> {
            document.parts.iter().map(|part| (part.path.clone(), part.text.chars().count())).collect()
        };
        let short = cut(document.clone());
        assert_eq!(texts(&short), [("SKILL.md".to_owned(), 7000), ("a.md".to_owned(), WHOLE_FILE - 7000)]);
        assert_eq!(texts(&cut(short.clone())), texts(&short));
    }
}
