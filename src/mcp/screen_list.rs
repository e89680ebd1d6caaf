//! Which messages are screened: the switches of policy's `[screen]`.
//!
//! A method that has no switch of its own falls under `other`. An answer to an id that nobody asked under is always
//! screened: a client that takes `"1"` for `1` would take it as the answer to something that is.

use std::collections::BTreeSet;

use super::question::{Side, UNKNOWN_METHOD};

/// The switch of notifications from the server.
pub const NOTIFICATIONS: &str = "notifications";
/// The switch of methods without one of their own.
pub const OTHER: &str = "other";
/// The switch of what the agent sends.
pub const ARGUMENTS: &str = "arguments";

/// The methods that have a switch of their own.
pub const METHODS: [&str; 16] = [
    "tools/call",
    "resources/read",
    "prompts/get",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "skills/list",
    "skills/get",
    "tasks/get",
    "tasks/result",
    "completion/complete",
    "initialize",
    "server/discover",
    "sampling/createMessage",
    "elicitation/create",
];

/// The switches that are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenList(BTreeSet<String>);

impl ScreenList {
    /// Exactly these switches.
    pub fn new<S: Into<String>>(on: impl IntoIterator<Item = S>) -> Self {
        Self(on.into_iter().map(Into::into).collect())
    }

    /// True where such a message is screened. The agent's notifications never are: they hand nothing to a tool, and while
    /// `notifications/initialized` was being judged the first requests would overtake it.
    pub fn wants(&self, side: Side, method: &str) -> bool {
        let switch = match side {
            Side::Client if method.starts_with("notifications/") => return false,
            Side::Client => ARGUMENTS,
            Side::Server if method == UNKNOWN_METHOD => return true,
            Side::Server if method.starts_with("notifications/") => NOTIFICATIONS,
            Side::Server if METHODS.contains(&method) => method,
            Side::Server => OTHER,
        };
        self.0.contains(switch)
    }
}

impl Default for ScreenList {
    /// Everything that comes from the server.
    fn default() -> Self {
        Self::new(METHODS.into_iter().chain([NOTIFICATIONS, OTHER]))
    }
}

#[cfg(test)]
mod tests {
    use super::{ScreenList, Side};

    #[test]
    fn unknown_methods_fall_under_other() {
        let all = ScreenList::default();
        assert!(all.wants(Side::Server, "vendor/new"));
        assert!(!all.wants(Side::Client, "tools/call"));
        let few = ScreenList::new(["tools/call", "arguments"]);
        assert!(few.wants(Side::Server, "unknown"));
        assert!(few.wants(Side::Server, "tools/call"));
        assert!(!few.wants(Side::Server, "notifications/message"));
        assert!(!few.wants(Side::Server, "vendor/new"));
        assert!(few.wants(Side::Client, "anything"));
        assert!(!few.wants(Side::Client, "notifications/initialized"));
    }
}
