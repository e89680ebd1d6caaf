//! What passes unjudged and what is always blocked: by digest, publisher and server.
//!
//! A server that passes is named together with its digest, since anybody can take a name; one that is blocked may be
//! named alone. The index of an entry is what decisions name (`deny.servers[0]`).

use serde::{Deserialize, Serialize};

use super::settings::Reason;
use crate::base::Digest;
use crate::gate::Origin;

/// `[allow]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// Contents.
    pub digests: Vec<ListedDigest>,
    /// Owners that SkillGate fetched from.
    pub publishers: Vec<ListedPublisher>,
    /// MCP servers.
    pub servers: Vec<ListedServer>,
}

/// `[deny]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Denied {
    /// Contents.
    pub digests: Vec<ListedDigest>,
    /// Owners that SkillGate fetched from.
    pub publishers: Vec<ListedPublisher>,
    /// MCP servers.
    pub servers: Vec<NamedServer>,
}

/// One content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedDigest {
    /// The document's digest.
    pub digest: Digest,
    /// Why.
    pub reason: Reason,
}

/// One owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedPublisher {
    /// The owner's name; upper and lower case are the same, as at code hosts.
    pub name: String,
    /// Why.
    pub reason: Reason,
}

/// One server, for certain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedServer {
    /// The configured name.
    pub name: String,
    /// The digest of its command and arguments, or of its URL.
    pub digest: Digest,
    /// Why.
    pub reason: Reason,
}

/// One server, or all of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedServer {
    /// The configured name.
    pub name: String,
    /// The digest of its command and arguments, or of its URL; nothing: whatever runs under the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Why.
    pub reason: Reason,
}

impl Allowed {
    /// The entry that lets this content pass.
    pub fn entry(&self, digest: &Digest, origin: &Origin) -> Option<String> {
        let server = |entry: &ListedServer| is_server(&entry.name, Some(&entry.digest), origin);
        content_entry(&self.digests, &self.publishers, digest, origin)
            .or_else(|| self.servers.iter().position(server).map(|at| format!("servers[{at}]")))
            .map(|entry| format!("allow.{entry}"))
    }
}

impl Denied {
    /// The entry that blocks this content.
    pub fn entry(&self, digest: &Digest, origin: &Origin) -> Option<String> {
        let server = |entry: &NamedServer| is_server(&entry.name, entry.digest.as_ref(), origin);
        content_entry(&self.digests, &self.publishers, digest, origin)
            .or_else(|| self.servers.iter().position(server).map(|at| format!("servers[{at}]")))
            .map(|entry| format!("deny.{entry}"))
    }
}

fn content_entry(
    digests: &[ListedDigest],
    publishers: &[ListedPublisher],
    digest: &Digest,
    origin: &Origin,
) -> Option<String> {
    if let Some(at) = digests.iter().position(|entry| entry.digest == *digest) {
        return Some(format!("digests[{at}]"));
    }
    let publisher = origin.publisher.as_deref()?;
    let at = publishers.iter().position(|entry| entry.name.eq_ignore_ascii_case(publisher))?;
    Some(format!("publishers[{at}]"))
}

fn is_server(name: &str, digest: Option<&Digest>, origin: &Origin) -> bool {
    origin.server.as_deref() == Some(name)
        && digest.is_none_or(|digest| origin.server_digest.as_ref() == Some(digest))
}
