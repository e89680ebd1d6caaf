//! Literals in patterns: which anchors every match holds, and which anchors to take where a rule names none.
//!
//! The idea is that of the atoms of YARA engines: find cheap literals in one pass over the text, and run a pattern only
//! where one stands. It is right only if *every* match of the pattern holds one of the literals, so that is proved
//! here from the syntax tree, never assumed. `curl\s+-d` holds `curl`; `(?:curl|wget) -d` holds one of `curl`, `wget`;
//! `do\s+not` does not hold `do not`, since the space may be a line break.
//!
//! All literals are lower-cased ASCII: anchors are searched without regard to ASCII case.

use std::collections::HashMap;
use std::rc::Rc;

use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts of which every match of some part of a pattern is one: sorted, each once.
pub(super) type Texts = Vec<Vec<u8>>;

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
    Reader::default().every_match_holds(hir, anchors)
}

/// What every match holds: one literal of each group. Nothing where there are none worth having.
pub(super) fn required(hir: &Hir) -> Vec<Texts> {
    Reader::default().required(hir)
}

/// The best literals of which every match holds one; nothing where there are none worth having.
pub(super) fn derive(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    Reader::default().best(hir)
}

/// Reads one syntax tree. Each question about a part asks for its exact texts anew, so they are kept: without that, what
/// a part holds is put together once for every level that it lies deep.
#[derive(Default)]
struct Reader {
    /// By the part's address, which stays as it is while the tree is borrowed.
    exact: HashMap<*const Hir, Option<Rc<Texts>>>,
}

impl Reader {
    fn every_match_holds(&mut self, hir: &Hir, anchors: &[Vec<u8>]) -> bool {
        let all_hold = |texts: &Rc<Texts>| {
            texts.iter().all(|text| anchors.iter().any(|anchor| memchr::memmem::find(text, anchor).is_some()))
        };
        if self.whole(hir).is_some_and(|texts| all_hold(&texts)) {
            return true;
        }
        match hir.kind() {
            HirKind::Capture(capture) => self.every_match_holds(&capture.sub, anchors),
            HirKind::Repetition(repetition) => {
                repetition.min > 0 && self.every_match_holds(&repetition.sub, anchors)
            }
            HirKind::Alternation(parts) => parts.iter().all(|part| self.every_match_holds(part, anchors)),
            HirKind::Concat(parts) => {
                self.runs(parts).iter().any(all_hold)
                    || parts.iter().any(|part| self.every_match_holds(part, anchors))
            }
            _ => false,
        }
    }

    fn required(&mut self, hir: &Hir) -> Vec<Texts> {
        if let Some(whole) = self.whole(hir) {
            return Some(trimmed(&whole)).filter(worth_having).into_iter().collect();
        }
        match hir.kind() {
            HirKind::Capture(capture) => self.required(&capture.sub),
            HirKind::Repetition(repetition) if repetition.min > 0 => self.required(&repetition.sub),
            HirKind::Alternation(_) => self.best(hir).into_iter().collect(),
            HirKind::Concat(parts) => {
                let runs = self.runs(parts);
                let mut required: Vec<_> = runs.iter().map(|run| trimmed(run)).filter(worth_having).collect();
                for part in parts {
                    if self.exact(part).is_none() {
                        required.extend(self.required(part));
                    }
                }
                required
            }
            _ => Vec::new(),
        }
    }

    fn best(&mut self, hir: &Hir) -> Option<Texts> {
        let whole = self.whole(hir).map(|texts| trimmed(&texts)).filter(worth_having);
        let inner = match hir.kind() {
            HirKind::Capture(capture) => self.best(&capture.sub),
            HirKind::Repetition(repetition) if repetition.min > 0 => self.best(&repetition.sub),
            HirKind::Alternation(parts) => self.any_of(parts, Self::best),
            HirKind::Concat(parts) => {
                let runs = self.runs(parts);
                let runs = runs.iter().map(|run| trimmed(run)).filter(worth_having);
                runs.chain(parts.iter().filter_map(|part| self.best(part))).max_by_key(worth)
            }
            _ => None,
        };
        whole.into_iter().chain(inner).max_by_key(worth)
    }

    /// The texts of all parts together, where each has some and they are few.
    fn any_of(&mut self, parts: &[Hir], of: impl Fn(&mut Self, &Hir) -> Option<Texts>) -> Option<Texts> {
        let mut all = Texts::new();
        for part in parts {
            all.extend(of(self, part)?);
            // What is there twice is looked for only where it could make the difference.
            if all.len() > MOST_TEXTS {
                all = each_once(all);
                if all.len() > MOST_TEXTS {
                    return None;
                }
            }
        }
        Some(each_once(all))
    }

    /// The texts of each stretch of neighbouring parts that have exact texts.
    fn runs(&mut self, parts: &[Hir]) -> Vec<Rc<Texts>> {
        let mut runs = Vec::new();
        let mut run: Option<Rc<Texts>> = None;
        for part in parts {
            let Some(texts) = self.exact(part) else {
                // The beginning of an open part still belongs to the run before it.
                let begun = self.fewest_copies(part);
                let longer = begun.as_ref().and_then(|texts| joined_run(run.as_ref(), texts));
                runs.extend(longer.or(run.take()));
                run = begun;
                continue;
            };
            if let Some(longer) = joined_run(run.as_ref(), &texts) {
                run = Some(longer);
            } else {
                runs.extend(run.replace(texts));
            }
        }
        runs.extend(run);
        runs
    }

