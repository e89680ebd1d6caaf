//! A pattern that is compiled when a text first holds what it cannot match without.
//!
//! Most rules that an everyday anchor wakes lack another literal of theirs. Looking for that costs nanoseconds,
//! compiling a pattern a millisecond and its automaton a hundred kilobytes; so a process pays only for patterns that may
//! match in what it really sees.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem::Finder;
use regex_syntax::hir::Hir;

use super::grams::{Grams, grams};
use super::literals;
use super::pattern::{self, Pattern, PatternFault};
use crate::base::Span;

/// A text to search, and the same in lower case for the literals; offsets are the same in both.
pub(super) struct Searched<'a> {
    /// The text.
    pub raw: &'a str,
    lowered: Vec<u8>,
    grams: Grams,
}

impl<'a> Searched<'a> {
    /// Lowers the ASCII letters of a text.
    pub(super) fn new(raw: &'a str) -> Self {
        let lowered = raw.as_bytes().to_ascii_lowercase();
        Self { raw, grams: Grams::of(&lowered), lowered }
    }

    /// The text in lower case.
    pub(super) fn lowered(&self) -> &[u8] {
        &self.lowered
    }
}

/// A literal in lower case.
#[derive(Debug)]
struct Literal {
    finder: Finder<'static>,
    grams: Box<[u32]>,
}

/// Literals of which every match holds one.
#[derive(Debug)]
struct Group {
    /// For each literal its first and last stretch, side by side: most literals are not in a text, and these tell it
    /// without going where the literal lies. Nothing for one that is shorter than a stretch.
    ends: Box<[Option<[u32; 2]>]>,
    literals: Box<[Literal]>,
}

impl Group {
    fn new(texts: &literals::Texts) -> Self {
        let literal =
            |text: &Vec<u8>| Literal { finder: Finder::new(text).into_owned(), grams: grams(text).collect() };
        let literals: Box<[Literal]> = texts.iter().map(literal).collect();
        let ends = |literal: &Literal| Some([*literal.grams.first()?, *literal.grams.last()?]);
        Self { ends: literals.iter().map(ends).collect(), literals }
    }

    /// The literals that may be in the text, by what is known of all of it.
    fn held_by<'a>(&'a self, text: &'a Searched<'_>) -> impl Iterator<Item = &'a Literal> {
        let literals = self.ends.iter().zip(&self.literals);
        let met = literals.filter(|(ends, _)| ends.is_none_or(|ends| text.grams.may_hold(&ends)));
        met.map(|(_, literal)| literal).filter(|literal| text.grams.may_hold(&literal.grams))
    }

    /// False where none of the literals is in the range.
    fn is_in(&self, text: &Searched<'_>, range: &Range<usize>) -> bool {
        let place = text.lowered.get(range.clone()).unwrap_or_default();
        self.held_by(text).any(|literal| literal.finder.find(place).is_some())
    }
}

/// A pattern that is read, and compiled on first use.
#[derive(Debug)]
pub(super) struct LazyPattern {
    source: String,
    /// Of each group, every match holds one.
    needed: Vec<Group>,
    /// Most never are, so it takes its room only then.
    compiled: OnceLock<Box<Pattern>>,
}

impl LazyPattern {
    /// Reads a pattern; also gives its syntax tree.
    pub(super) fn read(source: &str) -> Result<(Self, Hir), PatternFault> {
        let tree = pattern::parse(source)?;
        let mut needed: Vec<Group> = literals::required(&tree).iter().map(Group::new).collect();
        // What few literals can give is soonest known to be missing.
        needed.sort_by_key(|group| group.literals.len());
        Ok((Self { source: source.to_owned(), needed, compiled: OnceLock::new() }, tree))
    }

    /// Compiles it now, where that was not done before.
    pub(super) fn compile(&self) -> Result<(), PatternFault> {
        if self.compiled.get().is_none() {
            let compiled = Pattern::compile(&pattern::parse(&self.source)?)?;
            self.compiled.get_or_init(|| Box::new(compiled));
        }
        Ok(())
    }

    /// False where no match can lie in the text, as far as is known without searching it.
    pub(super) fn may_match(&self, text: &Searched<'_>) -> bool {
        self.needed.iter().all(|group| group.held_by(text).next().is_some())
    }

    /// False where no match can lie in the range, by proof.
    pub(super) fn can_match(&self, text: &Searched<'_>, range: &Range<usize>) -> bool {
        self.needed.iter().all(|group| group.is_in(text, range))
    }

    /// The first match that lies in the range.
    pub(super) fn find(&self, text: &str, range: Range<usize>) -> Option<Span> {
        self.pattern().find(text, range)
    }

    /// All matches that lie in the range and do not overlap, in order.
    pub(super) fn find_all<'a>(
        &'a self,
        text: &'a str,
        range: Range<usize>,
    ) -> impl Iterator<Item = Span> + 'a {
        self.pattern().find_all(text, range)
    }

    fn pattern(&self) -> &Pattern {
        self.compiled.get_or_init(|| {
            pattern::parse(&self.source)
                .and_then(|tree| Pattern::compile(&tree))
                .map(Box::new)
                .expect("rules are compiled strictly before they are trusted")
        })
    }
}
