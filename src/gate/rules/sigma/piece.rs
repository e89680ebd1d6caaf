//! One value of a Sigma rule as a pattern over text, and a text that it fits where one can be made.
//!
//! A program is known by its base name, with or without `.exe`; a space at the end of a value is the end of a word; `*`
//! stays in its line. Values match without regard to case, as Sigma's do.

use super::field::Role;
use super::modifiers::{Form, Modifiers};
use super::special;

/// Where a value's edge is a word's edge: at the ends of a line, at white space, at quotes.
const BEFORE_WORD: &str = r#"(?:^|[\s"'`(=;|&])"#;
const AFTER_WORD: &str = r#"(?:$|[\s"'`);|&])"#;
/// What `*` stands for.
const GAP: &str = r"[^\n]{0,100}";

/// A pattern and a text that fits it.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub pattern: String,
    pub example: Option<String>,
}

/// The pattern of a value.
pub(super) fn of(
    role: Role,
    modifiers: &Modifiers,
    value: &str,
    losses: &mut Vec<String>,
) -> Result<Piece, String> {
    if value.trim().is_empty() {
        return Err("a value is empty".to_owned());
    }
    match modifiers.form {
        Form::Plain => {}
        Form::Regex => return special::regex(value, modifiers.is_cased, losses),
        Form::Network => return special::network(value),
        Form::Encoded { offsets, is_wide } => return Ok(special::encoded(value, offsets, is_wide)),
    }
    let tokens = tokens(value);
    let piece = match role {
        Role::Tool => tool(&tokens, modifiers).unwrap_or_else(|| text(&tokens, modifiers)),
        Role::Argument | Role::Text => text(&tokens, modifiers),
    };
    Ok(if modifiers.is_cased {
        Piece { pattern: format!("(?-i:{})", piece.pattern), ..piece }
    } else {
        piece
    })
}

/// A value is letters and wildcards; a backslash makes the next wildcard or backslash a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Letters(String),
    Any,
    One,
}

fn tokens(value: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut letters = String::new();
    let mut rest = value.chars().peekable();
    while let Some(letter) = rest.next() {
        let wildcard = match letter {
            '*' => Token::Any,
            '?' => Token::One,
            '\\' if rest.peek().is_some_and(|next| matches!(next, '*' | '?' | '\\')) => {
                letters.extend(rest.next());
                continue;
            }
            other => {
                letters.push(other);
                continue;
            }
        };
        if !letters.is_empty() {
            tokens.push(Token::Letters(std::mem::take(&mut letters)));
        }
        tokens.push(wildcard);
    }
    if !letters.is_empty() {
        tokens.push(Token::Letters(letters));
    }
    tokens
}

/// A program's base name; nothing where the value is a folder or a part of a path.
fn tool(tokens: &[Token], modifiers: &Modifiers) -> Option<Piece> {
    let [.., Token::Letters(last)] = tokens else { return None };
    if modifiers.open.back {
        return None;
    }
    let base = last.rsplit(['/', '\\']).next().filter(|base| !base.is_empty())?;
    let name = base.to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let front = if name.starts_with(is_word) { r"\b" } else { "" };
    let back = if name.ends_with(is_word) { r"\b" } else { "" };
    Some(Piece {
        pattern: format!(r"{front}{}(?:\.exe)?{back}", escaped(name)),
        example: Some(name.to_owned()),
    })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn text(tokens: &[Token], modifiers: &Modifiers) -> Piece {
    let last = tokens.len().saturating_sub(1);
    let mut made = Piece { pattern: String::new(), example: None };
    let mut example = String::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // At the edges of a value, anything is what stands around it anyway.
            Token::Any if at == 0 || at == last => {}
            Token::Any => made.pattern.push_str(GAP),
            Token::One => {
                made.pattern.push_str(r"[^\n]");
                example.push('x');
            }
            Token::Letters(letters) => {
                let begins = at == 0 && (letters.starts_with(' ') || !modifiers.open.front);
                let ends = at == last && (letters.ends_with(' ') || !modifiers.open.back);
                let inner = letters.trim_start_matches(|letter| at == 0 && letter == ' ');
                let inner = inner.trim_end_matches(|letter| at == last && letter == ' ');
                made.pattern.push_str(if begins { BEFORE_WORD } else { "" });
                made.pattern += &if modifiers.is_dash_any { any_dash(inner) } else { escaped(inner) };
                made.pattern.push_str(if ends { AFTER_WORD } else { "" });
                example.push_str(inner);
            }
        }
    }
    Piece { example: Some(example), ..made }
}

