//! Which MCP messages are screened (proxy.md).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::mcp::Side;
use crate::mcp::question::UNKNOWN_METHOD;

/// One switch for each kind of message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Screen(BTreeMap<Screened, bool>);

impl Screen {
    /// Every kind of message is screened.
    pub const fn everything() -> Self {
        Self(BTreeMap::new())
    }

    /// Whether messages of this sender and method are screened. Answers to ids that nobody asked under always are: a
    /// client that takes `"1"` for `1` would take them as answers to something that is.
    pub fn covers(&self, sender: Side, method: &str) -> bool {
        (sender, method) == (Side::Server, UNKNOWN_METHOD) || self.is_on(Screened::of(sender, method))
    }

    /// The key that lets messages of this sender and method pass; nothing where they are screened.
    pub fn passes(&self, sender: Side, method: &str) -> Option<String> {
        (!self.covers(sender, method)).then(|| format!("screen.{}", Screened::of(sender, method).key()))
    }

    /// Whether this switch is on; one that no file names is.
    pub fn is_on(&self, screened: Screened) -> bool {
        self.0.get(&screened).copied().unwrap_or(true)
    }

    /// All switches.
    pub fn iter(&self) -> impl Iterator<Item = (Screened, bool)> {
        self.0.iter().map(|(screened, on)| (*screened, *on))
    }
}

macro_rules! screened {
    ($($(#[$doc:meta])* $name:ident = $key:literal,)*) => {
        /// A kind of message that can be screened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Screened {
            $($(#[$doc])* #[serde(rename = $key)] $name,)*
        }

        impl Screened {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The key under `[screen]`: the method, or our name for several.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key),* }
            }
        }
    };
}

screened! {
    /// Answers of a tool.
    ToolsCall = "tools/call",
    /// Contents of a resource.
    ResourcesRead = "resources/read",
    /// A prompt.
    PromptsGet = "prompts/get",
    /// Names, descriptions and schemas of tools.
    ToolsList = "tools/list",
    /// Names and descriptions of resources.
    ResourcesList = "resources/list",
    /// Names and descriptions of resource templates.
    ResourceTemplatesList = "resources/templates/list",
    /// Names and descriptions of prompts.
    PromptsList = "prompts/list",
    /// Names and descriptions of skills.
    SkillsList = "skills/list",
    /// A skill.
    SkillsGet = "skills/get",
    /// State and result of a task.
    TasksGet = "tasks/get",
    /// Result of a task.
    TasksResult = "tasks/result",
    /// Completions.
    CompletionComplete = "completion/complete",
    /// A server's instructions.
    Initialize = "initialize",
    /// A server's instructions in the modern era.
    ServerDiscover = "server/discover",
    /// What a server asks a model.
    SamplingCreateMessage = "sampling/createMessage",
    /// What a server asks the user.
    ElicitationCreate = "elicitation/create",
    /// Messages that ask for no answer.
    Notifications = "notifications",
    /// Every other method.
    Other = "other",
    /// What the agent sends to a tool.
    Arguments = "arguments",
}

impl Screened {
    /// The switch that holds for this sender and method.
    pub fn of(sender: Side, method: &str) -> Self {
        if sender == Side::Client {
            return Self::Arguments;
        }
        if method.starts_with("notifications/") {
            return Self::Notifications;
        }
        Self::ALL
            .iter()
            .copied()
            .find(|screened| screened.key() == method && *screened != Self::Arguments)
            .unwrap_or(Self::Other)
    }
}
