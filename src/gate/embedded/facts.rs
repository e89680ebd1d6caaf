//! What the document would make an agent do, as typed observations.

use serde::{Deserialize, Serialize};

/// The behaviour facts of one document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {}
