use std::collections::BTreeSet;

use toml::de::DeTable;

use super::lines::{Lines, default_lines};
use super::{DEFAULT_TEXT, JudgeChoice, JudgeName, Policy, PolicyFile, PolicyLine, UnreadAction, loosened};
use crate::base::{Digest, UnreadReason};
use crate::gate::judge::{CommandSettings, EndpointSettings};
use crate::gate::{Action, Label};
use crate::mcp::Side;

fn policy(text: &str) -> Policy {
    Policy::parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The examples of the default file as a file of their own: table headers, and `#key = value` lines.
fn examples() -> String {
    DEFAULT_TEXT
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(example) if !example.starts_with(' ') => example,
            None if line.starts_with('[') => line,
            _ => "",
        })
        .fold(String::new(), |text, line| text + line + "\n")
}

fn leaves(value: &toml::Value, path: &str, out: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                leaves(value, &path, out);
            }
        }
        toml::Value::Array(elements) if elements.iter().any(toml::Value::is_table) => {
            for (at, element) in elements.iter().enumerate() {
                leaves(element, &format!("{path}[{at}]"), out);
            }
        }
        _ => drop(out.insert(path.to_owned())),
    }
}

#[test]
fn the_default_file_is_the_paper_and_the_page() {
    let default = Policy::default();
    let table = [
        (Label::Safe, 0.0, Action::Allow),
        (Label::Suspicious, 0.49, Action::Warn),
        (Label::Suspicious, 0.5, Action::Quarantine),
        (Label::Malicious, 0.69, Action::Quarantine),
        (Label::Malicious, 0.7, Action::Block),
    ];
    for (label, confidence, action) in table {
        assert_eq!(default.verdict.action(label, confidence), action, "{label} {confidence}");
    }
    for (reason, action) in default.on_unread.iter() {
        let expected = match reason {
            UnreadReason::Executable
            | UnreadReason::Encrypted
            | UnreadReason::TooDeep
            | UnreadReason::TooLarge
            | UnreadReason::TooMany
            | UnreadReason::Escaping
            | UnreadReason::Ambiguous
            | UnreadReason::MainFile => UnreadAction::Quarantine,
            UnreadReason::Git | UnreadReason::Media => UnreadAction::Allow,
            _ => UnreadAction::Report,
        };
        assert_eq!(action, expected, "{reason}");
    }
    assert_eq!(default.on_unread.iter().count(), 15);
    assert_eq!(default.judge.command, CommandSettings::default());
    assert_eq!(default.judge.choice(), Ok(JudgeChoice::Embedded));
    for endpoint in JudgeName::ALL.into_iter().filter_map(|name| default.judge.endpoint(name)) {
        assert_eq!(
            EndpointSettings { base_url: String::new(), ..endpoint.clone() },
            EndpointSettings::default()
        );
    }
    assert_eq!((default.windows.cw, default.windows.ms, default.windows.cap), (500, 20, 8000));
}

#[test]
fn the_default_file_documents_every_key_that_exists() {
    let text = examples();
    let mut known = BTreeSet::new();
    // The key comes from a file or from a variable, so no one policy has every key.
    for other in ["api_key_file", "api_key_env"] {
        let without = text.lines().filter(|line| !line.starts_with(other)).collect::<Vec<_>>().join("\n");
        leaves(&toml::Value::try_from(policy(&without)).unwrap(), "", &mut known);
    }
    let examples = Lines::of(&text, DeTable::parse(&text).unwrap().get_ref());
    let documented: BTreeSet<&str> = default_lines().keys().chain(examples.keys()).collect();
    for key in &known {
        assert!(documented.contains(key.as_str()), "policy.toml says nothing of `{key}`");
    }
    assert!(known.contains("judge.openai.api_key_env") && known.contains("override[0].server_digest"));
}

