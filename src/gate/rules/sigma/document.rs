//! A Sigma rule as it is written, as far as it matters here.
//!
//! Sigma allows more than this reads: unknown keys are nothing to us. A document that is no rule is named as such.

use serde_json::{Map, Value};

/// The parts of a Sigma rule that are translated.
#[derive(Clone, Debug)]
pub(super) struct SigmaRule {
    pub title: String,
    pub id: String,
    pub description: String,
    pub author: String,
    pub licence: String,
    pub level: String,
    pub status: String,
    pub tags: Vec<String>,
    pub references: Vec<String>,
    pub honest_uses: Vec<String>,
    pub detection: Map<String, Value>,
}

/// Every rule of a YAML text; a collection has several, parted by lines of dashes.
pub(super) fn read(yaml: &str) -> Result<Vec<SigmaRule>, String> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(yaml)
        .map_err(|error| format!("it is no YAML: {}", first_line(&error)))?;
    if documents.is_empty() {
        return Err("it is empty".to_owned());
    }
    documents.iter().map(rule).collect()
}

/// A YAML error goes on with a drawing of the place, which is the author's text.
fn first_line(error: &serde_saphyr::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

fn rule(document: &Value) -> Result<SigmaRule, String> {
    let map = document.as_object().ok_or("it is no Sigma rule: a rule is a table of keys")?;
    if map.contains_key("correlation") {
        return Err("a correlation of several events has no meaning in one text".to_owned());
    }
    let detection = map.get("detection").and_then(Value::as_object);
    let detection = detection.ok_or("it is no Sigma rule: it has no `detection`")?.clone();
    let text = |key: &str| map.get(key).map(scalar).unwrap_or_default();
    let or = |text: String, default: &str| if text.is_empty() { default.to_owned() } else { text };
    let title = text("title");
    if title.is_empty() || text("id").is_empty() {
        return Err("it has no `title` or no `id`, which an imported rule keeps".to_owned());
    }
    Ok(SigmaRule {
        description: or(text("description"), &title),
        author: or(text("author"), "unknown"),
        licence: or(text("license"), "DRL-1.1"),
        level: text("level"),
        status: text("status"),
        tags: list(map.get("tags")),
        references: list(map.get("references")),
        honest_uses: list(map.get("falsepositives")),
        id: text("id"),
        title,
        detection,
    })
}

/// A value as one line of text.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        _ => String::new(),
    }
}

fn list(value: Option<&Value>) -> Vec<String> {
    let items = match value {
        Some(Value::Array(items)) => items.iter().map(scalar).collect(),
        Some(one) => vec![scalar(one)],
        None => Vec::new(),
    };
    items.into_iter().filter(|item| !item.is_empty()).collect()
}
