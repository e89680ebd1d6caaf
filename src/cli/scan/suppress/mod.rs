//! What a scan was told not to count: by a baseline that is named, or by comments in the files where that is allowed.
//!
//! Both can be written by whoever wrote the skill, so neither is read unless the command line says so. What is suppressed
//! stays in every report, with who says so and why; what suppresses nothing (any more) is told.

mod inline;
pub(super) mod write;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::Serialize;

use super::ScanArgs;
use crate::base::{Span, printable};
use crate::daemon::engine::Engine;
use crate::daemon::record::hit_records;
use crate::gate::rules::{Category, RuleId, RuleSet};
use crate::gate::{Counting, Document, Hit, Kind};
use crate::io::audit::HitRecord;
use crate::io::baseline::{self, Accepted, Baseline, content_digest};

/// Who says that a hit does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum By {
    /// An entry of the baseline.
    Baseline,
    /// A comment beside it.
    Inline,
}

/// Permission to leave out the hits of a rule in a part, or in some of its lines.
#[derive(Clone, Debug)]
struct Grant {
    part: usize,
    rule: RuleId,
    /// Only hits that begin here.
    within: Option<Span>,
    /// Where the comment itself stands that permits it.
    comment: Option<Span>,
    by: By,
    reason: String,
    expires: Option<Date>,
    /// Where the permission stands, for people.
    place: String,
}

impl Grant {
    /// True for the hit that the words `skillgate: allow` of a comment are, and no more than these.
    fn is_worded_by(&self, hit: &Hit) -> bool {
        let is_within = |span: Span| span.start <= hit.span.start && hit.span.end <= span.end;
        self.part == hit.part && self.comment.is_some_and(is_within) && inline::are_own_words(&hit.matched)
    }

    fn covers(&self, hit: &Hit) -> bool {
        self.part == hit.part
            && self.rule == hit.rule
            && self.within.is_none_or(|span| span.start <= hit.span.start && hit.span.start < span.end)
    }
}

/// What holds for one unit.
#[derive(Debug, Default)]
pub(super) struct Grants(Vec<Grant>);

impl Grants {
    /// Whether a hit is to be counted.
    pub(super) fn counting(&self, hit: &Hit) -> Counting {
        match hit {
            hit if self.0.iter().any(|grant| grant.covers(hit)) => Counting::Suppressed,
            hit if self.0.iter().any(|grant| grant.is_worded_by(hit)) => Counting::OwnWords,
            _ => Counting::Counts,
        }
    }
}

/// A hit that was not counted.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Suppressed {
    #[serde(flatten)]
    pub hit: HitRecord,
    /// Who says so.
    pub by: By,
    /// Why, in their words.
    pub reason: String,
    /// The first day on which it counts again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<Date>,
}

/// All that the command line names.
pub(super) struct Suppressions {
    baseline: Option<Opened>,
    inline: bool,
    today: Date,
}

struct Opened {
    path: PathBuf,
    /// The folder that units are named from.
    folder: PathBuf,
    entries: Vec<Accepted>,
    /// Entries whose unit was looked at, by index.
    seen: Vec<bool>,
}

impl Suppressions {
    /// Reads what the arguments name. Units are named from `folder`, or from that of the baseline.
    pub(super) fn load(arguments: &ScanArgs, folder: Option<&Path>, today: Date) -> anyhow::Result<Self> {
        let open = |path: &PathBuf| -> anyhow::Result<Opened> {
            let entries = Baseline::load(path)?.accepted;
            let folder = folder.map_or_else(|| baseline::folder_of(path), Path::to_owned);
            Ok(Opened { path: path.clone(), folder, seen: vec![false; entries.len()], entries })
        };
        let baseline = arguments.baseline.as_ref().map(open).transpose()?;
        Ok(Self { baseline, inline: arguments.allow_inline, today })
    }

    /// What holds for a unit. What would hold and does not is told.
    pub(super) fn grants(&mut self, path: &str, real: &Path, document: &Document, rules: &RuleSet) -> Grants {
        let mut grants = Vec::new();
        if let Some(opened) = &mut self.baseline {
            let unit = baseline::unit_from(&opened.folder, real).unwrap_or_default();
            for (entry, seen) in opened.entries.iter().zip(&mut opened.seen) {
                if entry.unit == unit {
                    *seen = true;
                    let place = format!("{} ({}/{})", opened.path.display(), entry.unit, entry.file);
                    grants.extend(grant(entry, document, rules, self.today, place));
                }
            }
        }
        // Nobody but the server wrote what stands in a message.
        if self.inline && document.kind != Kind::Mcp {
            let found = inline::comments(document).into_iter();
            grants.extend(found.filter_map(|comment| comment.grant(path, document, rules)));
        }
        Grants(grants)
    }

    /// The hits that were left out, with who says so; tells of permissions that were not needed.
    pub(super) fn suppressed(
        grants: &Grants,
        document: &Document,
        hits: &[Hit],
        engine: &Engine,
    ) -> Vec<Suppressed> {
        for unused in grants.0.iter().filter(|grant| !hits.iter().any(|hit| grant.covers(hit))) {
            warn(&unused.place, &unused.rule, "is not found there any more: take the suppression out");
        }
        let records = hits.iter().flat_map(|hit| {
            let grant = grants.0.iter().find(|grant| grant.covers(hit));
            grant.into_iter().zip(hit_records(document, std::slice::from_ref(hit), None, engine))
        });
        let suppressed = |(grant, hit): (&Grant, HitRecord)| Suppressed {
            hit,
            by: grant.by,
            reason: grant.reason.clone(),
            expires: grant.expires,
        };
        records.map(suppressed).collect()
    }

    /// Tells of entries whose unit did not come up.
    pub(super) fn tell_of_others(&self) {
        let Some(opened) = &self.baseline else { return };
        let others = opened.seen.iter().filter(|seen| !**seen).count();
        if others > 0 {
            eprintln!(
                "note: {} of `{}` about units that were not scanned",
                crate::cli::show::count(others, "suppression"),
                printable(&opened.path.to_string_lossy())
            );
        }
    }
}

/// What an entry permits in a document; nothing where it does not hold, which is told.
fn grant(
    entry: &Accepted,
    document: &Document,
    rules: &RuleSet,
    today: Date,
    place: String,
) -> Option<Grant> {
    let part = document.parts.iter().position(|part| part.path == entry.file);
    let problem = match part {
        _ if rules.get(&entry.rule).is_some_and(is_untouchable) => UNTOUCHABLE,
        _ if today < entry.since => {
            "is accepted from a day that has not come: the clock or the baseline is wrong"
        }
        _ if today >= entry.expires => "was accepted until a day that has come: look at it again",
        None => "was accepted in a file that is not there any more: take the suppression out",
        Some(part) if content_digest(&document.parts[part].text) != entry.content => {
            "was accepted for other content than the file has now: look at it again"
        }
        Some(part) => {
            return Some(Grant {
                part,
                rule: entry.rule.clone(),
                within: None,
                comment: None,
                by: By::Baseline,
                reason: entry.reason.to_string(),
                expires: Some(entry.expires),
                place,
            });
        }
    };
    warn(&place, &entry.rule, problem);
    None
}

/// What is said where somebody tries to suppress what cannot be.
const UNTOUCHABLE: &str = "is about SkillGate itself and always counts";

fn is_untouchable(rule: &crate::gate::rules::Rule) -> bool {
    rule.category == Category::SELF
}

fn warn(place: &str, rule: &RuleId, problem: &str) {
    eprintln!("warning: {}: {rule} {problem}", printable(place));
}
