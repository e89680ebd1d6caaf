//! `skillgate rules`: what is looked for, what is wrong with a rule file, and what hits a file.

mod hits;
mod import;
mod pages;
mod stats;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{Exit, show};
use crate::base::render::human::{self, Style};
use crate::base::render::json;
use crate::base::{Diagnostic, Source};
use crate::gate::context::Scope;
use crate::gate::rules::definition::{Detection, Source as RuleSource, UnlessPlace, Within};
use crate::gate::rules::{Category, Rule, RuleFault, RuleId, RuleSet, Severity, builtin, examples};
use crate::io::rules::{self, RuleFile};

/// Look at the rules, and check your own.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
    /// A rule file or folder of your own that is taken in too (several times)
    #[arg(long, global = true, value_name = "PATH")]
    with: Vec<PathBuf>,
    /// Print JSON: an object a line, for `show` and `stats` one object
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// List rules in order of their ids
    List {
        /// Only this category, such as exfiltration; `rules stats` lists them
        #[arg(long, value_parser = parse_category)]
        category: Option<Category>,
        /// Only this severity and worse: info, low, medium, high or critical
        #[arg(long, value_parser = parse_severity)]
        severity: Option<Severity>,
    },
    /// Show all of one rule
    Show {
        /// The rule's id
        id: RuleId,
    },
    /// Check rule files and run their examples; exit 1 where something is wrong
    Lint {
        /// Rule files and folders; without any, the rules that are compiled in
        files: Vec<PathBuf>,
    },
    /// Show which rules hit a file or skill, in which view, and what stands around it
    Test {
        /// A skill's folder, a file, or a folder of skills
        path: PathBuf,
    },
    /// Make rules of Sigma's: what has a meaning in text is translated, the rest is told, rule by rule
    ImportSigma {
        /// A Sigma file, or a folder of them
        path: PathBuf,
        /// Where the rule files go, named like Sigma's; without it they are printed
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Count rules: by category beside the paper's counts, by severity, source, language and view
    Stats,
    /// Write the reference: a page for each category, and one that lists them
    Docs {
        /// The folder; pages that are there are replaced
        folder: PathBuf,
    },
}

fn parse_category(text: &str) -> Result<Category, String> {
    let known = || Category::all().map(Category::name).collect::<Vec<_>>().join(", ");
    Category::named(text).ok_or_else(|| match Category::nearest(text) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it takes one of {}", known()),
    })
}

fn parse_severity(text: &str) -> Result<Severity, String> {
    Severity::ALL
        .into_iter()
        .find(|severity| severity.name() == text)
        .ok_or_else(|| "it takes info, low, medium, high or critical".to_owned())
}

/// Runs the command.
pub(crate) fn run(arguments: RulesArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let RulesArgs { command, with, json } = arguments;
    let rules = || -> anyhow::Result<RuleSet> {
        let files = rules::read(with.iter().map(PathBuf::as_path))?;
        Ok(RuleSet::builtin().with(&rules::parse(&files)?)?)
    };
    match command {
        RulesCommand::List { category, severity } => {
            let fits = |rule: &&Rule| {
                category.is_none_or(|category| rule.category == category)
                    && severity.is_none_or(|severity| rule.severity >= severity)
            };
            list(rules()?.iter().filter(fits), json, out)
        }
        RulesCommand::Show { id } => {
            let rules = rules()?;
            let rule = rules.get(&id).ok_or_else(|| rules.unknown(&id))?;
            show_one(rule, json, out)
        }
        RulesCommand::Lint { mut files } => {
            files.extend(with);
            lint(&files, json, out)
        }
        RulesCommand::Test { path } => hits::test(&path, &rules()?, json, out),
        RulesCommand::ImportSigma { path, out: folder } => import::run(&path, folder.as_deref(), json, out),
        RulesCommand::Stats => stats::show(&rules()?, json, out),
        RulesCommand::Docs { folder } => pages::write(&rules()?, &folder),
    }
}

fn list<'a>(rules: impl Iterator<Item = &'a Rule>, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    if json {
        for rule in rules {
            writeln!(out, "{}", json::text(&value(rule)))?;
        }
        return Ok(Exit::Ok);
    }
    let mut table = show::table(["ID", "SEVERITY", "CONFIDENCE", "CATEGORY", "TITLE"]);
    for rule in rules {
        let title = show::clip(&rule.title, 80);
        let names =
            [rule.id.as_str(), rule.severity.name(), rule.confidence.name(), rule.category.name(), &title];
        table.add_row(names);
    }
    show::write_table(out, &table)?;
    Ok(Exit::Ok)
}

