//! The words of the protocol: which members are prose, data or mere machinery.
//!
//! A member that is in none of these lists is content and is read; so a new revision of the protocol costs a false
//! alarm at worst, never an oversight.

/// Strings that are written to be read: each is a field of its own.
const PROSE: [&str; 8] =
    ["text", "description", "instructions", "message", "systemPrompt", "statusMessage", "reason", "data"];

/// Members whose whole value is data: rendered as one field.
const DATA: [&str; 17] = [
    "_meta",
    "annotations",
    "arguments",
    "capabilities",
    "data",
    "experimental",
    "extensions",
    "frontmatter",
    "icons",
    "input",
    "inputSchema",
    "metadata",
    "modelPreferences",
    "outputSchema",
    "requestedSchema",
    "structuredContent",
    "toolChoice",
];

/// Lists whose blocks a model reads one after the other.
const LISTS: [&str; 2] = ["content", "messages"];

/// Members whose value is one of a few words, a date, a type: read only where it is longer or has blanks.
const WORDS: [&str; 22] = [
    "action",
    "cacheScope",
    "createdAt",
    "digest",
    "jsonrpc",
    "lastModified",
    "lastUpdatedAt",
    "level",
    "method",
    "mimeType",
    "mode",
    "protocolVersion",
    "resultType",
    "role",
    "sizes",
    "status",
    "taskId",
    "theme",
    "toolUseId",
    "type",
    "version",
    "elicitationId",
];

/// The other names that the protocol gives to members: the name alone says nothing.
const NAMES: [&str; 58] = [
    "blob",
    "code",
    "completion",
    "completions",
    "content",
    "contents",
    "costPriority",
    "elicitations",
    "error",
    "execution",
    "files",
    "hasMore",
    "id",
    "includeContext",
    "inputRequests",
    "intelligencePriority",
    "isError",
    "listChanged",
    "logger",
    "logging",
    "maxTokens",
    "messages",
    "model",
    "name",
    "nextCursor",
    "params",
    "path",
    "pollInterval",
    "pollIntervalMs",
    "priority",
    "progress",
    "progressToken",
    "prompts",
    "requestId",
    "requestState",
    "required",
    "resource",
    "resourceTemplates",
    "resources",
    "result",
    "roots",
    "serverInfo",
    "size",
    "skill",
    "skills",
    "speedPriority",
    "stopReason",
    "stopSequences",
    "supportedVersions",
    "task",
    "tasks",
    "temperature",
    "title",
    "tools",
    "total",
    "ttl",
    "ttlMs",
    "values",
];

/// Members of a result by which its method is guessed, most telling first.
pub(super) const SHAPES: [(&str, &str); 15] = [
    ("tools", "tools/list"),
    ("prompts", "prompts/list"),
    ("resourceTemplates", "resources/templates/list"),
    ("resources", "resources/list"),
    ("contents", "resources/read"),
    ("inputRequests", "tools/call"),
    ("messages", "prompts/get"),
    ("supportedVersions", "server/discover"),
    ("serverInfo", "initialize"),
    ("completion", "completion/complete"),
    ("skills", "skills/list"),
    ("skill", "skills/get"),
    ("taskId", "tasks/get"),
    ("content", "tools/call"),
    ("structuredContent", "tools/call"),
];

pub(super) fn is_prose(key: &str) -> bool {
    PROSE.contains(&key)
}

pub(super) fn is_data(key: &str) -> bool {
    DATA.contains(&key)
}

pub(super) fn is_list(key: &str) -> bool {
    LISTS.contains(&key)
}

/// True for members that may hold base64.
pub(super) fn is_encoded(key: &str) -> bool {
    matches!(key, "blob" | "data")
}

/// True where the name alone says nothing.
pub(super) fn is_known(key: &str) -> bool {
    is_prose(key) || is_data(key) || WORDS.contains(&key) || NAMES.contains(&key)
}

/// True where the member is one of a few words and its value is such a word.
pub(super) fn is_word(key: &str, value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._:/+-;=$".contains(&b);
    WORDS.contains(&key) && value.len() <= 80 && value.bytes().all(plain)
}

/// Where an object stands in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The message itself.
    Message,
    /// Its params, result or error.
    Body,
    /// `_meta` in one of these.
    Meta,
    /// Anywhere else.
    Inside,
}

impl Place {
    /// The place of the object that stands under `key` of an object at this place.
    pub(super) fn below(self, key: &str) -> Self {
        match (self, key) {
            (Self::Message, "params" | "result" | "error") => Self::Body,
            (Self::Body, "_meta") => Self::Meta,
            _ => Self::Inside,
        }
    }

    /// True for what no model sees: ids, cursors, progress tokens, requestState, ttlMs. `length` in bytes: an id that is
    /// longer than any peer's is read as text.
    pub(super) fn is_opaque(self, key: &str, length: usize) -> bool {
        match self {
            Self::Message => key == "id" && length <= LONGEST_ID,
            Self::Body => match key {
                "requestState" | "nextCursor" | "cursor" | "ttlMs" => true,
                "progressToken" | "requestId" => length <= LONGEST_ID,
                _ => false,
            },
            Self::Meta => {
                matches!(key, "progressToken" | "io.modelcontextprotocol/subscriptionId")
                    && length <= LONGEST_ID
            }
            Self::Inside => false,
        }
    }
}

const LONGEST_ID: usize = 256;
