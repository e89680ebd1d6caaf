//! `skillgate rules docs`: writes the reference of the rules.

use std::path::Path;

use anyhow::Context as _;

use super::Exit;
use crate::cli::show;
use crate::gate::rules::{RuleSet, pages};

/// Writes every page into the folder, which is made where it is not there.
pub(super) fn write(rules: &RuleSet, folder: &Path) -> anyhow::Result<Exit> {
    let at = || {
        format!("writing the rules' pages into `{}`; take a folder that you may write to", folder.display())
    };
    std::fs::create_dir_all(folder).with_context(at)?;
    let pages = pages::pages(rules);
    for (name, text) in &pages {
        std::fs::write(folder.join(name), text).with_context(at)?;
    }
    eprintln!("{} in {}", show::count(pages.len(), "page"), folder.display());
    Ok(Exit::Ok)
}
