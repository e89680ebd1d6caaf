//! How long the prefilter takes for one file of 7 KB: all views with the engine, and for comparison every pattern by
//! itself and all patterns in one `RegexSet` over the plain text. Also how long it takes to be ready.
//!
//! `cargo bench --bench prefilter`; a path in `SKILLGATE_BENCH_FILE` is measured instead of the page below.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark reads the clock, its environment and a file, and fails by panicking"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use regex::bytes::{Regex, RegexBuilder, RegexSetBuilder};
use skillgate::base::Digest;
use skillgate::gate::rules::RuleSet;
use skillgate::gate::{Document, Kind, Part, Role, scan};

/// A page as honest authors write them: prose, commands, code, a table, some words of other scripts.
const PAGE: &str = include_str!("page.md");

fn page() -> String {
    let file = std::env::var_os("SKILLGATE_BENCH_FILE");
    file.map_or_else(|| PAGE.to_owned(), |path| std::fs::read_to_string(path).unwrap())
}

fn document(text: &str) -> Document {
    Document {
        kind: Kind::Package,
        name: "page".to_owned(),
        description: String::new(),
        digest: Digest::of_bytes(text.as_bytes()),
        bytes: text.len() as u64,
        parts: vec![Part { path: "SKILL.md".to_owned(), role: Role::Instructions, text: text.into() }],
        unread: Vec::new(),
        anomalies: Vec::new(),
    }
}

fn prefilter(criterion: &mut Criterion) {
    let text = page();
    let document = document(&text);
    readiness(&document);
    let rules = RuleSet::builtin();
    criterion
        .bench_function("engine, all views", |bencher| bencher.iter(|| scan(black_box(&document), rules)));

    let patterns: Vec<&str> =
        rules.iter().flat_map(|rule| rule.detection.patterns()).map(String::as_str).collect();
    let one_by_one: Vec<Regex> =
        patterns.iter().map(|pattern| RegexBuilder::new(pattern).unicode(false).build().unwrap()).collect();
    let mut slow = criterion.benchmark_group("for comparison, raw text only");
    slow.sample_size(10).measurement_time(Duration::from_secs(5));
    slow.bench_function("every pattern by itself", |bencher| {
        bencher.iter(|| {
            one_by_one.iter().map(|one| one.find_iter(black_box(text.as_bytes())).count()).sum::<usize>()
        });
    });
    let set = RegexSetBuilder::new(&patterns).unicode(false).size_limit(1 << 28).build().unwrap();
    slow.bench_function("RegexSet", |bencher| {
        bencher.iter(|| set.matches(black_box(text.as_bytes())).iter().count());
    });
    slow.finish();
}

/// Prints what criterion cannot repeat: the first use of the rules.
fn readiness(document: &Document) {
    let start = Instant::now();
    let rules = RuleSet::builtin();
    let read = start.elapsed();
    let start = Instant::now();
    let hits = scan(document, rules).hits.len();
    let first = start.elapsed();
    println!(
        "{} rules read in {read:.1?}; first scan of {} bytes {first:.1?}, {hits} hits",
        rules.len(),
        document.bytes
    );
}

criterion_group!(benches, prefilter);
criterion_main!(benches);
