//! The values of front matter: YAML 1.2 core, with every span, in the author's order.

use crate::base::Span;

/// A value and the bytes of the file that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the file.
    pub span: Span,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A scalar without quotes, also an empty one.
    Plain,
    /// A scalar in single or double quotes.
    Quoted,
    /// A literal or folded scalar, or a list or map by indentation.
    Block,
    /// A list or map in brackets.
    Flow,
}

/// A value of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is spelled: a version `1.10` stays one.
    Number(String),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map; a key that comes twice is in it twice.
    Map(Vec<Entry>),
}

/// A value with its place and style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its bytes in the file; for an alias those of the alias.
    pub span: Span,
    /// How it is written.
    pub style: Style,
}

impl Node {
    /// The text, where it is text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The words of a scalar, as text; nothing for null, lists and maps.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Number(text) => Some(text),
            Value::Bool(true) => Some("true"),
            Value::Bool(false) => Some("false"),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key; one that is a list or a map is its source text.
    pub key: Spanned<String>,
    /// The value.
    pub value: Node,
}

impl Entry {
    /// The bytes from the key to the end of the value.
    pub fn span(&self) -> Span {
        self.key.span.join(self.value.span)
    }
}

/// The value of a plain scalar, as YAML 1.2's core schema has it.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_number(text) => Value::Number(text.to_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    let digits = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(octal) = text.strip_prefix("0o") {
        return digits(octal, 8);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return digits(hex, 16);
    }
    let special = matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN");
    let decimal = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
        && unsigned.parse::<f64>().is_ok();
    special || decimal
}

#[cfg(test)]
mod tests {
    use super::{Value, plain};

    #[test]
    fn plain_scalars_have_the_types_of_the_core_schema() {
        for number in
            ["1", "-1", "+1.5", "1.10", ".5", "5.", "1e3", "0x1F", "0o17", ".inf", "-.INF", ".nan", "007"]
        {
            assert_eq!(plain(number), Value::Number(number.to_owned()));
        }
        for text in [
            "1.2.3",
            "v1",
            "inf",
            "nan",
            "infinity",
            "0x",
            "0xg",
            "1_000",
            "yes",
            "on",
            "-",
            ".",
            "1-2",
            "e5",
            "2024-01-02",
        ] {
            assert_eq!(plain(text), Value::Text(text.to_owned()));
        }
        assert_eq!(plain("True"), Value::Bool(true));
        assert_eq!(plain("~"), Value::Null);
    }
}
