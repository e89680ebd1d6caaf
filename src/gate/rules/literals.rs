//! Literals in patterns: which anchors every match holds, and which anchors to take where a rule names none.
//!
//! The idea is that of the atoms of YARA engines: find cheap literals in one pass over the text, and run a pattern only
//! where one stands. It is right only if *every* match of the pattern holds one of the literals, so that is proved
//! here from the syntax tree, never assumed. `curl\s+-d` holds `curl`; `(?:curl|wget) -d` holds one of `curl`, `wget`;
//! `do\s+not` does not hold `do not`, since the space may be a line break.
//!
//! All literals are lower-cased ASCII: anchors are searched without regard to ASCII case.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts of which every match of some part of a pattern is one.
pub(super) type Texts = BTreeSet<Vec<u8>>;

/// More texts than this for one part are not followed.
const MOST_TEXTS: usize = 128;
/// Longer texts than this are not followed.
const LONGEST_TEXT: usize = 64;
/// The shortest literal that is worth a pattern's run.
const SHORTEST_ANCHOR: usize = 3;

/// Anchors as they are compared: lower-cased bytes.
pub(super) fn lower_cased(anchors: &[String]) -> Vec<Vec<u8>> {
    anchors.iter().map(|anchor| anchor.to_ascii_lowercase().into_bytes()).collect()
}

/// True where every match of the pattern holds one of the anchors, which are lower-cased.
pub(super) fn every_match_holds(hir: &Hir, anchors: &[Vec<u8>]) -> bool {
    let all_hold = |texts: &Texts| {
        texts.iter().all(|text| anchors.iter().any(|anchor| memchr::memmem::find(text, anchor).is_some()))
    };
    if exact(hir).or_else(|| fewest_copies(hir)).is_some_and(|texts| all_hold(&texts)) {
        return true;
    }
    match hir.kind() {
        HirKind::Capture(capture) => every_match_holds(&capture.sub, anchors),
        HirKind::Repetition(repetition) => repetition.min > 0 && every_match_holds(&repetition.sub, anchors),
        HirKind::Alternation(parts) => parts.iter().all(|part| every_match_holds(part, anchors)),
        HirKind::Concat(parts) => {
            runs(parts).iter().any(all_hold) || parts.iter().any(|part| every_match_holds(part, anchors))
        }
        _ => false,
    }
}

/// What every match holds: one literal of each group. Nothing where there are none worth having.
pub(super) fn required(hir: &Hir) -> Vec<Texts> {
    if let Some(whole) = exact(hir).or_else(|| fewest_copies(hir)) {
        return Some(trimmed(whole)).filter(worth_having).into_iter().collect();
    }
    match hir.kind() {
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Alternation(_) => best(hir).into_iter().collect(),
        HirKind::Concat(parts) => {
            let runs = runs(parts).into_iter().map(trimmed).filter(worth_having);
            let open = parts.iter().filter(|part| exact(part).is_none());
            runs.chain(open.flat_map(required)).collect()
        }
        _ => Vec::new(),
    }
}

/// The best literals of which every match holds one; nothing where there are none worth having.
pub(super) fn derive(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    best(hir).map(|texts| texts.into_iter().collect())
}

