//! Words that come out of a command: `$(printf 'c%srl' u)`, `$(echo hs | rev)`, `` `echo cu`rl ``.
//!
//! Only `echo` and `printf` with plain words, and what turns or thins their letters, are followed. What a command would read
//! from anywhere else is not known here, and its text stays as it is.

use memchr::{memchr, memchr2_iter};

use crate::base::Span;

/// The longest command that is followed, in bytes.
const LONGEST: usize = 160;

/// The commands of a text that come to a word, with the word.
pub(super) fn words(text: &str) -> Vec<(Span, String)> {
    let bytes = text.as_bytes();
    let mut words: Vec<(Span, String)> = Vec::new();
    for at in memchr2_iter(b'$', b'`', bytes) {
        if words.last().is_some_and(|(span, _)| at < span.end) {
            continue;
        }
        let (open, close) = match (bytes[at], bytes.get(at + 1)) {
            (b'$', Some(b'(')) => (at + 2, b')'),
            (b'`', _) => (at + 1, b'`'),
            _ => continue,
        };
        let window = &bytes[open..bytes.len().min(open + LONGEST)];
        let Some(inner) = memchr(close, window).and_then(|len| text.get(open..open + len)) else { continue };
        let span = Span::new(at, open + inner.len() + 1);
        // Backticks around a whole command are far more often Markdown's than a shell's.
        let is_shell = close == b')' || inner.contains('|') || touches_a_word(bytes, span);
        words.extend(output(inner).filter(|_| is_shell).map(|word| (span, word)));
    }
    words
}

fn touches_a_word(bytes: &[u8], span: Span) -> bool {
    let sides = [span.start.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(span.end)];
    sides.iter().flatten().any(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'`' | b'$'))
}

/// What a command prints, where that is known from its text alone.
fn output(command: &str) -> Option<String> {
    let mut stages = command.split('|').map(str::trim);
    let first = stages.next()?;
    let printed = match first.split_once(' ')? {
        ("printf", rest) => printed(&arguments(rest)?)?,
        ("echo", rest) => {
            let words = arguments(rest)?;
            let flags = words.iter().take_while(|word| matches!(word.as_str(), "-n" | "-e" | "-ne" | "-en"));
            words[flags.count()..].join(" ")
        }
        _ => return None,
    };
    let word = stages.try_fold(printed, turned)?;
    (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')).then_some(word)
}

/// What a stage of a pipe makes of a text.
fn turned(text: String, stage: &str) -> Option<String> {
    let words = arguments(stage)?;
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["rev"] => Some(text.chars().rev().collect()),
        ["tr", "-d", set] => Some(text.chars().filter(|c| !set.contains(*c)).collect()),
        ["cat"] => Some(text),
        _ => None,
    }
}

/// The text of `printf`, its format filled in.
fn printed(words: &[String]) -> Option<String> {
    let (format, values) = words.split_first()?;
    let mut values = values.iter();
    let mut pieces = format.split("%s");
    let mut text = pieces.next()?.to_owned();
    for piece in pieces {
        text.push_str(values.next().map_or("", String::as_str));
        text.push_str(piece);
    }
    Some(text.trim_end_matches("\\n").to_owned())
}

/// A command's words without their quotes; nothing where one of them is not plain.
fn arguments(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some('"') | None, '$' | '`') | (None, '<' | '>' | ';' | '&') => return None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_with(String::new);
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            _ => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn commands_that_only_print_are_followed() {
        for (text, word) in [
            ("$(printf 'c%srl' u)", "curl"),
            ("$(printf %s%s cu rl)", "curl"),
            ("$(echo hs | rev)", "sh"),
            ("`echo cu`rl", "cu"),
            ("`echo lruc | rev`", "curl"),
            ("$(echo -n cXuXrl|tr -d X)", "curl"),
        ] {
            let found: Vec<String> = words(text).into_iter().map(|(_, word)| word).collect();
            assert_eq!(found, [word], "{text}");
        }
    }

    #[test]
    fn what_reads_or_runs_something_is_not() {
        for text in [
            "$(echo $HOME)",
            "$(cat x)",
            "$(echo a | sed s/a/b/)",
            "`code`",
            "$(printf '%d' 1 > x)",
            "$(echo",
        ] {
            assert!(words(text).is_empty(), "{text}");
        }
    }
}
