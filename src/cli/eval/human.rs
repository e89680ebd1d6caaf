//! An evaluation on a terminal.

use std::io::Write;

use crate::base::printable;
use crate::cli::show;
use crate::eval::Evaluation;
use crate::eval::report::{Section, sections};

/// Writes the sections that fit a terminal, and says where the others are.
pub(super) fn write(evaluation: &Evaluation, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "judge     {}", evaluation.judge)?;
    let corpora = evaluation.corpora.iter();
    let corpora: Vec<_> = corpora.map(|of| format!("{} {}", printable(&of.name), of.units)).collect();
    writeln!(out, "units     {}", corpora.join(", "))?;
    writeln!(out, "rules     {}\npolicy    {}\n", evaluation.ruleset, evaluation.policy)?;
    show::paragraph(out, &evaluation.basis.meaning(), "")?;
    writeln!(out)?;
    let (details, shown): (Vec<_>, Vec<_>) =
        sections(evaluation).into_iter().partition(|section| section.is_detail);
    for section in &shown {
        write_section(section, out)?;
    }
    if !details.is_empty() {
        let titles: Vec<_> = details.iter().map(|section| printable(&section.title).into_owned()).collect();
        show::paragraph(out, &format!("With --report or --format json also: {}.", titles.join("; ")), "")?;
    }
    Ok(())
}

fn write_section(section: &Section, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}", printable(&section.title))?;
    for note in &section.notes {
        show::paragraph(out, &printable(note), "  ")?;
    }
    let mut table = show::table(section.heads.clone());
    for row in &section.rows {
        table.add_row(row.iter().map(|cell| printable(cell).into_owned()));
    }
    show::write_table(out, &table)?;
    writeln!(out)
}
