//! Sections on what is told apart and what is not.

use super::cells;
use super::section::Section;
use crate::eval::evaluation::{Evaluation, Variant};
use crate::eval::metrics::Measure;
use crate::eval::tables::{Breakdown, Culprit, GroupFigures, Row, Runs, SetAlarms, Tables};

pub(super) fn sections(evaluation: &Evaluation) -> Vec<Section> {
    let Evaluation { tables, runs, ablation, .. } = evaluation;
    let mut sections = vec![flagged(tables, evaluation.resamples), ranked(tables), lengths(tables)];
    sections.extend(runs.as_ref().map(several_runs));
    sections.extend(tables.breakdowns.iter().map(breakdown));
    sections.extend([pairs(tables), campaigns(tables), apart(tables)]);
    sections.extend([alarms(tables), culprits("False alarms by category", &tables.alarms.categories)]);
    sections.push(culprits("False alarms by rule, the 20 most frequent", &tables.alarms.rules));
    sections.push(changed(ablation));
    let is_detail = ablation.is_empty();
    sections.extend(sweeps(tables).map(|section| if is_detail { section.detail() } else { section }));
    sections
}

fn flagged(tables: &Tables, resamples: usize) -> Section {
    let row = |group: &GroupFigures| {
        let figure = |measure| *group.figures.get(measure);
        vec![
            group.name(),
            format!("{} of {}", cells::fraction(group.malicious.flagged), group.malicious.families),
            format!("{} of {}", cells::fraction(group.benign.flagged), group.benign.families),
            group.benign_provenance.clone(),
            cells::estimate(figure(Measure::Precision)),
            cells::estimate(figure(Measure::Recall)),
            cells::estimate(figure(Measure::F1)),
            cells::percent_estimate(figure(Measure::FalsePositiveRate)),
            cells::estimate(figure(Measure::Correlation)),
            group.malicious.warned.hits.to_string(),
            group.benign.warned.hits.to_string(),
        ]
    };
    let section = Section::new(
        "Flagged",
        &[
            "GROUP", "MALICIOUS", "BENIGN", "BENIGN FROM", "PRECISION", "RECALL", "F1", "FPR", "MCC",
            "WARNED MAL.", "WARNED BEN.",
        ],
    )
    .note(
        "Flagged is what policy quarantines or blocks; MALICIOUS and BENIGN are flagged/all of so many families. \
         Benign units about security are not in here but in a table of their own below.",
    )
    .note(format!(
        "Intervals: 95 % of {} resamples (seeded, always the same draws) in which whole families are drawn, so that \
         the twins of a pair, the skills of a campaign and what comes from one source stay together. With few families \
         they say little, and no width means that no resample differed, not that nothing is uncertain.",
        cells::count(resamples)
    ));
    let lonely = tables.groups.iter().filter_map(lonely);
    lonely.fold(section, Section::note).rows(tables.groups.iter().map(row))
}

/// What to say of a group whose units of one kind are all of one family.
fn lonely(group: &GroupFigures) -> Option<String> {
    let sides = [("malicious", &group.malicious), ("benign", &group.benign)].into_iter();
    let alone = sides.filter(|(_, side)| side.families == 1 && side.flagged.of > 1);
    let kinds: Vec<_> = alone.map(|(kind, _)| kind).collect();
    (!kinds.is_empty()).then(|| {
        format!(
            "{}: all {} units are of one family, so that their interval says nothing. Units that have nothing to do with \
             each other need a `source` (or `campaign`, `pair`, `scene`) each in the index: without one, all of a `category` \
             are a family.",
            group.name(),
            kinds.join(" and all ")
        )
    })
}

fn ranked(tables: &Tables) -> Section {
    let measures = [
        Measure::AveragePrecision,
        Measure::PaperAveragePrecision,
        Measure::Area,
        Measure::RecallAtOne,
        Measure::RecallAtThree,
    ];
    let row = |group: &GroupFigures| {
        let figures = measures.map(|measure| cells::estimate(*group.figures.get(measure)));
        [group.name()].into_iter().chain(figures).collect()
    };
    let heads: Vec<_> = ["GROUP"].into_iter().chain(measures.map(Measure::head)).collect();
    Section::new("Ranked, whatever the threshold", &heads)
        .note(
            "AUPRC is average precision. Our score is how likely the judge holds it that a document works against its \
             user (0 where nothing was found); the paper's is 0 without a judge's call, the confidence of MALICIOUS, \
             and 1 - confidence of any other label.",
        )
        .rows(tables.groups.iter().map(row))
}

