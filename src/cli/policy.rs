//! `skillgate policy`: what holds, what is wrong with a file, and which line decides a case.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use serde::de::DeserializeOwned;

use super::{Exit, show};
use crate::base::render::human::{self, Style};
use crate::base::render::json;
use crate::base::{Digest, Source, UnreadReason, printable};
use crate::gate::policy::{DEFAULT_TEXT, NamePattern, PolicyErrors, PolicyFile, PolicyLine, loosened};
use crate::gate::rules::{RuleId, RuleSet, Severity};
use crate::gate::{
    Answers, Decision, ExitClass, Finding, Findings, JudgeFailure, JudgeOutcome, Kind, Label, Origin, Policy,
    Verdict, resolve,
};
use crate::io::policy::{self, PolicyText};
use crate::io::{Home, rules};

/// Look at the policy, check a file, and see which line decides.
#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    command: PolicyCommand,
    /// The policy file; without it, `policy.toml` in SkillGate's home
    #[arg(long = "policy", global = true, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    /// Show every effective value and where it comes from
    Show {
        /// Only what the file changes
        #[arg(long)]
        changed: bool,
    },
    /// Look for mistakes in a policy file; exit 1 where there are any
    Check {
        /// The file; without it, the one that `show` shows
        #[arg(value_name = "FILE")]
        checked: Option<PathBuf>,
    },
    /// Show what is done in a case, and which line decides
    Explain(Box<ExplainArgs>),
    /// Print the default policy with its comments, to start a file from
    Default,
}

#[derive(Debug, Args)]
struct ExplainArgs {
    /// What the judge says: safe, suspicious or malicious; without it, no rule matched
    #[arg(long, value_parser = named::<Label>(str::to_uppercase), required_if_eq("judge", "degraded"))]
    label: Option<Label>,
    /// How sure it is, 0 to 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = confidence)]
    confidence: f64,
    /// How the judge answers
    #[arg(long, value_enum, default_value_t = Manner::Answered)]
    judge: Manner,
    /// A rule that matched (several times); without it, a rule of no particular name
    #[arg(long = "rule", value_name = "ID")]
    rules: Vec<RuleId>,
    /// The severity of the hits, in place of the rules' own
    #[arg(long, value_parser = named::<Severity>(str::to_lowercase))]
    severity: Option<Severity>,
    /// Why something was not read (several times)
    #[arg(long, value_name = "REASON", value_parser = named::<UnreadReason>(str::to_lowercase))]
    unread: Vec<UnreadReason>,
    /// The kind of unit: package, mcp or loose
    #[arg(long, value_parser = named::<Kind>(str::to_lowercase), default_value = "package")]
    kind: Kind,
    /// The content's digest
    #[arg(long)]
    digest: Option<Digest>,
    /// The agent that reads it
    #[arg(long)]
    agent: Option<String>,
    /// The MCP server's name
    #[arg(long)]
    server: Option<String>,
    /// The digest of the server's command and arguments, or of its URL
    #[arg(long, value_name = "DIGEST")]
    server_digest: Option<Digest>,
    /// The MCP method; makes the kind `mcp`
    #[arg(long)]
    method: Option<String>,
    /// The channel: mcp, scan, install, watch or hook
    #[arg(long)]
    source: Option<String>,
    /// The owner it was fetched from
    #[arg(long)]
    publisher: Option<String>,
    /// A person released exactly this content
    #[arg(long)]
    released: bool,
}

/// How the judge answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Manner {
    /// The judge that was asked for answers
    Answered,
    /// It fails and the embedded judge stands in
    Degraded,
    /// No judge answers
    Failed,
}

/// A parser for values that policy, log and output write the same way, once `spell` has put the letters right.
fn named<T: DeserializeOwned>(spell: fn(&str) -> String) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        serde_json::from_value(spell(text).into()).map_err(|error| {
            let words = error.to_string();
            // The parser's own words begin with what clap has quoted already.
            let takes = words.split_once("expected ").map_or(words.as_str(), |(_, takes)| takes);
            format!("it takes {}", takes.replace('`', ""))
        })
    }
}

fn confidence(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "it takes a number from 0 to 1".to_owned())
}

/// Runs the command.
pub(crate) fn run(arguments: PolicyArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let PolicyArgs { command, file, json } = arguments;
    // Without a home there is no policy of the user's, and the default holds.
    let home = Home::locate_existing()?;
    let file = file.or_else(|| policy::in_home(home.as_ref()?));
    match command {
        PolicyCommand::Show { changed } => show_values(&policy::load(file.as_deref())?, changed, json, out),
        PolicyCommand::Check { checked } => check(&policy::read(checked.or(file).as_deref())?, json, out),
        PolicyCommand::Explain(arguments) => {
            let found = policy::read(file.as_deref())?;
            let policy = policy::load(file.as_deref())?;
            let rules = rules::effective(&policy.rules)?;
            let decision = arguments.decide(&policy, &rules)?;
            explain(&decision, &policy, &found, json, out)
        }
        PolicyCommand::Default => {
            out.write_all(DEFAULT_TEXT.as_bytes())?;
            Ok(Exit::Ok)
        }
    }
}

