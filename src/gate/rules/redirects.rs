//! Rule ids that were renamed. Ids are permanent: an old one goes on working in policies and commands.

use super::RuleId;

/// Old id and new id, in order of the old ones.
pub(super) const RENAMED: &[(&str, &str)] = &[];

/// The id that a rule bears today.
pub(super) fn current(id: &RuleId) -> RuleId {
    let renamed = RENAMED.iter().find(|(old, _)| *old == id.as_str());
    renamed.and_then(|(_, new)| new.parse().ok()).unwrap_or_else(|| id.clone())
}
