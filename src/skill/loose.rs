//! The loose files that agents obey without being asked: instructions, commands, settings, servers, hooks.
//!
//! One table. A pattern matches the end of a path, so that files of packages deep in a repository count too, and
//! ignores ASCII case, as many disks do. `*` stands for any part of a name, `**` for any folders. Nothing here reads
//! a file.

use crate::base::RelPath;

/// What an agent does with a loose file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LooseKind {
    /// Reads it at the start of each session.
    Instructions,
    /// Reads it when the user calls it by name.
    Command,
    /// Becomes another agent by it.
    Agent,
    /// Starts the servers it names.
    Servers,
    /// Takes permissions and programs from it.
    Settings,
    /// Runs it, or what it names, by itself.
    Hook,
}

impl LooseKind {
    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Command => "command",
            Self::Agent => "agent",
            Self::Servers => "servers",
            Self::Settings => "settings",
            Self::Hook => "hook",
        }
    }
}

/// What each kind's files are called.
const PATTERNS: &[(LooseKind, &[&str])] = &[
    (
        LooseKind::Instructions,
        &[
            "AGENTS.md",
            "AGENTS.override.md",
            "AGENT.md",
            "CLAUDE.md",
            "CLAUDE.local.md",
            "GEMINI.md",
            "QWEN.md",
            "WARP.md",
            "CONVENTIONS.md",
            ".cursorrules",
            ".windsurfrules",
            ".clinerules",
            ".roorules",
            ".goosehints",
            ".rules",
            "*.instructions.md",
            ".github/copilot-instructions.md",
            ".claude/rules/**/*.md",
            ".claude/output-styles/*.md",
            ".cursor/rules/**/*.mdc",
            ".cursor/rules/**/*.md",
            ".windsurf/rules/**/*.md",
            ".clinerules/**/*.md",
            ".roo/rules*/**/*.md",
            ".kilocode/rules*/**/*.md",
            ".continue/rules/**/*.md",
            ".trae/rules/*.md",
            ".augment/rules/**/*.md",
            ".amazonq/rules/**/*.md",
            ".kiro/steering/**/*.md",
            ".agent/rules/*.md",
            ".junie/guidelines.md",
            ".idx/airules.md",
            ".openhands/microagents/*.md",
        ],
    ),
    (
        LooseKind::Command,
        &[
            "*.prompt.md",
            ".claude/commands/**/*.md",
            ".codex/prompts/*.md",
            ".gemini/commands/**/*.toml",
            ".qwen/commands/**/*.toml",
            ".qwen/commands/**/*.md",
            ".cursor/commands/**/*.md",
            ".opencode/command*/**/*.md",
            ".windsurf/workflows/*.md",
            ".kilocode/workflows/*.md",
            ".roo/commands/*.md",
            ".agent/workflows/*.md",
            ".factory/commands/*.md",
            ".augment/commands/**/*.md",
            ".amazonq/prompts/*.md",
        ],
    ),
    (
        LooseKind::Agent,
        &[
            "*.agent.md",
            "*.chatmode.md",
            ".claude/agents/**/*.md",
            ".cursor/agents/*.md",
            ".gemini/agents/*.md",
            ".github/agents/*.md",
            ".opencode/agent*/**/*.md",
            ".codex/agents/*.toml",
            ".factory/droids/*.md",
            ".kiro/agents/*.json",
            ".roomodes",
        ],
    ),
    (
        LooseKind::Servers,
        &[
            ".mcp.json",
            "mcp.json",
            "mcp_config.json",
            "mcp_settings.json",
            "cline_mcp_settings.json",
            "claude_desktop_config.json",
            ".continue/mcpServers/*",
        ],
    ),
    (
        LooseKind::Settings,
        &[
            ".claude.json",
            ".claude/settings.json",
            ".claude/settings.local.json",
            ".claude-plugin/*.json",
            ".codex/config.toml",
            ".codex/rules/*.rules",
            ".gemini/settings.json",
            "gemini-extension.json",
            ".qwen/settings.json",
            ".kimi/config.toml",
            ".kimi/config.json",
            ".cursor/cli.json",
            ".vscode/settings.json",
            ".amp/settings.json",
            ".factory/settings.json",
            ".augment/settings.json",
            ".aider.conf.yml",
            "opencode.json",
            "opencode.jsonc",
            "crush.json",
            ".crush.json",
        ],
    ),
    (
        LooseKind::Hook,
        &[
            "hooks.json",
            ".claude/hooks/**/*",
            ".cursor/hooks/**/*",
            ".gemini/hooks/**/*",
            ".github/hooks/*.json",
            ".clinerules/hooks/**/*",
            ".kiro/hooks/*",
        ],
    ),
];

/// What an agent does with a file of this path, where any does something with it unasked.
pub fn kind(path: &RelPath) -> Option<LooseKind> {
    let segments: Vec<String> = path.segments().map(str::to_ascii_lowercase).collect();
    let fits = |pattern: &&str| ends_with(&segments, pattern);
    // Hooks first: a script in a rules folder that agents run is more than a text they read.
    PATTERNS.iter().rev().find(|(_, patterns)| patterns.iter().any(fits)).map(|(kind, _)| *kind)
}

fn ends_with(segments: &[String], pattern: &str) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", &pattern));
    let Some((file, folders)) = segments.split_last() else { return false };
    if !is_like(file, name) {
        return false;
    }
    match folder.strip_suffix("/**") {
        Some(root) => (0..=folders.len()).any(|end| folders_end_with(&folders[..end], root)),
        None => folders_end_with(folders, folder),
    }
}

fn folders_end_with(folders: &[String], pattern: &str) -> bool {
    let wanted: Vec<&str> = pattern.split('/').filter(|name| !name.is_empty()).collect();
    folders.len() >= wanted.len()
        && folders.iter().rev().zip(wanted.iter().rev()).all(|(folder, name)| is_like(folder, name))
}

/// Whether a name fits a pattern with at most one `*`.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::{LooseKind, kind};
    use crate::base::RelPath;

    #[test]
    fn files_that_agents_obey_are_known() {
        for (path, expected) in [
            ("AGENTS.md", Some(LooseKind::Instructions)),
            ("packages/a/claude.MD", Some(LooseKind::Instructions)),
            (".cursor/rules/a/b/c.mdc", Some(LooseKind::Instructions)),
            (".cursor/rules/c.mdc", Some(LooseKind::Instructions)),
            ("docs/x.instructions.md", Some(LooseKind::Instructions)),
            (".roo/rules-code/x.md", Some(LooseKind::Instructions)),
            (".claude/commands/git/commit.md", Some(LooseKind::Command)),
            (".claude/agents/x.md", Some(LooseKind::Agent)),
            ("sub/.vscode/mcp.json", Some(LooseKind::Servers)),
            (".claude/settings.json", Some(LooseKind::Settings)),
            (".claude/hooks/pre/run.sh", Some(LooseKind::Hook)),
            ("hooks/hooks.json", Some(LooseKind::Hook)),
            ("README.md", None),
            ("rules/c.mdc", None),
            ("settings.json", None),
            ("xAGENTS.md", None),
            ("AGENTS.md/x.txt", None),
            (".claude/settings.json.bak", None),
        ] {
            assert_eq!(kind(&RelPath::new(path).unwrap()), expected, "{path}");
        }
    }
}