fn lengths(tables: &Tables) -> Section {
    let rows = tables.lengths.iter().map(|length| {
        vec![
            length.group.clone(),
            cells::number(length.area),
            cells::number(length.recall_longest_first),
            cells::number(length.recall_shortest_first),
        ]
    });
    Section::new(
        "Length alone",
        &["GROUP", "AUROC, LONG IS BAD", "RECALL AT FPR 1 %, LONGEST FIRST", "SHORTEST FIRST"],
    )
    .note("What counting bytes would tell: a judge has shown something only where it beats this.")
    .rows(rows)
}

fn several_runs(runs: &Runs) -> Section {
    let rows = runs.groups.iter().map(|group| {
        let figure = |measure| *group.figures.get(measure);
        vec![
            group.group.clone(),
            cells::spread(figure(Measure::Precision)),
            cells::spread(figure(Measure::Recall)),
            cells::spread(figure(Measure::F1)),
            cells::percent_spread(figure(Measure::FalsePositiveRate)),
            cells::spread(figure(Measure::Correlation)),
            cells::spread(figure(Measure::AveragePrecision)),
            cells::spread(figure(Measure::PaperAveragePrecision)),
        ]
    });
    let title = format!("{} runs, mean ± standard deviation", runs.runs);
    Section::new(
        title,
        &["GROUP", "PRECISION", "RECALL", "F1", "FPR", "MCC", "AUPRC", "AUPRC (PAPER'S SCORE)"],
    )
    .note(format!(
        "{} units were kept back in some runs and forwarded in others; the judge gave no answer {} times in all. The \
         other tables are of the first run.",
        runs.undecided, runs.failed
    ))
    .rows(rows)
}

fn breakdown(breakdown: &Breakdown) -> Section {
    let title = format!("By {}", breakdown.by);
    let section = Section::new(
        title,
        &["SET", "PROVENANCE", "VALUE", "MALICIOUS FLAGGED", "WARNED", "BENIGN FLAGGED", "WARNED"],
    )
    .rows(breakdown.rows.iter().map(row));
    match breakdown.by {
        "set" => section.note("Intervals from here on are Wilson's, at 95 %, over units one by one."),
        "carrier" | "language" | "difficulty" => section.detail(),
        _ => section,
    }
}

fn row(row: &Row) -> Vec<String> {
    let set = format!("{}, {}", row.set, row.kind);
    let ([malicious, warned], [benign, benign_warned]) =
        (cells::tally(row.malicious), cells::tally(row.benign));
    vec![set, row.provenance.clone(), row.value.clone(), malicious, warned, benign, benign_warned]
}

fn apart(tables: &Tables) -> Section {
    let rows = tables.apart.rows.iter().map(|found| {
        let [flagged, warned] = cells::tally(found.malicious);
        vec![
            format!("{}, {}", found.set, found.kind),
            found.provenance.clone(),
            found.value.clone(),
            flagged,
            warned,
        ]
    });
    Section::new("Reported apart", &["SET", "PROVENANCE", "TIER", "FLAGGED", "WARNED"])
        .note(
            "In no figure above: fixtures describe an attack rather than hold one, semantic ones do harm only at run \
             time or in the sense of the whole text.",
        )
        .rows(rows)
}

fn pairs(tables: &Tables) -> Section {
    let rows = tables.pairs.iter().map(|pairs| {
        let counts = [pairs.pairs, pairs.both_right, pairs.both_flagged, pairs.both_passed, pairs.swapped];
        [format!("{}, {}", pairs.set, pairs.kind)].into_iter().chain(counts.map(cells::count)).collect()
    });
    Section::new("Pairs", &["SET", "PAIRS", "BOTH RIGHT", "BOTH FLAGGED", "BOTH PASSED", "SWAPPED"])
        .note("Both flagged: the gate sees the topic and not the behaviour.")
        .rows(rows)
}

fn campaigns(tables: &Tables) -> Section {
    let rows = tables.campaigns.iter().map(|of| vec![of.campaign.clone(), cells::share(of.flagged)]);
    let caught = tables.campaigns.iter().filter(|campaign| campaign.flagged.hits > 0).count();
    Section::new("Campaigns in the wild", &["CAMPAIGN", "FLAGGED"])
        .note(format!("{caught} of {} campaigns show in at least one unit.", tables.campaigns.len()))
        .rows(rows)
}

