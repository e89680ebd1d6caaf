//! From rule files to rules (rules/README.md has the format).
//!
//! Every fault of a file is reported, each with line, column and the nearest known name; a file with a fault gives no
//! rules at all. Files that were compiled in are known to be right (tests/rules.rs reads them strictly), so reading
//! them again leaves out what costs time: the patterns are read when they are first needed.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::definition::{
    Confidence, Detection, Examples, Place, Rule, Source, Status, Unless, UnlessPlace, Within,
};
use super::fault::RuleFault;
use super::fields::{Fault, Fields};
use super::{Category, RuleId, Severity, literals, pattern};
use crate::base::{LineIndex, Span};
use crate::gate::ViewKind;
use crate::gate::context::{Scope, Scopes};

const RULE_KEYS: &[&str] = &[
    "id",
    "title",
    "description",
    "remediation",
    "category",
    "languages",
    "attack",
    "severity",
    "confidence",
    "anchors",
    "anchorless",
    "any",
    "all",
    "within",
    "detector",
    "scope",
    "views",
    "unless",
    "references",
    "status",
    "examples",
    "source",
];
const CONFIDENCES: &[(&str, Confidence)] =
    &[("low", Confidence::Low), ("medium", Confidence::Medium), ("high", Confidence::High)];
const STATUSES: &[(&str, Status)] = &[("stable", Status::Stable), ("experimental", Status::Experimental)];
const UNLESS_PLACES: &[(&str, UnlessPlace)] =
    &[("match", UnlessPlace::Match), ("line", UnlessPlace::Line), ("block", UnlessPlace::Block)];
/// All views, in the order in which they are listed to people.
pub(super) const VIEWS: [ViewKind; 5] =
    [ViewKind::Raw, ViewKind::Normalised, ViewKind::Decoded, ViewKind::Hidden, ViewKind::Assembled];
/// The widest `within` in characters.
const WIDEST: usize = 2000;

/// How much of a rule is checked while it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// Every pattern is read, and anchors are proved.
    Strict,
    /// The text was read strictly before.
    Known,
}

/// Reads one rule file.
pub(super) fn load(file: &str, text: &str, care: Care, faults: &mut Vec<RuleFault>) -> Vec<Rule> {
    let reading = Reading { file: file.into(), text, lines: LineIndex::new(text), care };
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let of = |error: &toml::de::Error| Fault {
            code: "toml",
            span: error.span().unwrap_or(0..0),
            message: error.message().to_owned(),
            help: None,
        };
        faults.extend(errors.iter().map(|error| reading.located(of(error), None)));
        return Vec::new();
    }
    reading.rules(&document, faults)
}

struct Reading<'t> {
    file: Arc<str>,
    text: &'t str,
    lines: LineIndex,
    care: Care,
}

impl Reading<'_> {
    fn rules(&self, document: &Spanned<DeTable<'_>>, faults: &mut Vec<RuleFault>) -> Vec<Rule> {
        let mut found = Vec::new();
        let mut top = Fields::new(document.get_ref(), document.span(), &["rule"], &mut found);
        let tables = top.list("rule");
        faults.extend(found.drain(..).map(|fault| self.located(fault, None)));
        let mut rules = Vec::with_capacity(tables.len());
        for value in tables {
            let rule = self.rule(value, &mut found).filter(|_| found.is_empty());
            let id = value.get_ref().get("id").and_then(|id| id.get_ref().as_str()?.parse().ok());
            faults.extend(found.drain(..).map(|fault| self.located(fault, id.clone())));
            rules.extend(rule);
        }
        rules
    }

    fn rule(&self, value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Option<Rule> {
        let Some(table) = value.get_ref().as_table() else {
            let message = "a rule is a table: `[[rule]]`".to_owned();
            faults.push(Fault { code: "bad-value", span: value.span(), message, help: None });
            return None;
        };
        let mut fields = Fields::new(table, value.span(), RULE_KEYS, faults);
        let mut rule = Rule {
            place: self.place(value.span()),
            id: id(&mut fields)?,
            title: fields.required("title")?.to_owned(),
            description: fields.required("description")?.to_owned(),
            remediation: fields.required("remediation")?.to_owned(),
            category: category(&mut fields)?,
            languages: strings(fields.texts("languages")),
            attack: strings(fields.texts("attack")),
            severity: choice(
                &mut fields,
                "severity",
                &Severity::ALL.map(|severity| (severity.name(), severity)),
            )?,
            confidence: choice(&mut fields, "confidence", CONFIDENCES)?,
            anchors: strings(fields.texts("anchors")),
            anchorless: fields.flag("anchorless"),
            scope: scopes(&mut fields),
            views: views(&mut fields),
            unless: unless(&mut fields),
            references: strings(fields.texts("references")),
            status: fields.choice("status", STATUSES).unwrap_or(Status::Stable),
            examples: examples(&mut fields),
            source: source(&mut fields)?,
            detection: detection(&mut fields)?,
        };
        if self.care == Care::Strict {
            check_patterns(self.text, &mut fields);
        }
        if rule.anchors.is_empty() && !rule.anchorless {
            rule.anchors = derived(&mut fields, &rule.detection);
        }
        Some(rule)
    }

    fn place(&self, span: Range<usize>) -> Place {
        let at = self.lines.line_column(self.text, span.start);
        let span = Span::new(span.start, span.end);
        Place { file: Arc::clone(&self.file), line: at.line, column: at.column, span }
    }

    fn located(&self, fault: Fault, rule: Option<RuleId>) -> RuleFault {
        let place = self.place(fault.span);
        RuleFault { code: fault.code, place, rule, message: fault.message, help: fault.help }
    }
}

