//! Sections on what judging costs.

use super::cells;
use super::section::Section;
use crate::eval::evaluation::Evaluation;
use crate::eval::tables::{SetCalls, Tables, Tokens};

pub(super) fn sections(evaluation: &Evaluation) -> Vec<Section> {
    let tables = &evaluation.tables;
    vec![calls(tables), tokens(tables), latency(tables)]
}

fn name(set: &str, kind: &str) -> String {
    if kind.is_empty() { set.to_owned() } else { format!("{set}, {kind}") }
}

fn calls(tables: &Tables) -> Section {
    let row = |of: &SetCalls| {
        let calls = &of.calls;
        let share = |part: usize, whole: usize| cells::percent(part as f64 / whole.max(1) as f64);
        vec![
            name(&of.set, of.kind),
            cells::count(calls.units),
            format!("{} {}", cells::count(calls.skipped), share(calls.skipped, calls.units)),
            cells::count(calls.asked),
            format!("{} {}", cells::count(calls.settled), share(calls.settled, calls.asked)),
            cells::count(calls.failed),
            calls.tokens_in.to_string(),
            calls.tokens_out.to_string(),
        ]
    };
    Section::new(
        "Judge calls",
        &["SET", "UNITS", "NOTHING FOUND", "JUDGE CALLS", "SETTLED BY THE EMBEDDED JUDGE", "NO ANSWER", "TOKENS IN", "OUT"],
    )
    .note(
        "SETTLED: of the judge calls, those that `cascade` would not make, since the embedded judge is sure (not \
         SUSPICIOUS, and confidence 0.95 or more). TOKENS are as the judge counts them.",
    )
    .rows(tables.calls.iter().map(row))
}

fn tokens(tables: &Tables) -> Section {
    let row = |tokens: &Tokens| {
        vec![
            name(&tokens.set, tokens.kind),
            cells::count(tokens.full),
            cells::count(tokens.sent),
            cells::percent(tokens.saving()),
            cells::percent(tokens.skip_saving()),
            cells::percent(tokens.snippet_saving()),
            cells::count(tokens.cut),
            cells::percent(tokens.saving_of_cut()),
            cells::percent(tokens.skip_saving_of_cut()),
            cells::percent(tokens.saving_of_cut() - tokens.skip_saving_of_cut()),
            cells::count(tokens.sent_by_cascade),
            cells::percent(tokens.saving_of_cascade()),
        ]
    };
    Section::new(
        "Tokens",
        &[
            "SET", "WHOLE", "SENT", "SAVED", "BY SKIPPING", "BY SNIPPETS", "CUT AT 12,000", "SAVED", "BY SKIPPING",
            "BY SNIPPETS", "SENT BY CASCADE", "SAVED",
        ],
    )
    .note(
        "o200k_base, of what a language model is sent (preamble and windows), whichever judge is in use. Saved against \
         the whole of all texts, and against texts cut at 12,000 characters as in the paper. By skipping: units in \
         which nothing was found are not asked about; by snippets: windows in place of the whole.",
    )
    .rows(tables.tokens.iter().map(row))
}

fn latency(tables: &Tables) -> Section {
    let rows = tables.latency.iter().map(|latency| {
        let times =
            [latency.p50_us, latency.p90_us, latency.p99_us].map(|time| cells::milliseconds(time as f64));
        let head =
            [latency.path.to_owned(), cells::count(latency.units), cells::milliseconds(latency.mean_us)];
        head.into_iter().chain(times).collect()
    });
    Section::new("Time from receipt to decision", &["PATH", "UNITS", "MEAN", "P50", "P90", "P99"])
        .note(
            "From the file on disk to the decision, while all cores judge other units; `all` is the mean weighted by \
             how frequent the two paths are here.",
        )
        .rows(rows)
}
