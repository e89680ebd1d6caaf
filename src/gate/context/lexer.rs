//! Comments and strings of code, and what strings are for.
//!
//! One pass without a grammar. A string belongs to the brackets it stands in: what is called there, or what
//! the list is assigned to, tells whether it runs or is only named. A string that is not known to be only
//! named counts as code. Strings in quotes end with their line, so that an odd quote spoils one line and no
//! more.

use std::collections::BTreeMap;

use super::language::Family;
use super::usage::{self, Usage};
use crate::base::Span;

/// A comment or a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// All of it, with its signs.
    pub(super) span: Span,
    /// What it is.
    pub(super) kind: TokenKind,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Comment,
    String(Usage),
}

/// Names that are looked for in one text in any case, and how many bytes are looked through for more.
const NAMES: usize = 16;
const SEARCHED: usize = 64 << 20;

/// Brackets within each other that are followed.
const DEPTH: usize = 64;

/// The comments and strings of a stretch of text, in order.
pub(super) fn tokens(text: &str, within: Span, family: Family) -> Vec<Token> {
    let end = within.end.min(text.len());
    let mut lexer = Lexer {
        text,
        end,
        family,
        at: within.start,
        tokens: Vec::new(),
        scope: Scope::default(),
        run: BTreeMap::new(),
        unclosed: [0; 2],
        goes_on: None,
    };
    while lexer.at < lexer.end {
        lexer.step();
    }
    lexer.tokens
}

/// Words of a shell that stand before a command.
const LEADS: &[&str] = &["if", "then", "else", "elif", "do", "while", "until", "time", "-", "$"];

struct Lexer<'t> {
    text: &'t str,
    end: usize,
    family: Family,
    at: usize,
    tokens: Vec<Token>,
    scope: Scope,
    /// The names that were looked for, and whether what they hold is run.
    run: BTreeMap<&'t str, bool>,
    /// Up to where no quote of the kind ends a string: the rest of a line is looked through once.
    unclosed: [usize; 2],
    /// A stretch in which each place has the same answer to whether what is printed there goes on.
    goes_on: Option<(Span, bool)>,
}

/// What the code around a place is called.
#[derive(Default)]
struct Scope {
    /// For each open bracket the word before it.
    open: Vec<Span>,
    /// Brackets beyond [`DEPTH`].
    beyond: usize,
    /// The last word, as long as nothing but blanks follows.
    word: Option<Span>,
    /// The first word of the statement.
    first: Option<Span>,
    /// What the statement assigns to.
    assigned: Option<Span>,
}

