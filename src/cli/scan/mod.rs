//! `skillgate scan`: what would be decided about skills, messages and files on disk. Nothing is changed.
//!
//! The way from document to decision is the daemon's own. Scanning writes neither the audit log nor quarantine; only what
//! a judge said that had to be asked is kept for the next time, as the daemon keeps it. Releases do not count, since
//! nothing is delivered, nor do `mode` and `[screen]`: whoever looks before installing wants to know what policy makes of
//! it, and not that somebody only watches for now, or lets messages of that kind pass.

mod human;
mod places;
mod pool;
mod report;
mod sarif;
mod suppress;
mod units;

use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use self::places::Places;
use self::suppress::write::Draft;
use self::suppress::{Suppressed, Suppressions};
use super::{Exit, complain};
use crate::base::{Unread, printable};
use crate::daemon::engine::{Engine, Outcome};
use crate::gate::Document;
use crate::gate::decision::ExitClass;
use crate::gate::policy::{JudgeBackend, Mode, Reason, Screen, UnreadAction};
use crate::io::{Home, policy};

/// Judge skills, MCP messages and files that agents obey, where they lie.
///
/// A folder with a SKILL.md is one skill; any other folder is searched for skills and for files that agents obey
/// (AGENTS.md, CLAUDE.md, .mcp.json, …). Exit code: 0 allowed or warned, 1 something quarantined or blocked, 2 wrong
/// use or unreadable, 3 nothing worse but something that policy cares about was not read.
#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Skills' folders, folders with skills in them, single files
    #[arg(required_unless_present = "git", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only units with files that changed since the last commit in common with BASE (a branch, tag or commit), or are new
    #[arg(long, value_name = "BASE")]
    changed: Option<String>,
    /// Clone this repository into a folder that is removed afterwards, and scan it, or the PATHs in it
    #[arg(long, value_name = "URL", conflicts_with = "changed")]
    git: Option<String>,
    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// What each PATH is: a skill's folder, one JSON-RPC message of a server, or a file that agents obey
    #[arg(long = "as", value_enum, value_name = "KIND")]
    kind: Option<ScanAs>,
    /// With `--as mcp`: the JSON-RPC request that the message answers, as a file; without it the method is guessed
    #[arg(long, value_name = "REQUEST.json")]
    answers: Option<PathBuf>,
    /// This policy instead of the one in SkillGate's home
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// This judge instead of the policy's: auto, embedded, cascade, or a configured one by its name
    #[arg(long, value_name = "JUDGE", value_parser = crate::cli::parse_judge)]
    judge: Option<JudgeBackend>,
    /// Do not count the findings that this file accepts; no baseline is read that is not named here
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Do not count findings that a comment beside them accepts: `skillgate: allow RULE-ID reason`
    #[arg(long)]
    allow_inline: bool,
    /// Accept what is found, for exactly the content it is found in, and write that to FILE (asks at the terminal)
    #[arg(long, value_name = "FILE", requires = "reason")]
    write_baseline: Option<PathBuf>,
    /// With `--write-baseline`: why
    #[arg(long, value_name = "TEXT", requires = "write_baseline", value_parser = parse_reason)]
    reason: Option<Reason>,
    /// With `--write-baseline`: the first day on which it counts again [default: `quarantine.release_days` of the policy]
    #[arg(long, value_name = "YYYY-MM-DD", requires = "write_baseline")]
    expires: Option<Date>,
    /// Count o200k tokens of each unit and of what a judge gets
    #[arg(long)]
    tokens: bool,
    /// In human output, show allowed units too
    #[arg(long, short)]
    verbose: bool,
}

fn parse_reason(text: &str) -> Result<Reason, &'static str> {
    text.trim().to_owned().try_into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One array of objects
    Json,
    /// One object a line, as units are done
    Jsonl,
    /// SARIF 2.1.0, for code hosts
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScanAs {
    /// A skill's folder
    Skill,
    /// One JSON-RPC message
    Mcp,
    /// One file that agents obey
    Loose,
}

/// A document with what was decided about it.
struct Scanned {
    /// The path as a person would open it.
    path: String,
    /// The path as it was opened.
    real: PathBuf,
    document: Document,
    outcome: Outcome,
    /// Hits that were not counted, with who says so.
    suppressed: Vec<Suppressed>,
    elapsed_us: u64,
}

