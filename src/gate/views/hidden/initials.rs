//! First letters of lines, list items or paragraphs that spell an order.
//!
//! Any text has first letters; only a row of words from a short list, an act and then what it is done to, nine letters
//! or more without one left over, is taken for meant.

use crate::base::Span;

/// The fewest letters that an order is spelled with.
const SHORTEST: usize = 9;

const ACTS: &[&str] = &[
    "approve", "bypass", "copy", "curl", "delete", "disable", "drop", "erase", "execute", "export", "fetch",
    "forward", "grant", "hide", "ignore", "install", "kill", "leak", "mail", "merge", "obey", "open", "post",
    "purge", "push", "read", "remove", "reveal", "run", "send", "share", "skip", "steal", "stop", "trust",
    "upload", "wget", "wipe",
];

const GOODS: &[&str] = &[
    "admin",
    "alerts",
    "audit",
    "auth",
    "backup",
    "backups",
    "branch",
    "branches",
    "chat",
    "checks",
    "cookies",
    "credentials",
    "data",
    "database",
    "env",
    "environment",
    "everything",
    "files",
    "firewall",
    "history",
    "hooks",
    "key",
    "keys",
    "log",
    "logging",
    "logs",
    "main",
    "memory",
    "password",
    "passwords",
    "policy",
    "prompt",
    "repo",
    "review",
    "reviews",
    "root",
    "rules",
    "scanner",
    "script",
    "secret",
    "secrets",
    "security",
    "shell",
    "sudo",
    "tests",
    "token",
    "tokens",
    "tools",
    "user",
    "users",
    "wallet",
    "warnings",
];

const LINKS: &[&str] = &[
    "all", "and", "any", "every", "from", "into", "its", "my", "no", "not", "now", "of", "on", "the", "then",
    "this", "to", "with", "your",
];

/// The orders that first letters spell, each with the stretch that they stand in.
pub(super) fn orders(text: &str) -> Vec<(Span, String)> {
    let mut rows = [Rows::default(), Rows::default(), Rows::default()];
    let mut found = Vec::new();
    let mut after_blank = true;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (kind, initial) = look(line);
        let initial = initial.map(|(letter, at)| (letter, start + at));
        start += line.len();
        let [items, paragraphs, lines] = &mut rows;
        match kind {
            Kind::Item => items.0.extend(initial),
            Kind::Text if after_blank => paragraphs.0.extend(initial),
            Kind::Text | Kind::Blank => {}
            Kind::Other => paragraphs.close(&mut found),
        }
        match kind {
            Kind::Text => lines.0.extend(initial),
            _ => lines.close(&mut found),
        }
        match kind {
            Kind::Item => paragraphs.close(&mut found),
            Kind::Blank => {}
            // What belongs to an item is set in.
            Kind::Text if line.starts_with([' ', '\t']) => {}
            Kind::Text | Kind::Other => items.close(&mut found),
        }
        after_blank = kind == Kind::Blank;
    }
    for row in &mut rows {
        row.close(&mut found);
    }
    found
}

/// Lower-case letters, each with its place.
#[derive(Default)]
struct Rows(Vec<(u8, usize)>);

impl Rows {
    /// Reads the letters so far and begins anew.
    fn close(&mut self, found: &mut Vec<(Span, String)>) {
        let rows = std::mem::take(&mut self.0);
        if rows.len() >= SHORTEST {
            found.extend(read(&rows));
        }
    }
}

/// What a line is, as far as first letters go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Item,
    Text,
    Blank,
    Other,
}

