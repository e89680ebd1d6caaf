//! Base64 and base64url runs, also wrapped over lines and cut into string literals.
//!
//! A run is a stretch of the joined alphabet. Runs that fill their lines, or stand in quotes with nothing but
//! glue between, are one run. Where a run as a whole is no text, its stretches between signs are tried, since
//! a path or a key may be glued to it. Short runs count only near a word that names base64.

use ::base64::Engine as _;
use ::base64::alphabet;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::text;
use crate::base::Span;
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::hints::Hint;
use crate::gate::views::unfold::{Found, Groups, Source};

/// The shortest run that is tried, with and without a word near it that names base64.
const HINTED: usize = 8;
const UNHINTED: usize = 16;

/// How near such a word must be, in bytes.
const NEAR: usize = 160;

/// The shortest line that goes on with the next one.
const WRAPPED: usize = 32;

/// How many stretches of one run are tried.
const TRIES: usize = 16;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// The texts in base64, one rewrite for each way in which they are carried.
pub(super) fn decode(source: &Source<'_>) -> Vec<Found> {
    let mut groups = Groups::default();
    for run in runs(source).filter(|run| source.is_new(run.span)) {
        for (span, text, layers) in texts(source, &run) {
            groups.add(span, &text, layers);
        }
    }
    groups.finish(ViewKind::Decoded)
}

/// The runs of so many characters or more with the bytes they stand for, text or not.
pub(super) fn blobs<'s>(
    source: &'s Source<'_>,
    shortest: usize,
) -> impl Iterator<Item = (Span, Vec<u8>)> + 's {
    let long = runs(source).filter(move |run| run.span.len() >= shortest);
    long.filter_map(|run| Some((run.span, bytes_of(&run.joined(source.text))?)))
}

/// A run with its chunks joined.
struct Run {
    span: Span,
    chunks: Vec<Span>,
}

impl Run {
    fn joined(&self, text: &str) -> String {
        self.chunks.iter().filter_map(|chunk| chunk.of(text)).collect()
    }
}

/// All runs, in order.
fn runs<'s>(source: &'s Source<'_>) -> impl Iterator<Item = Run> + 's {
    let mut at = 0;
    std::iter::from_fn(move || {
        let run = next_run(source, at)?;
        at = run.span.end;
        Some(run)
    })
}

type Text = (Span, String, Vec<Layer>);

/// The next run that is long enough.
fn next_run(source: &Source<'_>, from: usize) -> Option<Run> {
    let bytes = source.text.as_bytes();
    let mut chunk = next_chunk(bytes, from)?;
    while !is_candidate(source, chunk) {
        chunk = next_chunk(bytes, chunk.end)?;
    }
    let mut run = Run { span: chunk, chunks: vec![chunk] };
    while let Some(next) = continuation(bytes, &run) {
        run.span.end = next.end;
        run.chunks.push(next);
    }
    Some(run)
}

/// The next stretch of at least [`HINTED`] characters of the alphabet.
fn next_chunk(bytes: &[u8], from: usize) -> Option<Span> {
    let mut from = from;
    loop {
        // A chunk that starts before this byte and is long enough holds this byte.
        let probe = from + HINTED - 1;
        if !is_sextet(*bytes.get(probe)?) {
            from = probe + 1;
            continue;
        }
        let before = bytes[from..probe].iter().rev().take_while(|byte| is_sextet(**byte)).count();
        let chunk = chunk_at(bytes, probe - before);
        if chunk.len() >= HINTED {
            return Some(chunk);
        }
        from = chunk.end;
    }
}

/// The characters of the alphabet at a place, with the padding after them.
fn chunk_at(bytes: &[u8], start: usize) -> Span {
    let end = start + bytes[start..].iter().take_while(|byte| is_sextet(**byte)).count();
    let padding = bytes[end..].iter().take(2).take_while(|byte| **byte == b'=').count();
    Span::new(start, end + padding)
}

fn is_candidate(source: &Source<'_>, chunk: Span) -> bool {
    let Some(text) = chunk.of(source.text) else { return false };
    // Words and numbers alone are no base64 of text: that has both cases, or a case and digits.
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    has(u8::is_ascii_uppercase)
        && (has(u8::is_ascii_lowercase) || has(u8::is_ascii_digit))
        && (chunk.len() >= UNHINTED || source.hints.near(Hint::Base64, chunk, NEAR).is_some())
}

