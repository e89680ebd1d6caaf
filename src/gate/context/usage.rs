//! What a string of code is for: to run, or only to be named, matched or printed.
//!
//! Told by what is called around it and by what it is assigned to. Nothing known says nothing: such a string
//! counts as live. A printed string that goes on into a pipe or a file is live too.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// What a string is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    /// It is run, sent or written, or nothing is known of it.
    Live,
    /// It is only matched, compared, listed as a pattern or printed.
    Named,
}

type Words = LazyLock<BTreeSet<&'static str>>;

/// A set of the words of a text.
macro_rules! words {
    ($text:literal) => {
        LazyLock::new(|| $text.split_ascii_whitespace().collect())
    };
}

/// Calls and commands that run, send or write what they are given, as the last part of their name.
static RUN: Words = words!(
    "system popen run call check_call check_output exec execsync execfile execfilesync spawn spawnsync \
    eval invoke-expression iex invoke-webrequest invoke-restmethod start-process source subprocess bash \
    sh zsh ssh sudo su curl wget fetch post put get request requests urlopen urlretrieve write writefile \
    writefilesync appendfile appendfilesync write_text tee python python3 node perl ruby osascript xargs \
    env nohup command shell_exec passthru proc_open function settimeout importlib compile_and_run \
    connect send sendall git"
);

/// Calls and commands that only match, compare or print.
static NAME: Words = words!(
    "print println printf eprintln echo puts log info warn warning error debug write-host write-output \
    write-error say die raise throw panic valueerror runtimeerror exception re.compile re.search \
    re.match re.findall re.sub re.fullmatch regexp regex match matches search test grep egrep fgrep rg \
    findstr select-string includes contains startswith endswith indexof has assert assertequal assertin \
    assertequals assertnotin asserttrue expect tobe toequal tocontain describe it should assert_eq \
    assert_ne regex.new case in elif if logger fail skip xfail parametrize add_argument help usage doc \
    comment"
);

/// Those of them whose output a shell can lead on.
static PRINT: Words = words!("echo printf print write-output write-host");

/// Parts of names of lists that are looked for and not run.
static LISTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let parts = "pattern deny block forbid disallow blacklist denylist blocklist signature indicator ioc suspicious \
    dangerous malicious banned reject prohibited regex rule sample fixture example expected test_case \
    testcase bad_ _bad unsafe risky keyword marker needle detect";
    AhoCorasick::new(parts.split_ascii_whitespace()).expect("a few words are no large automaton")
});

/// What a string is for: `callers` from the innermost bracket outwards, `assigned` the names it ends up in,
/// `goes_on` whether what is printed there goes into a pipe or a file.
pub(super) fn of<'t>(
    callers: impl Iterator<Item = &'t str>,
    mut assigned: impl Iterator<Item = &'t str>,
    goes_on: impl FnOnce() -> bool,
) -> Usage {
    for caller in callers.take(6) {
        let name = caller.trim_start_matches('@').to_ascii_lowercase();
        let last = name.rsplit('.').next().unwrap_or(&name);
        if NAME.contains(name.as_str()) || (NAME.contains(last) && !RUN.contains(last)) {
            return if PRINT.contains(last) && goes_on() { Usage::Live } else { Usage::Named };
        }
        if RUN.contains(last) {
            return Usage::Live;
        }
        if is_list(&name) {
            return Usage::Named;
        }
    }
    if assigned.any(|name| is_list(&name.to_ascii_lowercase())) { Usage::Named } else { Usage::Live }
}

/// What runs its argument, as it stands in a line in lower case.
const RUNNERS: &[&str] = &[
    "eval ",
    "eval(",
    "exec(",
    "exec ",
    "execsync(",
    "system(",
    "popen(",
    "subprocess",
    "bash -c",
    "sh -c",
    "spawn(",
    "spawnsync(",
    "iex ",
    "invoke-expression",
];
/// What only looks for it.
const SEEKERS: &[&str] = &["grep", "rg ", "findstr", "match", "search", "select-string", "compile("];
/// Loops over a list that are followed.
const LOOPS: usize = 4;

/// True where some line runs what a name holds: `eval "$NAME"`, `os.system(NAME)`, `for c in NAME` and `os.system(c)`.
/// Whatever a list is called, what is run out of it is no mere pattern.
pub(super) fn is_run(text: &str, name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name);
    if name.len() < 2 {
        return false;
    }
    let loops = text.lines().filter_map(|line| loop_variable(line, name)).take(LOOPS);
    runs(text, name) || loops.into_iter().any(|variable| runs(text, variable))
}

fn runs(text: &str, name: &str) -> bool {
    text.lines().filter(|line| has_word(line, name)).any(|line| {
        let lower = line.to_ascii_lowercase();
        let start = line.trim_start().trim_start_matches('"');
        let is_command =
            start.strip_prefix('$').is_some_and(|rest| rest.trim_start_matches('{').starts_with(name));
        (is_command || RUNNERS.iter().any(|runner| lower.contains(runner)))
            && !SEEKERS.iter().any(|seeker| lower.contains(seeker))
    })
}

/// The variable of a loop over what a name holds: `for c in NAME`, `for (const c of NAME)`.
fn loop_variable<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let head = line.trim_start().strip_prefix("for")?;
    let (variable, list) = head.split_once(" in ").or_else(|| head.split_once(" of "))?;
    let variable = variable.rsplit([' ', '(', ',']).next()?;
    (has_word(list, name) && !variable.is_empty()).then_some(variable)
}

fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(joins)
            && !line[at + word.len()..].chars().next().is_some_and(joins)
    })
}

fn is_list(name: &str) -> bool {
    LISTS.is_match(name)
}

/// Whether what is printed before this goes into a pipe or a file on its line, and where that shows: nothing that begins
/// before that place has another answer.
pub(super) fn goes_on(after: &[u8]) -> (usize, bool) {
    let next = |at: usize| after.get(at + 1).copied().unwrap_or_default();
    let before = |at: usize| at.checked_sub(1).map_or(0, |at| after[at]);
    let shows = |(at, byte): (usize, &u8)| match byte {
        b'#' | b'\n' => Some((at, false)),
        b'|' if next(at) != b'|' && before(at) != b'|' => Some((at, true)),
        b'>' if next(at) != b'&' && before(at) != b'&' => Some((at, true)),
        _ => None,
    };
    after.iter().enumerate().find_map(shows).unwrap_or((after.len(), false))
}

#[cfg(test)]
mod tests {
    use super::is_run;

    #[test]
    fn what_is_run_out_of_a_list_is_told_from_what_is_looked_for() {
        for run in [
            "eval \"$BLOCKED\"",
            "os.system(BLOCKED)",
            "for c in BLOCKED:\n    os.system(c)",
            "for c in \"${BLOCKED[@]}\"; do eval \"$c\"; done",
            "$BLOCKED --now",
            "for (const c of BLOCKED) {\n  execSync(c)\n}",
        ] {
            assert!(is_run(run, "BLOCKED"), "{run}");
        }
        for looked_for in [
            "if any(b in command for b in BLOCKED): deny()",
            "grep -E \"$BLOCKED\" log",
            "for c in BLOCKED:\n    assert not allowed(c)",
            "subprocess.run(['grep', BLOCKED, path])",
            "os.system(BLOCKED_AT)",
        ] {
            assert!(!is_run(looked_for, "BLOCKED"), "{looked_for}");
        }
    }
}