impl<'t> Lexer<'t> {
    fn step(&mut self) {
        let rest = self.rest();
        if let Some(len) = self.comment(rest) {
            self.push(len, TokenKind::Comment);
        } else if let Some(len) = self.string(rest) {
            let usage = self.usage(len);
            self.push(len, TokenKind::String(usage));
            self.scope.word = Some(Span::new(self.at - len, self.at));
        } else {
            self.plain(rest);
        }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..self.end]
    }

    fn push(&mut self, len: usize, kind: TokenKind) {
        self.tokens.push(Token { span: Span::new(self.at, self.at + len), kind });
        self.at += len;
    }

    /// The length of the comment that starts here.
    fn comment(&self, rest: &[u8]) -> Option<usize> {
        let block = self.family.block.iter().find(|(open, _)| rest.starts_with(open.as_bytes()));
        if let Some((open, close)) = block {
            let inner = memchr::memmem::find(&rest[open.len()..], close.as_bytes());
            return Some(inner.map_or(rest.len(), |len| open.len() + len + close.len()));
        }
        let starts = |sign: &&&str| rest.starts_with(sign.as_bytes());
        let sign = self.family.line.iter().find(starts)?;
        // `#` inside a word, `://` in an address, and `--` in a flag start no comment.
        let before = self.at.checked_sub(1).map(|at| self.text.as_bytes()[at]);
        let is_start = before.is_none_or(|byte| byte.is_ascii_whitespace() || b";{}(),".contains(&byte));
        (is_start || (*sign == "//" && before != Some(b':'))).then(|| line_len(rest))
    }

    /// The length of the string that starts here, or nothing where it has no end.
    fn string(&mut self, rest: &[u8]) -> Option<usize> {
        if let Some(quote) = self.family.long.iter().find(|quote| rest.starts_with(quote.as_bytes())) {
            let inner = memchr::memmem::find(&rest[quote.len()..], quote.as_bytes());
            return Some(inner.map_or(rest.len(), |len| len + 2 * quote.len()));
        }
        let quote = *rest.first().filter(|byte| self.family.quotes.contains(byte))?;
        let kind = usize::from(quote == b'\'');
        if self.at < self.unclosed[kind] {
            return None;
        }
        let mut at = 1;
        while let Some(byte) = rest.get(at) {
            match *byte {
                b'\n' => break,
                b'\\' => at += 1 + usize::from(rest.get(at + 1).is_some_and(|next| *next != b'\n')),
                byte if byte == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
        self.unclosed[kind] = self.at + at;
        None
    }

    /// Reads what is neither: words, brackets, ends of statements.
    fn plain(&mut self, rest: &[u8]) {
        let len = rest.iter().take_while(|byte| is_word(**byte)).count();
        if len > 0 {
            let word = Span::new(self.at, self.at + len);
            self.scope.word = Some(word);
            let leads = self.family.commands && LEADS.contains(&word.of(self.text).unwrap_or_default());
            self.scope.first = self.scope.first.or(Some(word)).filter(|_| !leads);
            self.at += len;
            return;
        }
        self.scope.sign(rest[0], self.at, self.family.commands);
        self.at += 1;
    }

    /// What the string that starts here and has this length is for.
    fn usage(&mut self, len: usize) -> Usage {
        let text = self.text;
        let word = |span: &Span| span.of(text).unwrap_or_default();
        let (at, bytes) = (self.at + len, &text.as_bytes()[..self.end]);
        let known = &mut self.goes_on;
        let goes_on = || match *known {
            Some((stretch, answer)) if stretch.start <= at && at <= stretch.end => answer,
            _ => {
                let (end, answer) = usage::goes_on(&bytes[at..]);
                *known = Some((Span::new(at, at + end), answer));
                answer
            }
        };
        let callers = self.scope.open.iter().rev().map(word);
        let command = self.scope.first.iter().filter(|_| self.family.commands).map(word);
        let usage = usage::of(callers.chain(command), self.scope.assigned.iter().map(word), goes_on);
        if usage == Usage::Named && self.is_run() { Usage::Live } else { usage }
    }

    /// True where what the statement assigns to is run somewhere. Each name is looked for once, and where there are more
    /// than can be, nothing speaks against it.
    fn is_run(&mut self) -> bool {
        let Some(name) = self.scope.assigned.and_then(|name| name.of(self.text)) else { return false };
        if self.run.len() > NAMES.max(SEARCHED / self.text.len().max(1)) && !self.run.contains_key(name) {
            return true;
        }
        *self.run.entry(name).or_insert_with(|| usage::is_run(self.text, name))
    }
}

impl Scope {
    fn sign(&mut self, sign: u8, at: usize, has_commands: bool) {
        match sign {
            b'(' | b'{' if has_commands => {
                self.enter(at);
                self.first = None;
            }
            b'(' | b'[' | b'{' => self.enter(at),
            b')' | b']' | b'}' => self.leave(),
            b'=' | b':' if self.open.is_empty() => self.assigned = self.word.or(self.assigned),
            b'\n' if self.open.is_empty() || has_commands => self.restart(),
            b';' | b'|' | b'&' if has_commands => self.restart(),
            b';' => self.restart(),
            _ => {}
        }
        if !matches!(sign, b' ' | b'\t' | b'\r' | b'\n' | b':' | b'=') {
            self.word = None;
        }
    }

    fn enter(&mut self, at: usize) {
        if self.open.len() < DEPTH {
            self.open.push(self.word.unwrap_or(Span::new(at, at)));
        } else {
            self.beyond += 1;
        }
    }

    fn leave(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else {
            self.open.pop();
        }
    }

    fn restart(&mut self) {
        self.first = None;
        self.assigned = None;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'$' | b'@') || !byte.is_ascii()
}

fn line_len(rest: &[u8]) -> usize {
    memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}
