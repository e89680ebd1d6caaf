//! What one statement of code reads, names and does, as far as its words show.
//!
//! A light reading that serves every language a skill's scripts come in: names, paths, what is assigned. It knows no
//! grammar and takes no name for more than a string of characters.

use std::collections::BTreeSet;

/// The names and paths of a statement, in order. `$x`, `${x}` and `./x` are read as `x`.
pub(super) fn names(statement: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '~' | '-');
    statement
        .split(move |c: char| !is_part(c))
        .map(|word| word.trim_start_matches("./").trim_matches(['.', '-']))
        .filter(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The name itself, and the name before its first dot where there is one.
pub(super) fn name_and_base(name: &str) -> impl Iterator<Item = &str> {
    let base =
        name.split('.').next().filter(|base| *base != name && !matches!(*base, "self" | "this" | "os" | ""));
    std::iter::once(name).chain(base)
}

/// What a statement gives a value to: names before `=`, after `as`, `for`, `>` and `-o`.
pub(super) fn targets(statement: &str) -> Vec<&str> {
    let mut targets: Vec<&str> = assigned(statement).into_iter().flat_map(names).take(4).collect();
    let words: Vec<&str> = statement.split_whitespace().collect();
    for pair in words.windows(2) {
        if matches!(
            pair[0],
            ">" | ">>"
                | "-o"
                | "-O"
                | "--output"
                | "-OutFile"
                | "-outfile"
                | "as"
                | "for"
                | "tee"
                | "-a"
                | "mv"
                | "cp"
        ) {
            targets.extend(names(pair[1]).next());
        }
    }
    // `body.append(x)` changes `body`.
    let start = statement.trim_start();
    targets.extend(
        start
            .split_once('.')
            .map(|(base, _)| base)
            .filter(|base| base.chars().all(|c| c.is_alphanumeric() || c == '_')),
    );
    // The last word of a copy is where it goes.
    if matches!(words.first(), Some(&("mv" | "cp" | "install"))) {
        targets.extend(words.last().and_then(|word| names(word).next()));
    }
    targets
}

/// The text before an assignment's `=`.
fn assigned(statement: &str) -> Option<&str> {
    let at = statement.char_indices().find(|(at, c)| {
        let before = statement[..*at].chars().next_back();
        let after = statement[at + c.len_utf8()..].chars().next();
        *c == '=' && !matches!(before, Some('=' | '!' | '<' | '>')) && after != Some('=')
    });
    let left = statement.get(..at?.0)?;
    // `f(a, b=c)` gives nothing a value that outlives the call.
    (!left.contains('(') || left.contains("=>")).then(|| left.trim_end_matches(':'))
}

/// The function that a statement begins, by the ways of many languages.
pub(super) fn function(statement: &str) -> Option<&str> {
    let start = statement.trim_start();
    let start = ["export ", "default ", "async ", "pub ", "public ", "private ", "static "]
        .iter()
        .fold(start, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    let after =
        ["def ", "function ", "fn ", "func ", "sub "].iter().find_map(|word| start.strip_prefix(word));
    let shell = || {
        start.split_once("()").filter(|(_, rest)| rest.trim_start().starts_with('{')).map(|(name, _)| name)
    };
    names(after.or_else(shell)?).next()
}

/// True where a `curl` statement sends more than its address.
pub(super) fn curl_sends(statement: &str) -> bool {
    let plain = |word| str::trim_matches(word, ['$', '(', ')', '"', '\'', '`', ',', '[', ']']);
    let mut words = statement.split_whitespace().map(plain).skip_while(|word| !word.ends_with("curl"));
    words.next();
    words.any(|word| {
        let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        // A flag that takes a value ends the run of short flags.
        let flags = short.unwrap_or_default().split_inclusive(|c| "oOuAHemwxXdFTbceE".contains(c)).next();
        flags.and_then(|flags| flags.chars().next_back()).is_some_and(|last| "dFT".contains(last))
    })
}

/// How many different secrets a statement takes from the environment by their names.
pub(super) fn secrets(statement: &str) -> usize {
    if !["environ", "getenv", "env", "ENV", "$"].iter().any(|access| statement.contains(access)) {
        return 0;
    }
    let is_name = |word: &&str| {
        word.len() > 4
            && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let kinds = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "DATABASE_URL", "_DSN"];
    let words = statement.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(is_name);
    words.filter(|word| kinds.iter().any(|kind| word.contains(kind))).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::{curl_sends, function, names, secrets, targets};

    #[test]
    fn secrets_are_counted_by_name() {
        assert_eq!(
            secrets("x = {\"A\": os.environ[\"NPM_TOKEN\"], \"B\": os.environ[\"AWS_SECRET_KEY\"]}"),
            2
        );
        assert_eq!(secrets("curl -H \"Authorization: $API_KEY\" u"), 1);
        assert_eq!(secrets("API_KEY = load()"), 0);
    }

    #[test]
    fn names_are_found_in_any_language() {
        let of = |text| names(text).collect::<Vec<_>>();
        assert_eq!(of("curl -d \"${KEY}\" /tmp/k"), ["curl", "d", "KEY", "/tmp/k"]);
        assert_eq!(of("./run.sh $1; x.y(z)"), ["run.sh", "x.y", "z"]);
    }

    #[test]
    fn targets_are_what_gets_a_value() {
        let cases: [(&str, &[&str]); 8] = [
            ("key=$(cat f)", &["key"]),
            ("const k = read()", &["const", "k"]),
            ("raw, _ := decode(x)", &["raw", "_"]),
            ("if a == b:", &[]),
            ("f(data=x)", &[]),
            ("with open(p) as fh:", &["fh"]),
            ("curl -s u -o /tmp/k", &["/tmp/k"]),
            ("cat x > out.txt", &["out.txt"]),
        ];
        for (statement, expected) in cases {
            assert_eq!(targets(statement), expected, "{statement}");
        }
    }

    #[test]
    fn functions_have_names() {
        for (statement, expected) in [
            ("def get(u):", Some("get")),
            ("export async function send(x) {", Some("send")),
            ("up() { curl x; }", Some("up")),
            ("get(u)", None),
        ] {
            assert_eq!(function(statement), expected, "{statement}");
        }
    }

    #[test]
    fn curl_sends_with_some_flags_only() {
        for sends in [
            "curl -d x u",
            "curl -sd @f u",
            "curl -sT- u",
            "x | curl -F f=@a u",
            "\"curl\", \"-sm4\", \"-d\", line",
        ] {
            assert!(curl_sends(sends), "{sends}");
        }
        for fetches in ["curl -fsSL u", "curl -so f u", "curl -H d u", "wget -d", "curl -f u"] {
            assert!(!curl_sends(fetches), "{fetches}");
        }
    }
}
