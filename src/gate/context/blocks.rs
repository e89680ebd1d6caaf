//! The blocks of one part, read once, and what they say of a place in it.
//!
//! Markdown is read as [`crate::skill::blocks`] gives it, code by its comments and strings. A place takes its
//! facts from the sentence it stands in, from the words that lead to its list, table or fence, and from the
//! headings above it. All facts are observations: none of them silences a hit.

use super::language::{family, of_path, of_shebang};
use super::lexer::{Token, TokenKind, tokens};
use super::markdown::Markdown;
use super::names::is_test_file;
use super::polarity::read;
use super::usage::Usage;
use super::{Context, Scope, Scopes, config, sentence};
use crate::base::Span;
use crate::gate::{Part, Role};

/// What is known of the places of one part.
pub struct Blocks<'a> {
    text: &'a str,
    role: Role,
    language: &'static str,
    is_test: bool,
    shape: Shape<'a>,
}

/// How a part is read.
enum Shape<'a> {
    /// As Markdown.
    Prose(Markdown<'a>),
    /// As code or configuration: its comments and strings.
    Code(Vec<Token>),
}

impl<'a> Blocks<'a> {
    /// Reads a part.
    pub fn of(part: &'a Part) -> Self {
        let text: &str = &part.text;
        let named = of_path(&part.path);
        let language = if named.is_empty() { of_shebang(text) } else { named };
        let shape = match part.role {
            Role::Script | Role::Config => {
                Shape::Code(tokens(text, Span::new(0, text.len()), family(language)))
            }
            Role::Instructions | Role::Reference | Role::Field => Shape::Prose(Markdown::of(text)),
        };
        Self { text, role: part.role, language, is_test: is_test_file(&part.path), shape }
    }

    /// The scopes that places of a part in this role can have.
    pub fn scopes_within(role: Role) -> Scopes {
        let never: &[Scope] = match role {
            Role::Script => &[Scope::Mcp, Scope::Prose],
            Role::Config | Role::Instructions | Role::Reference => &[Scope::Mcp, Scope::Script],
            Role::Field => &[Scope::Script],
        };
        Scope::ALL.into_iter().filter(|scope| !never.contains(scope)).collect()
    }

    /// The scopes of a place, given in bytes of the part's text.
    pub fn scope_of(&self, offset: usize) -> Scopes {
        match &self.shape {
            Shape::Prose(markdown) => {
                let scopes = markdown.scopes(offset);
                if self.role == Role::Field { scopes.with(Scope::Mcp) } else { scopes }
            }
            Shape::Code(tokens) => {
                let code = Scopes::NONE.with(Scope::Code);
                let code = if self.role == Role::Script { code.with(Scope::Script) } else { code };
                let comment = token_at(tokens, offset).is_some_and(|token| token.kind == TokenKind::Comment);
                if comment { code.with(Scope::Comment) } else { code }
            }
        }
    }

    /// What stands around a span of the part's text.
    pub fn context(&self, span: Span) -> Context {
        let context = match &self.shape {
            Shape::Prose(markdown) => markdown.context(span),
            Shape::Code(tokens) => self.code_context(tokens, span),
        };
        Context { test_file: self.is_test, ..context }
    }

    fn code_context(&self, tokens: &[Token], span: Span) -> Context {
        let mut context = in_code(self.text, tokens, span);
        self.language.clone_into(&mut context.language);
        if self.role == Role::Config {
            context.string_literal = false;
            let key = config::list_of(self.text, span.start, self.language);
            context.listed |= key.is_listed();
            context.negated |= key.is_denied();
        }
        context
    }
}

/// The facts of a place in code: those of its comment or string.
pub(super) fn in_code(text: &str, tokens: &[Token], span: Span) -> Context {
    let mut context = Context { code: true, ..Context::default() };
    let Some(token) = token_at(tokens, span.start).filter(|token| token.span.covers(span)) else {
        return context;
    };
    match token.kind {
        TokenKind::String(usage) => context.string_literal = usage == Usage::Named,
        TokenKind::Comment => {
            context.comment = true;
            apply(&mut context, &read(sentence::around(text, token.span, span)));
        }
    }
    context
}

/// The token that holds an offset.
pub(super) fn token_at(tokens: &[Token], offset: usize) -> Option<&Token> {
    let nth = tokens.partition_point(|token| token.span.end <= offset);
    tokens.get(nth).filter(|token| token.span.contains(offset))
}

/// Adds what a sentence says.
pub(super) fn apply(context: &mut Context, reading: &Context) {
    context.negated |= reading.negated;
    context.imperative |= reading.imperative;
    context.to_agent |= reading.to_agent;
    context.reported |= reading.reported;
}
