//! A Sigma condition (`all of selection_* and not 1 of filter_*`), read and worked out over the selections.
//!
//! A `not` is left out, since what a filter lets go is mostly a path or a parent process: the rule then says more than
//! the Sigma rule, and that is told. Selections that only a `not` speaks of are never read.

use serde_json::{Map, Value};

use super::branches::{self, Branch};
use super::selection;

/// What one side of a condition comes to: branches, or nothing that must hold.
type Constraint = Option<Vec<Branch>>;

/// The branches of a detection; nothing where no part of it has a meaning in text.
pub(super) fn branches(
    detection: &Map<String, Value>,
    losses: &mut Vec<String>,
) -> Result<Option<Vec<Branch>>, String> {
    let conditions: Vec<&str> = match detection.get("condition") {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
        _ => return Err("its `detection` has no `condition`".to_owned()),
    };
    let mut all = Vec::new();
    for text in conditions {
        if text.contains('|') {
            return Err("a condition that counts events has no meaning in text".to_owned());
        }
        let tokens = tokens(text);
        let mut reader = Reader { detection, tokens: &tokens, at: 0, losses: &mut *losses };
        let constraint = reader.either()?;
        if let Some(left) = reader.tokens.get(reader.at) {
            return Err(format!("its condition cannot be read at `{left}`"));
        }
        all.push(constraint);
    }
    any_of(all, losses)
}

fn tokens(text: &str) -> Vec<String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// One of the sides must hold. A side without meaning cannot, and is left out.
fn any_of(sides: Vec<Constraint>, losses: &mut Vec<String>) -> Result<Constraint, String> {
    let count = sides.len();
    let kept: Vec<_> = sides.into_iter().flatten().collect();
    if kept.is_empty() {
        return Ok(None);
    }
    if kept.len() < count {
        losses.push("an alternative without a meaning in text is left out".to_owned());
    }
    branches::or(kept).map(Some)
}

/// All sides must hold. A side without meaning is taken to.
fn all_of(sides: impl IntoIterator<Item = Constraint>) -> Result<Constraint, String> {
    let mut kept = sides.into_iter().flatten();
    let Some(first) = kept.next() else { return Ok(None) };
    kept.try_fold(first, |left, right| branches::and(&left, &right)).map(Some)
}

struct Reader<'a> {
    detection: &'a Map<String, Value>,
    tokens: &'a [String],
    at: usize,
    losses: &'a mut Vec<String>,
}

