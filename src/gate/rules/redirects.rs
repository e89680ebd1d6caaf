//! Rule ids that were renamed. Ids are permanent: an old one goes on working in policies and commands.

use super::RuleId;

/// Old id and new id, in order of the old ones.
const RENAMED: &[(&str, &str)] = &[];

/// The id that a rule bears today.
pub(super) fn current(id: &RuleId) -> RuleId {
    follow(RENAMED, id)
}

fn follow(renamed: &[(&str, &str)], id: &RuleId) -> RuleId {
    let new = renamed.iter().find(|(old, _)| *old == id.as_str());
    new.and_then(|(_, new)| new.parse().ok()).unwrap_or_else(|| id.clone())
}

#[cfg(test)]
mod tests {
    use super::{RENAMED, follow};
    use crate::gate::rules::{RuleId, RuleSet};

    #[test]
    fn an_old_id_leads_to_the_new_one() {
        let id = |text: &str| text.parse::<RuleId>().unwrap();
        let renamed = [("OLD-001", "NEW-007")];
        assert_eq!(follow(&renamed, &id("OLD-001")), id("NEW-007"));
        assert_eq!(follow(&renamed, &id("OLD-002")), id("OLD-002"));
        let rules = RuleSet::builtin();
        for (old, new) in RENAMED {
            assert_eq!(rules.get(&id(old)).map(|rule| rule.id.as_str()), Some(*new), "{old}");
        }
    }
}