fn best(hir: &Hir) -> Option<Texts> {
    let whole = exact(hir).or_else(|| fewest_copies(hir)).map(trimmed).filter(worth_having);
    let inner = match hir.kind() {
        HirKind::Capture(capture) => best(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => best(&repetition.sub),
        HirKind::Alternation(parts) => parts.iter().try_fold(Texts::new(), |mut all, part| {
            all.extend(best(part)?);
            (all.len() <= MOST_TEXTS).then_some(all)
        }),
        HirKind::Concat(parts) => {
            let runs = runs(parts).into_iter().map(trimmed).filter(worth_having);
            runs.chain(parts.iter().filter_map(best)).max_by_key(worth)
        }
        _ => None,
    };
    whole.into_iter().chain(inner).max_by_key(worth)
}

/// Without white space at the ends: what is left is in every match too, and there are fewer of it.
fn trimmed(texts: Texts) -> Texts {
    let ends = |byte: &u8| matches!(byte, 9..=13 | 32);
    let trim = |text: Vec<u8>| {
        let start = text.iter().position(|byte| !ends(byte)).unwrap_or(text.len());
        let end = text.iter().rposition(|byte| !ends(byte)).map_or(start, |last| last + 1);
        text[start..end].to_vec()
    };
    texts.into_iter().map(trim).collect()
}

fn worth_having(texts: &Texts) -> bool {
    texts.iter().all(|text| text.len() >= SHORTEST_ANCHOR)
}

/// Long literals are rare ones; of equally long ones few are better than many.
fn worth(texts: &Texts) -> (usize, std::cmp::Reverse<usize>) {
    let shortest = texts.iter().map(Vec::len).min().unwrap_or(0);
    (shortest.min(8), std::cmp::Reverse(texts.len()))
}

/// The texts of each stretch of neighbouring parts that have exact texts.
fn runs(parts: &[Hir]) -> Vec<Texts> {
    let mut runs = Vec::new();
    let mut run: Option<Texts> = None;
    for part in parts {
        let Some(texts) = exact(part) else {
            // The beginning of an open part still belongs to the run before it.
            let begun = fewest_copies(part).and_then(|texts| joined(run.as_ref(), &texts));
            runs.extend(begun.or(run.take()));
            run = fewest_copies(part);
            continue;
        };
        if let Some(longer) = joined(run.as_ref(), &texts) {
            run = Some(longer);
        } else {
            runs.extend(run.replace(texts));
        }
    }
    runs.extend(run);
    runs
}

/// The texts that every match of a repetition both begins and ends with.
fn fewest_copies(hir: &Hir) -> Option<Texts> {
    match hir.kind() {
        HirKind::Repetition(repetition) if repetition.min > 0 => {
            copies(&repetition.sub, repetition.min, repetition.min)
        }
        HirKind::Capture(capture) => fewest_copies(&capture.sub),
        _ => None,
    }
}

fn joined(run: Option<&Texts>, next: &Texts) -> Option<Texts> {
    let Some(run) = run else { return Some(next.clone()) };
    if run.len() * next.len() > MOST_TEXTS {
        return None;
    }
    let pairs = run.iter().flat_map(|head| next.iter().map(move |tail| [head.as_slice(), tail].concat()));
    let texts: Texts = pairs.collect();
    texts.iter().all(|text| text.len() <= LONGEST_TEXT).then_some(texts)
}

/// All texts that match, lower-cased, where they are few and short.
fn exact(hir: &Hir) -> Option<Texts> {
    // What can be longer is not worth the look: gaps and runs are, and most patterns have one.
    hir.properties().maximum_len().filter(|longest| *longest <= LONGEST_TEXT)?;
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(Texts::from([Vec::new()])),
        HirKind::Literal(literal) => {
            (literal.0.len() <= LONGEST_TEXT).then(|| Texts::from([literal.0.to_ascii_lowercase()]))
        }
        HirKind::Class(class) => exact_class(class),
        HirKind::Repetition(repetition) => copies(&repetition.sub, repetition.min, repetition.max?),
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Concat(parts) => {
            parts.iter().try_fold(Texts::from([Vec::new()]), |run, part| match only_byte(part) {
                Some(byte) => Some(run.into_iter().map(|text| with_byte(text, byte)).collect()),
                None => joined(Some(&run), &exact(part)?),
            })
        }
        HirKind::Alternation(parts) => parts.iter().try_fold(Texts::new(), |mut all, part| {
            all.extend(exact(part)?);
            (all.len() <= MOST_TEXTS).then_some(all)
        }),
    }
}

/// The one byte that a part stands for in either case. Words without regard to case are made of such parts, and each is
/// sooner added than joined.
fn only_byte(part: &Hir) -> Option<u8> {
    let HirKind::Class(Class::Bytes(class)) = part.kind() else { return None };
    let lower = class.ranges().first()?.start().to_ascii_lowercase();
    let is_it = |range: &regex_syntax::hir::ClassBytesRange| {
        range.len() == 1 && range.start().eq_ignore_ascii_case(&lower)
    };
    class.ranges().iter().all(is_it).then_some(lower)
}

fn with_byte(mut text: Vec<u8>, byte: u8) -> Vec<u8> {
    text.push(byte);
    text
}

fn exact_class(class: &Class) -> Option<Texts> {
    const MOST_MEMBERS: usize = 32;
    match class {
        Class::Bytes(class) => {
            let members = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            few(members.map(|byte| vec![byte.to_ascii_lowercase()]), MOST_MEMBERS)
        }
        Class::Unicode(class) => {
            let members = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            few(members.map(|c| c.to_ascii_lowercase().to_string().into_bytes()), MOST_MEMBERS)
        }
    }
}

fn few(mut texts: impl Iterator<Item = Vec<u8>>, most: usize) -> Option<Texts> {
    let few = texts.by_ref().take(most).collect();
    texts.next().is_none().then_some(few)
}

