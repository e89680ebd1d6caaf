//! A policy as a list of keys and values, each with the line it comes from.

use serde::Serialize;
use serde_json::Value;

use super::{Policy, PolicyLine};

/// One key's effective value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyValue {
    /// The key (`verdict.malicious.below`).
    pub key: String,
    /// The value as TOML.
    pub value: String,
    /// Where it comes from.
    pub line: PolicyLine,
}

impl Policy {
    /// All effective values in the order of the default file; an override is one value.
    pub fn values(&self) -> Vec<PolicyValue> {
        let mut values = Vec::new();
        let tree = serde_json::to_value(self).expect("a policy holds only finite numbers and text keys");
        self.collect(String::new(), &tree, &mut values);
        values
    }

    fn collect(&self, key: String, value: &Value, out: &mut Vec<PolicyValue>) {
        match value {
            Value::Object(table) if !key.ends_with(']') => {
                for (name, value) in table {
                    let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                    self.collect(key, value, out);
                }
            }
            Value::Array(entries) if entries.iter().any(Value::is_object) => {
                for (at, entry) in entries.iter().enumerate() {
                    self.collect(format!("{key}[{at}]"), entry, out);
                }
            }
            value => {
                let text = toml::Value::try_from(value).map(|value| value.to_string()).unwrap_or_default();
                out.push(PolicyValue { line: self.line(&key), key, value: text });
            }
        }
    }
}
