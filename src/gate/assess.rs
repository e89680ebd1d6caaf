//! From a document to a question for the judge, or to none (gate.md 1 to 3).
//!
//! Zero hits is SAFE without a judge, and what policy denies or allows by name needs none either. Everything else is a
//! question, and its [`Evidence`] is all that a judge gets to see. Pure: the same document, rules, policy and origin give
//! the same assessment.

use std::borrow::Cow;

use super::embedded::{self, EmbeddedJudge, Facts};
use super::preamble::{preamble, shortened};
use super::rules::{Category, RuleSet};
use super::scan::{Scan, Surplus, scan};
use super::windows::{self, Reading};
use super::{
    Document, Evidence, EvidenceHit, Findings, Hit, JudgeOutcome, Origin, Policy, ViewKind, redact, resolve,
};
use crate::base::{Span, Unread, UnreadReason};

/// A document as far as it goes without a judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// What policy reads of it.
    pub findings: Findings,
    /// All hits, in the order of the Evidence's.
    pub hits: Vec<Hit>,
    /// Hits that were counted and not kept.
    pub surplus: Vec<Surplus>,
    /// What was not read.
    pub unread: Vec<Unread>,
    /// What a judge is shown; nothing where nothing was found and not everything is judged.
    pub evidence: Option<Evidence>,
    /// Whether a judge is to be asked.
    pub question: Question,
}

/// Whether a judge is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// No: policy or the lack of hits decides.
    Settled,
    /// Yes, about the Evidence.
    NeedsJudge,
}

/// What becomes of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// It counts.
    Counts,
    /// Somebody suppressed it: it is told beside those that count. Of hits on SkillGate itself that is not believed.
    Suppressed,
    /// It is about the words themselves that suppress another, and is nothing that was found.
    OwnWords,
}

/// Scans a document and prepares the question.
pub fn assess(document: &Document, rules: &RuleSet, policy: &Policy, origin: &Origin) -> Assessment {
    of_scan(document, document, scan(document, rules), policy, origin)
}

/// As [`assess`], as if the hits were not there that somebody suppressed; these come beside. Hits on SkillGate itself
/// always count: whoever wants them unseen is not the one to ask.
pub fn assess_without(
    document: &Document,
    rules: &RuleSet,
    policy: &Policy,
    origin: &Origin,
    counting: &dyn Fn(&Hit) -> Counting,
) -> (Assessment, Vec<Hit>) {
    let mut scan = scan(document, rules);
    let mut suppressed = Vec::new();
    for hit in std::mem::take(&mut scan.hits) {
        match counting(&hit) {
            Counting::OwnWords => {}
            Counting::Suppressed if hit.category != Category::SELF.name() => suppressed.push(hit),
            Counting::Suppressed | Counting::Counts => scan.hits.push(hit),
        }
    }
    if suppressed.is_empty() {
        return (of_scan(document, document, scan, policy, origin), suppressed);
    }
    let read = suppressed::without_lines(document, &suppressed, &scan.hits);
    (of_scan(document, &read, scan, policy, origin), suppressed)
}

/// `read` is the document as the facts are taken from it.
fn of_scan(document: &Document, read: &Document, scan: Scan, policy: &Policy, origin: &Origin) -> Assessment {
    let is_shown = !scan.hits.is_empty() || policy.prefilter.judge_everything;
    let evidence = is_shown.then(|| {
        let facts = without_secrets(embedded::extract(read, &scan.hits));
        evidence(document, &scan.hits, facts, policy, origin)
    });
    let dropped = evidence.as_ref().map_or(0, |evidence| evidence.windows_dropped.len());
    let unread = unread(document, &scan);
    let findings = Findings::of(document, &scan.hits, &unread, dropped);
    let question = match resolve::settled(&findings, policy, origin) {
        Some(_) => Question::Settled,
        None => Question::NeedsJudge,
    };
    let Scan { hits, surplus, .. } = scan;
    Assessment { findings, hits, surplus, unread, evidence, question }
}

/// What was not read of a document, what was not decoded, and the hits that nobody weighs.
fn unread(document: &Document, scan: &Scan) -> Vec<Unread> {
    let path = |part: usize| document.parts.get(part).map(|part| part.path.clone()).unwrap_or_default();
    let unweighed = unweighed(&scan.surplus).map(|(surplus, detail)| Unread {
        path: path(surplus.part),
        reason: UnreadReason::TooMany,
        detail,
    });
    let undecoded = scan.undecoded.iter().map(|part| Unread {
        path: path(*part),
        reason: UnreadReason::TooDeep,
        detail: "text is encoded in more layers, or comes to more text, than is decoded".to_owned(),
    });
    document.unread.iter().cloned().chain(undecoded).chain(unweighed).collect()
}