/// What a line is, and its first letter where that begins a word of prose.
fn look(line: &str) -> (Kind, Option<(u8, usize)>) {
    let shown = line.trim_start_matches([' ', '\t', '>']);
    if shown.trim_end().is_empty() {
        return (Kind::Blank, None);
    }
    if shown.starts_with(['#', '|', '`', '~', '<', '{', '}']) || shown.starts_with("---") {
        return (Kind::Other, None);
    }
    let digits = shown.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match shown.as_bytes() {
        [b'-' | b'*' | b'+', b' ', ..] => 2,
        bytes if digits > 0 && matches!(bytes.get(digits), Some(b'.' | b')')) => digits + 1,
        _ => 0,
    };
    let kind = if marker > 0 { Kind::Item } else { Kind::Text };
    let prose = shown[marker..].trim_start_matches([' ', '*', '_', '"', '\'', '[', '(']);
    let at = line.len() - prose.len();
    let letter = prose.bytes().next().filter(u8::is_ascii_alphabetic);
    (kind, letter.map(|letter| (letter.to_ascii_lowercase(), at)))
}

/// Words that letters can be cut into from one place on.
#[derive(Clone, Copy, Default)]
struct Chain {
    /// Letters of the first word, and of all words.
    word: usize,
    letters: usize,
    starts_with_act: bool,
    has_goods: bool,
}

/// The orders in a row of letters, from the left, none inside another.
fn read(rows: &[(u8, usize)]) -> Vec<(Span, String)> {
    let letters: Vec<u8> = rows.iter().map(|(letter, _)| *letter).collect();
    let chains = chains(&letters);
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let chain = chains[at];
        let is_order = chain.starts_with_act && chain.has_goods && chain.letters >= SHORTEST;
        if is_order {
            let end = at + chain.letters;
            let mut words = Vec::new();
            let mut next = at;
            while next < end {
                let word = &letters[next..next + chains[next].word];
                words.push(word.iter().copied().map(char::from).collect::<String>());
                next += word.len();
            }
            found.push((Span::new(rows[at].1, rows[end - 1].1 + 1), words.join(" ")));
        }
        at += if is_order { chain.letters } else { 1 };
    }
    found
}

/// For each place the words that reach furthest from it.
fn chains(letters: &[u8]) -> Vec<Chain> {
    let mut chains = vec![Chain::default(); letters.len() + 1];
    for at in (0..letters.len()).rev() {
        let rest = &letters[at..];
        for (list, starts_with_act, is_goods) in
            [(ACTS, true, false), (GOODS, false, true), (LINKS, false, false)]
        {
            for word in list.iter().filter(|word| rest.starts_with(word.as_bytes())) {
                let tail = chains[at + word.len()];
                let letters = word.len() + tail.letters;
                if letters > chains[at].letters {
                    let has_goods = is_goods || tail.has_goods;
                    chains[at] = Chain { word: word.len(), letters, starts_with_act, has_goods };
                }
            }
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::orders;

    /// One row for each letter, set as `before` + letter + `after`.
    fn set(word: &str, before: &str, after: &str) -> String {
        let rows: Vec<String> =
            word.chars().map(|letter| format!("{before}{}{after}", letter.to_ascii_uppercase())).collect();
        rows.concat()
    }

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = orders(text).into_iter().map(|(_, words)| words).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn orders_are_read_from_items_paragraphs_and_lines() {
        check(&set("disablelogging", "- ", "ne thing.\n"), &["disable logging"]);
        check(&set("sendallkeys", "1. **", "ther**\n   more\n"), &["send all keys"]);
        check(&set("deletethebackups", "", "ny advice.\n\n"), &["delete the backups"]);
        check(&set("skipreviews", "> ", "ines of a poem\n"), &["skip reviews"]);
        check(&format!("# Notes\n\n{}\nend\n", set("xpushtomainx", "* ", "f\n")), &["push to main"]);
    }

    #[test]
    fn other_first_letters_say_nothing() {
        check(&set("abcdefghijklmnop", "- ", "ne\n"), &[]);
        check(&set("runtests", "- ", "ne\n"), &[]);
        check(&set("loggingdisable", "- ", "ne\n"), &[]);
        check("- Send the form.\n- Enter a name.\n- Note the date.\n- Do the rest.\n", &[]);
        check(&format!("{}# Heading\n{}", set("disable", "- ", "ne\n"), set("logging", "- ", "ne\n")), &[]);
    }
}
