//! One regular expression of a rule: its syntax tree, how far a match can reach from an anchor, its compiled form.
//!
//! Patterns run on bytes: `\w`, `\s`, `\b`, `.` and `(?i)` are ASCII, which is a third of the states and the time;
//! a part that needs Unicode says `(?u:…)`. The normalised view brings look-alikes and odd spaces back to ASCII.
//!
//! A compiled pattern is searched in a range of a text, with what stands around the range in view of `\b` and `^`.
//! Nearly every search finds nothing, so one automaton that is built as it goes answers where the first match ends, and
//! the slow machine that also knows where it starts runs only over what it leaves. A second automaton, for the way back,
//! would double the memory of every pattern.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use regex_automata::hybrid::dfa;
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{BuildError, Compiler, Config, WhichCaptures};
use regex_automata::{Input, MatchError, MatchKind};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::stretch;
use crate::base::Span;

/// Bytes that a compiled pattern may take; counted gaps of a few hundred characters fit many times.
const SIZE_LIMIT: usize = 1 << 20;
/// Bytes of lazily built automaton states that one pattern may keep; one that needs more for its first few gets as much.
const CACHE: usize = 96 << 10;
/// How often the states may be thrown away, and how many bytes each must have read on average, before an automaton gives
/// up: building states is slower than the slow machine.
const MOST_CLEARS: usize = 3;
const FEWEST_BYTES: usize = 10;
/// Nesting that no honest pattern has.
const NEST_LIMIT: u32 = 64;

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(super) struct PatternFault {
    /// In words.
    pub message: String,
    /// Byte offset in the pattern, where one is known.
    pub at: Option<usize>,
}

/// Reads a pattern; one that could match nothing at all is a fault too.
pub(super) fn parse(pattern: &str) -> Result<Hir, PatternFault> {
    let parser =
        ParserBuilder::new().unicode(false).utf8(false).nest_limit(NEST_LIMIT).build().parse(pattern);
    let hir = parser.map_err(|error| syntax_fault(&error))?;
    match hir.properties().minimum_len() {
        Some(0) => Err(PatternFault { message: "it matches the empty text".to_owned(), at: None }),
        None => Err(PatternFault { message: "it can never match".to_owned(), at: None }),
        Some(_) => Ok(hir),
    }
}

fn syntax_fault(error: &regex_syntax::Error) -> PatternFault {
    match error {
        regex_syntax::Error::Parse(error) => {
            PatternFault { message: error.kind().to_string(), at: Some(error.span().start.offset) }
        }
        regex_syntax::Error::Translate(error) => {
            PatternFault { message: error.kind().to_string(), at: Some(error.span().start.offset) }
        }
        _ => PatternFault { message: "it is no regular expression".to_owned(), at: None },
    }
}

/// A pattern that is ready to search.
#[derive(Debug)]
pub(super) struct Pattern {
    exact: PikeVM,
    /// Nothing where none can be built.
    ends: Option<Ends>,
    /// How far before its end a match can begin.
    reach: Reach,
}

impl Pattern {
    /// Compiles a syntax tree.
    pub(super) fn compile(hir: &Hir) -> Result<Self, PatternFault> {
        let config = Config::new()
            .utf8(false)
            .nfa_size_limit(Some(SIZE_LIMIT))
            .which_captures(WhichCaptures::Implicit);
        let fault = |error: &BuildError| PatternFault { message: build_fault(error), at: None };
        let machine = Compiler::new().configure(config).build_from_hir(hir).map_err(|error| fault(&error))?;
        let exact = PikeVM::builder().build_from_nfa(machine).map_err(|error| fault(&error))?;
        Ok(Self { ends: Ends::of(&exact), exact, reach: Reach::of(hir) })
    }

    /// Reads and compiles in one go.
    #[cfg(test)]
    pub(super) fn new(pattern: &str) -> Result<Self, PatternFault> {
        Self::compile(&parse(pattern)?)
    }

