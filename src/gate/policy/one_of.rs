//! What an override matches on: one value or several, and names that may end in `*`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{SeqAccessDeserializer, StrDeserializer};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The values of which one must match; none: everything matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OneOf<T>(Vec<T>);

impl<T> OneOf<T> {
    /// True where nothing is asked.
    pub const fn is_any(&self) -> bool {
        self.0.is_empty()
    }

    /// The values.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// True where nothing is asked, or a value passes.
    pub fn any(&self, passes: impl Fn(&T) -> bool) -> bool {
        self.0.is_empty() || self.0.iter().any(passes)
    }
}

impl OneOf<NamePattern> {
    /// True where nothing is asked, or the name is one of these.
    pub fn fits(&self, name: Option<&str>) -> bool {
        self.any(|pattern| name.is_some_and(|name| pattern.fits(name)))
    }
}

impl<T> Default for OneOf<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrSeveral(PhantomData)).map(Self)
    }
}

struct OneOrSeveral<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrSeveral<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vec<T>, E> {
        T::deserialize(StrDeserializer::new(text)).map(|value| vec![value])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Vec<T>, A::Error> {
        let values = Vec::deserialize(SeqAccessDeserializer::new(values))?;
        if values.is_empty() {
            return Err(serde::de::Error::custom("an empty list matches nothing: leave the key out"));
        }
        Ok(values)
    }
}

/// A name, or the beginning of one where it ends in `*`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NamePattern {
    text: String,
}

impl NamePattern {
    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True where the name is meant.
    pub fn fits(&self, name: &str) -> bool {
        match self.text.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == self.text,
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for NamePattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let star = text.find('*');
        if text.is_empty() {
            Err("an empty name matches nothing: leave the key out".to_owned())
        } else if star.is_some_and(|at| at + 1 != text.len()) {
            Err(format!("`{text}` has a `*` before its end"))
        } else {
            Ok(Self { text })
        }
    }
}

impl From<NamePattern> for String {
    fn from(pattern: NamePattern) -> Self {
        pattern.text
    }
}
