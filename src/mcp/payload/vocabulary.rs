//! The words of the protocol: which members are prose, data or mere machinery.
//!
//! A member or value that is in none of these lists is content and is read; so a new revision of the protocol costs a false
//! alarm at worst, never an oversight.

use super::super::screen_list::METHODS;

/// Cursors and states longer than this are read as text.
const LONGEST_STATE: usize = 512;

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

/// The words that the protocol has for types, roles, levels and the like.
const WORDS: [&str; 42] = [
    "2.0",
    "accept",
    "alert",
    "assistant",
    "audio",
    "cancel",
    "cancelled",
    "complete",
    "completed",
    "critical",
    "debug",
    "decline",
    "directory",
    "emergency",
    "error",
    "failed",
    "file",
    "forbidden",
    "form",
    "image",
    "info",
    "input_required",
    "local",
    "notice",
    "object",
    "optional",
    "private",
    "public",
    "ref/prompt",
    "ref/resource",
    "required",
    "resource",
    "resource_link",
    "system",
    "task",
    "text",
    "tool_result",
    "tool_use",
    "url",
    "user",
    "warning",
    "working",
];

/// The notifications of the protocol.
const NOTIFICATIONS: [&str; 10] = [
    "notifications/cancelled",
    "notifications/elicitation/complete",
    "notifications/message",
    "notifications/progress",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/subscriptions/acknowledged",
    "notifications/tasks/status",
    "notifications/tools/list_changed",
];

/// Requests that a server may send and that carry nothing by themselves.
const PLAIN_REQUESTS: [&str; 2] = ["ping", "roots/list"];

/// The other names that the protocol gives to members: the name alone says nothing.
const NAMES: [&str; 88] = [
    "action",
    "blob",
    "cacheScope",
    "code",
    "completion",
    "completions",
    "content",
    "contents",
    "costPriority",
    "createdAt",
    "digest",
    "elicitationId",
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
    "jsonrpc",
    "lastModified",
    "lastUpdatedAt",
    "level",
    "listChanged",
    "logger",
    "logging",
    "maxTokens",
    "messages",
    "method",
    "mimeType",
    "mode",
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
    "prompt",
    "prompts",
    "protocolVersion",
    "ref",
    "requestId",
    "requestState",
    "required",
    "resource",
    "resources",
    "resourceTemplates",
    "result",
    "resultType",
    "role",
    "roots",
    "serverInfo",
    "size",
    "sizes",
    "skill",
    "skills",
    "speedPriority",
    "src",
    "status",
    "stopReason",
    "stopSequences",
    "supportedVersions",
    "task",
    "taskId",
    "tasks",
    "taskSupport",
    "temperature",
    "theme",
    "title",
    "tools",
    "toolUseId",
    "total",
    "ttl",
    "ttlMs",
    "type",
    "uri",
    "uriTemplate",
    "url",
    "values",
    "version",
    "websiteUrl",
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
    is_prose(key) || is_data(key) || NAMES.contains(&key)
}

/// True where a known member has a value out of a fixed stock: a word of the protocol, a type, a date, a digest.
pub(super) fn is_word(key: &str, value: &str) -> bool {
    match key {
        "mimeType" => is_media_type(value),
        "method" => {
            METHODS.iter().chain(&NOTIFICATIONS).chain(&PLAIN_REQUESTS).any(|method| *method == value)
        }
        "createdAt" | "lastModified" | "lastUpdatedAt" | "protocolVersion" | "version" => {
            is_date_or_number(value)
        }
        "digest" => {
            value.strip_prefix("sha256:").is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
        }
        _ => is_known(key) && WORDS.contains(&value),
    }
}

fn is_media_type(value: &str) -> bool {
    let (kind, subtype) = value.split_once('/').unwrap_or_default();
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".+-".contains(&b);
    let kinds = ["application", "audio", "font", "image", "model", "text", "video"];
    kinds.contains(&kind) && (1..=24).contains(&subtype.len()) && subtype.bytes().all(plain)
}

fn is_date_or_number(value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_digit() || b"TZ:.+-".contains(&b);
    (1..=35).contains(&value.len()) && value.bytes().all(plain)
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

    /// True for what no model sees: ids, cursors, progress tokens, requestState, ttlMs. `length` in bytes: what is longer
    /// than any peer's is read as text.
    pub(super) fn is_opaque(self, key: &str, length: usize) -> bool {
        match self {
            Self::Message => key == "id" && length <= LONGEST_ID,
            Self::Body => match key {
                "requestState" | "nextCursor" | "cursor" | "ttlMs" => length <= LONGEST_STATE,
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