fn strings(texts: Vec<(&str, Range<usize>)>) -> Vec<String> {
    texts.into_iter().map(|(text, _)| text.to_owned()).collect()
}

fn choice<T: Copy>(fields: &mut Fields<'_, '_>, key: &str, choices: &[(&str, T)]) -> Option<T> {
    fields.required(key)?;
    fields.choice(key, choices)
}

fn id(fields: &mut Fields<'_, '_>) -> Option<RuleId> {
    let id: Result<RuleId, _> = fields.required("id")?.parse();
    id.map_err(|error| fields.fault("bad-value", fields.span_of("id"), error.to_string(), None)).ok()
}

fn category(fields: &mut Fields<'_, '_>) -> Option<Category> {
    let name = fields.required("category")?;
    let category = Category::named(name);
    if category.is_none() {
        let help = Category::nearest(name).map_or_else(
            || format!("one of {}", Category::all().map(Category::name).collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        fields.fault("bad-value", fields.span_of("category"), format!("`{name}` is no category"), Some(help));
    }
    category
}

fn scopes(fields: &mut Fields<'_, '_>) -> Scopes {
    if fields.value("scope").is_none() {
        return Scopes::ANY;
    }
    fields.choices("scope", &Scope::ALL.map(|scope| (scope.name(), scope))).into_iter().collect()
}

fn views(fields: &mut Fields<'_, '_>) -> Vec<ViewKind> {
    if fields.value("views").is_none() {
        return VIEWS.to_vec();
    }
    fields.choices("views", &VIEWS.map(|view| (view.name(), view)))
}

fn unless(fields: &mut Fields<'_, '_>) -> Vec<Unless> {
    let mut accidents = Vec::new();
    for value in fields.list("unless") {
        let Some(table) = value.get_ref().as_table() else {
            let help = Some("such as { regex = '''…''', where = \"line\" }".to_owned());
            fields.fault("bad-value", value.span(), "`unless` takes a list of tables", help);
            continue;
        };
        let mut inner = Fields::new(table, value.span(), &["regex", "where"], fields.faults());
        let regex = inner.required("regex");
        let place = choice(&mut inner, "where", UNLESS_PLACES);
        accidents.extend(regex.zip(place).map(|(regex, place)| Unless { regex: regex.to_owned(), place }));
    }
    accidents
}

fn examples(fields: &mut Fields<'_, '_>) -> Examples {
    let Some((table, span)) = subtable(fields, "examples") else { return Examples::default() };
    let mut inner = Fields::new(table, span, &["match", "no_match"], fields.faults());
    Examples { matching: strings(inner.texts("match")), clean: strings(inner.texts("no_match")) }
}

fn subtable<'a>(fields: &mut Fields<'a, '_>, key: &str) -> Option<(&'a DeTable<'a>, Range<usize>)> {
    let value = fields.value(key)?;
    let table = value.get_ref().as_table();
    if table.is_none() {
        fields.fault("bad-value", value.span(), format!("`{key}` is a table: `[rule.{key}]`"), None);
    }
    table.map(|table| (table, value.span()))
}

fn source(fields: &mut Fields<'_, '_>) -> Option<Source> {
    const SIGMA_KEYS: &[&str] = &["kind", "id", "author", "licence", "modified", "lossy"];
    let Some((table, span)) = subtable(fields, "source") else {
        let help = Some("add `[rule.source]` with `kind = \"own\"`".to_owned());
        fields.fault("missing-key", fields.span_of("source"), "`source` is missing", help);
        return None;
    };
    let is_own = table.get("kind").and_then(|kind| kind.get_ref().as_str()) == Some("own");
    let known = if is_own { &["kind"][..] } else { SIGMA_KEYS };
    let mut inner = Fields::new(table, span, known, fields.faults());
    if choice(&mut inner, "kind", &[("own", true), ("sigma", false)])? {
        return Some(Source::Own);
    }
    Some(Source::Sigma {
        id: inner.required("id")?.to_owned(),
        author: inner.required("author")?.to_owned(),
        licence: inner.required("licence")?.to_owned(),
        modified: inner.flag("modified"),
        lossy: inner.flag("lossy"),
    })
}

fn detection(fields: &mut Fields<'_, '_>) -> Option<Detection> {
    let ways = ["any", "all", "detector"].into_iter().filter(|way| fields.value(way).is_some()).count();
    if ways != 1 {
        let message = "a rule has exactly one of `any`, `all` and `detector`";
        fields.fault("detection", fields.span_of("id"), message, None);
        return None;
    }
    if let Some(code) = fields.text("detector") {
        return Some(Detection::Detector(code.to_owned()));
    }
    let key = if fields.value("any").is_some() { "any" } else { "all" };
    let patterns = strings(fields.texts(key));
    let fewest = if key == "any" { 1 } else { 2 };
    if patterns.len() < fewest {
        fields.fault(
            "detection",
            fields.span_of(key),
            format!("`{key}` takes {fewest} patterns or more"),
            None,
        );
        return None;
    }
    if key == "all" {
        return Some(Detection::All { patterns, within: within(fields)? });
    }
    if fields.value("within").is_some() {
        fields.fault("detection", fields.span_of("within"), "`within` belongs to `all`", None);
    }
    Some(Detection::Any(patterns))
}

fn within(fields: &mut Fields<'_, '_>) -> Option<Within> {
    let characters = || -> Option<usize> {
        let number = fields.value("within")?.get_ref().as_integer()?;
        let number = usize::from_str_radix(number.as_str(), number.radix()).ok()?;
        (1..=WIDEST).contains(&number).then_some(number)
    };
    let within = match fields.value("within").and_then(|value| value.get_ref().as_str()) {
        Some("line") => Some(Within::Line),
        Some("block") => Some(Within::Block),
        Some(_) => None,
        None => characters().map(Within::Characters),
    };
    if within.is_none() {
        let message = format!("`within` takes 1 to {WIDEST} characters, \"line\" or \"block\"");
        fields.fault("bad-value", fields.span_of("within"), message, None);
    }
    within
}

fn check_patterns(file: &str, fields: &mut Fields<'_, '_>) {
    let items = |key| fields.value(key).and_then(|list| list.get_ref().as_array()).into_iter().flatten();
    let accidents = items("unless").filter_map(|table| table.get_ref().get("regex"));
    let values = items("any").chain(items("all")).chain(accidents);
    let patterns: Vec<_> =
        values.filter_map(|value| Some((value.get_ref().as_str()?, value.span()))).collect();
    for (text, span) in patterns {
        if let Err(fault) = pattern::parse(text) {
            let help = fault
                .message
                .contains("Unicode")
                .then(|| "patterns run on bytes; write (?u:…) around a part that needs Unicode".to_owned());
            let span = fault.at.map_or(span.clone(), |at| inside(file, &span, at));
            fields.fault("bad-regex", span, format!("this is no pattern: {}", fault.message), help);
        }
    }
}

/// Where a byte of a string's content stands in the file; all of the string where escapes make that a guess.
fn inside(file: &str, string: &Range<usize>, at: usize) -> Range<usize> {
    let written = file.get(string.clone()).unwrap_or_default();
    let quotes = match written.strip_prefix("'''") {
        Some(content) => 3 + usize::from(content.starts_with('\n')),
        None if written.starts_with('\'') => 1,
        None => return string.clone(),
    };
    let place = Span::new(string.start + quotes + at, string.end).on_boundaries(file);
    place.start..place.end
}

/// The anchors of a rule that names none: of every pattern of `any`, of the best one of `all`.
fn derived(fields: &mut Fields<'_, '_>, detection: &Detection) -> Vec<String> {
    let parsed: Result<Vec<_>, _> = detection.patterns().iter().map(|text| pattern::parse(text)).collect();
    // A pattern that cannot be read is a fault already.
    let Ok(parsed) = parsed else { return Vec::new() };
    let each = parsed.iter().map(literals::derive);
    let anchors = match detection {
        Detection::Any(_) => each.collect::<Option<Vec<_>>>().map(|all| all.concat()),
        Detection::All { .. } => each.flatten().max_by_key(|all| all.iter().map(Vec::len).min()),
        Detection::Detector(_) => Some(Vec::new()),
    };
    let texts: Option<Vec<_>> = anchors
        .and_then(|anchors| anchors.into_iter().map(|anchor| String::from_utf8(anchor).ok()).collect());
    if texts.is_none() {
        let help = "name `anchors`, or set `anchorless = true` if there can be none".to_owned();
        let message = "no literal of three characters stands in every match";
        fields.fault("no-anchor", fields.span_of("id"), message, Some(help));
    }
    let mut texts = texts.unwrap_or_default();
    // One that holds another is needless: where it stands, the shorter one does.
    texts.sort_by_key(String::len);
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        if kept.iter().all(|shorter| !text.contains(shorter)) {
            kept.push(text);
        }
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
