//! One selection of a Sigma rule: a table of fields that must all fit, a list of such tables, or a list of words.

use serde_json::{Map, Value};

use super::branches::{self, Branch, Clause};
use super::field::{self, Role};
use super::modifiers::Modifiers;
use super::piece;

/// The branches of a selection; nothing where no field of it has a meaning in text.
pub(super) fn branches(value: &Value, losses: &mut Vec<String>) -> Result<Option<Vec<Branch>>, String> {
    match value {
        Value::Object(fields) => all_fields(fields, losses),
        Value::Array(items) if items.iter().all(|item| !item.is_object()) => words(items, losses).map(Some),
        Value::Array(items) => {
            let each = items.iter().map(|item| branches(item, losses)).collect::<Result<Vec<_>, _>>()?;
            let kept: Vec<_> = each.into_iter().flatten().collect();
            if kept.is_empty() { Ok(None) } else { branches::or(kept).map(Some) }
        }
        word => words(std::slice::from_ref(word), losses).map(Some),
    }
}

/// Words that one of must stand anywhere.
fn words(items: &[Value], losses: &mut Vec<String>) -> Result<Vec<Branch>, String> {
    clauses(Role::Text, &Modifiers::read(&["contains"])?, items, losses).map(|clauses| vec![clauses])
}

fn all_fields(fields: &Map<String, Value>, losses: &mut Vec<String>) -> Result<Option<Vec<Branch>>, String> {
    let mut branch = Branch::new();
    for (key, value) in fields {
        let mut parts = key.split('|');
        let name = parts.next().unwrap_or_default();
        let modifiers: Vec<_> = parts.collect();
        // `|all:` without a field is a list of words that must all stand there.
        let role = if name.is_empty() { Some(Role::Text) } else { field::role(name) };
        let Some(role) = role else {
            losses.push(format!("`{name}` has no meaning in text"));
            continue;
        };
        let mut modifiers = Modifiers::read(&modifiers)?;
        if name.is_empty() {
            modifiers = modifiers.anywhere();
        }
        let items = match value {
            Value::Array(items) => items.as_slice(),
            Value::Null => {
                losses.push(format!("that `{name}` is empty has no meaning in text"));
                continue;
            }
            one => std::slice::from_ref(one),
        };
        branch.extend(clauses(role, &modifiers, items, losses)?);
    }
    Ok(if branch.is_empty() { None } else { Some(vec![branch]) })
}

/// One clause of all values, or with `all` a clause for each.
fn clauses(
    role: Role,
    modifiers: &Modifiers,
    items: &[Value],
    losses: &mut Vec<String>,
) -> Result<Vec<Clause>, String> {
    let mut pieces = Vec::new();
    for item in items {
        let text = match item {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => item.to_string(),
            _ => return Err("a value that is neither text nor number is not translated".to_owned()),
        };
        pieces.push(piece::of(role, modifiers, &text, losses)?);
    }
    if pieces.is_empty() {
        return Err("a list of values is empty".to_owned());
    }
    if modifiers.all {
        return Ok(pieces.into_iter().map(|piece| Clause { role, pieces: vec![piece] }).collect());
    }
    Ok(vec![Clause { role, pieces }])
}
