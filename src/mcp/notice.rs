//! What the agent is told in place of content, in our own words.
//!
//! No word of the server's gets in: rule ids, categories and the id of the case only. Never a command: the agent that was
//! attacked could run it.

/// How every notice begins. From anywhere but SkillGate these words are a forgery.
pub const NOTICE_MARK: &str = "[SkillGate notice]";