fn show_values(policy: &Policy, changed: bool, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let values = policy.values().into_iter().filter(|value| !changed || value.line.file == PolicyFile::User);
    if json {
        for value in values {
            writeln!(out, "{}", json::text(&value))?;
        }
        return Ok(Exit::Ok);
    }
    let mut table = show::table(["KEY", "VALUE", "FROM"]);
    for value in values {
        table.add_row([show::clip(&value.key, 60), show::clip(&value.value, 80), place(&value.line)]);
    }
    show::write_table(out, &table)?;
    Ok(Exit::Ok)
}

/// `policy.toml:12`, or `default`.
fn place(line: &PolicyLine) -> String {
    match (line.file, line.line) {
        (PolicyFile::User, Some(line)) => format!("policy.toml:{line}"),
        (PolicyFile::User, None) => "policy.toml".to_owned(),
        (PolicyFile::Default, _) => "default".to_owned(),
        (PolicyFile::Builtin, _) => "built-in".to_owned(),
    }
}

fn check(found: &PolicyText, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let Some(path) = &found.path else {
        eprintln!("there is no policy file: the default holds");
        return Ok(Exit::Ok);
    };
    let policy = match Policy::parse(&found.text) {
        Ok(policy) => policy,
        Err(errors) => return complain(&errors, path, &found.text, json, out),
    };
    // Rule folders and ids are looked up too; what is wrong with them is an error of its own.
    let rules = rules::effective(&policy.rules)?;
    for (at, exception) in policy.overrides.iter().enumerate() {
        let is_known = |name: &&NamePattern| rules.iter().any(|rule| name.fits(rule.id.as_str()));
        for unknown in exception.rule.iter().filter(|name| !is_known(name)) {
            eprintln!("note: `{unknown}` in `override[{at}]` names no rule that runs");
        }
    }
    let looser = loosened(&Policy::default(), &policy);
    if !looser.is_empty() {
        eprintln!("looser than the default: {}", looser.join(", "));
    }
    eprintln!("{}: no mistakes; {}", path.display(), policy.digest());
    Ok(Exit::Ok)
}

fn complain(
    errors: &PolicyErrors,
    path: &Path,
    text: &str,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let source = Source::new(text);
    for error in errors.iter() {
        let diagnostic = error.diagnostic(&path.display().to_string());
        if json {
            writeln!(out, "{}", json::text(&json::value(&diagnostic, Some(&source))))?;
        } else {
            let style = if std::io::stdout().is_terminal() { Style::Styled } else { Style::Plain };
            writeln!(out, "{}", human::render(&diagnostic, Some(&source), style))?;
        }
    }
    Ok(Exit::Found)
}

fn explain(
    decision: &Decision,
    policy: &Policy,
    found: &PolicyText,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    if json {
        writeln!(out, "{}", json::pretty(decision))?;
        return Ok(Exit::Ok);
    }
    writeln!(out, "action   {}", decision.action)?;
    if decision.would_be != decision.action {
        writeln!(out, "enforced {}", decision.would_be)?;
    }
    writeln!(out, "decided  {}", decision.line)?;
    if let Some(reason) = policy.reason(&decision.line.key) {
        writeln!(out, "because  {}", printable(reason))?;
    }
    let text = match decision.line.file {
        PolicyFile::User => found.text.as_str(),
        PolicyFile::Default => DEFAULT_TEXT,
        PolicyFile::Builtin => "",
    };
    if let Some(line) = decision.line.line.and_then(|line| text.lines().nth(line - 1)) {
        writeln!(out, "         {}", show::clip(line.trim(), 90))?;
    }
    writeln!(out, "exit     {}\n", exit_code(decision))?;
    let mut table = show::table(["ACTION", "LINE", "WHY"]);
    for step in &decision.steps {
        table.add_row([step.action.name(), &step.line.to_string(), &show::clip(&step.why, 120)]);
    }
    show::write_table(out, &table)?;
    Ok(Exit::Ok)
}

/// The exit code of `scan` in this case. It ignores `mode`.
const fn exit_code(decision: &Decision) -> u8 {
    match decision.exit {
        _ if !decision.would_be.forwards() => 1,
        ExitClass::Passed => 0,
        ExitClass::Withheld => 1,
        ExitClass::Unread => 3,
    }
}

impl ExplainArgs {
    fn decide(&self, policy: &Policy, rules: &RuleSet) -> anyhow::Result<Decision> {
        let origin = Origin {
            agent: self.agent.clone(),
            server: self.server.clone(),
            server_digest: self.server_digest,
            method: self.method.clone(),
            side: None,
            target: None,
            source: self.source.clone(),
            publisher: self.publisher.clone(),
        };
        Ok(resolve(&self.findings(rules)?, &self.answers(), policy, &origin))
    }