/// Of how many rules it is said one by one that they hit too often.
const MOST_ALIKE: usize = 16;

/// The hits that nobody weighs in words: those of the rules that hit most, then how many more there are.
fn unweighed(surplus: &[Surplus]) -> impl Iterator<Item = (&Surplus, String)> {
    let mut most: Vec<&Surplus> = surplus.iter().collect();
    most.sort_by_key(|surplus| std::cmp::Reverse(surplus.hits));
    let others = most.split_off(most.len().min(MOST_ALIKE));
    let told = |surplus: &Surplus| {
        let hits = count(surplus.hits);
        format!("{hits} of {} beyond those that are weighed: more than is kept of one unit", surplus.rule)
    };
    let hits = others.iter().map(|surplus| surplus.hits).sum();
    let rest = others.first().map(|first| {
        (*first, format!("{} of {} other rules beyond those that are weighed", count(hits), others.len()))
    });
    most.into_iter().map(move |surplus| (surplus, told(surplus))).chain(rest)
}

fn count(hits: usize) -> String {
    format!("{hits} {}", if hits == 1 { "hit" } else { "hits" })
}

impl Assessment {
    /// True where the embedded judge has to weigh all hits as well: the judge that answered did not see all windows.
    pub fn needs_second_verdict(&self, outcome: &JudgeOutcome) -> bool {
        let by_other =
            matches!(outcome, JudgeOutcome::Answered(verdict) if verdict.judge != EmbeddedJudge::ID);
        by_other && self.findings.windows_dropped > 0
    }
}

/// What a judge is shown of a document.
fn evidence(document: &Document, hits: &[Hit], facts: Facts, policy: &Policy, origin: &Origin) -> Evidence {
    let reading = Reading::of(document, hits);
    let (windows, windows_dropped) = if hits.is_empty() {
        windows::opening(document, &policy.windows)
    } else {
        windows::select_read(&reading, hits, &policy.windows)
    };
    let method = origin.method_in_words();
    Evidence {
        kind: document.kind,
        preamble: preamble(document, &method),
        name: shortened(&redact::text(&document.name), NAME),
        description: shortened(&redact::text(&document.description), DESCRIPTION),
        method,
        windows,
        windows_dropped,
        hits: hits.iter().map(|hit| evidence_hit(&reading, hit)).collect(),
        facts,
    }
}

/// The facts with what they quote redacted.
fn without_secrets(mut facts: Facts) -> Facts {
    let seen = facts.seen.iter_mut().flat_map(|fact| &mut fact.places);
    let flows = facts.flows.iter_mut().flat_map(|flow| [&mut flow.source_place, &mut flow.sink_place]);
    for place in seen.chain(flows) {
        if let Cow::Owned(redacted) = redact::text(&place.what) {
            place.what = redacted;
        }
    }
    facts
}

fn evidence_hit(reading: &Reading<'_>, hit: &Hit) -> EvidenceHit {
    let (matched, redacted) = matched(reading, hit);
    EvidenceHit {
        rule: hit.rule.clone(),
        category: hit.category.clone(),
        severity: hit.severity,
        view: hit.view,
        layers: hit.layers.clone(),
        file: reading.file(hit.part),
        line: reading.line(hit.part, hit.span.start),
        span: hit.span,
        matched,
        context: hit.context.clone(),
        redacted,
    }
}

/// What matched without secrets, and whether there were any.
fn matched(reading: &Reading<'_>, hit: &Hit) -> (String, bool) {
    let is_plain = matches!(hit.view, ViewKind::Raw | ViewKind::Normalised);
    if is_plain && reading.has_secret(hit.part, hit.span) {
        // A secret may reach out of the match, and only the whole of it shows that it is one.
        let span = Span::new(hit.span.start, hit.span.end.min(hit.span.start + 4 * LONGEST_MATCH));
        let shown = reading.redacted(hit.part, span);
        return (shown.chars().take(LONGEST_MATCH).collect(), true);
    }
    let shown = redact::text(&hit.matched);
    let is_redacted = shown != hit.matched;
    (shown.into_owned(), is_redacted)
}

/// Characters of a match that the Evidence keeps.
const LONGEST_MATCH: usize = 200;
/// Characters of a name that it keeps.
const NAME: usize = 200;
/// Characters of a description that it keeps; agents cut them at about half of this.
const DESCRIPTION: usize = 2000;

mod suppressed;
#[cfg(test)]
mod tests;
