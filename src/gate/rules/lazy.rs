//! A pattern that is compiled when a text first holds what it cannot match without.
//!
//! Most rules that an everyday anchor wakes lack another literal of theirs. Looking for that costs nanoseconds,
//! compiling a pattern a millisecond and its automaton a hundred kilobytes; so a process pays only for patterns that may
//! match in what it really sees.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;
use regex_syntax::hir::Hir;

use super::grams::{Gram, Grams, grams};
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

/// A literal in lower case: where it stands among the texts of its group.
#[derive(Debug)]
struct Literal {
    /// Its first and last stretch: most literals are not in a text, and these tell it without going where the literal
    /// lies. Nothing for one that is shorter than a stretch.
    ends: Option<[Gram; 2]>,
    start: u32,
    end: u32,
}

/// Literals of which every match holds one. There are tens of thousands of them in a set of rules and most are never
/// looked for, so nothing is kept of one that can be had from its bytes.
#[derive(Debug)]
struct Group {
    texts: Box<[u8]>,
    /// In order, so that those of one beginning stand together.
    literals: Box<[Literal]>,
}

impl Group {
    fn new(texts: &literals::Texts) -> Self {
        let mut end = 0;
        let literal = |text: &Vec<u8>| {
            let start = end;
            end += text.len() as u32;
            let ends = grams(text).next().zip(grams(text).next_back()).map(<[Gram; 2]>::from);
            Literal { ends, start, end }
        };
        Self { literals: texts.iter().map(literal).collect(), texts: texts.concat().into() }
    }

    /// The literals that may be in the text, by what is known of all of it.
    fn held_by<'a>(&'a self, text: &'a Searched<'_>) -> impl Iterator<Item = &'a [u8]> {
        let mut missing = None;
        let met = self.literals.iter().filter(move |literal| {
            let Some([first, last]) = literal.ends else { return true };
            if missing == Some(first) {
                return false;
            }
            let begins = text.grams.may_hold(first);
            missing = (!begins).then_some(first);
            begins && text.grams.may_hold(last)
        });
        let texts = met.map(|literal| &self.texts[literal.start as usize..literal.end as usize]);
        texts.filter(|literal| grams(literal).all(|gram| text.grams.may_hold(gram)))
    }

    /// False where none of the literals is in the range.
    fn is_in(&self, text: &Searched<'_>, range: &Range<usize>) -> bool {
        let place = text.lowered.get(range.clone()).unwrap_or_default();
        self.held_by(text).any(|literal| memmem::find(place, literal).is_some())
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
