//! What the document would make an agent do, as typed observations.
//!
//! A fact names a behaviour and keeps the places that show it, so that a person can open each. Live places (code that
//! runs, orders to an agent) are told from spoken ones (quoted, denied, listed, tests). Facts carry no weight and no
//! verdict: the model weighs them. They serialise into the Evidence and the audit log.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::behaviour::Behaviour;
use super::excuse::Excuse;
use crate::base::printable;

/// The behaviour facts of one document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Each behaviour that was seen, in the order of [`Behaviour`], at most once.
    pub seen: Vec<Fact>,
    /// Data that is read in one place and sent in another, nearest first.
    pub flows: Vec<Flow>,
    /// The layers of encoding around the most deeply encoded hit.
    pub layers: u8,
    /// The hits in live places, as indices into the Evidence's hits.
    pub live_hits: Vec<usize>,
    /// Hits in places that would be live, were the whole document not about attacks, or what a tool found.
    pub themed_hits: Vec<usize>,
    /// Hits in places that only a quotation, a list or a heading makes less than live: nothing denies them.
    pub doubtful_hits: Vec<usize>,
    /// Why each hit that is not live was set aside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// What the places of rule hits say of them.
    pub polarity: Polarity,
    /// Whether the unit says what it does.
    pub account: Account,
}

/// A hit that is only spoken of, and what says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The hit, as an index into the Evidence's hits.
    pub hit: usize,
    /// What makes it mere talk.
    pub excuse: Excuse,
}

/// One behaviour and where it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What is done.
    pub behaviour: Behaviour,
    /// How many live places show it beyond doubt.
    pub clear: usize,
    /// How many live places hint at it; honest text does too.
    pub faint: usize,
    /// How many spoken places do.
    pub spoken: usize,
    /// Some of the places, live ones first, at most [`Fact::MAX_PLACES`].
    pub places: Vec<Place>,
}

impl Fact {
    /// How many places a fact keeps.
    pub const MAX_PLACES: usize = 4;

    pub(super) const fn none(behaviour: Behaviour) -> Self {
        Self { behaviour, clear: 0, faint: 0, spoken: 0, places: Vec::new() }
    }

    /// Keeps a place where there is room, live ones first.
    pub(super) fn keep(&mut self, place: Place) {
        let room =
            if place.live { self.places.iter().filter(|kept| kept.live).count() } else { self.places.len() };
        if room < Self::MAX_PLACES {
            self.places.insert(room, place);
            self.places.truncate(Self::MAX_PLACES);
        }
    }
}

/// A place that a person can open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file or field.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// What stands there, cut short. The author's words.
    pub what: String,
    /// The hit that shows it, as an index into the Evidence's hits; nothing where the extractor found it by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<usize>,
    /// Done or ordered here, and not only spoken of.
    pub live: bool,
}

impl Place {
    /// How many characters of the text a place keeps.
    pub const LONGEST: usize = 80;
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", printable(&self.file), self.line)
    }
}

/// Data that goes from a source to a sink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// What is read.
    pub source: Behaviour,
    /// Where it is read.
    pub source_place: Place,
    /// How it leaves.
    pub sink: Behaviour,
    /// Where it leaves.
    pub sink_place: Place,
    /// What kind of place it goes to.
    pub destination: Destination,
    /// How far apart both stand.
    pub reach: Reach,
}

/// What kind of place data goes to or comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Destination {
    /// No address is in sight.
    #[default]
    Unnamed,
    /// This machine.
    Local,
    /// A variable, an argument, a setting: the user names it.
    UserSetting,
    /// A vendor that everybody knows, by its own client or host.
    KnownVendor,
    /// A host that is written into the text, called with a key of the user's.
    KeyedService,
    /// A host that is written into the text.
    FixedHost,
    /// A paste or file-drop site, a web hook catcher, a chat bot's API.
    DropSite,
    /// A tunnel to somebody's machine.
    Tunnel,
    /// A bare IP address.
    RawAddress,
}

impl Destination {
    /// True for places that the user chose, or that everybody knows.
    pub const fn is_chosen(self) -> bool {
        matches!(self, Self::Local | Self::UserSetting | Self::KnownVendor | Self::KeyedService)
    }

    /// The place as the end of a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Unnamed => "to an unnamed place",
            Self::Local => "to this machine",
            Self::UserSetting => "to a place of the user's choice",
            Self::KnownVendor => "to a well-known vendor",
            Self::KeyedService => "to a service that the user has a key for",
            Self::FixedHost => "to a fixed host",
            Self::DropSite => "to a public drop site",
            Self::Tunnel => "through a tunnel",
            Self::RawAddress => "to a bare address",
        }
    }

    /// True for places that lead to nobody.
    pub const fn is_untraceable(self) -> bool {
        matches!(self, Self::DropSite | Self::Tunnel | Self::RawAddress)
    }

    /// True for places that somebody else chose.
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::FixedHost | Self::DropSite | Self::Tunnel | Self::RawAddress)
    }
}

/// How far apart source and sink stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// In one sentence or statement.
    Block,
    /// In one file, connected by names.
    File,
    /// In one unit; nothing shows that one is the other's.
    Apart,
}

/// How much is done and how much is only spoken of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Polarity {
    /// Hits that are denied.
    pub negated: usize,
    /// Hits in quotation marks, string literals or comments.
    pub quoted: usize,
    /// Hits in text about attacks.
    pub about_attacks: usize,
    /// Hits in lists of indicators or things to deny.
    pub listed: usize,
    /// Hits in tests and fixtures.
    pub tests: usize,
    /// Hits in orders to the agent.
    pub to_agent: usize,
}

/// Whether the description accounts for the gravest live behaviour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Account {
    /// Nothing to account for, or no description.
    #[default]
    Nothing,
    /// The description speaks of it.
    Accounted,
    /// The description does not mention it.
    Silent,
    /// The description says that it does not happen.
    Denied,
}