#[test]
fn a_file_is_laid_over_the_default_key_by_key() {
    let mine = policy("[verdict.malicious]\nthreshold = 0.9\n");
    assert_eq!(mine.verdict.action(Label::Malicious, 0.8), Action::Quarantine);
    assert_eq!(mine.verdict.action(Label::Malicious, 0.9), Action::Block);
    assert_eq!(mine.verdict.suspicious, Policy::default().verdict.suspicious);
    assert_eq!(mine.windows, Policy::default().windows);
    let lists = policy("[rules]\nextra = [\"a\"]\n");
    assert_eq!(lists.rules.extra, ["a"]);
}

#[test]
fn every_value_names_its_line() {
    let mine = policy("mode = 'monitor'\n\n[[override]]\nagent = 'codex'\naction = 'warn'\nreason = 'r'\n");
    let line = |key: &str, line, file| PolicyLine { key: key.to_owned(), line, file };
    assert_eq!(mine.line("mode"), line("mode", Some(1), PolicyFile::User));
    assert_eq!(mine.line("override[0]"), line("override[0]", Some(3), PolicyFile::User));
    assert_eq!(mine.line("override[0].action"), line("override[0].action", Some(5), PolicyFile::User));
    let safe = mine.line("verdict.safe");
    assert_eq!(safe.file, PolicyFile::Default);
    assert_eq!(DEFAULT_TEXT.lines().nth(safe.line.unwrap() - 1), Some("safe = \"allow\""));
    assert_eq!(mine.line("release"), PolicyLine::builtin("release"));
    assert_eq!(mine.line("mode").to_string(), "policy.toml:1 mode");
    assert_eq!(safe.to_string(), "default verdict.safe");
}

#[test]
fn values_come_in_the_order_of_the_file_with_their_lines() {
    let mine = policy(
        "[verdict]\nsafe = 'warn'\n[[override]]\nrule = ['X-*', 'Y-001']\naction = 'block'\nreason = 'r'",
    );
    let values = mine.values();
    let shown: Vec<String> =
        values.iter().map(|value| format!("{} = {} # {}", value.key, value.value, value.line)).collect();
    assert_eq!(shown[0], "mode = \"enforce\" # default mode");
    assert!(shown.contains(&"verdict.safe = \"warn\" # policy.toml:2 verdict.safe".to_owned()), "{shown:#?}");
    assert!(shown.contains(&"on_unread.too-deep = \"quarantine\" # default on_unread.too-deep".to_owned()));
    let exception = "override[0] = { action = \"block\", reason = \"r\", rule = [\"X-*\", \"Y-001\"] } # policy.toml:3 override[0]";
    assert!(shown.contains(&exception.to_owned()), "{shown:#?}");
    assert!(Policy::default().values().is_sorted_by_key(|value| value.line.line));
}

