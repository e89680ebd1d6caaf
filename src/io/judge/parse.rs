//! A model's answer, taken at its word only where it keeps to the schema.
//!
//! Everything else (a label we do not know, a number that is none, text around the object, a refusal, an answer cut
//! off, an answer that holds the fence) is SUSPICIOUS 0.5: the content can have caused it, so it is never a failure
//! of the judge and never SAFE (gate.md 4).

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::asked::Said;
use super::prompt::holds;
use crate::gate::Label;

/// An answer as the endpoint gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub content: String,
    /// Why the model stopped.
    pub end: End,
}

/// Why a model stopped, whatever its endpoint calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was done.
    Done,
    /// The answer or the context was full.
    CutOff,
    /// The provider's filter stopped it.
    Filtered,
    /// The model would not.
    Refused,
    /// Anything else.
    Unknown,
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The label.
    pub label: Label,
    /// 0 to 1.
    pub confidence: f64,
    /// Why. May hold words of the material.
    pub rationale: String,
    /// Indices of hits.
    pub relied_on: Vec<usize>,
    /// False where SUSPICIOUS 0.5 stands in for an answer.
    pub is_usable: bool,
}

impl Parsed {
    /// What an answer is worth that cannot be used.
    pub fn unusable(why: &str) -> Self {
        Self {
            label: Label::Suspicious,
            confidence: 0.5,
            rationale: format!("no usable answer: {why}"),
            relied_on: Vec::new(),
            is_usable: false,
        }
    }

    fn of(object: Object, hits: usize) -> Self {
        let words = format!("{} {}", object.behaviour.trim(), object.rationale.trim());
        Self {
            label: object.label,
            confidence: object.confidence,
            rationale: words.trim().chars().take(WORDS).collect(),
            relied_on: object.relied_on.into_iter().filter(|index| *index < hits).take(hits).collect(),
            is_usable: true,
        }
    }
}

/// The schema; what it does not name is not accepted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    behaviour: String,
    label: Label,
    confidence: f64,
    rationale: String,
    relied_on: Vec<usize>,
}

/// What a program prints: a verdict. Who and which version it is, we know ourselves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramObject {
    label: Label,
    confidence: f64,
    #[serde(default)]
    behaviour: String,
    #[serde(default)]
    rationale: String,
    #[serde(default)]
    relied_on: Vec<usize>,
    #[serde(default)]
    tokens_in: u64,
    #[serde(default)]
    tokens_out: u64,
    #[serde(default, rename = "judge")]
    _judge: IgnoredAny,
    #[serde(default, rename = "version")]
    _version: IgnoredAny,
}

/// The most characters of a model's words that are kept.
const WORDS: usize = 1_000;

/// Reads an answer; `hits` is the number of hits it can rely on.
pub fn parse(answer: &Answer, fence: &str, hits: usize) -> Parsed {
    let object = done(answer).and_then(|text| accept(text, fence));
    object.map_or_else(Parsed::unusable, |object| Parsed::of(object, hits))
}

/// The text of an answer that came to its end.
fn done(answer: &Answer) -> Result<&str, &'static str> {
    match answer.end {
        End::Done => Ok(&answer.content),
        End::CutOff => Err("the answer was cut off"),
        End::Filtered => Err("the provider's filter stopped the answer"),
        End::Refused => Err("the model refused"),
        End::Unknown => Err("the model stopped for an unknown reason"),
    }
}

/// Reads what a program printed.
pub(super) fn program(output: &[u8], fence: &str, hits: usize) -> Said {
    let text = String::from_utf8_lossy(output);
    let Ok(printed) = serde_json::from_str::<ProgramObject>(&text) else {
        return Said::unusable(NO_OBJECT);
    };
    let ProgramObject { label, confidence, behaviour, rationale, relied_on, tokens_in, tokens_out, .. } =
        printed;
    let object = Object { behaviour, label, confidence, rationale, relied_on };
    let parsed =
        checked(object, &text, fence).map_or_else(Parsed::unusable, |object| Parsed::of(object, hits));
    Said { parsed, tokens_in, tokens_out }
}

const NO_OBJECT: &str = "the answer is not one object of the schema";

fn accept(text: &str, fence: &str) -> Result<Object, &'static str> {
    let object = serde_json::from_str(text).map_err(|_| NO_OBJECT)?;
    checked(object, text, fence)
}