/// The chunk that goes on where the run ends: on the next line, or in the next literal.
fn continuation(bytes: &[u8], run: &Run) -> Option<Span> {
    let (first, last) = (run.chunks.first()?, run.chunks.last()?);
    let rest = &bytes[last.end..];
    let glue = rest.iter().take(48).position(|byte| is_sextet(*byte))?;
    let glued = &rest[..glue];
    let breaks = memchr::memchr_iter(b'\n', glued).count();
    let quotes = glued.iter().filter(|byte| matches!(byte, b'"' | b'\'')).count();
    let is_glue = glued.iter().all(|byte| b" \t\r\n\"'+\\,.>#*|".contains(byte));
    if !is_glue || breaks > 1 || !(quotes == 2 || (breaks == 1 && last.len() >= WRAPPED)) {
        return None;
    }
    let next = chunk_at(bytes, last.end + glue);
    let ends_line = !matches!(bytes.get(next.end), Some(b' ' | b':' | b'(')) || next.len() >= WRAPPED;
    (next.len() <= first.len() && (ends_line || quotes == 2)).then_some(next)
}

/// What a run holds: one text, or those of its stretches.
fn texts(source: &Source<'_>, run: &Run) -> Vec<Text> {
    if run.chunks.len() > 1
        && let Some((text, layers)) = text_of(&run.joined(source.text))
    {
        return vec![(run.span, text, layers)];
    }
    let alone = |chunk: &Span| {
        let (text, layers) = text_of(chunk.of(source.text)?)?;
        Some(vec![(*chunk, text, layers)])
    };
    let stretches = |chunk: &Span| alone(chunk).unwrap_or_else(|| inside(source.text, *chunk));
    run.chunks.iter().flat_map(stretches).collect()
}

/// The texts of a chunk's stretches between signs; and of its tails, for standard base64 glued to a path.
fn inside(text: &str, chunk: Span) -> Vec<Text> {
    let Some(run) = chunk.of(text) else { return Vec::new() };
    let signs = ['/', '-', '_', '+'];
    let Some(first) = run.find(signs) else { return Vec::new() };
    let mut found = texts_at(run, Span::new(0, first), chunk.start);
    let mut end = first;
    for (sign, _) in run.match_indices(signs).take(TRIES).filter(|(sign, _)| *sign + UNHINTED < run.len()) {
        let start = sign + 1;
        let stretch = run[start..].find(signs).map_or(run.len(), |len| start + len);
        for tried in [stretch, run.len()].map(|end| Span::new(start, end)) {
            if start >= end {
                found.extend(texts_at(run, tried, chunk.start));
                end = found.last().map_or(end, |(span, ..)| span.end - chunk.start).max(end);
            }
        }
    }
    found
}

/// The text of one stretch of a chunk that starts at `offset`.
fn texts_at(run: &str, stretch: Span, offset: usize) -> Vec<Text> {
    let tried = stretch.of(run).filter(|tried| tried.len() >= UNHINTED);
    let span = Span::new(offset + stretch.start, offset + stretch.end);
    tried.and_then(text_of).map(|(text, layers)| (span, text, layers)).into_iter().collect()
}

/// The text behind one run of base64.
fn text_of(run: &str) -> Option<(String, Vec<Layer>)> {
    let head = run.get(..16).unwrap_or(run);
    if !text::could_begin(&bytes_of(head)?) {
        return None;
    }
    let layer = if is_url_safe(run) { Layer::Base64Url } else { Layer::Base64 };
    let (text, inner) = text::of(&bytes_of(run)?)?;
    Some((text, [layer].into_iter().chain(inner).collect()))
}

/// The bytes behind one run of base64.
fn bytes_of(run: &str) -> Option<Vec<u8>> {
    let run = run.trim_end_matches('=');
    let engine = if is_url_safe(run) { &URL_SAFE } else { &STANDARD };
    engine.decode(&run[..run.len() - usize::from(run.len() % 4 == 1)]).ok()
}

fn is_url_safe(run: &str) -> bool {
    run.contains(['-', '_'])
}

fn is_sextet(byte: u8) -> bool {
    SEXTETS[usize::from(byte)]
}

/// Which bytes are of the joined alphabet.
static SEXTETS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    table
};
