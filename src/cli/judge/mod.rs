//! `skillgate judge test`: whether the judge that policy asks can be reached and tells an attack from its look-alike.
//!
//! It asks about samples of our own only, and takes no answer from the cache. Whether the content of other people would
//! leave the machine is said before anything is asked.

mod report;
mod samples;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Subcommand};

use super::Exit;
use crate::gate::embedded::EmbeddedJudge;
use crate::gate::judge::{Judged, Manner};
use crate::gate::policy::{JudgeBackend, JudgeChoice};
use crate::gate::rules::RuleSet;
use crate::gate::{Evidence, Judge, JudgeFailure, Policy};
use crate::io::judge::{AskedJudge, Reach};
use crate::io::{Home, policy, rules};
use report::{Answer, Report};
use samples::{SAMPLES, Sample};

/// Try out the judge that is configured.
#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    #[command(subcommand)]
    command: JudgeCommand,
}

#[derive(Debug, Subcommand)]
enum JudgeCommand {
    /// Ask the judge about an honest and a hostile sample; exit 1 where it judges wrongly, 2 where it cannot be reached
    Test(TestArgs),
}

#[derive(Debug, Args)]
struct TestArgs {
    /// This policy instead of the one in SkillGate's home
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// This judge instead of the policy's: auto, embedded, cascade, or a configured one by its name
    #[arg(long, value_name = "JUDGE", value_parser = super::parse_judge)]
    judge: Option<JudgeBackend>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The judge under test, and where content goes that it is asked about.
struct Tested {
    judge: Box<dyn Judge>,
    reach: Option<Reach>,
}

/// Runs the command.
pub(crate) fn run(arguments: JudgeArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let JudgeCommand::Test(arguments) = arguments.command;
    // Without a home there is no policy of the user's, and the default holds.
    let home = Home::locate_existing()?;
    let file = arguments.policy.clone().or_else(|| policy::in_home(home.as_ref()?));
    let mut policy = policy::load(file.as_deref())?;
    policy.judge.backend = arguments.judge.unwrap_or(policy.judge.backend);
    let tested = tested(&policy)?;
    let rules = rules::effective(&Policy::builtin().rules)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    test(&tested, &rules, &runtime, arguments.json, out)
}

fn tested(policy: &Policy) -> anyhow::Result<Tested> {
    Ok(match policy.judge.choice()? {
        JudgeChoice::Embedded => Tested { judge: Box::new(EmbeddedJudge), reach: None },
        // A cascade asks about what is uncertain, and a test wants to hear the one that is asked.
        JudgeChoice::Asked(name) | JudgeChoice::Cascade(name) => {
            let judge = AskedJudge::of(&policy.judge, name)?;
            let reach = Some(judge.reach());
            Tested { judge: Box::new(judge), reach }
        }
    })
}

fn test(
    tested: &Tested,
    rules: &RuleSet,
    runtime: &tokio::runtime::Runtime,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let mut report = Report::new(tested);
    if !json {
        report.write_head(out)?;
    }
    for sample in &SAMPLES {
        let answer = runtime.block_on(ask(tested, sample, &sample.evidence(rules)?));
        if !json {
            answer.write(out)?;
        }
        let failed = answer.failure().is_some();
        report.answers.push(answer);
        if failed {
            // The next one would have to wait for the same.
            break;
        }
    }
    if json {
        report.write_json(out)?;
    } else {
        report.write_end(out)?;
    }
    Ok(report.exit())
}

async fn ask<'a>(tested: &Tested, sample: &'a Sample, evidence: &Evidence) -> Answer<'a> {
    let start = Instant::now();
    let said: Result<Judged, JudgeFailure> = tested.judge.judge(evidence).await;
    let elapsed_us = crate::daemon::engine::microseconds(start);
    let right = match &said {
        Ok(judged) => judged.manner != Manner::Unusable && sample.is_right(judged.verdict.label),
        Err(_) => false,
    };
    Answer { sample, said, right, elapsed_us }
}
