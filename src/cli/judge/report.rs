//! What `judge test` prints, for people and as JSON (docs/judges.md has the fields).

use std::io::Write;

use serde_json::{Value, json};

use super::Tested;
use super::samples::Sample;
use crate::base::printable;
use crate::base::render::json as rendered;
use crate::cli::{Exit, show};
use crate::gate::JudgeFailure;
use crate::gate::judge::{Judged, Manner};
use crate::io::judge::Reach;

/// The whole test.
pub(super) struct Report<'a> {
    tested: &'a Tested,
    pub(super) answers: Vec<Answer<'a>>,
}

/// What the judge said of one sample.
pub(super) struct Answer<'a> {
    pub(super) sample: &'a Sample,
    pub(super) said: Result<Judged, JudgeFailure>,
    pub(super) right: bool,
    pub(super) elapsed_us: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(tested: &'a Tested) -> Self {
        Self { tested, answers: Vec::new() }
    }

    /// Which judge, and where content goes that it is asked about.
    pub(super) fn write_head(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let judge = &self.tested.judge;
        writeln!(out, "judge     {} {}", judge.id(), printable(judge.version()))?;
        if let Some(place) = self.place() {
            writeln!(out, "at        {}", printable(place))?;
        }
        writeln!(out, "content   {}", self.where_content_goes())?;
        if self.tested.reach.is_some() {
            writeln!(out, "          This test sends nothing but samples of SkillGate's own.")?;
        }
        writeln!(out)?;
        out.flush()
    }

    pub(super) fn write_end(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let words = match self.exit() {
            Exit::Ok => "The judge tells the one from the other.",
            Exit::Found if self.answers.iter().any(Answer::is_unusable) => {
                "The judge gave no usable answer: until it does, policy decides as for SUSPICIOUS 0.50. \
                 docs/judges.md has the form of an answer."
            }
            Exit::Found => "The judge is wrong: policy would do the wrong thing with what it says.",
            _ => "The judge cannot be asked: the embedded one would stand in for it, marked as degraded.",
        };
        writeln!(out, "{words}")
    }

    pub(super) fn write_json(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let judge = &self.tested.judge;
        let report = json!({
            "judge": judge.id(),
            "version": judge.version(),
            "at": self.place(),
            "content": match &self.tested.reach {
                None => "stays",
                Some(Reach::ThisMachine(_)) => "this-machine",
                Some(Reach::Elsewhere(_)) => "leaves",
                Some(Reach::Program(_)) => "program",
            },
            "right": self.exit() == Exit::Ok,
            "samples": self.answers.iter().map(Answer::json).collect::<Vec<_>>(),
        });
        writeln!(out, "{}", rendered::pretty(&report))
    }

    /// 2 where the judge could not be asked, 1 where it is wrong.
    pub(super) fn exit(&self) -> Exit {
        if self.answers.iter().any(|answer| answer.failure().is_some()) {
            Exit::Failed
        } else if self.answers.iter().all(|answer| answer.right) {
            Exit::Ok
        } else {
            Exit::Found
        }
    }

    fn place(&self) -> Option<&str> {
        match self.tested.reach.as_ref()? {
            Reach::ThisMachine(place) | Reach::Elsewhere(place) | Reach::Program(place) => Some(place),
        }
    }

    const fn where_content_goes(&self) -> &'static str {
        match &self.tested.reach {
            None => "stays in this process: nothing leaves the machine.",
            Some(Reach::ThisMachine(_)) => {
                "goes to this server, on this machine; whether that one sends it on is its own affair."
            }
            Some(Reach::Elsewhere(_)) => {
                "LEAVES THIS MACHINE: the texts around what rules matched go to this address, secrets redacted."
            }
            Some(Reach::Program(_)) => "goes to this program; whether it leaves the machine is up to that.",
        }
    }
}

impl Answer<'_> {
    /// Why there is no answer.
    pub(super) fn failure(&self) -> Option<&JudgeFailure> {
        self.said.as_ref().err()
    }

    /// True where it answered, and not in the form that it takes.
    fn is_unusable(&self) -> bool {
        self.said.as_ref().is_ok_and(|said| said.manner == Manner::Unusable)
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Sample { name, what, text, .. } = self.sample;
        writeln!(out, "asked     about `{name}`: {what}")?;
        show::block(out, text, "            ")?;
        writeln!(out, "expected  {}", self.sample.expected())?;
        let time = show::elapsed(self.elapsed_us);
        match &self.said {
            Ok(Judged { verdict, manner }) => {
                let word = if self.right { "right" } else { "WRONG" };
                let usable = if *manner == Manner::Unusable { ", in place of an answer" } else { "" };
                let (label, confidence) = (verdict.label, verdict.confidence);
                writeln!(out, "answered  {label} {confidence:.2}{usable}: {word}")?;
                show::block(out, &verdict.rationale, "            ")?;
                let (sent, received) = (verdict.tokens_in, verdict.tokens_out);
                writeln!(out, "took      {time}, {} in, {received} out\n", show::count(sent, "token"))
            }
            Err(failure) => writeln!(out, "failed    after {time}: {}\n", printable(&failure.to_string())),
        }
    }

    fn json(&self) -> Value {
        let mut object = json!({
            "sample": self.sample.name,
            "asked": self.sample.text,
            "expected": self.sample.expected(),
            "right": self.right,
            "elapsed_us": self.elapsed_us,
        });
        match &self.said {
            Ok(Judged { verdict, manner }) => {
                object["label"] = json!(verdict.label);
                object["confidence"] = json!(verdict.confidence);
                object["rationale"] = json!(verdict.rationale);
                object["usable"] = json!(*manner != Manner::Unusable);
                object["tokens"] = json!({ "input": verdict.tokens_in, "output": verdict.tokens_out });
            }
            Err(failure) => object["failure"] = json!(failure.to_string()),
        }
        object
    }
}
