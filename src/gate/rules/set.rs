//! A set of rules: loaded once, shared, and run over texts.
//!
//! Rules are kept in the order of their ids. Sets are cheap to clone and to combine: rules and their compiled patterns
//! are shared. Patterns are compiled on first use, the anchors of all rules on the first text.

use std::sync::{Arc, OnceLock};

use super::definition::{Detection, Rule};
use super::fault::{RuleErrors, RuleFault};
use super::index::Index;
use super::lazy::Searched;
use super::load::{self, Care};
use super::pattern::PatternFault;
use super::program::Program;
use super::{RuleId, builtin, literals, pattern, redirects};
use crate::base::{Digest, DigestWriter, Span, nearest};
use crate::gate::ViewKind;
use crate::gate::context::Scopes;

/// Rules that run together.
#[derive(Clone, Debug)]
pub struct RuleSet {
    entries: Vec<Arc<Entry>>,
    disabled: Vec<Disabled>,
    index: Arc<OnceLock<Index>>,
    digest: Arc<OnceLock<Digest>>,
}

/// A rule that somebody switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disabled {
    /// The rule.
    pub id: RuleId,
    /// Why, in the words of who did it.
    pub reason: String,
}

/// A policy or command names a rule that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{id}`{}", near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
pub struct UnknownRule {
    /// The id as given.
    pub id: RuleId,
    /// The known one that comes nearest.
    pub near: Option<RuleId>,
}

/// One rule with its compiled form.
#[derive(Debug)]
pub(super) struct Entry {
    /// The rule.
    pub rule: Rule,
    program: OnceLock<Program>,
    everywhere: bool,
}

impl Entry {
    fn known(rule: Rule) -> Self {
        let everywhere = rule.anchorless;
        Self { rule, program: OnceLock::new(), everywhere }
    }

    /// Compiles at once, and looks whether the anchors prove anything.
    fn strict(rule: Rule, faults: &mut Vec<RuleFault>) -> Option<Self> {
        let compiled = Program::read(&rule).and_then(|program| program.compile().map(|()| program));
        let program = compiled.map_err(|bad| faults.push(bad_pattern(&rule, &bad))).ok()?;
        let everywhere = rule.anchorless || !anchors_hold(&rule);
        Some(Self { rule, program: OnceLock::from(program), everywhere })
    }

    /// True where the rule has to run over every text.
    pub(super) const fn runs_everywhere(&self) -> bool {
        self.everywhere
    }

    /// The form that runs.
    pub(super) fn program(&self) -> &Program {
        self.program.get_or_init(|| {
            Program::read(&self.rule).expect("rules are compiled strictly before they are trusted")
        })
    }

    /// True where the rule looks at this view, and at places such as the text has.
    pub(super) fn looks_at(&self, view: ViewKind, places: Scopes) -> bool {
        self.rule.views.contains(&view) && self.rule.scope.meets(places)
    }
}

/// True where every hit of the rule holds one of its anchors.
pub(super) fn anchors_hold(rule: &Rule) -> bool {
    let anchors = literals::lower_cased(&rule.anchors);
    let holds =
        |text: &String| pattern::parse(text).is_ok_and(|hir| literals::every_match_holds(&hir, &anchors));
    match &rule.detection {
        Detection::Any(patterns) => patterns.iter().all(holds),
        Detection::All { patterns, .. } => patterns.iter().any(holds),
        Detection::Detector(_) => true,
    }
}

fn bad_pattern(rule: &Rule, bad: &PatternFault) -> RuleFault {
    RuleFault::of(rule, "bad-regex", format!("a pattern cannot be compiled: {bad}"))
}

