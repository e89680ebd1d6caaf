//! `skillgate rules import-sigma`: Sigma files in, rule files and a report out.
//!
//! Without a folder to write to, the rules are the output and the report is talk; with one, the report is the output.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::Exit;
use crate::base::printable;
use crate::base::render::json;
use crate::cli::show;
use crate::gate::rules::sigma::{self, Import, Outcome, Translation};
use crate::io::rules;

/// The most characters of a title that are shown.
const WIDTH: usize = 80;

/// How many rules came to what.
#[derive(Default)]
struct Sums {
    translated: usize,
    lossy: usize,
    refused: usize,
    wanting: usize,
}

/// Imports a file or a folder.
pub(super) fn run(
    path: &Path,
    folder: Option<&Path>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let files = rules::read_sigma(path)?;
    if files.is_empty() {
        anyhow::bail!("no Sigma files (.yml, .yaml) under `{}`; check the path", path.display());
    }
    let mut sums = Sums::default();
    for (name, text) in &files {
        let imports = sigma::import(text);
        let toml: Vec<_> = imports.iter().filter_map(|import| Some(&*translation(import)?.toml)).collect();
        if let (Some(folder), false) = (folder, toml.is_empty()) {
            rules::write_new(folder, &name.with_extension("toml"), &toml.join("\n"))?;
        }
        for import in &imports {
            sums.add(import);
            report(name, import, folder.is_some(), json, out)?;
        }
    }
    eprintln!("{}", sums.words(files.len()));
    Ok(Exit::Ok)
}

fn translation(import: &Import) -> Option<&Translation> {
    match &import.outcome {
        Outcome::Translated(translation) => Some(translation),
        Outcome::Refused(_) => None,
    }
}

fn report(
    file: &Path,
    import: &Import,
    is_written: bool,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{}", json::text(&value(file, import, is_written)))?;
    } else if is_written {
        write!(out, "{}", words(file, import))?;
    } else {
        eprint!("{}", words(file, import));
        if let Some(translation) = translation(import) {
            writeln!(out, "{}", translation.toml)?;
        }
    }
    Ok(())
}

fn name(import: &Import) -> &'static str {
    match &import.outcome {
        Outcome::Refused(_) => "refused",
        Outcome::Translated(translation) if translation.losses.is_empty() => "translated",
        Outcome::Translated(_) => "lossy",
    }
}

/// A line for the rule, and one for each thing to know of it.
fn words(file: &Path, import: &Import) -> String {
    let file = file.display().to_string();
    let title = show::clip(&import.title, WIDTH);
    let mut lines = vec![format!("{:<11}{}: {title}", name(import), printable(&file))];
    match &import.outcome {
        Outcome::Refused(reason) => lines.push(format!("    {}", show::clip(reason, 200))),
        Outcome::Translated(translation) => {
            let ids: Vec<_> = translation.rules.iter().map(ToString::to_string).collect();
            lines.push(format!("    as {}", ids.join(", ")));
            lines.extend(translation.losses.iter().map(|loss| format!("    {}", show::clip(loss, 200))));
            let derived = show::count(translation.derived, "example");
            lines.push(format!("    {derived} derived from its selections, each was run"));
            if translation.wanting > 0 {
                let wanting = show::count(translation.wanting, "example");
                lines.push(format!("    {wanting} for you to add; `rules lint` says of which kind"));
            }
        }
    }
    lines.join("\n") + "\n"
}

fn value(file: &Path, import: &Import, is_written: bool) -> Value {
    let file = file.display().to_string();
    let mut value = json!({
        "file": file, "title": import.title, "sigma": import.id, "outcome": name(import),
    });
    match &import.outcome {
        Outcome::Refused(reason) => value["reasons"] = json!([reason]),
        Outcome::Translated(translation) => {
            value["reasons"] = json!(translation.losses);
            value["rules"] = json!(translation.rules);
            value["examples"] = json!({ "derived": translation.derived, "wanting": translation.wanting });
            if !is_written {
                value["toml"] = json!(translation.toml);
            }
        }
    }
    value
}

impl Sums {
    fn add(&mut self, import: &Import) {
        match &import.outcome {
            Outcome::Refused(_) => self.refused += 1,
            Outcome::Translated(translation) => {
                self.wanting += translation.wanting;
                *if translation.losses.is_empty() { &mut self.translated } else { &mut self.lossy } += 1;
            }
        }
    }

    fn words(&self, files: usize) -> String {
        let files = show::count(files, "file");
        let Self { translated, lossy, refused, wanting } = self;
        let wanting = show::count(*wanting, "example");
        format!("{files}: {translated} translated, {lossy} with losses, {refused} refused; {wanting} to add")
    }
}
