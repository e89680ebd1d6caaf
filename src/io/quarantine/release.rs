//! Releases: a person's word that exactly these bytes may pass.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::QuarantineError;
use crate::base::Digest;
use crate::gate::{Kind, Origin};
use crate::io::{Home, atomic, home};

/// Where a release holds: the channel, and for MCP the server by name and digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceKey(String);

impl SourceKey {
    /// The key of an origin. Two servers of the same name with different commands have different keys.
    pub fn of(origin: &Origin) -> Self {
        let server_digest = origin.server_digest.map(|digest| digest.to_string());
        let parts = [origin.source.as_deref(), origin.server.as_deref(), server_digest.as_deref()];
        let quoted = parts.map(|part| part.unwrap_or_default().replace('%', "%25").replace('|', "%7C"));
        Self(quoted.join("|"))
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The quarantine entry that was released.
    pub entry: String,
    /// The bytes it holds for.
    pub digest: Digest,
    /// The kind of unit it holds for.
    pub kind: Kind,
    /// The source it holds for.
    pub source: SourceKey,
    /// Who released it.
    pub who: String,
    /// When.
    pub time: Timestamp,
    /// Why, in the person's words.
    pub why: String,
    /// Until when.
    pub expires: Timestamp,
}

/// The releases under a home.
#[derive(Clone, Debug)]
pub struct Releases {
    folder: PathBuf,
}

impl Releases {
    /// The releases under this home; the folder need not be there.
    pub fn at(home: &Home) -> Self {
        Self { folder: home.releases() }
    }

    /// The release that holds for these bytes, this kind and this source now; nothing where there is none, where it has
    /// expired, or where its file cannot be read.
    pub fn find(&self, digest: Digest, kind: Kind, origin: &Origin, now: Timestamp) -> Option<Release> {
        let source = SourceKey::of(origin);
        let releases = self.read(digest).ok()?;
        releases.into_iter().find(|release| {
            release.digest == digest
                && release.kind == kind
                && release.source == source
                && now < release.expires
        })
    }

    /// Adds a release; one for the same kind and source is replaced.
    pub fn add(&self, release: Release) -> Result<(), QuarantineError> {
        home::make_private_dir(&self.folder)
            .map_err(QuarantineError::io("making the folder", &self.folder))?;
        let path = self.file(release.digest);
        let mut releases = self.read(release.digest)?;
        releases.retain(|old| old.kind != release.kind || old.source != release.source);
        releases.push(release);
        let json = serde_json::to_vec_pretty(&releases).map_err(|error| broken(&path, &error))?;
        atomic::write_private(&path, &json).map_err(QuarantineError::io("writing", &path))
    }

    /// Takes back every release of this digest; true where there was one.
    pub fn revoke(&self, digest: Digest) -> Result<bool, QuarantineError> {
        let path = self.file(digest);
        match std::fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(QuarantineError::io("removing", &path)(error)),
        }
    }

    fn file(&self, digest: Digest) -> PathBuf {
        self.folder.join(format!("{}.json", digest.hex()))
    }

    fn read(&self, digest: Digest) -> Result<Vec<Release>, QuarantineError> {
        let path = self.file(digest);
        match home::read_file(&path) {
            Ok(json) => serde_json::from_slice(&json).map_err(|error| broken(&path, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(QuarantineError::io("reading", &path)(error)),
        }
    }
}

fn broken(path: &std::path::Path, error: &serde_json::Error) -> QuarantineError {
    QuarantineError::Broken { path: path.to_owned(), why: error.to_string() }
}