/// A file with a mistake, and what is said of it.
const MISTAKES: &[(&str, &str)] = &[
    ("mdoe = 'enforce'", "line 1, column 1: unknown key `mdoe` (at `mdoe`); did you mean `mode`?"),
    ("mode = 'enforced'", "line 1, column 8: unknown value `enforced` (at `mode`); did you mean `enforce`?"),
    (
        "\n[verdict.malicious]\n  treshold = 0.5",
        "line 3, column 3: unknown key `treshold` (at `verdict.malicious.treshold`); did you mean `threshold`?",
    ),
    (
        "[on_unread]\nexecutables = 'allow'",
        "line 2, column 1: unknown key `executables` (at `on_unread.executables`); did you mean `executable`?",
    ),
    (
        "[screen]\n\"tool/call\" = false",
        "line 2, column 1: unknown key `tool/call` (at `screen.tool/call`); did you mean `tools/call`?",
    ),
    (
        "[verdict]\nsafe = 'pass'",
        "line 2, column 8: unknown value `pass` (at `verdict.safe`); known here: allow, warn, quarantine, block",
    ),
    (
        "[verdict.malicious]\nthreshold = 1.5",
        "line 2, column 13: a threshold lies between 0 and 1, and 1.5 does not (at `verdict.malicious.threshold`)",
    ),
    ("[windows]\nms = 0", "line 2, column 6: 0 is out of range: it takes 1 to 200 (at `windows.ms`)"),
    ("[windows]\nms = -3", "line 2, column 6: -3 is out of range: it takes 1 to 200 (at `windows.ms`)"),
    (
        "[rules]\ndisable = [{ id = 'X', reason = 'r' }]",
        "line 2, column 19: `X` is no rule id: it takes a family in capitals, a hyphen and at least three digits, such \
             as `EXFIL-012` (at `rules.disable[0].id`)",
    ),
    (
        "[rules]\ndisable = [{ id = 'EXFIL-001' }]",
        "line 2, column 12: the key `reason` is missing (at `rules.disable[0]`)",
    ),
    (
        "[[override]]\nagent = 'codex'\naction = 'warn'\nreason = ' '",
        "line 4, column 10: an exception needs a reason (at `override[0].reason`)",
    ),
    (
        "[[override]]\nserver = 'x'\naction = 'allow'\nreason = 'r'",
        "line 1, column 1: anybody can take a server's name, so it alone never makes an action milder (at \
             `override[0]`); add `server_digest`",
    ),
    (
        "[[override]]\naction = 'allow'\nreason = 'r'",
        "line 1, column 1: an override that asks for nothing fits every document (at `override[0]`); change \
             `[verdict]` instead, or say what it fits",
    ),
    (
        "[[override]]\nseverity = ['hihg']\naction = 'block'\nreason = 'r'",
        "line 2, column 13: unknown value `hihg` (at `override[0].severity[0]`); did you mean `high`?",
    ),
    (
        "[[override]]\nseverity = 'hihg'\naction = 'block'\nreason = 'r'",
        "line 2, column 12: unknown value `hihg` (at `override[0].severity`); did you mean `high`?",
    ),
    (
        "[[override]]\nsource = ['scan', 'wtach']\naction = 'block'\nreason = 'r'",
        "line 2, column 1: unknown source `wtach` (at `override[0].source`); did you mean `watch`?",
    ),
    (
        "[[override]]\ncategory = 'exfil'\naction = 'block'\nreason = 'r'\n",
        "line 2, column 1: unknown category `exfil` (at `override[0].category`); known here: ",
    ),
    (
        "[[override]]\nrule = []\naction = 'block'\nreason = 'r'",
        "line 2, column 8: an empty list matches nothing: leave the key out (at `override[0].rule`)",
    ),
    (
        "[[override]]\nrule = 'A*B'\naction = 'block'\nreason = 'r'",
        "line 2, column 8: `A*B` has a `*` before its end (at `override[0].rule`)",
    ),
    (
        "[allow]\nservers = [{ name = 'x', reason = 'r' }]",
        "line 2, column 12: the key `digest` is missing (at `allow.servers[0]`)",
    ),
    (
        "[verdict.malicious]\nbelow = 'allow'",
        "line 2, column 1: at confidence 0, MALICIOUS leads to `allow` and SUSPICIOUS to `warn` (at \
             `verdict.malicious.below`); the graver or surer the verdict, the harsher the action",
    ),
    (
        "[judge]\nbackend = 'openai'",
        "line 2, column 1: judge `openai` is not configured: it needs `base_url` and `model` under `[judge.openai]` (at \
             `judge.backend`); see `[judge]` in the default policy",
    ),
    (
        "[judge]\nasks = 'command'",
        "line 2, column 1: judge `command` is not configured: it needs `run` under `[judge.command]` (at \
             `judge.asks`); see `[judge]` in the default policy",
    ),
    (
        "[judge.gemini]\nmodel = 'm'\n[judge.ollama]\nmodel = 'm'",
        "line 1, column 2: several judges are configured (gemini, ollama): name the one to ask, as `asks` under \
             `[judge]` (at `judge.backend`); see `[judge]` in the default policy",
    ),
    (
        "[judge.anthropc]\nmodel = 'm'",
        "line 1, column 8: unknown key `anthropc` (at `judge.anthropc`); did you mean `anthropic`?",
    ),
    (
        "[judge.anthropic]\nmodel = 'm'\napi_key_fil = 'k'",
        "line 3, column 1: unknown key `api_key_fil` (at `judge.anthropic.api_key_fil`); did you mean `api_key_file`?",
    ),
    (
        "[judge.anthropic]\napi_key_env = 'K'",
        "line 1, column 8: a key alone configures nothing: name the `model` to ask (at `judge.anthropic.model`); see \
             `[judge]` in the default policy",
    ),
    (
        "[judge.anthropic]\nmodel = 'm'\napi_key_file = '~/key'",
        "line 3, column 1: the file is named by its absolute path; `~` is not one (at `judge.anthropic.api_key_file`); \
             see `[judge]` in the default policy",
    ),
    (
        "[judge.ollama]\nbase_url = 'http://h.example'",
        "line 1, column 8: an address alone configures nothing: name the `model` to ask (at `judge.ollama.model`); see \
             `[judge]` in the default policy",
    ),
    (
        "[judge.command]\nrun = ['judge']",
        "line 2, column 1: the program is named by its absolute path: it runs in an empty folder and is not looked up \
             (at `judge.command.run`); see `[judge]` in the default policy",
    ),
    (
        "[judge.command]\nrunn = ['/bin/judge']",
        "line 2, column 1: unknown key `runn` (at `judge.command.runn`); did you mean `run`?",
    ),
    (
        "[judge]\nbackend = 'claude'",
        "line 2, column 11: unknown value `claude` (at `judge.backend`); known here: auto, embedded, cascade, openai, \
             anthropic, gemini, ollama, command",
    ),
    (
        "[judge.openai]\nmodel = 'm'\nbase_url = 'llm.example'",
        "line 3, column 1: an address is `https://host/…` or `http://host/…`, without user or password (at \
             `judge.openai.base_url`); see `[judge]` in the default policy",
    ),
    (
        "[judge.openai]\nretries = 11",
        "line 2, column 1: it takes 0 to 10 (at `judge.openai.retries`); see `[judge]` in the default policy",
    ),
];

