//! The rules that are compiled in: every file under `rules/`, listed by the build script.

use std::sync::OnceLock;

use super::RuleSet;
use super::load::Care;

/// Name and text of every rule file, in order of the names.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rule_files.rs"));

/// The compiled-in rules, read on first use.
pub(super) fn rules() -> &'static RuleSet {
    static RULES: OnceLock<RuleSet> = OnceLock::new();
    RULES.get_or_init(|| {
        RuleSet::read(FILES.iter().copied(), Care::Known)
            .expect("tests/rules.rs reads every compiled-in rule file")
    })
}