impl Reader<'_> {
    fn word(&self) -> Option<String> {
        self.tokens.get(self.at).map(|token| token.to_ascii_lowercase())
    }

    fn takes(&mut self, word: &str) -> bool {
        let taken = self.word().is_some_and(|next| next == word);
        self.at += usize::from(taken);
        taken
    }

    fn either(&mut self) -> Result<Constraint, String> {
        let mut sides = vec![self.both()?];
        while self.takes("or") {
            sides.push(self.both()?);
        }
        if sides.len() == 1 { Ok(sides.remove(0)) } else { any_of(sides, self.losses) }
    }

    fn both(&mut self) -> Result<Constraint, String> {
        let mut sides = vec![self.one()?];
        while self.takes("and") {
            sides.push(self.one()?);
        }
        all_of(sides)
    }

    fn one(&mut self) -> Result<Constraint, String> {
        if self.takes("not") {
            self.skip()?;
            self.losses.push("what a `not` excludes is not excluded".to_owned());
            return Ok(None);
        }
        if self.takes("(") {
            let inner = self.either()?;
            return if self.takes(")") {
                Ok(inner)
            } else {
                Err("its condition has an open bracket".to_owned())
            };
        }
        if let Some((is_all, names)) = self.quantified()? {
            let sides = names.iter().map(|name| self.selection(name)).collect::<Result<Vec<_>, _>>()?;
            return if is_all { all_of(sides) } else { any_of(sides, self.losses) };
        }
        let name = self.tokens.get(self.at).cloned().ok_or("its condition ends too early")?;
        self.at += 1;
        self.selection(&name)
    }

    /// `1 of them`, `all of selection_*`: whether all must hold, and the names.
    fn quantified(&mut self) -> Result<Option<(bool, Vec<String>)>, String> {
        let how_many = self.word();
        let is_followed = self.tokens.get(self.at + 1).is_some_and(|token| token.eq_ignore_ascii_case("of"));
        let is_all = match how_many.as_deref() {
            Some("all") if is_followed => true,
            Some("1" | "any") if is_followed => false,
            Some(number) if is_followed => {
                return Err(format!("`{number} of` in a condition is not translated"));
            }
            _ => return Ok(None),
        };
        let pattern = self.tokens.get(self.at + 2).cloned().ok_or("its condition ends too early")?;
        self.at += 3;
        let names = self.detection.keys().filter(|name| fits(name, &pattern)).cloned().collect::<Vec<_>>();
        if names.is_empty() {
            return Err(format!("no selection is named like `{pattern}`"));
        }
        Ok(Some((is_all, names)))
    }

    /// Goes past what a `not` speaks of.
    fn skip(&mut self) -> Result<(), String> {
        if self.takes("not") {
            return self.skip();
        }
        if !self.takes("(") {
            let is_quantified =
                self.tokens.get(self.at + 1).is_some_and(|token| token.eq_ignore_ascii_case("of"));
            self.at += if is_quantified { 3 } else { 1 };
            return Ok(());
        }
        let mut depth = 1;
        while depth > 0 {
            match self.tokens.get(self.at).map(String::as_str) {
                Some("(") => depth += 1,
                Some(")") => depth -= 1,
                Some(_) => {}
                None => return Err("its condition has an open bracket".to_owned()),
            }
            self.at += 1;
        }
        Ok(())
    }

    fn selection(&mut self, name: &str) -> Result<Constraint, String> {
        let value = self.detection.get(name).ok_or_else(|| format!("there is no selection `{name}`"))?;
        selection::branches(value, self.losses)
    }
}

/// Whether a selection's name is meant; `them` is all but the condition and what begins with an underscore.
fn fits(name: &str, pattern: &str) -> bool {
    if matches!(name, "condition" | "timeframe") {
        return false;
    }
    if pattern.eq_ignore_ascii_case("them") {
        return !name.starts_with('_');
    }
    let Some((head, tail)) = pattern.split_once('*') else { return name == pattern };
    name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    /// How many clauses each branch has, and how many losses there are.
    #[track_caller]
    fn check(condition: &str, expected: &[usize], losses: usize) {
        let word = |text: &str| json!({ "CommandLine|contains": text });
        let mut detection = json!({
            "sel_a": word("alpha"), "sel_b": word("beta"), "other": { "User": "root" }, "filter": { "Odd|nonsense": "x" },
        });
        detection["condition"] = json!(condition);
        let Value::Object(detection) = detection else { unreachable!("it is a table") };
        let mut told = Vec::new();
        let branches = super::branches(&detection, &mut told).unwrap().unwrap_or_default();
        assert_eq!(branches.iter().map(Vec::len).collect::<Vec<_>>(), expected, "{condition}");
        assert_eq!(told.len(), losses, "{condition}: {told:?}");
    }

    #[test]
    fn conditions_become_branches() {
        check("sel_a", &[1], 0);
        check("sel_a and sel_b", &[2], 0);
        check("sel_a or sel_b", &[1], 0);
        check("all of sel_*", &[2], 0);
        check("1 of sel_*", &[1], 0);
        check("(sel_a or sel_b) and sel_a", &[2], 0);
        check("sel_a and other", &[1], 1);
        check("sel_a or other", &[1], 2);
        check("all of sel_* and not 1 of filter*", &[2], 1);
        check("sel_a and not (filter or (sel_b and filter))", &[1], 1);
        check("other", &[], 1);
    }

    #[test]
    fn conditions_that_cannot_be_read_are_refused() {
        let detection = json!({ "a": { "CommandLine": "x" } });
        for condition in ["a and", "(a", "b", "2 of a*", "a | count() > 3", "all of z*", "a a"] {
            let mut detection = detection.clone();
            detection["condition"] = json!(condition);
            let map = detection.as_object().unwrap();
            assert!(super::branches(map, &mut Vec::new()).is_err(), "{condition}");
        }
    }
}
