//! Where a scan looks: the paths as they are given, only what changed in them, or the same in a fresh clone.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use super::ScanArgs;
use super::units::Place;
use crate::base::{RelPath, printable};
use crate::io::git;

/// The places, and the clone that they may lie in, which goes away with this.
pub(super) struct Places {
    places: Vec<Place>,
    clone: Option<TempDir>,
}

impl Places {
    /// Finds them. A clone is made here.
    pub(super) fn of(arguments: &ScanArgs) -> anyhow::Result<Self> {
        if let Some(url) = &arguments.git {
            eprintln!("note: cloning `{}`", printable(url));
            let clone = git::clone(url)?;
            let places = cloned(&arguments.paths, clone.path())?;
            return Ok(Self { places, clone: Some(clone) });
        }
        let place = |path: &PathBuf| -> anyhow::Result<Place> {
            let changed =
                arguments.changed.as_ref().map(|base| git::changed_since(path, base)).transpose()?;
            Ok(Place { path: path.clone(), shown: path.clone(), changed })
        };
        let places = arguments.paths.iter().map(place).collect::<anyhow::Result<_>>()?;
        Ok(Self { places, clone: None })
    }

    /// The folder that units are named from, where it is not that of the baseline.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.clone.as_ref().map(TempDir::path)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Place> {
        self.places.iter()
    }
}

/// The paths in a clone; all of it where none is given.
fn cloned(paths: &[PathBuf], clone: &Path) -> anyhow::Result<Vec<Place>> {
    if paths.is_empty() {
        return Ok(vec![Place { path: clone.to_owned(), shown: PathBuf::new(), changed: None }]);
    }
    let place = |path: &PathBuf| {
        let text = path.to_string_lossy();
        let inside = RelPath::new(text.trim_end_matches('/'))
            .with_context(|| "with `--git`, a PATH names something in the repository".to_owned())?;
        Ok(Place { path: clone.join(inside.as_str()), shown: PathBuf::from(inside.as_str()), changed: None })
    };
    paths.iter().map(place).collect()
}