    fn findings(&self, rules: &RuleSet) -> anyhow::Result<Findings> {
        let mut hits = self.rules.iter().map(|id| self.finding(id, rules)).collect::<Result<Vec<_>, _>>()?;
        if hits.is_empty() && (self.label.is_some() || self.judge == Manner::Failed) {
            hits.push(Finding {
                rule: "EXPLAIN-000".parse()?,
                category: "none".to_owned(),
                severity: self.severity.unwrap_or(Severity::Medium),
            });
        }
        Ok(Findings {
            digest: self.digest.unwrap_or_else(|| Digest::of_bytes(b"")),
            kind: if self.method.is_some() { Kind::Mcp } else { self.kind },
            hits,
            unread: self.unread.clone(),
            windows_dropped: 0,
        })
    }

    fn finding(&self, id: &RuleId, rules: &RuleSet) -> anyhow::Result<Finding> {
        let rule = rules.get(id).ok_or_else(|| rules.unknown(id))?;
        Ok(Finding {
            rule: rule.id.clone(),
            category: rule.category.name().to_owned(),
            severity: self.severity.unwrap_or(rule.severity),
        })
    }

    fn answers(&self) -> Answers {
        let failure = JudgeFailure::Unreachable("as asked".to_owned());
        let verdict = self.label.map(|label| Verdict {
            label,
            confidence: self.confidence,
            judge: "the judge".to_owned(),
            ..Verdict::no_hits()
        });
        let judge = match (self.judge, verdict) {
            (Manner::Answered, verdict) => verdict.map(JudgeOutcome::Answered),
            (Manner::Degraded, Some(verdict)) => Some(JudgeOutcome::Degraded { verdict, failure }),
            (Manner::Degraded, None) | (Manner::Failed, _) => Some(JudgeOutcome::Failed(failure)),
        };
        Answers { judge, over_all_hits: None, release: self.released.then(|| "as asked".to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::{PolicyArgs, run};
    use crate::cli::Exit;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        policy: PolicyArgs,
    }

    fn out_of(folder: &Path, text: &str, arguments: &[&str]) -> (Exit, String) {
        let file = folder.join("policy.toml");
        std::fs::write(&file, text).unwrap();
        let file = file.display().to_string();
        let line = ["policy", "--policy", &file].into_iter().chain(arguments.iter().copied());
        let mut out = Vec::new();
        let exit = run(Line::try_parse_from(line).unwrap().policy, &mut out).unwrap();
        (exit, String::from_utf8(out).unwrap())
    }

    fn shown(text: &str, arguments: &[&str]) -> String {
        out_of(tempfile::tempdir().unwrap().path(), text, arguments).1
    }

    #[test]
    fn show_tells_where_each_value_comes_from() {
        let text = shown("mode = 'monitor'", &["show"]);
        let row = |key: &str| {
            let line = text.lines().find(|line| line.trim_start().starts_with(key)).unwrap();
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(row("mode"), "mode \"monitor\" policy.toml:1");
        assert_eq!(row("verdict.safe"), "verdict.safe \"allow\" default");
        assert_eq!(shown("mode = 'monitor'", &["show", "--changed"]).lines().count(), 2);
        let json = shown("mode = 'monitor'", &["show", "--changed", "--json"]);
        let expected = r#"{"key":"mode","value":"\"monitor\"","line":{"key":"mode","line":1,"file":"user"}}"#;
        assert_eq!(json.trim_end(), expected);
    }

    #[test]
    fn check_points_at_mistakes() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(out_of(folder.path(), "mode = 'monitor'", &["check"]), (Exit::Ok, String::new()));
        let (exit, text) = out_of(folder.path(), "\n[verdict.malicious]\ntreshold = 1\n", &["check"]);
        assert_eq!(exit, Exit::Found);
        assert!(
            text.contains("unknown key `treshold`") && text.contains("did you mean `threshold`?"),
            "{text}"
        );
        assert!(text.contains(":3:1"), "{text}");
    }

    #[test]
    fn explain_shows_the_line_that_decides() {
        let policy =
            "[verdict.malicious]\nthreshold = 0.9\nbelow = 'warn'\n[verdict.suspicious]\nat_least = 'warn'\n";
        let cases: &[(&[&str], &str)] = &[
            (&[], "action   allow\ndecided  default verdict.safe\n         safe = \"allow\"\nexit     0\n"),
            (
                &["--label", "malicious", "--confidence", "0.8"],
                "action   warn\ndecided  policy.toml:3 verdict.malicious.below\n         below = 'warn'\nexit     0\n",
            ),
            (&["--judge", "failed"], "action   block\ndecided  default on_error\n"),
            (
                &["--label", "SAFE", "--severity", "critical", "--judge", "degraded"],
                "action   quarantine\ndecided  built-in floor.critical-unjudged\nexit     1\n",
            ),
            (
                &["--unread", "binary"],
                "action   allow\ndecided  default verdict.safe\n         safe = \"allow\"\nexit     3\n",
            ),
            (
                &["--label", "malicious", "--released"],
                "action   allow\ndecided  built-in release\nexit     0\n",
            ),
        ];
        for (arguments, expected) in cases {
            let line: Vec<&str> = ["explain"].into_iter().chain(arguments.iter().copied()).collect();
            let text = shown(policy, &line);
            assert!(text.starts_with(expected), "{arguments:?}\n{text}");
        }
    }
}
