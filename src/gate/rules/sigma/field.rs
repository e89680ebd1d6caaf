//! What a field of an event is in text: a tool, what the tool is told, a text of its own, or nothing.

/// The part that a field's value plays in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The program, whose base name stands in front of its arguments.
    Tool,
    /// Something on the command line.
    Argument,
    /// Something in a script, a file, an address: the lines around it are not one command.
    Text,
}

const TOOLS: &[&str] = &["image", "originalfilename", "newprocessname", "processname", "exe", "comm"];
const ARGUMENTS: &[&str] =
    &["commandline", "processcommandline", "proctitle", "hostapplication", "execve_command"];
const TEXTS: &[&str] = &[
    "scriptblocktext",
    "payload",
    "contextinfo",
    "data",
    "c-uri",
    "c-uri-query",
    "cs-uri",
    "cs-uri-query",
    "cs-uri-stem",
    "cs-host",
    "cs-cookie",
    "r-dns",
    "c-useragent",
    "cs-user-agent",
    "query",
    "queryname",
    "answer",
    "record",
    "targetfilename",
    "filename",
    "targetobject",
    "details",
    "name",
    "path",
    "pipename",
    "imageloaded",
    "destinationhostname",
    "destinationip",
    "dst_ip",
    "dst-ip",
    "dst.ip",
    "query_string",
];

/// The role of a field; nothing where no text would hold its value.
pub(super) fn role(field: &str) -> Option<Role> {
    let name = field.to_ascii_lowercase();
    // An audit record numbers the arguments, the program first.
    let is_numbered = name
        .strip_prefix('a')
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty());
    let known = |names: &[&str]| names.contains(&name.as_str());
    if name == "a0" || known(TOOLS) {
        Some(Role::Tool)
    } else if is_numbered || known(ARGUMENTS) {
        Some(Role::Argument)
    } else {
        known(TEXTS).then_some(Role::Text)
    }
}