fn show_one(rule: &Rule, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    if json {
        writeln!(out, "{}", json::pretty(&value(rule)))?;
        return Ok(Exit::Ok);
    }
    writeln!(out, "{}  {}", rule.id, show::clip(&rule.title, 200))?;
    let mut line = |name: &str, value: &str| match value {
        "" => Ok(()),
        value => writeln!(out, "{name:<12}{}", show::clip(value, 2000)),
    };
    line("category", rule.category.name())?;
    line("severity", &format!("{}, confidence {}", rule.severity.name(), rule.confidence.name()))?;
    line("languages", &rule.languages.join(" "))?;
    line("attack", &rule.attack.join(" "))?;
    line("status", rule.status.name())?;
    line("source", &source_words(&rule.source))?;
    line("file", &format!("{}:{}", rule.place.file, rule.place.line))?;
    line("what", &rule.description)?;
    line("instead", &rule.remediation)?;
    line("anchors", &rule.anchors.join("  "))?;
    line("detector", if let Detection::Detector(code) = &rule.detection { code } else { "" })?;
    if let Detection::All { within, .. } = rule.detection {
        line("within", &within_words(within))?;
    }
    for pattern in rule.detection.patterns() {
        line("pattern", pattern)?;
    }
    for accident in &rule.unless {
        line("unless", &format!("{} in the {}", accident.regex, place_name(accident.place)))?;
    }
    line("scope", &rule.scope.iter().map(Scope::name).collect::<Vec<_>>().join(" "))?;
    line("views", &rule.views.iter().map(|view| view.name()).collect::<Vec<_>>().join(" "))?;
    for reference in &rule.references {
        line("see", reference)?;
    }
    for example in &rule.examples.matching {
        line("matches", example)?;
    }
    for example in &rule.examples.clean {
        line("leaves", example)?;
    }
    Ok(Exit::Ok)
}

fn source_words(source: &RuleSource) -> String {
    match source {
        RuleSource::Own => "own".to_owned(),
        RuleSource::Sigma { id, author, licence, modified, lossy } => {
            let modified = if *modified { ", modified" } else { "" };
            let lossy = if *lossy { ", some conditions left out" } else { "" };
            format!("Sigma {id} by {author} ({licence}{modified}{lossy})")
        }
    }
}

fn within_words(within: Within) -> String {
    match within {
        Within::Characters(count) => format!("{count} characters"),
        Within::Line => "the same line".to_owned(),
        Within::Block => "the same block".to_owned(),
    }
}

const fn place_name(place: UnlessPlace) -> &'static str {
    match place {
        UnlessPlace::Match => "match",
        UnlessPlace::Line => "line",
        UnlessPlace::Block => "block",
    }
}

/// A rule with the keys of rule files.
fn value(rule: &Rule) -> Value {
    let mut value = json!({
        "id": rule.id, "title": rule.title, "description": rule.description, "remediation": rule.remediation,
        "category": rule.category.name(), "languages": rule.languages, "attack": rule.attack, "severity": rule.severity,
        "confidence": rule.confidence.name(), "status": rule.status.name(), "references": rule.references,
        "scope": rule.scope.iter().map(Scope::name).collect::<Vec<_>>(),
        "views": rule.views, "examples": { "match": rule.examples.matching, "no_match": rule.examples.clean },
        "file": &*rule.place.file, "line": rule.place.line,
    });
    match &rule.detection {
        Detection::Any(patterns) => value["any"] = json!(patterns),
        Detection::All { patterns, within } => {
            value["all"] = json!(patterns);
            value["within"] = match within {
                Within::Characters(count) => json!(count),
                Within::Line => json!("line"),
                Within::Block => json!("block"),
            };
        }
        Detection::Detector(code) => value["detector"] = json!(code),
    }
    if rule.anchorless {
        value["anchorless"] = json!(true);
    } else if !rule.anchors.is_empty() {
        value["anchors"] = json!(rule.anchors);
    }
    let unless = rule.unless.iter().map(|one| json!({ "regex": one.regex, "where": place_name(one.place) }));
    if !rule.unless.is_empty() {
        value["unless"] = unless.collect();
    }
    value["source"] = match &rule.source {
        RuleSource::Own => json!({ "kind": "own" }),
        RuleSource::Sigma { id, author, licence, modified, lossy } => json!({
            "kind": "sigma", "id": id, "author": author, "licence": licence, "modified": modified, "lossy": lossy,
        }),
    };
    value
}

fn lint(paths: &[PathBuf], json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let files = if paths.is_empty() {
        builtin::FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    } else {
        rules::read(paths.iter().map(PathBuf::as_path))?
    };
    let (faults, count) = match rules::parse(&files) {
        Ok(rules) => {
            if std::io::stderr().is_terminal() {
                eprintln!("trying {} on examples and on each other's …", show::count(rules.len(), "rule"));
            }
            let mut faults = rules.lint();
            faults.extend(examples::check(&rules));
            (faults, rules.len())
        }
        Err(errors) => (errors.0, 0),
    };
    for fault in &faults {
        write_fault(fault, &files, json, out)?;
    }
    if faults.is_empty() {
        let (rules, files) = (show::count(count, "rule"), show::count(files.len(), "file"));
        eprintln!("{rules} in {files}, nothing to complain about");
        return Ok(Exit::Ok);
    }
    eprintln!("{}", show::count(faults.len(), "complaint"));
    Ok(Exit::Found)
}

fn write_fault(fault: &RuleFault, files: &[RuleFile], json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let text = files.iter().find(|(name, _)| **name == *fault.place.file).map_or("", |(_, text)| text);
    let (source, diagnostic) = (Source::new(text), Diagnostic::from(fault));
    if json {
        writeln!(out, "{}", json::text(&json::value(&diagnostic, Some(&source))))?;
    } else {
        let style = if std::io::stdout().is_terminal() { Style::Styled } else { Style::Plain };
        writeln!(out, "{}", human::render(&diagnostic, Some(&source), style))?;
    }
    Ok(())
}
