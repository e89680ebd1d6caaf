//! Diagnostics for code hosts: SARIF 2.1.0.
//!
//! Paths are relative to the repository and URI-encoded, columns count characters, and each result has a fingerprint
//! made of its rule, file and line text, so that it stays the same when lines above it move. Rules come as plain
//! values; a result whose rule is not among them gets a bare entry, since code hosts drop what they cannot look up.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::base::diagnostic::{Diagnostic, Level, Source};
use crate::base::{DigestWriter, printable};

/// The program that made the results.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version, as in semantic versioning.
    pub version: &'a str,
    /// Its home page.
    pub url: Option<&'a str>,
}

/// What a code host shows about a rule or a diagnostic code.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The rule id or diagnostic code.
    pub id: String,
    /// What it finds, in a few words.
    pub title: String,
    /// Why that matters.
    pub description: String,
    /// What to do about it.
    pub help: String,
    /// Where to read more.
    pub url: Option<String>,
    /// The level of its results, unless they say otherwise.
    pub level: Level,
    /// Words to filter by (`security`, the category, technique ids).
    pub tags: Vec<String>,
    /// 0 to 10, as in CVSS: code hosts sort by it.
    pub security_severity: Option<f64>,
}

/// One result.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    /// What is said, and where.
    pub diagnostic: &'a Diagnostic,
    /// The text of its file, for lines and columns.
    pub source: Option<&'a Source<'a>>,
    /// Anything else a program may want (label, confidence, action).
    pub properties: Map<String, Value>,
    /// Who says that it does not count, and why, where somebody does.
    pub suppressed: Option<Suppression>,
}

/// Why a result does not count.
#[derive(Clone, Debug)]
pub struct Suppression {
    /// `inSource` for a comment beside it, `external` for a file of its own.
    pub kind: &'static str,
    /// The person's words.
    pub reason: String,
}

/// The whole log, with one run.
pub fn log(tool: &Tool<'_>, rules: &[Rule], outcomes: &[Outcome<'_>]) -> Value {
    let mut known: BTreeMap<&str, Value> =
        rules.iter().map(|rule| (rule.id.as_str(), rule_value(rule))).collect();
    for outcome in outcomes {
        let code = outcome.diagnostic.code.as_ref();
        known.entry(code).or_insert_with(|| json!({ "id": printable(code) }));
    }
    let index: BTreeMap<&str, usize> = known.keys().enumerate().map(|(at, id)| (*id, at)).collect();
    let mut seen = BTreeMap::new();
    let results: Vec<Value> =
        outcomes.iter().map(|outcome| result_value(outcome, &index, &mut seen)).collect();
    let mut driver = json!({ "name": tool.name, "semanticVersion": tool.version });
    if let Some(url) = tool.url {
        driver["informationUri"] = json!(url);
    }
    driver["rules"] = known.into_values().collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "%SRCROOT%": { "description": { "text": "the folder that was looked at" } } },
            "results": results,
        }],
    })
}

fn rule_value(rule: &Rule) -> Value {
    let mut properties = json!({ "tags": rule.tags });
    if let Some(severity) = rule.security_severity {
        properties["security-severity"] = json!(format!("{severity:.1}"));
    }
    let mut value = json!({
        "id": rule.id,
        "shortDescription": { "text": printable(&rule.title) },
        "fullDescription": { "text": printable(&rule.description) },
        "help": { "text": printable(&rule.help) },
        "defaultConfiguration": { "level": rule.level.name() },
        "properties": properties,
    });
    if let Some(url) = &rule.url {
        value["helpUri"] = json!(url);
    }
    value
}

/// How often the same rule was seen on the same words of the same file.
type Seen = BTreeMap<String, usize>;

fn result_value(outcome: &Outcome<'_>, index: &BTreeMap<&str, usize>, seen: &mut Seen) -> Value {
    let diagnostic = outcome.diagnostic;
    let mut value = json!({
        "ruleId": printable(&diagnostic.code),
        "ruleIndex": index.get(diagnostic.code.as_ref()),
        "level": diagnostic.level.name(),
        "message": { "text": message(diagnostic) },
        "locations": diagnostic.file.iter().map(|file| location(file, outcome)).collect::<Vec<_>>(),
        "partialFingerprints": { "skillgate/v1": fingerprint(outcome, seen) },
    });
    if !outcome.properties.is_empty() {
        value["properties"] = Value::Object(outcome.properties.clone());
    }
    if let Some(Suppression { kind, reason }) = &outcome.suppressed {
        value["suppressions"] = json!([{ "kind": kind, "justification": printable(reason) }]);
    }
    value
}

fn message(diagnostic: &Diagnostic) -> String {
    let mut text = printable(&diagnostic.message).into_owned();
    for note in &diagnostic.notes {
        let _ = write!(text, "\n{}", printable(note));
    }
    if let Some(help) = &diagnostic.help {
        let _ = write!(text, "\nhelp: {}", printable(help));
    }
    text
}