fn checked(object: Object, text: &str, fence: &str) -> Result<Object, &'static str> {
    if [text, &object.behaviour, &object.rationale].iter().any(|text| holds(text, fence)) {
        return Err("the answer repeats the fence");
    }
    if !(0.0..=1.0).contains(&object.confidence) {
        return Err("the confidence is not between 0 and 1");
    }
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::{Answer, End, Parsed, parse};
    use crate::gate::Label;

    const FENCE: &str = "ABCDEF0123";

    fn object(label: &str, confidence: &str) -> String {
        format!(
            r#"{{"behaviour": "reads keys", "label": "{label}", "confidence": {confidence}, "rationale": "it does", "relied_on": [0, 7, 1]}}"#
        )
    }

    fn said(content: &str) -> Answer {
        Answer { content: content.to_owned(), end: End::Done }
    }

    #[test]
    fn an_answer_of_the_schema_is_taken_at_its_word() {
        let parsed = parse(&said(&object("MALICIOUS", "0.9")), FENCE, 2);
        let expected = Parsed {
            label: Label::Malicious,
            confidence: 0.9,
            rationale: "reads keys it does".to_owned(),
            relied_on: vec![0, 1],
            is_usable: true,
        };
        assert_eq!(parsed, expected);
        assert_eq!(parse(&said(&format!(" {}\n", object("SAFE", "1"))), FENCE, 2).label, Label::Safe);
    }

    #[test]
    fn any_other_answer_is_suspicious() {
        let good = object("SAFE", "0.9");
        let cases = [
            String::new(),
            "SAFE".to_owned(),
            format!("Here it is: {good}"),
            format!("```json\n{good}\n```"),
            format!("{good}{good}"),
            format!("[{good}]"),
            good.replace("\"SAFE\"", "\"safe\""),
            good.replace("\"SAFE\"", "\"BENIGN\""),
            good.replace("0.9", "NaN"),
            good.replace("0.9", "\"0.9\""),
            good.replace("0.9", "1.01"),
            good.replace("0.9", "-0.1"),
            good.replace("0.9", "1e999"),
            good.replace("0.9", "null"),
            good.replace("\"label\": \"SAFE\", ", ""),
            good.replace("\"label\": \"SAFE\"", "\"label\": \"SAFE\", \"label\": \"SAFE\""),
            good.replace("\"label\"", "\"note\": 1, \"label\""),
            good.replace("reads keys", FENCE),
            good.replace("reads keys", &FENCE.to_lowercase()),
            good.replace("[0, 7, 1]", "[-1]"),
        ];
        for case in &cases {
            let parsed = parse(&said(case), FENCE, 2);
            assert_eq!((parsed.label, parsed.confidence), (Label::Suspicious, 0.5), "{case}");
        }
    }

    #[test]
    fn refusals_and_cut_answers_are_suspicious_whatever_they_say() {
        let good = said(&object("SAFE", "0.9"));
        for end in [End::CutOff, End::Filtered, End::Refused, End::Unknown] {
            let answer = &Answer { end, ..good.clone() };
            let parsed = parse(answer, FENCE, 2);
            assert_eq!((parsed.label, parsed.confidence), (Label::Suspicious, 0.5), "{answer:?}");
        }
    }

    #[test]
    fn a_program_may_say_less_and_name_itself() {
        let said = |text: &str| super::program(text.as_bytes(), FENCE, 2);
        let short = said(r#"{"label": "SAFE", "confidence": 0.8}"#);
        assert_eq!((short.parsed.label, short.parsed.is_usable, short.tokens_in), (Label::Safe, true, 0));
        let whole = r#"{"label": "MALICIOUS", "confidence": 1, "rationale": "r", "relied_on": [1, 9], "judge": "x",
            "version": "y", "tokens_in": 7, "tokens_out": 3}"#;
        assert_eq!((said(whole).parsed.relied_on, said(whole).tokens_in), (vec![1], 7));
        for bad in [
            whole.replace("1, \"rationale", "2, \"rationale"),
            whole.replace("\"r\"", &format!("\"{FENCE}\"")),
            whole.replace("\"judge\"", "\"note\""),
            format!("{whole} done"),
            String::new(),
        ] {
            assert!(!said(&bad).parsed.is_usable, "{bad}");
        }
    }
}
