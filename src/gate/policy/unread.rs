//! From unread content to an action: coverage is part of the answer (gate.md 3).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::UnreadReason;
use crate::gate::Action;

/// What each reason for not reading leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OnUnread(BTreeMap<UnreadReason, UnreadAction>);

impl OnUnread {
    /// What this reason leads to.
    pub fn get(&self, reason: UnreadReason) -> UnreadAction {
        // The default file names every reason; a reason it did not know would be the most closed of all.
        self.0.get(&reason).copied().unwrap_or(UnreadAction::Block)
    }

    /// All reasons with what they lead to.
    pub fn iter(&self) -> impl Iterator<Item = (UnreadReason, UnreadAction)> {
        self.0.iter().map(|(reason, action)| (*reason, *action))
    }
}

/// What is done about unread content, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnreadAction {
    /// It is of no matter.
    Allow,
    /// It is forwarded, and the exit code says that something was not read.
    Report,
    /// It is forwarded with a warning.
    Warn,
    /// It is kept back.
    Quarantine,
    /// It is refused.
    Block,
}

impl UnreadAction {
    /// The action this comes to.
    pub const fn action(self) -> Action {
        match self {
            Self::Allow | Self::Report => Action::Allow,
            Self::Warn => Action::Warn,
            Self::Quarantine => Action::Quarantine,
            Self::Block => Action::Block,
        }
    }
}