    /// The first match that lies in the range.
    pub(super) fn find(&self, text: &str, range: Range<usize>) -> Option<Span> {
        let mut range = range;
        // An automaton that gave up leaves the whole range.
        if let Some(Ok(end)) = self.ends.as_ref().map(|ends| ends.first(text, &range)) {
            range.end = end?;
            range.start = stretch::back(text.as_bytes(), &range, self.reach);
        }
        let found =
            with_scratch(&self.exact, |scratch| self.exact.find(scratch, Input::new(text).range(range)))?;
        Some(Span::new(found.start(), found.end()))
    }

    /// All matches that lie in the range and do not overlap, in order.
    pub(super) fn find_all<'a>(
        &'a self,
        text: &'a str,
        range: Range<usize>,
    ) -> impl Iterator<Item = Span> + 'a {
        let mut from = range.start;
        std::iter::from_fn(move || {
            let found = self.find(text, from..range.end)?;
            from = found.end;
            Some(found)
        })
    }
}

/// The automaton that knows where the first match ends.
#[derive(Debug)]
struct Ends {
    automaton: dfa::DFA,
    /// The states built so far; one set, however many threads there are, and another only while several search at once.
    states: Mutex<Option<Box<dfa::Cache>>>,
}

impl Ends {
    fn of(exact: &PikeVM) -> Option<Self> {
        let config = dfa::Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .unicode_word_boundary(true)
            .cache_capacity(CACHE)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(MOST_CLEARS))
            .minimum_bytes_per_state(Some(FEWEST_BYTES));
        let automaton = dfa::Builder::new().configure(config).build_from_nfa(exact.get_nfa().clone()).ok()?;
        Some(Self { automaton, states: Mutex::default() })
    }

    /// The end of the first match in the range, where there is one; an error where the automaton gave up.
    fn first(&self, text: &str, range: &Range<usize>) -> Result<Option<usize>, MatchError> {
        let input = Input::new(text).range(range.clone());
        let mut states = self.waiting().take().unwrap_or_else(|| Box::new(self.automaton.create_cache()));
        let found = self.automaton.try_search_fwd(&mut states, &input);
        self.waiting().get_or_insert(states);
        Ok(found?.map(|found| found.offset()))
    }

    /// The states, unless a search has them.
    fn waiting(&self) -> MutexGuard<'_, Option<Box<dfa::Cache>>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the slow machine with the memory that all machines of a thread share: each needs it for a moment only.
fn with_scratch<T>(machine: &PikeVM, run: impl FnOnce(&mut pikevm::Cache) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<Option<pikevm::Cache>> = const { RefCell::new(None) };
    }
    SCRATCH.with_borrow_mut(|scratch| {
        let scratch = scratch.get_or_insert_with(|| machine.create_cache());
        scratch.reset(machine);
        run(scratch)
    })
}

fn build_fault(error: &BuildError) -> String {
    error.size_limit().map_or_else(
        || error.to_string(),
        |limit| format!("it takes more than {} KiB; shorten its counted gaps", limit >> 10),
    )
}

/// How far from an anchor inside it a match can go; nothing where there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Bytes of the longest match.
    pub bytes: Option<usize>,
    /// How often a match can go on to another line. A run of white space counts once, however long it is.
    pub lines: Option<usize>,
}

impl Reach {
    /// Nothing can be reached.
    pub(super) const NONE: Self = Self { bytes: Some(0), lines: Some(0) };

    /// The reach of a pattern.
    pub(super) fn of(hir: &Hir) -> Self {
        Self { bytes: hir.properties().maximum_len(), lines: line_steps(hir) }
    }

    /// The smallest reach that holds both.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.zip(other.bytes).map(|(a, b)| a.max(b)),
            lines: self.lines.zip(other.lines).map(|(a, b)| a.max(b)),
        }
    }
}