    /// All texts that match, or else the texts that every match both begins and ends with.
    fn whole(&mut self, hir: &Hir) -> Option<Rc<Texts>> {
        self.exact(hir).or_else(|| self.fewest_copies(hir))
    }

    /// The texts that every match of a repetition both begins and ends with.
    fn fewest_copies(&mut self, hir: &Hir) -> Option<Rc<Texts>> {
        match hir.kind() {
            HirKind::Repetition(repetition) if repetition.min > 0 => {
                self.copies(&repetition.sub, repetition.min, repetition.min).map(Rc::new)
            }
            HirKind::Capture(capture) => self.fewest_copies(&capture.sub),
            _ => None,
        }
    }

    /// All texts that match, lower-cased, where they are few and short.
    fn exact(&mut self, hir: &Hir) -> Option<Rc<Texts>> {
        // What can be longer is not worth the look: gaps and runs are, and most patterns have one.
        hir.properties().maximum_len().filter(|longest| *longest <= LONGEST_TEXT)?;
        let place = std::ptr::from_ref(hir);
        if let Some(known) = self.exact.get(&place) {
            return known.clone();
        }
        let texts = self.put_together(hir).map(Rc::new);
        self.exact.insert(place, texts.clone());
        texts
    }

    fn put_together(&mut self, hir: &Hir) -> Option<Texts> {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Some(vec![Vec::new()]),
            HirKind::Literal(literal) => {
                (literal.0.len() <= LONGEST_TEXT).then(|| vec![literal.0.to_ascii_lowercase()])
            }
            HirKind::Class(class) => exact_class(class),
            HirKind::Repetition(repetition) => self.copies(&repetition.sub, repetition.min, repetition.max?),
            HirKind::Capture(capture) => self.exact(&capture.sub).map(Rc::unwrap_or_clone),
            HirKind::Concat(parts) => self.one_after_another(parts),
            HirKind::Alternation(parts) => {
                self.any_of(parts, |reader, part| reader.exact(part).map(Rc::unwrap_or_clone))
            }
        }
    }

    fn one_after_another(&mut self, parts: &[Hir]) -> Option<Texts> {
        let mut run = vec![Vec::new()];
        for part in parts {
            if let Some(byte) = only_byte(part) {
                for text in &mut run {
                    text.push(byte);
                }
            } else {
                run = joined(&run, &self.exact(part)?)?;
            }
        }
        Some(each_once(run))
    }

    /// The texts of `min` to `max` copies.
    fn copies(&mut self, once: &Hir, min: u32, max: u32) -> Option<Texts> {
        const MOST_COPIES: u32 = 8;
        if max > MOST_COPIES {
            return None;
        }
        let once = self.exact(once)?;
        let mut copies = vec![Vec::new()];
        let mut all = if min == 0 { copies.clone() } else { Texts::new() };
        for count in 1..=max {
            copies = joined(&copies, &once)?;
            if count >= min {
                all.extend(copies.iter().cloned());
            }
        }
        Some(each_once(all)).filter(|all| all.len() <= MOST_TEXTS)
    }
}

fn each_once(mut texts: Texts) -> Texts {
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// Without white space at the ends: what is left is in every match too, and there are fewer of it.
fn trimmed(texts: &[Vec<u8>]) -> Texts {
    let ends = |byte: &u8| matches!(byte, 9..=13 | 32);
    let trim = |text: &Vec<u8>| {
        let start = text.iter().position(|byte| !ends(byte)).unwrap_or(text.len());
        let end = text.iter().rposition(|byte| !ends(byte)).map_or(start, |last| last + 1);
        text[start..end].to_vec()
    };
    each_once(texts.iter().map(trim).collect())
}

fn worth_having(texts: &Texts) -> bool {
    texts.iter().all(|text| text.len() >= SHORTEST_ANCHOR)
}

/// Long literals are rare ones; of equally long ones few are better than many.
fn worth(texts: &Texts) -> (usize, std::cmp::Reverse<usize>) {
    let shortest = texts.iter().map(Vec::len).min().unwrap_or(0);
    (shortest.min(8), std::cmp::Reverse(texts.len()))
}

fn joined_run(run: Option<&Rc<Texts>>, next: &Rc<Texts>) -> Option<Rc<Texts>> {
    run.map_or_else(|| Some(Rc::clone(next)), |run| joined(run, next).map(Rc::new))
}

fn joined(run: &[Vec<u8>], next: &[Vec<u8>]) -> Option<Texts> {
    if run.len() * next.len() > MOST_TEXTS {
        return None;
    }
    let longest = |texts: &[Vec<u8>]| texts.iter().map(Vec::len).max().unwrap_or(0);
    if longest(run) + longest(next) > LONGEST_TEXT {
        return None;
    }
    let pairs = run.iter().flat_map(|head| next.iter().map(move |tail| [head.as_slice(), tail].concat()));
    Some(each_once(pairs.collect()))
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

fn exact_class(class: &Class) -> Option<Texts> {
    match class {
        Class::Bytes(class) => {
            let members = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            few(members, |byte| vec![byte.to_ascii_lowercase()])
        }
        Class::Unicode(class) => {
            let members = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            few(members, |c| c.to_ascii_lowercase().to_string().into_bytes())
        }
    }
}

fn few<T>(members: impl Iterator<Item = T> + Clone, text: impl Fn(T) -> Vec<u8>) -> Option<Texts> {
    const MOST_MEMBERS: usize = 32;
    members.clone().nth(MOST_MEMBERS).is_none().then(|| each_once(members.map(text).collect()))
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
