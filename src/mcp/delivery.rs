//! From what was ruled about each part of a line to the bytes that go on and the bytes that go back.
//!
//! A line all of whose parts pass goes on byte for byte. What takes an answer's place goes on; what takes a request's
//! place is an answer to its sender and goes back; a refused notification leaves nothing.

use super::envelope::MessageKind;
use super::notice::{Notice, Refusal};
use super::question::Question;
use super::reply;
use super::session::Part;

/// What was ruled about one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It goes on as it is.
    Forward,
    /// It goes on in this form.
    Mark(Vec<u8>),
    /// It does not go on; this is the answer in its place.
    Answer(Vec<u8>),
    /// It does not go on, and the answer is to be made.
    Refuse(Refusal),
}

/// What becomes of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// What goes on to the other side.
    pub onward: Option<Vec<u8>>,
    /// What goes back to the sender, each a line of its own.
    pub back: Vec<Vec<u8>>,
}

/// Puts together what becomes of a line. `rulings` has one for each part.
pub fn deliver(line: Vec<u8>, parts: &[Part], rulings: Vec<Ruling>) -> Delivery {
    let mut delivery = Delivery::default();
    if rulings.iter().all(|ruling| *ruling == Ruling::Forward) {
        delivery.onward = Some(line);
        return delivery;
    }
    let mut kept = Vec::new();
    for (part, ruling) in parts.iter().zip(rulings) {
        match ruling {
            Ruling::Forward => kept.push(line.get(part.range.clone()).unwrap_or_default().to_vec()),
            Ruling::Mark(marked) => kept.push(marked),
            Ruling::Answer(answer) => delivery.replace(&part.question, &mut kept, Some(answer)),
            // Nobody decided about it, so there is nothing to tell of a decision.
            Ruling::Refuse(refusal) => {
                let answer = reply::refused(&part.question, refusal, &Notice::default());
                delivery.replace(&part.question, &mut kept, answer);
            }
        }
    }
    delivery.onward = match (parts.len(), kept.len()) {
        (_, 0) => None,
        (1, _) => kept.pop(),
        _ => Some([b"[", kept.join(&b","[..]).as_slice(), b"]"].concat()),
    };
    delivery
}

impl Delivery {
    /// Sends the answer in a message's place where it belongs.
    fn replace(&mut self, question: &Question, kept: &mut Vec<Vec<u8>>, answer: Option<Vec<u8>>) {
        match question.kind {
            MessageKind::Response | MessageKind::Error => kept.extend(answer),
            MessageKind::Request => self.back.extend(answer),
            MessageKind::Notification | MessageKind::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Delivery, Refusal, Ruling, deliver};
    use crate::mcp::{Session, Side, Step};

    /// Delivers a line of the server after the client asked for 1 (a tool) and 2 (a resource).
    fn delivered(line: &str, rulings: Vec<Ruling>) -> Delivery {
        let mut session = Session::default();
        for ask in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"u"}}"#,
        ] {
            session.line(Side::Client, ask.as_bytes());
        }
        let Step::Judge(parts, _) = session.line(Side::Server, line.as_bytes()) else {
            panic!("nothing to judge")
        };
        deliver(line.as_bytes().to_vec(), &parts, rulings)
    }

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    const ONE: &str = r#" {"jsonrpc":"2.0","id":1,"result":{"text":"x"}} "#;
    const BATCH: &str = r#"[ {"jsonrpc":"2.0","id":1,"result":{"text":"x"}} , {"jsonrpc":"2.0","id":2,"result":{"text":"y"}} ]"#;

    #[test]
    fn what_passes_goes_on_byte_for_byte() {
        assert_eq!(delivered(ONE, vec![Ruling::Forward]).onward.as_deref().map(text), Some(ONE));
        assert_eq!(
            delivered(BATCH, vec![Ruling::Forward, Ruling::Forward]).onward.as_deref().map(text),
            Some(BATCH)
        );
    }

    #[test]
    fn one_answer_of_a_batch_is_replaced_and_the_other_stays() {
        let onward = delivered(BATCH, vec![Ruling::Forward, Ruling::Answer(b"{}".to_vec())]).onward;
        assert_eq!(
            onward.as_deref().map(text),
            Some(r#"[{"jsonrpc":"2.0","id":1,"result":{"text":"x"}},{}]"#)
        );
        let onward =
            delivered(BATCH, vec![Ruling::Refuse(Refusal::Unscreened), Ruling::Refuse(Refusal::Unscreened)]);
        let values: serde_json::Value = serde_json::from_slice(&onward.onward.unwrap()).unwrap();
        assert_eq!(values[0]["result"]["isError"], true);
        assert_eq!(values[1]["error"]["data"]["skillgate"]["action"], "unscreened");
    }

    #[test]
    fn a_refused_request_is_answered_to_its_sender() {
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m"}}"#;
        let delivery = delivered(request, vec![Ruling::Refuse(Refusal::Block)]);
        assert_eq!((delivery.onward, delivery.back.len()), (None, 1));
        let marked = delivered(request, vec![Ruling::Mark(b"{}".to_vec())]);
        assert_eq!(marked, Delivery { onward: Some(b"{}".to_vec()), back: vec![] });
        let note = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"m"}}"#;
        assert_eq!(delivered(note, vec![Ruling::Refuse(Refusal::Block)]), Delivery::default());
    }

    #[test]
    fn an_answer_without_id_is_replaced_by_an_error_without_id() {
        for stray in [
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"EVIL"}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"EVIL"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"result":{"text":"EVIL"}}"#,
            r#"{"jsonrpc":"2.0","id":["EVIL"],"result":{"text":"EVIL"}}"#,
        ] {
            let onward = delivered(stray, vec![Ruling::Refuse(Refusal::Block)]).onward.unwrap();
            let value: serde_json::Value = serde_json::from_slice(&onward).unwrap();
            assert_eq!((value.get("id"), value.get("result")), (Some(&serde_json::Value::Null), None));
            assert_eq!(value["error"]["data"]["skillgate"]["action"], "block");
            assert!(!value.to_string().contains("EVIL"), "{stray}");
        }
    }
}