impl RuleSet {
    /// The rules that are compiled in.
    pub fn builtin() -> &'static Self {
        builtin::rules()
    }

    /// Rules from files, given as name and text. Any fault in any file is an error.
    pub fn from_sources<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, RuleErrors> {
        Self::read(files, Care::Strict)
    }

    pub(super) fn read<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
        care: Care,
    ) -> Result<Self, RuleErrors> {
        let mut faults = Vec::new();
        let mut entries = Vec::new();
        for (file, text) in files {
            for rule in load::load(file, text, care, &mut faults) {
                let entry = match care {
                    Care::Known => Some(Entry::known(rule)),
                    Care::Strict => Entry::strict(rule, &mut faults),
                };
                entries.extend(entry.map(Arc::new));
            }
        }
        Self::of(entries, Vec::new(), faults)
    }

    /// These rules and those of another set. An id that both have is an error.
    pub fn with(&self, other: &Self) -> Result<Self, RuleErrors> {
        let entries = self.entries.iter().chain(&other.entries).cloned().collect();
        let disabled = self.disabled.iter().chain(&other.disabled).cloned().collect();
        Self::of(entries, disabled, Vec::new())
    }

    /// These rules without some, each with a reason. An id that is not there is an error.
    pub fn without(&self, disabled: impl IntoIterator<Item = Disabled>) -> Result<Self, UnknownRule> {
        let mut set = Self { index: Arc::default(), digest: Arc::default(), ..self.clone() };
        for Disabled { id, reason } in disabled {
            let at = set.position(&id).ok_or_else(|| self.unknown(&id))?;
            let id = set.entries.remove(at).rule.id.clone();
            set.disabled.push(Disabled { id, reason });
        }
        Ok(set)
    }

    /// One rule by itself.
    pub(super) fn only(&self, id: &RuleId) -> Self {
        let entries = self.position(id).map(|at| Arc::clone(&self.entries[at])).into_iter().collect();
        Self { entries, disabled: Vec::new(), index: Arc::default(), digest: Arc::default() }
    }

    /// What is wrong with rules that load: see [`super::lint`].
    pub fn lint(&self) -> Vec<RuleFault> {
        super::lint::lint(self)
    }

    fn of(
        mut entries: Vec<Arc<Entry>>,
        disabled: Vec<Disabled>,
        mut faults: Vec<RuleFault>,
    ) -> Result<Self, RuleErrors> {
        entries.sort_by(|a, b| a.rule.id.cmp(&b.rule.id));
        let twice = entries.windows(2).filter(|pair| pair[0].rule.id == pair[1].rule.id);
        faults.extend(twice.map(|pair| {
            let first = &pair[0].rule.place;
            let message = format!("the id is taken by {}:{}", first.file, first.line);
            RuleFault::of(&pair[1].rule, "duplicate-id", message)
        }));
        if !faults.is_empty() {
            return Err(RuleErrors(faults));
        }
        Ok(Self { entries, disabled, index: Arc::default(), digest: Arc::default() })
    }

    /// The rule of this id, or of the id that it was renamed to.
    pub fn get(&self, id: &RuleId) -> Option<&Rule> {
        self.position(id).map(|at| &self.entries[at].rule)
    }

    /// The error for an id that is not in the set.
    pub fn unknown(&self, id: &RuleId) -> UnknownRule {
        let near = nearest(id.as_str(), self.iter().map(|rule| rule.id.as_str()));
        UnknownRule { id: id.clone(), near: near.and_then(|near| near.parse().ok()) }
    }

    /// The rules in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.entries.iter().map(|entry| &entry.rule)
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True where there is no rule.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The rules that were switched off.
    pub fn disabled(&self) -> &[Disabled] {
        &self.disabled
    }

    /// The digest of everything that decides what matches and how it weighs.
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| {
            let mut writer = DigestWriter::new("ruleset");
            for rule in self.iter() {
                // The derived text form holds every field of a rule but its place in a file.
                let fields =
                    (&rule.detection, &rule.anchors, rule.anchorless, rule.scope, &rule.views, &rule.unless);
                writer.field(rule.id.as_str().as_bytes());
                writer.field(rule.category.name().as_bytes());
                writer.field(rule.severity.name().as_bytes());
                writer.field(rule.confidence.name().as_bytes());
                writer.field(format!("{fields:?}").as_bytes());
            }
            writer.finish()
        })
    }

    /// Reads all patterns now, so that the first text need not wait for that. What it may be searched for is still
    /// compiled when it is met.
    pub fn warm_up(&self) {
        self.index.get_or_init(|| Index::new(&self.entries));
        for entry in &self.entries {
            entry.program();
        }
    }

    /// Every match of every rule in a text of this view, which has places of these scopes: the rule's number, then its
    /// hits in order.
    pub(in crate::gate) fn find(
        &self,
        text: &str,
        view: ViewKind,
        places: Scopes,
        mut each: impl FnMut(usize, Vec<Span>),
    ) {
        let index = self.index.get_or_init(|| Index::new(&self.entries));
        let text = Searched::new(text);
        let wanted = |entry: &Entry| entry.looks_at(view, places) && entry.program().may_hit(&text);
        let candidates = index.candidates(&self.entries, &text, wanted);
        for (number, windows) in candidates {
            let hits = self.entries[number].program().find(&text, &windows);
            if !hits.is_empty() {
                each(number, hits);
            }
        }
    }

    /// Every match of one rule in a text, searched for without its anchors.
    #[cfg(test)]
    pub(super) fn find_everywhere(&self, number: usize, text: &str) -> Vec<Span> {
        let windows = super::stretch::Windows::whole(text);
        self.entries[number].program().find(&Searched::new(text), &windows)
    }

    /// The rule of this number.
    pub(in crate::gate) fn numbered(&self, number: usize) -> &Rule {
        &self.entries[number].rule
    }

    /// True where an `unless` of the rule of this number matches at the hit.
    pub(in crate::gate) fn is_accident(&self, number: usize, text: &str, hit: Span) -> bool {
        !self.entries[number].rule.unless.is_empty() && self.entries[number].program().is_accident(text, hit)
    }

    /// The number of the rule that reports what this detector finds.
    pub(in crate::gate) fn of_detector(&self, code: &str) -> Option<usize> {
        let is_it =
            |entry: &Arc<Entry>| matches!(&entry.rule.detection, Detection::Detector(own) if own == code);
        self.entries.iter().position(is_it)
    }

    fn position(&self, id: &RuleId) -> Option<usize> {
        let at = |id: &RuleId| self.entries.binary_search_by(|entry| entry.rule.id.cmp(id)).ok();
        at(id).or_else(|| at(&redirects::current(id)))
    }
}