fn alarms(tables: &Tables) -> Section {
    let row = |alarms: &SetAlarms| {
        let security = if alarms.security_themed { ", about security" } else { "" };
        let mut row = vec![
            format!("{}, {}{security}", alarms.set, alarms.kind),
            cells::percent(alarms.flagged.value()),
            cells::fraction(alarms.flagged),
        ];
        row.extend(alarms.by_severity.iter().chain([&alarms.unread]).map(ToString::to_string));
        row.push(cells::share(alarms.block_grade));
        row.push(cells::share(alarms.blocked));
        row
    };
    Section::new(
        "False alarms by severity",
        &[
            "SET", "FPR", "FP", "CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO", "UNREAD", "BLOCK-GRADE", "BLOCKED",
        ],
    )
    .note(
        "By the gravest rule that hit; block-grade is flagged at high or critical, BLOCKED what policy blocks and does \
         not quarantine. UNREAD: no rule hit, and something in it could not be read.",
    )
    .rows(tables.alarms.sets.iter().map(row))
}

fn culprits(title: &str, culprits: &[Culprit]) -> Section {
    let rows = culprits.iter().map(|culprit| {
        let counts = [culprit.relied_on, culprit.hit, culprit.benign, culprit.malicious];
        [culprit.name.clone()].into_iter().chain(counts.map(cells::count)).collect()
    });
    Section::new(
        title,
        &["NAME", "RELIED ON", "HIT IN FALSE ALARMS", "HIT IN BENIGN", "HIT IN MALICIOUS"],
    )
    .note("RELIED ON: false alarms whose verdict names it as a reason; a unit counts for each of its rules.")
    .rows(rows)
}

fn changed(ablation: &[Variant]) -> Section {
    let groups = ablation.first().map_or(0, |variant| variant.runs.groups.len());
    let rows = (0..groups).flat_map(|nth| ablation.iter().map(move |variant| variant_row(variant, nth)));
    let section = Section::new(
        "With parts of the gate changed or left out",
        &[
            "GROUP",
            "VARIANT",
            "PRECISION",
            "RECALL",
            "F1",
            "MCC",
            "FPR",
            "AUPRC",
            "JUDGE CALLS",
            "TOKENS SENT",
        ],
    );
    let meaning = |variant: &Variant| format!("{}: {}", variant.name, variant.meaning);
    let section = ablation.iter().map(meaning).fold(section, Section::note);
    section.note("JUDGE CALLS and TOKENS SENT are of all groups together.").rows(rows)
}

fn variant_row(variant: &Variant, nth: usize) -> Vec<String> {
    let runs = &variant.runs;
    let group = &runs.groups[nth];
    let figure = |measure| *group.figures.get(measure);
    vec![
        group.group.clone(),
        variant.name.clone(),
        cells::spread(figure(Measure::Precision)),
        cells::spread(figure(Measure::Recall)),
        cells::spread(figure(Measure::F1)),
        cells::spread(figure(Measure::Correlation)),
        cells::percent_spread(figure(Measure::FalsePositiveRate)),
        cells::spread(figure(Measure::AveragePrecision)),
        format!("{:.0}", runs.asked),
        runs.sent.map_or_else(|| "-".to_owned(), cells::count),
    ]
}

fn sweeps(tables: &Tables) -> impl Iterator<Item = Section> {
    tables.sweeps.iter().filter(|sweep| sweep.curve.totals().0 > 0.0).map(|sweep| {
        let rows = sweep.steps.iter().map(|step| {
            vec![
                format!("{:.2}", step.threshold),
                cells::number(step.precision),
                cells::number(step.recall),
                cells::number(step.f1),
                cells::percent_or_nothing(step.false_positive_rate),
            ]
        });
        let section = Section::new(
            format!("Thresholds, {}", sweep.group),
            &["FLAGGED FROM", "PRECISION", "RECALL", "F1", "FPR"],
        );
        let best = sweep.best.map(|best| {
            format!(
                "The best F1 is {} at {:.3} (chosen on these very units): recall {}, FPR {}.",
                cells::number(best.f1),
                best.threshold,
                cells::number(best.recall),
                cells::percent_or_nothing(best.false_positive_rate)
            )
        });
        best.into_iter().fold(section, Section::note).rows(rows)
    })
}