/// The texts of `min` to `max` copies.
fn copies(once: &Hir, min: u32, max: u32) -> Option<Texts> {
    const MOST_COPIES: u32 = 8;
    if max > MOST_COPIES {
        return None;
    }
    let once = exact(once)?;
    let mut copies = Texts::from([Vec::new()]);
    let mut all = if min == 0 { copies.clone() } else { Texts::new() };
    for count in 1..=max {
        copies = joined(Some(&copies), &once)?;
        if count >= min {
            all.extend(copies.iter().cloned());
        }
    }
    (all.len() <= MOST_TEXTS).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::{derive, every_match_holds, required};
    use crate::gate::rules::pattern::parse;

    #[track_caller]
    fn check_holds(pattern: &str, anchors: &[&str], expected: bool) {
        let anchors: Vec<_> = anchors.iter().map(|anchor| anchor.as_bytes().to_vec()).collect();
        assert_eq!(every_match_holds(&parse(pattern).unwrap(), &anchors), expected, "{pattern} {anchors:?}");
    }

    #[test]
    fn anchors_are_proved_or_refused() {
        check_holds(r"(?i)curl\s+-d", &["curl"], true);
        check_holds(r"(?i)(?:curl|wget)\s+-d", &["curl", "wget"], true);
        check_holds(r"(?i)(?:curl|wget)\s+-d", &["curl"], false);
        check_holds(r"do\s+not", &["do not"], false);
        check_holds(r"do not", &["do not"], true);
        check_holds(r"https?://\S+", &["http"], true);
        check_holds(r"(?:sudo )?rm -rf", &["sudo"], false);
        check_holds(r"(?:sudo )?rm -rf", &["rm -rf"], true);
        check_holds(r"\.(?:ba|z)shrc", &["shrc"], true);
        check_holds(r"x(?:[^\n]{0,9}curl|.{0,9}wget)y", &["curl", "wget"], true);
        check_holds(r"(?:curl ){2,}", &["curl"], true);
        check_holds(r"(?:curl ){0,3}x", &["curl"], false);
        check_holds(r"[a-z]+", &["a"], false);
        check_holds("忽略(?:所有|之前)", &["忽略"], true);
        check_holds(r"\bid_(?:rsa|dsa)\b", &["id_rsa", "id_dsa"], true);
        check_holds(r"ab+c", &["bc"], true);
        check_holds(r"ab+c", &["abc"], false);
        check_holds(r"/{2,}etc", &["//"], true);
    }

    #[track_caller]
    fn check_derived(pattern: &str, expected: Option<&[&str]>) {
        let hir = parse(pattern).unwrap();
        let derived = derive(&hir);
        let texts = derived
            .as_ref()
            .map(|all| all.iter().map(|text| String::from_utf8(text.clone()).unwrap()).collect::<Vec<_>>());
        assert_eq!(
            texts.as_ref().map(|all| all.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(),
            expected,
            "{pattern}"
        );
        assert!(derived.is_none_or(|anchors| every_match_holds(&hir, &anchors)), "{pattern}");
    }

    #[test]
    fn derived_anchors_are_the_longest_and_fewest() {
        check_derived(r"(?i)curl\s+--data", Some(&["--data"]));
        check_derived(r"(?i)\b(?:curl|wget)\b[^\n]{0,80}\|\s*sh", Some(&["curl", "wget"]));
        check_derived(r"[a-z]{3,}", None);
        check_derived(r"a|curl", None);
        check_derived(r"\.ssh/id_(?:rsa|ed25519)", Some(&[".ssh/id_"]));
    }

    #[test]
    fn a_match_holds_one_literal_of_each_group() {
        let check = |pattern: &str, expected: &[&[&str]]| {
            let groups: Vec<Vec<String>> = required(&parse(pattern).unwrap())
                .into_iter()
                .map(|group| group.into_iter().map(|text| String::from_utf8(text).unwrap()).collect())
                .collect();
            assert_eq!(groups, expected, "{pattern}");
        };
        check(r"(?i)\b(?:CURL|wget)\b[^\n]{0,80}\|\s*bash", &[&["curl", "wget"], &["bash"]]);
        check(r"(?:curl\s+--data){2}", &[&["curl"], &["--data"]]);
        check(r"(?:a|curl)\s+send", &[&["send"]]);
        check("id_(?:rsa|dsa)", &[&["id_dsa", "id_rsa"]]);
        check("[a-z]{3,}", &[]);
    }
}
