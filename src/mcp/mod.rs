//! MCP as bytes: lines, the envelope around raw JSON, the text each message carries, the session's state.
//!
//! Nothing here parses a message into a struct and writes it back: what is allowed goes on byte for byte. Nothing here
//! knows of sockets, rules or policy.