#[test]
fn mistakes_are_named_with_their_place_and_what_was_meant() {
    for (text, expected) in MISTAKES {
        let errors = Policy::parse(text).expect_err(text);
        let said = errors.to_string();
        // A list of all categories would have to be kept in step here.
        let is_list = expected.ends_with("known here: ");
        assert!(said == *expected || (is_list && said.starts_with(expected)), "{text}\n{said}\n{expected}");
    }
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_its_place() {
    for text in
        ["mode = ", "mode = 'enforce'\nmode = 'monitor'", "[verdict", "\u{0}", "mode = 3", "verdict = 'x'"]
    {
        let errors = Policy::parse(text).expect_err(text);
        assert!(errors.iter().all(|error| error.place.is_some() && error.span.is_some()), "{text}: {errors}");
    }
}

#[test]
fn all_mistakes_between_keys_are_named_at_once() {
    let text = "[judge]\nbackend = 'cascade'\n[verdict]\nsafe = 'block'\n[[override]]\naction = 'warn'\nreason = 'r'";
    assert_eq!(Policy::parse(text).expect_err(text).iter().count(), 3);
}

#[test]
fn equal_values_have_equal_digests() {
    let default = Policy::default();
    assert_eq!(policy("# a comment\nmode = 'enforce'").digest(), default.digest());
    assert_ne!(policy("mode = 'monitor'").digest(), default.digest());
    let (one, two) = ("[[override]]\nagent = 'a'\naction = 'warn'\nreason = 'r'\n", "reason = 's'\n");
    assert_ne!(policy(one).digest(), policy(&one.replace("reason = 'r'\n", two)).digest());
}

#[test]
fn an_unknown_method_is_screened_as_other() {
    let mine = policy("[screen]\n\"tools/call\" = false\nother = true");
    for (method, covered) in [
        ("tools/call", false),
        ("unknown", true),
        ("resources/read", true),
        ("notifications/message", false),
        ("x/y", true),
        ("arguments", true),
    ] {
        assert_eq!(mine.screen.covers(Side::Server, method), covered, "{method}");
    }
    for (text, covered) in [("arguments = true", true), ("arguments = false\nother = true", false)] {
        let mine = policy(&format!("[screen]\n{text}"));
        for method in ["tools/call", "unknown", "x/y"] {
            assert_eq!(mine.screen.covers(Side::Client, method), covered, "{text} {method}");
        }
    }
}

#[test]
fn looser_policies_are_told_from_harsher_ones() {
    let zero = Digest::of_bytes(b"");
    let allowed = format!("[allow]\ndigests = [{{ digest = '{zero}', reason = 'r' }}]");
    let denied = "[deny]\npublishers = [{ name = 'p', reason = 'r' }]";
    let block = "[[override]]\nagent = 'a'\naction = 'block'\nreason = 'r'\n";
    let warn = block.replace("block", "warn");
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        ("", "mode = 'monitor'", &["mode"]),
        ("mode = 'monitor'", "", &[]),
        ("", "on_error = 'open'", &["on_error"]),
        ("", "[verdict.malicious]\nthreshold = 0.8", &["verdict.malicious"]),
        ("", "[verdict.malicious]\nthreshold = 0.6", &[]),
        ("", "[verdict.suspicious]\nbelow = 'allow'", &["verdict.suspicious"]),
        ("", "[on_unread]\nexecutable = 'report'\nbinary = 'block'", &["on_unread.executable"]),
        ("", &allowed, &["allow.digests"]),
        (&allowed, "", &[]),
        (denied, "", &["deny.publishers"]),
        ("", denied, &[]),
        ("", block, &[]),
        ("", &warn, &["override"]),
        (block, "", &["override"]),
        (&warn, &format!("{warn}{block}"), &[]),
        (&warn, &format!("{block}{warn}"), &["override"]),
        ("", "[screen]\n\"tools/call\" = false", &["screen.tools/call"]),
        ("", "[rules]\ndisable = [{ id = 'X-001', reason = 'r' }]", &["rules.disable"]),
        ("[rules]\nextra = ['x']", "", &["rules.extra"]),
        ("", "[judge.openai]\nbase_url = 'http://h.example'\nmodel = 'm'", &["judge"]),
        ("", "[judge.openai]\nretries = 0", &[]),
        ("", "[judge.command]\ntimeout_ms = 5\n[judge.gemini]\ntimeout_ms = 5", &[]),
        ("", "[judge.command]\nrun = ['/bin/judge']", &["judge"]),
        ("", "[windows]\nms = 5", &["windows.ms"]),
        ("", "[windows]\norder = 'paper'", &["windows.order"]),
        ("[prefilter]\njudge_everything = true", "", &["prefilter.judge_everything"]),
        ("", "[limits]\nmax_files = 10", &["limits.max_files"]),
        ("", "[quarantine]\nrelease_days = 91", &["quarantine.release_days"]),
    ];
    for (old, new, keys) in cases {
        assert_eq!(&loosened(&policy(old), &policy(new)), keys, "{old:?} -> {new:?}");
    }
}

#[test]
fn the_judge_that_is_asked_is_the_only_one_or_the_one_that_is_named() {
    let one = "[judge.ollama]\nmodel = 'm'\n";
    let two = "[judge.ollama]\nmodel = 'm'\n[judge.command]\nrun = ['/bin/judge']\n";
    let cases = [
        ("", one, JudgeChoice::Asked(JudgeName::Ollama)),
        ("backend = 'embedded'", two, JudgeChoice::Embedded),
        ("backend = 'cascade'", one, JudgeChoice::Cascade(JudgeName::Ollama)),
        ("backend = 'command'", two, JudgeChoice::Asked(JudgeName::Command)),
        ("asks = 'command'", two, JudgeChoice::Asked(JudgeName::Command)),
        ("backend = 'cascade'\nasks = 'command'", two, JudgeChoice::Cascade(JudgeName::Command)),
    ];
    for (head, tables, choice) in cases {
        assert_eq!(policy(&format!("[judge]\n{head}\n{tables}")).judge.choice(), Ok(choice), "{head}");
    }
}