fn location(file: &str, outcome: &Outcome<'_>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file), "uriBaseId": "%SRCROOT%" } });
    physical["region"] = match outcome.diagnostic.span.zip(outcome.source) {
        Some((span, source)) => {
            let (start, end) = (source.place(span.start), source.place(span.end));
            json!({
                "startLine": start.line, "startColumn": start.column,
                "endLine": end.line, "endColumn": end.column,
            })
        }
        // Code hosts refuse a place without a line: the first stands for the whole file.
        None => json!({ "startLine": 1 }),
    };
    json!({ "physicalLocation": physical })
}

/// A relative path as a URI reference. Code hosts compare it with their own, which begin with a name.
fn uri(path: &str) -> String {
    path.trim_start_matches("./").bytes().fold(String::with_capacity(path.len()), |mut uri, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
        uri
    })
}

/// Rule, file and the words of the line; the same words again in the same file get the next number.
fn fingerprint(outcome: &Outcome<'_>, seen: &mut Seen) -> String {
    let diagnostic = outcome.diagnostic;
    let line = match diagnostic.span.zip(outcome.source) {
        Some((span, source)) => source.line_at(span.start).1,
        None => diagnostic.message.as_str(),
    };
    let mut writer = DigestWriter::new("sarif");
    writer.field(diagnostic.code.as_bytes());
    writer.field(diagnostic.file.as_deref().unwrap_or_default().as_bytes());
    for word in line.split_whitespace() {
        writer.field(word.as_bytes());
    }
    let digest = writer.finish().hex();
    let count = seen.entry(digest.clone()).and_modify(|count| *count += 1).or_insert(1);
    format!("{digest}:{count}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::{Outcome, Rule, Suppression, Tool, log};
    use crate::base::Span;
    use crate::base::diagnostic::{Diagnostic, Level, Source};

    const TOOL: Tool<'_> = Tool { name: "SkillGate", version: "0.1.0", url: None };

    fn rule(id: &str) -> Rule {
        Rule {
            id: id.to_owned(),
            title: "a title".to_owned(),
            description: "a description".to_owned(),
            help: "a help".to_owned(),
            url: Some("https://docs.example/rule".to_owned()),
            level: Level::Error,
            tags: vec!["security".to_owned()],
            security_severity: Some(8.0),
        }
    }

    fn outcome<'a>(diagnostic: &'a Diagnostic, source: Option<&'a Source<'a>>) -> Outcome<'a> {
        Outcome { diagnostic, source, properties: Map::new(), suppressed: None }
    }

    #[test]
    fn a_result_points_at_its_place() {
        let source = Source::new("x\né y\n");
        let diagnostic =
            Diagnostic::error("EXFIL-001", "it sends\u{202e} a key").in_file("a b/é#.md").at(Span::new(2, 6));
        let mut result = outcome(&diagnostic, Some(&source));
        result.suppressed = Some(Suppression { kind: "external", reason: "known".to_owned() });
        let log = log(&TOOL, &[rule("EXFIL-001"), rule("CRED-001")], &[result]);
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 2);
        let result = &run["results"][0];
        assert_eq!(
            run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize]["id"],
            "EXFIL-001"
        );
        assert_eq!(result["message"]["text"], "it sends\\u{202e} a key");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%A9%23.md");
        let region = json!({ "startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 4 });
        assert_eq!(place["region"], region);
        assert_eq!(result["suppressions"][0]["justification"], "known");
    }

    #[test]
    fn fingerprints_follow_the_line_and_not_its_number() {
        let prints = |text: &str, at: &[usize]| -> Vec<String> {
            let source = Source::new(text);
            let diagnostics: Vec<Diagnostic> = at
                .iter()
                .map(|at| Diagnostic::note("c", "m").in_file("f").at(Span::new(*at, at + 1)))
                .collect();
            let outcomes: Vec<Outcome<'_>> =
                diagnostics.iter().map(|diagnostic| outcome(diagnostic, Some(&source))).collect();
            let log = log(&TOOL, &[], &outcomes);
            let results = log["runs"][0]["results"].as_array().unwrap();
            let print =
                |result: &serde_json::Value| result["partialFingerprints"]["skillgate/v1"].to_string();
            results.iter().map(print).collect()
        };
        assert_eq!(prints("key x\n", &[0]), prints("\n\n  key  x\n", &[4]));
        assert_ne!(prints("key x\n", &[0]), prints("key y\n", &[0]));
        let twice = prints("key x\nkey x\n", &[0, 6]);
        assert_ne!(twice[0], twice[1]);
    }

    #[test]
    fn an_unknown_code_gets_a_bare_rule() {
        let diagnostic = Diagnostic::warning("name-missing", "there is no name");
        let log = log(&TOOL, &[], &[outcome(&diagnostic, None)]);
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"], json!([{ "id": "name-missing" }]));
        assert_eq!(log["runs"][0]["results"][0]["locations"], json!([]));
    }
}
