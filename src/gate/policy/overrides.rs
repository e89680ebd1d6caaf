//! Exceptions to the verdict's action, by who, where and what was found.
//!
//! Invariant: an override that fits only some of a document's hits, or that names a server by nothing but its name, can
//! harden and never loosen; so a tolerated finding never carries another one through.

use serde::{Deserialize, Serialize};

use super::error::suggestion;
use super::one_of::{NamePattern, OneOf};
use super::settings::Reason;
use crate::base::Digest;
use crate::gate::findings::{Finding, Findings};
use crate::gate::rules::{Category, Severity};
use crate::gate::{Action, Kind, Origin};

/// One `[[override]]`. A key that is left out fits everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Override {
    /// The agent that will read it.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub agent: OneOf<NamePattern>,
    /// The MCP server's configured name.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub server: OneOf<NamePattern>,
    /// The digest of the server's command and arguments, or of its URL.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub server_digest: OneOf<Digest>,
    /// The MCP method.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub method: OneOf<NamePattern>,
    /// The channel.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub source: OneOf<NamePattern>,
    /// The kind of unit.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub kind: OneOf<Kind>,
    /// The rule of a hit.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub rule: OneOf<NamePattern>,
    /// The category of a hit.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub category: OneOf<NamePattern>,
    /// The severity of a hit.
    #[serde(default, skip_serializing_if = "OneOf::is_any")]
    pub severity: OneOf<Severity>,
    /// What is done.
    pub action: Action,
    /// Why.
    pub reason: Reason,
}

/// How well an override fits a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Not at all.
    None,
    /// Well enough to harden.
    Partly,
    /// Well enough to replace the verdict's action.
    Wholly,
}

impl Override {
    /// How well it fits.
    pub fn fit(&self, findings: &Findings, origin: &Origin) -> Fit {
        if !self.fits_origin(origin) || !self.kind.any(|kind| *kind == findings.kind) {
            return Fit::None;
        }
        match self.fit_hits(&findings.hits) {
            Fit::Wholly if self.names_only_server() => Fit::Partly,
            fit => fit,
        }
    }

    /// What would never fit, or fit otherwise than it seems: the key in it, what is wrong, and what to try.
    pub(super) fn faults(&self) -> Vec<(&'static str, String, String)> {
        let mut faults = Vec::new();
        let mut add = |message: &str, help: &str| faults.push(("", message.to_owned(), help.to_owned()));
        if self.asks_nothing() {
            let help = "change `[verdict]` instead, or say what it fits";
            add("an override that asks for nothing fits every document", help);
        }
        if self.names_only_server() && self.action == Action::Allow {
            let message = "anybody can take a server's name, so it alone never makes an action milder";
            add(message, "add `server_digest`");
        }
        let categories: Vec<&str> = Category::all().map(Category::name).collect();
        faults.extend(unknown(".source", &self.source, Origin::SOURCES));
        faults.extend(unknown(".category", &self.category, &categories));
        faults
    }

    /// True where it names a server and not what runs under the name.
    const fn names_only_server(&self) -> bool {
        !self.server.is_any() && self.server_digest.is_any()
    }

    /// True where it would fit every document.
    const fn asks_nothing(&self) -> bool {
        self.agent.is_any()
            && self.server.is_any()
            && self.server_digest.is_any()
            && self.method.is_any()
            && self.source.is_any()
            && self.kind.is_any()
            && !self.asks_about_hits()
    }

    const fn asks_about_hits(&self) -> bool {
        !(self.rule.is_any() && self.category.is_any() && self.severity.is_any())
    }

    fn fits_origin(&self, origin: &Origin) -> bool {
        self.agent.fits(origin.agent.as_deref())
            && self.server.fits(origin.server.as_deref())
            && self.server_digest.any(|digest| origin.server_digest.as_ref() == Some(digest))
            && self.method.fits(origin.method_for_policy())
            && self.source.fits(origin.source.as_deref())
    }

    fn fit_hits(&self, hits: &[Finding]) -> Fit {
        if !self.asks_about_hits() {
            return Fit::Wholly;
        }
        match hits.iter().filter(|hit| self.fits_hit(hit)).count() {
            0 => Fit::None,
            all if all == hits.len() => Fit::Wholly,
            _ => Fit::Partly,
        }
    }

    fn fits_hit(&self, hit: &Finding) -> bool {
        self.rule.fits(Some(hit.rule.as_str()))
            && self.category.fits(Some(&hit.category))
            && self.severity.any(|severity| *severity == hit.severity)
    }
}

/// The names among these that are none of the known ones.
fn unknown<'a>(
    key: &'static str,
    names: &'a OneOf<NamePattern>,
    known: &'a [&str],
) -> impl Iterator<Item = (&'static str, String, String)> + 'a {
    let names = names.iter().filter(|name| !known.iter().any(|known| name.fits(known)));
    names.map(move |name| (key, format!("unknown {} `{name}`", &key[1..]), suggestion(name.as_str(), known)))
}