fn line_steps(hir: &Hir) -> Option<usize> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => Some(memchr::memchr_iter(b'\n', &literal.0).count()),
        HirKind::Class(class) => Some(usize::from(holds(class, b'\n'))),
        HirKind::Repetition(repetition) => repeated_line_steps(repetition),
        HirKind::Capture(capture) => line_steps(&capture.sub),
        HirKind::Concat(parts) => {
            parts.iter().try_fold(0usize, |sum, part| Some(sum.saturating_add(line_steps(part)?)))
        }
        HirKind::Alternation(parts) => {
            parts.iter().try_fold(0usize, |most, part| Some(most.max(line_steps(part)?)))
        }
    }
}

fn repeated_line_steps(repetition: &Repetition) -> Option<usize> {
    let once = line_steps(&repetition.sub)?;
    match repetition.max {
        _ if once == 0 => Some(0),
        Some(max) => Some(once.saturating_mul(max as usize)),
        None => is_white_space(&repetition.sub).then_some(1),
    }
}

/// True where the class has this ASCII byte.
pub(super) fn holds(class: &Class, byte: u8) -> bool {
    match class {
        Class::Bytes(class) => class.ranges().iter().any(|r| r.start() <= byte && byte <= r.end()),
        Class::Unicode(class) => {
            let c = char::from(byte);
            class.ranges().iter().any(|r| r.start() <= c && c <= r.end())
        }
    }
}

/// True where it matches ASCII white space and nothing else, so that any number of it is one run.
fn is_white_space(hir: &Hir) -> bool {
    let space = |code: u32| matches!(code, 9..=13 | 32);
    match hir.kind() {
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().all(|r| (r.start()..=r.end()).all(|byte| space(byte.into())))
        }
        HirKind::Class(Class::Unicode(class)) => class
            .ranges()
            .iter()
            .all(|r| u32::from(r.end()) <= 32 && (r.start()..=r.end()).all(|c| space(c.into()))),
        HirKind::Capture(capture) => is_white_space(&capture.sub),
        HirKind::Literal(literal) => literal.0.iter().all(|byte| space((*byte).into())),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Reach, parse};

    #[track_caller]
    fn check_reach(pattern: &str, bytes: Option<usize>, lines: Option<usize>) {
        assert_eq!(Reach::of(&parse(pattern).unwrap()), Reach { bytes, lines }, "{pattern}");
    }

    #[test]
    fn reach_is_the_longest_match_and_the_lines_it_can_cross() {
        check_reach("abc", Some(3), Some(0));
        check_reach("a[^\n]{0,20}b", Some(22), Some(0));
        check_reach(r"curl\s+\S+", None, Some(1));
        check_reach(r"a\s*b\s*c", None, Some(2));
        check_reach("a.*b", None, Some(0));
        check_reach("a(?s:.){0,5}b", Some(7), Some(5));
        check_reach("a[^x]*b", None, None);
        check_reach(r"(?:a\n?|b\s+c){1,3}", None, Some(3));
    }

    #[test]
    fn faults_name_the_place() {
        assert_eq!(parse("ab(c").unwrap_err().at, Some(2));
        assert!(parse("a*").unwrap_err().message.contains("empty"));
        assert!(parse("[é]").is_err());
        assert!(parse("(?u:[é])x").is_ok());
        assert!(Pattern::new("(?s:.{1,900}){1,900}").unwrap_err().message.contains("KiB"));
    }

    #[test]
    fn a_range_is_searched_with_its_surroundings_in_view() {
        let pattern = Pattern::new(r"\bcat\b").unwrap();
        let text = "concat cats cat";
        assert_eq!(pattern.find(text, 3..text.len()).map(|s| s.start), Some(12));
        assert_eq!(pattern.find(text, 7..10), None);
        assert_eq!(pattern.find_all("cat cat", 0..7).count(), 2);
    }
}