/// A text as a pattern. Spaces stay as they are, so that they can be part of an anchor.
pub(super) fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => pattern.push_str(r"\n"),
            '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => {
                pattern.extend(['\\', letter]);
            }
            other => pattern.push(other),
        }
    }
    pattern
}

/// Windows tools take a slash, a hyphen and some dashes for the same mark in front of an option.
fn any_dash(text: &str) -> String {
    let mut pattern = String::new();
    let mut is_start = true;
    for letter in text.chars() {
        if is_start && matches!(letter, '-' | '/') {
            pattern.push_str("(?:[-/]|–|—|―)");
        } else {
            pattern.push_str(&escaped(&letter.to_string()));
        }
        is_start = letter == ' ';
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::{Piece, of};
    use crate::gate::rules::pattern::Pattern;
    use crate::gate::rules::sigma::field::Role;
    use crate::gate::rules::sigma::modifiers::Modifiers;

    fn piece(role: Role, modifiers: &[&str], value: &str) -> Result<Piece, String> {
        of(role, &Modifiers::read(modifiers)?, value, &mut Vec::new())
    }

    #[track_caller]
    fn check(role: Role, modifiers: &[&str], value: &str, hits: &[&str], misses: &[&str]) {
        let made = piece(role, modifiers, value).unwrap();
        let pattern = Pattern::new(&format!("(?im){}", made.pattern)).unwrap();
        let finds = |text: &str| pattern.find(text, 0..text.len()).is_some();
        for text in hits.iter().copied().chain(made.example.as_deref()) {
            assert!(finds(text), "{} misses {text:?}", made.pattern);
        }
        for text in misses {
            assert!(!finds(text), "{} hits {text:?}", made.pattern);
        }
    }

    #[test]
    fn values_become_patterns() {
        check(
            Role::Tool,
            &["endswith"],
            r"\certutil.exe",
            &["certutil -f", r"C:\x\CERTUTIL.EXE"],
            &["mycertutil"],
        );
        check(Role::Tool, &["contains"], "/tmp/", &["/tmp/x"], &["tmp"]);
        check(Role::Argument, &["contains"], " -e ", &["nc -e sh", "x -e"], &["a-e b", "-ex"]);
        check(
            Role::Argument,
            &["contains", "windash"],
            "-urlcache",
            &["/urlcache", "–urlcache"],
            &["urlcache"],
        );
        check(Role::Argument, &[], "a*b?c", &["a long b1c"], &["xa b1cd", "a\nb1c"]);
        check(Role::Argument, &["contains"], r"100\*", &["100*"], &["100x"]);
        check(Role::Text, &["endswith"], ".onion", &["http://x.onion"], &["x.onions"]);
        check(Role::Text, &["contains", "cased"], "IEX", &["IEX x"], &["iex x"]);
        check(Role::Text, &["re"], "a.*b", &["a then b"], &["A then b"]);
        check(Role::Text, &["re", "i"], "a.+b", &["A then b"], &["ab"]);
        check(Role::Text, &["cidr"], "172.16.0.0/12", &["172.31.4.5"], &["172.32.0.1", "1172.16.0.1"]);
    }

    #[test]
    fn base64_is_found_at_every_offset() {
        use base64::Engine as _;
        let made = piece(Role::Argument, &["base64offset", "contains"], "/bin/sh -i").unwrap();
        let pattern = Pattern::new(&made.pattern).unwrap();
        for before in ["", "x", "xy", "xyz"] {
            let text =
                base64::engine::general_purpose::STANDARD.encode(format!("{before}/bin/sh -i {before}"));
            assert!(pattern.find(&text, 0..text.len()).is_some(), "{text}");
        }
        let wide = piece(Role::Argument, &["wide", "base64offset", "contains"], "iex").unwrap();
        assert!(wide.pattern.contains("aQBlAHgA"), "{}", wide.pattern);
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        assert!(piece(Role::Text, &["gt"], "5").is_err());
        assert!(piece(Role::Text, &["re"], "a(?=b)").is_err());
        assert!(piece(Role::Text, &["cidr"], "fe80::/10").is_err());
        assert!(piece(Role::Text, &[], "  ").is_err());
    }
}