/// Runs the command.
pub(crate) fn run(arguments: &ScanArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        arguments.answers.is_none() || arguments.kind == Some(ScanAs::Mcp),
        "`--answers` goes with `--as mcp`: add it, or leave `--answers` out"
    );
    let engine = load_engine(arguments)?;
    // A clock beyond all days finds nothing accepted.
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX);
    let today = now.to_zoned_datetime(TimeZone::UTC).date();
    let places = Places::of(arguments)?;
    let mut suppressions = Suppressions::load(arguments, places.folder(), today)?;
    let mut results = Results {
        engine: &engine,
        draft: Draft::of(arguments, places.folder(), &engine, today)?,
        sink: report::Sink::new(arguments, &engine, out),
        worst: Worst::default(),
    };
    pool::with_queue(&engine, |queue| {
        for place in places.iter() {
            let visit = |found: units::Found| match found {
                units::Found::NotSearched(unread) => {
                    results.worst.not_searched(&engine, &unread);
                    Ok(())
                }
                units::Found::Unit { path, real, document, origin } => {
                    let grants = suppressions.grants(&path, &real, &document, &engine.rules);
                    let unit = pool::Unit { path, real, document: *document, origin, grants };
                    queue.push(unit)?.map_or(Ok(()), |decided| results.unit(decided))
                }
            };
            let searched = units::each(place, arguments, &engine.policy.limits, visit);
            let decided = results.rest(queue);
            if let Err(error) = searched.and(decided) {
                results.worst.failed = true;
                complain(&error);
            }
        }
        Ok(())
    })?;
    let Results { draft, sink, worst, .. } = results;
    sink.finish()?;
    suppressions.tell_of_others();
    if let (Some(draft), Some(file)) = (draft, &arguments.write_baseline) {
        draft.write(file, &Home::locate()?)?;
    }
    Ok(worst.exit())
}

/// What becomes of decisions.
struct Results<'a> {
    engine: &'a Engine,
    draft: Option<Draft>,
    sink: report::Sink<'a>,
    worst: Worst,
}

impl Results<'_> {
    fn unit(&mut self, decided: pool::Decided) -> anyhow::Result<()> {
        let pool::Decided { unit, outcome, elapsed_us } = decided;
        let pool::Unit { path, real, document, grants, .. } = unit;
        let suppressed = Suppressions::suppressed(&grants, &document, &outcome.suppressed, self.engine);
        let scanned = Scanned { path, real, document, outcome, suppressed, elapsed_us };
        self.worst.decided(scanned.outcome.decision.exit);
        self.draft.as_mut().map_or(Ok(()), |draft| draft.unit(&scanned, self.engine))?;
        self.sink.unit(&scanned)
    }

    /// Takes what is still being decided about.
    fn rest(&mut self, queue: &mut pool::Queue) -> anyhow::Result<()> {
        while let Some(decided) = queue.pop()? {
            self.unit(decided)?;
        }
        Ok(())
    }
}

fn load_engine(arguments: &ScanArgs) -> anyhow::Result<Engine> {
    // Without a home there is no policy of the user's, and the default holds.
    // A home that is not there yet is made where verdicts are to be kept.
    let home = Home::locate_existing()?.or_else(|| Home::locate().ok());
    let file = arguments.policy.clone().or_else(|| policy::in_home(home.as_ref()?));
    let mut engine = Engine::load_judged_by(file.as_deref(), arguments.judge, home.as_ref())?;
    engine.policy.mode = Mode::Enforce;
    engine.policy.screen = Screen::everything();
    Ok(engine)
}

/// The gravest of what happened.
#[derive(Default)]
struct Worst {
    failed: bool,
    withheld: bool,
    unread: bool,
}

impl Worst {
    fn decided(&mut self, exit: ExitClass) {
        self.withheld |= exit == ExitClass::Withheld;
        self.unread |= exit == ExitClass::Unread;
    }

    fn not_searched(&mut self, engine: &Engine, unread: &Unread) {
        eprintln!(
            "warning: `{}` was not searched: {} {}",
            printable(&unread.path),
            unread.reason,
            printable(&unread.detail)
        );
        self.unread |= engine.policy.on_unread.get(unread.reason) != UnreadAction::Allow;
    }

    fn exit(&self) -> Exit {
        match self {
            Self { failed: true, .. } => Exit::Failed,
            Self { withheld: true, .. } => Exit::Found,
            Self { unread: true, .. } => Exit::Unread,
            _ => Exit::Ok,
        }
    }
}
