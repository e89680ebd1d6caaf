//! The kinds of place that a rule can be limited to (rules.md, `scope`).
//!
//! A place has one or more scopes: a comment in a script is `script`, `code` and `comment`; prose in an MCP
//! field is `mcp` and `prose`. A rule applies where it shares one scope with the place. Which place has which
//! scopes is found out by [`super`], not here.

use std::fmt;

/// One kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Scope {
    /// Running text of Markdown or plain text: what an agent reads as instructions.
    Prose,
    /// Code fences, inline code, scripts and configuration.
    Code,
    /// The front matter of a skill.
    Frontmatter,
    /// Comments in code, and HTML comments.
    Comment,
    /// A file that is a program; always `code` too.
    Script,
    /// A field of an MCP message; always `prose` or `code` too.
    Mcp,
}

impl Scope {
    /// All scopes, in the order in which they are listed to people.
    pub const ALL: [Self; 6] =
        [Self::Prose, Self::Code, Self::Frontmatter, Self::Comment, Self::Script, Self::Mcp];

    /// The name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::Code => "code",
            Self::Frontmatter => "frontmatter",
            Self::Comment => "comment",
            Self::Script => "script",
            Self::Mcp => "mcp",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// No scope at all.
    pub const NONE: Self = Self(0);
    /// Every scope.
    pub const ANY: Self = Self((1 << Scope::ALL.len()) - 1);

    /// The set with one scope more.
    pub const fn with(self, scope: Scope) -> Self {
        Self(self.0 | 1 << scope as u8)
    }

    /// True where the scope is in the set.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & 1 << scope as u8 != 0
    }

    /// True where both sets share a scope.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The scopes in the set, in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        scopes.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, Scopes};

    #[test]
    fn sets_hold_what_was_put_in() {
        let comment: Scopes = [Scope::Comment, Scope::Code].into_iter().collect();
        assert_eq!(comment.iter().collect::<Vec<_>>(), [Scope::Code, Scope::Comment]);
        assert!(comment.meets(Scopes::NONE.with(Scope::Comment)));
        assert!(!comment.meets(Scopes::NONE.with(Scope::Prose)));
        assert_eq!(Scopes::ANY.iter().count(), Scope::ALL.len());
    }
}
