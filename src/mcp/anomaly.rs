//! Places where two parsers would read different things, or a message claims what it cannot.
//!
//! An agent's JSON parser is not ours, so whatever parsers disagree about is reported, never repaired. A code is
//! permanent: the rule that speaks of it bears it. Nothing here decides what a code is worth.

use std::fmt;

/// What is odd about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnomalyCode {
    /// A key stands twice in one object.
    DuplicateKey,
    /// A key stands twice at the top of a message, upper and lower case taken as the same.
    DuplicateTopLevelKey,
    /// An escape of half a surrogate pair.
    LoneSurrogate,
    /// Nested deeper than common parsers go.
    TooDeep,
    /// A byte order mark before the message.
    ByteOrderMark,
    /// A control character inside a string, or a carriage return inside a message.
    RawControl,
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// A backslash before something that is no escape.
    BadEscape,
    /// NaN or Infinity, which JSON does not know and some parsers read.
    NotANumber,
    /// No `"jsonrpc": "2.0"`.
    MissingVersion,
    /// `"id": null`, or an id that is neither text nor number.
    BadId,
    /// Both a result and an error, or a method beside either.
    AmbiguousKind,
    /// An answer to an id that nobody asked under.
    UnknownId,
    /// A second request under an id that still waits for its answer.
    DuplicateInFlightId,
    /// `skillgate/…` in `_meta`: only SkillGate writes that.
    ForgedMeta,
    /// The words of SkillGate's own notices, coming from elsewhere.
    ForgedNotice,
}

impl AnomalyCode {
    /// All codes with what each means, for the table of rules.
    pub const ALL: [Self; 16] = [
        Self::DuplicateKey,
        Self::DuplicateTopLevelKey,
        Self::LoneSurrogate,
        Self::TooDeep,
        Self::ByteOrderMark,
        Self::RawControl,
        Self::InvalidUtf8,
        Self::BadEscape,
        Self::NotANumber,
        Self::MissingVersion,
        Self::BadId,
        Self::AmbiguousKind,
        Self::UnknownId,
        Self::DuplicateInFlightId,
        Self::ForgedMeta,
        Self::ForgedNotice,
    ];

    /// The permanent name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DuplicateKey => "duplicate-key",
            Self::DuplicateTopLevelKey => "duplicate-top-level-key",
            Self::LoneSurrogate => "lone-surrogate",
            Self::TooDeep => "too-deep",
            Self::ByteOrderMark => "byte-order-mark",
            Self::RawControl => "raw-control",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::BadEscape => "bad-escape",
            Self::NotANumber => "not-a-number",
            Self::MissingVersion => "missing-version",
            Self::BadId => "bad-id",
            Self::AmbiguousKind => "ambiguous-kind",
            Self::UnknownId => "unknown-id",
            Self::DuplicateInFlightId => "duplicate-in-flight-id",
            Self::ForgedMeta => "forged-skillgate-meta",
            Self::ForgedNotice => "forged-skillgate-notice",
        }
    }

    /// The code of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}

impl fmt::Display for AnomalyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One odd place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anomaly {
    /// What is odd.
    pub code: AnomalyCode,
    /// The field (`result.content[0].text`); empty for the message as a whole. Holds the author's words.
    pub path: String,
}

/// Collects the anomalies of one message, each code and place once.
///
/// Bounded, since the author of a message chooses how many there are: what matters is that there are any, and where the
/// first ones are.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    kept: Vec<Anomaly>,
    seen: usize,
}

impl Notes {
    const MOST_KEPT: usize = 64;
    const MOST_SEEN: usize = 1000;

    /// True where another one would not be looked at: its path need not be written down.
    pub(super) const fn full(&self) -> bool {
        self.kept.len() >= Self::MOST_KEPT || self.seen >= Self::MOST_SEEN
    }

    /// Adds one.
    pub(super) fn add(&mut self, code: AnomalyCode, path: String) {
        self.seen += 1;
        let anomaly = Anomaly { code, path };
        if !self.full() && !self.kept.contains(&anomaly) {
            self.kept.push(anomaly);
        }
    }

    /// All that were kept, in order.
    pub(super) fn into_vec(self) -> Vec<Anomaly> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::AnomalyCode;

    #[test]
    fn names_read_back_and_are_distinct() {
        for code in AnomalyCode::ALL {
            assert_eq!(AnomalyCode::named(code.name()), Some(code));
        }
        assert_eq!(AnomalyCode::named("no-such-code"), None);
    }
}
