//! A model's answer, taken at its word only where it keeps to the schema.
//!
//! Everything else (a label we do not know, a number that is none, text around the object, a refusal, an answer cut
//! off, an answer that holds the fence) is SUSPICIOUS 0.5: the content can have caused it, so it is never a failure
//! of the judge and never SAFE (gate.md 4).

use serde::Deserialize;

use super::prompt::holds;
use crate::gate::Label;

/// An answer as the endpoint gave it.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The text.
    pub content: String,
    /// `stop`, `length`, `content_filter`, …; empty where the endpoint does not say.
    pub finish_reason: String,
    /// The model's words where it refused.
    pub refusal: Option<String>,
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
}

impl Parsed {
    /// What an answer is worth that cannot be used.
    pub fn unusable(why: &str) -> Self {
        Self {
            label: Label::Suspicious,
            confidence: 0.5,
            rationale: format!("no usable answer: {why}"),
            relied_on: Vec::new(),
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

/// The most characters of a model's words that are kept.
const WORDS: usize = 1_000;

/// Reads an answer; `hits` is the number of hits it can rely on.
pub fn parse(answer: &Answer, fence: &str, hits: usize) -> Parsed {
    match accept(answer, fence) {
        Ok(object) => Parsed {
            label: object.label,
            confidence: object.confidence,
            rationale: format!("{} {}", object.behaviour.trim(), object.rationale.trim())
                .chars()
                .take(WORDS)
                .collect(),
            relied_on: object.relied_on.into_iter().filter(|index| *index < hits).take(hits).collect(),
        },
        Err(why) => Parsed::unusable(why),
    }
}

fn accept(answer: &Answer, fence: &str) -> Result<Object, &'static str> {
    if answer.refusal.as_ref().is_some_and(|words| !words.is_empty()) {
        return Err("the model refused");
    }
    match answer.finish_reason.as_str() {
        "" | "stop" => {}
        "length" => return Err("the answer was cut off"),
        "content_filter" => return Err("the provider's filter stopped the answer"),
        _ => return Err("the model stopped for an unknown reason"),
    }
    let object: Object =
        serde_json::from_str(&answer.content).map_err(|_| "the answer is not one object of the schema")?;
    if [&answer.content, &object.behaviour, &object.rationale].iter().any(|text| holds(text, fence)) {
        return Err("the answer repeats the fence");
    }
    if !(0.0..=1.0).contains(&object.confidence) {
        return Err("the confidence is not between 0 and 1");
    }
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::{Answer, Parsed, parse};
    use crate::gate::Label;

    const FENCE: &str = "ABCDEF0123";

    fn object(label: &str, confidence: &str) -> String {
        format!(
            r#"{{"behaviour": "reads keys", "label": "{label}", "confidence": {confidence}, "rationale": "it does", "relied_on": [0, 7, 1]}}"#
        )
    }

    fn said(content: &str) -> Answer {
        Answer { content: content.to_owned(), finish_reason: "stop".to_owned(), refusal: None }
    }

    #[test]
    fn an_answer_of_the_schema_is_taken_at_its_word() {
        let parsed = parse(&said(&object("MALICIOUS", "0.9")), FENCE, 2);
        let expected = Parsed {
            label: Label::Malicious,
            confidence: 0.9,
            rationale: "reads keys it does".to_owned(),
            relied_on: vec![0, 1],
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
        let refused = Answer { refusal: Some("I cannot".to_owned()), ..good.clone() };
        let ends = ["length", "content_filter", "tool_calls", "error"];
        let cut = ends.map(|reason| Answer { finish_reason: reason.to_owned(), ..good.clone() });
        for answer in cut.iter().chain([&refused]) {
            let parsed = parse(answer, FENCE, 2);
            assert_eq!((parsed.label, parsed.confidence), (Label::Suspicious, 0.5), "{answer:?}");
        }
    }
}
