//! The page of a report: one file that needs no other, asks for nothing from anywhere, and is read in light or in dark.
//!
//! Every cell and title is other people's text: invisible characters are shown as escapes, and the rest is escaped for
//! HTML where it is put in.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::curves::Drawn;
use super::mistakes;
use super::section::{Section, sections};
use crate::base::printable;
use crate::eval::evaluation::Evaluation;
use crate::eval::unit::Unit;

const STYLE: &str = "
:root { color-scheme: light dark; --ground: #fff; --text: #1c1e21; --faint: #5c6370; --line: #d8dbe0; --head: #f2f4f7; }
@media (prefers-color-scheme: dark) {
:root { --ground: #16181c; --text: #dfe2e7; --faint: #9aa2ad; --line: #363a41; --head: #22262c; } }
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 92rem;
padding: 0 1rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem; } p { max-width: 52rem; margin: .4rem 0; color: var(--faint); }
nav ul { columns: 3 16rem; padding-left: 1.1rem; } a { color: inherit; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .6rem 0; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .55rem; text-align: left; white-space: nowrap; }
th { background: var(--head); font-size: .78rem; white-space: normal; vertical-align: bottom; }
td:nth-child(6) { white-space: normal; } tr:hover td { background: var(--head); }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; } .charts svg { max-width: 100%; height: auto; border: 1px solid var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; } dt { color: var(--faint); } dd { margin: 0;
overflow-wrap: anywhere; }";

/// The page.
pub(super) fn page(evaluation: &Evaluation, charts: &[Drawn], units: &[Unit<'_>]) -> Markup {
    let sections: Vec<_> = sections(evaluation).into_iter().chain(mistakes::sections(units)).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { "How well the gate does" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "How well the gate does" }
                (about(evaluation))
                p { (evaluation.basis.meaning()) }
                nav { ul {
                    li { a href="#curves" { "Curves" } }
                    @for (nth, section) in sections.iter().enumerate() {
                        li { a href={ "#s" (nth) } { (printable(&section.title)) } }
                    }
                } }
                h2 id="curves" { "Curves (" (evaluation.basis.tag()) ")" }
                div class="charts" { @for drawn in charts { (drawn.chart.svg()) } }
                @for (nth, section) in sections.iter().enumerate() { (shown(nth, section)) }
            }
        }
    }
}

fn about(evaluation: &Evaluation) -> Markup {
    html! {
        dl {
            dt { "judge" } dd { (evaluation.judge) }
            dt { "SkillGate" } dd { (evaluation.version) }
            dt { "units" } dd {
                @for (nth, corpus) in evaluation.corpora.iter().enumerate() {
                    @if nth > 0 { ", " }
                    (printable(&corpus.name)) " " (corpus.units)
                }
            }
            dt { "rules" } dd { (evaluation.ruleset) }
            dt { "policy" } dd { (evaluation.policy) }
        }
    }
}

fn shown(nth: usize, section: &Section) -> Markup {
    html! {
        h2 id={ "s" (nth) } { (printable(&section.title)) }
        @for note in &section.notes { p { (printable(note)) } }
        div class="wide" { table {
            thead { tr { @for head in &section.heads { th { (head) } } } }
            tbody {
                @for row in &section.rows { tr { @for cell in row { td { (printable(cell)) } } } }
            }
        } }
    }
}
