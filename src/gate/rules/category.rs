//! What kind of harm a rule speaks of: the paper's categories (papers/skillgate.txt III-B) and ours.
//!
//! The names are permanent: policy overrides, audit lines and reports use them.

use std::fmt;

use crate::base::nearest;

/// A known category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Category(&'static str);

/// Every category with what it is about: the paper's first, then those about what skills do to agents.
const KNOWN: &[(&str, &str)] = &[
    ("defense-evasion", "hiding from or switching off what would notice"),
    ("execution", "running code that came from elsewhere or was hidden"),
    ("risky-commands", "commands that are dangerous whoever runs them"),
    ("credential-access", "reading passwords, keys and tokens"),
    ("persistence", "staying after the task is done"),
    ("impact", "destroying, encrypting or using up what belongs to the user"),
    ("obfuscation", "making code or instructions unreadable"),
    ("exfiltration", "sending the user's data away"),
    ("discovery", "looking around the machine and the network"),
    ("command-and-control", "taking orders from a remote host"),
    ("privilege-escalation", "gaining rights the task does not need"),
    ("collection", "gathering data before sending it"),
    ("initial-access", "getting in through a weakness or a lure"),
    ("lateral-movement", "going on to other machines"),
    ("reconnaissance", "gathering facts about people and targets"),
    ("resource-development", "setting up what an attack needs"),
    ("instruction-override", "telling the agent to drop its instructions"),
    ("tool-poisoning", "orders to the agent inside a tool's description or answer"),
    ("tool-shadowing", "changing how the agent uses another tool"),
    ("concealment", "keeping things from the user"),
    ("consent-bypass", "acting without the user's say"),
    ("agent-config", "writing the agent's own instructions, memory or settings"),
    ("endpoint-redirection", "sending the agent's traffic elsewhere"),
    ("supply-chain", "installing code nobody looked at"),
    ("wallet-theft", "reaching for cryptocurrency"),
    ("phishing", "asking people for secrets"),
    ("self", "reaching for SkillGate itself"),
    ("structural", "a shape of the bytes that no honest file needs"),
];

impl Category {
    /// What is left when nothing better is known of a command.
    pub const EXECUTION: Self = Self("execution");

    /// What touches SkillGate itself.
    pub const SELF: Self = Self("self");

    /// All categories, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        KNOWN.iter().map(|(name, _)| Self(name))
    }

    /// The category of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|category| category.0 == name)
    }

    /// The known name that a mistyped one most likely means.
    pub fn nearest(name: &str) -> Option<Self> {
        nearest(name, KNOWN.iter().map(|(known, _)| *known)).and_then(Self::named)
    }

    /// The name in rules, policy, audit and output.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// What it is about, in a few words.
    pub fn about(self) -> &'static str {
        KNOWN.iter().find(|(name, _)| *name == self.0).map_or("", |(_, about)| about)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Category;

    #[test]
    fn names_are_found_and_slips_are_recognised() {
        assert_eq!(Category::named("exfiltration").unwrap().name(), "exfiltration");
        assert!(Category::named("Exfiltration").is_none());
        assert_eq!(Category::nearest("exfiltraton").unwrap().name(), "exfiltration");
        assert!(Category::all().all(|category| !category.about().is_empty()));
    }
}
