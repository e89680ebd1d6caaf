//! A model's answer, taken at its word only where it keeps to the schema.
//!
//! Everything else (a label we do not know, a number that is none, text around the object, a refusal, an answer cut
//! off, an answer that holds the fence) is SUSPICIOUS 0.5: the content can have caused it, so it is never a failure
//! of the judge and never SAFE (gate.md 4).

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::error::Category;

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
    object.map_or_else(|why| Parsed::unusable(&why), |object| Parsed::of(object, hits))
}

/// The text of an answer that came to its end.
fn done(answer: &Answer) -> Result<&str, String> {
    let why = match answer.end {
        End::Done => return Ok(&answer.content),
        End::CutOff => "the answer was cut off",
        End::Filtered => "the provider's filter stopped the answer",
        End::Refused => "the model refused",
        End::Unknown => "the model stopped for an unknown reason",
    };
    Err(why.to_owned())
}

/// Reads what a program printed.
pub(super) fn program(output: &[u8], fence: &str, hits: usize) -> Said {
    let text = String::from_utf8_lossy(output);
    let printed = match serde_json::from_str::<ProgramObject>(&text) {
        Ok(printed) => printed,
        Err(error) => return Said::unusable(&fault(&text, &error)),
    };
    let ProgramObject { label, confidence, behaviour, rationale, relied_on, tokens_in, tokens_out, .. } =
        printed;
    let object = Object { behaviour, label, confidence, rationale, relied_on };
    let parsed =
        checked(object, &text, fence).map_or_else(Parsed::unusable, |object| Parsed::of(object, hits));
    Said { parsed, tokens_in, tokens_out }
}

fn accept(text: &str, fence: &str) -> Result<Object, String> {
    let object = serde_json::from_str(text).map_err(|error| fault(text, &error))?;
    checked(object, text, fence).map_err(str::to_owned)
}

/// The most characters of an answer that are quoted where it cannot be used.
const QUOTED: usize = 200;

/// What keeps a text from being one object of the schema, and how it begins.
fn fault(text: &str, error: &serde_json::Error) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "the answer is empty".to_owned();
    }
    let inner = text.trim_start_matches(|c| c != '{');
    let what = match error.classify() {
        _ if text.starts_with("```") => "a code fence stands around the object".to_owned(),
        _ if inner.is_empty() => "the answer is no JSON object".to_owned(),
        _ if inner.len() < text.len() => "something stands before the object".to_owned(),
        Category::Eof => "the object breaks off".to_owned(),
        Category::Data => in_our_words(&error.to_string()),
        Category::Syntax | Category::Io if error.to_string().starts_with("trailing") => {
            "something stands behind the object".to_owned()
        }
        Category::Syntax | Category::Io => format!("the answer is no JSON: {error}"),
    };
    let begin: String = text.chars().take(QUOTED).collect();
    format!("{what}; it begins: {begin}")
}

/// What the reader says of a key or a value.
fn in_our_words(error: &str) -> String {
    let name = error.split('`').nth(1).unwrap_or_default();
    let known =
        error.split_once("expected ").map(|(_, known)| known.split(" at line").next().unwrap_or(known));
    match error {
        _ if error.starts_with("missing field") => format!("the key `{name}` is missing"),
        _ if error.starts_with("unknown field") => {
            format!(
                "unknown key `{name}`: known are {}",
                known.unwrap_or_default().trim_start_matches("one of ")
            )
        }
        _ if error.starts_with("unknown variant") => {
            format!("unknown value `{name}`: it takes {}", known.unwrap_or_default())
        }
        other => other.to_owned(),
    }
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
    fn what_is_wrong_with_an_answer_is_named() {
        let good = object("SAFE", "0.9");
        for (answer, fault) in [
            (String::new(), "the answer is empty"),
            ("hello".to_owned(), "the answer is no JSON object; it begins: hello"),
            (format!("```json\n{good}\n```"), "a code fence stands around the object"),
            (format!("Here: {good}"), "something stands before the object"),
            (format!("{good} so"), "something stands behind the object"),
            (good[..40].to_owned(), "the object breaks off"),
            (
                good.replace("\"label\"", "\"note\": 1, \"label\""),
                "unknown key `note`: known are `behaviour`, `label`",
            ),
            (good.replace(", \"relied_on\": [0, 7, 1]", ""), "the key `relied_on` is missing"),
            (good.replace("SAFE", "FINE"), "unknown value `FINE`: it takes one of"),
            (good.replace("0.9", "\"high\""), "invalid type"),
        ] {
            let why = parse(&said(&answer), FENCE, 2).rationale;
            assert!(why.starts_with(&format!("no usable answer: {fault}")), "{answer}\n{why}");
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
