//! Detectors: signals that are no substring of any view (gate.md 1).
//!
//! Each has a permanent code, and a rule with `detector = "code"` gives it an id, a severity and words. A
//! detector reports where something stands and what it came to; it knows nothing of rules, and what it means
//! is for the judge to say. Anomalies of the document (what parsers could disagree about) are reported under
//! their own codes.

mod anomalies;
mod bidi;
mod carriers;
mod encoded_run;
mod mixed_script;
mod powers;

use super::{Layer, View};
use crate::base::Span;
use crate::gate::{Document, ViewKind};

/// Every detector: its code and what it finds.
pub const DETECTORS: &[(&str, &str)] = &[
    ("tag-characters", "text written in Unicode tag characters, which show nothing"),
    ("zero-width-stream", "bits written as zero-width characters that decode to text"),
    ("variation-selector-stream", "bytes written as variation selectors that decode to text"),
    ("trailing-space-stream", "bits written as spaces and tabs at line ends that decode to text"),
    ("initials", "first letters of lines, list items or paragraphs that spell an order"),
    ("off-screen-text", "text below very many blank lines or to the right of very many spaces"),
    ("bidi-override", "characters that make text show in another order than it is read"),
    ("mixed-script-word", "an ASCII-looking word with letters of another script in it"),
    ("encoded-run", "a long run of encoded bytes in a file that decodes and uses it"),
    ("nested-encoding", "text encoded more deeply than the views follow"),
    ("modular-exponentiation", "a list of big integers put through modular exponentiation"),
    ("execute-bit", "an execute bit on a file that is no program"),
    ("polyglot", "a file of one kind that holds a program of another kind"),
    ("bundled-executable", "machine code or byte code inside the unit"),
    ("pickled-program", "a pickle that names a function which runs programs or code"),
    ("ambiguous-kind", "a message that is an answer and something else at once"),
    ("bad-escape", "a backslash before something that is no escape"),
    ("bad-id", "an id that is neither text nor number"),
    ("byte-order-mark", "a byte order mark where none belongs"),
    ("duplicate-in-flight-id", "a second request under an id that still waits for its answer"),
    ("duplicate-key", "a key that stands twice in one object: parsers differ in which they read"),
    (
        "duplicate-top-level-key",
        "a key that stands twice in the message itself: parsers differ in which they read",
    ),
    ("forged-skillgate-meta", "a verdict mark that only SkillGate writes"),
    ("forged-skillgate-notice", "the words of a notice that only SkillGate writes"),
    ("invalid-utf8", "bytes that are no text: parsers differ in what they make of them"),
    ("lone-surrogate", "half of a character: parsers differ in what they make of it"),
    ("missing-version", "a message without its protocol version"),
    ("not-a-number", "a number that JSON does not know: parsers differ in whether they read it"),
    ("raw-control", "a control character that text of this kind may not hold"),
    ("too-deep", "nesting beyond the depth that is read"),
    ("unknown-id", "an answer to a question that nobody asked"),
];

/// One finding of a detector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuralHit {
    /// The detector, one of [`DETECTORS`].
    pub code: &'static str,
    /// Index of the part in the document.
    pub part: usize,
    /// The view it was found in.
    pub view: ViewKind,
    /// Bytes of the part's text.
    pub span: Span,
    /// How the text was carried, outermost layer first.
    pub layers: Vec<Layer>,
    /// What was found: decoded text where there is any, otherwise the text itself, cut to 200 characters.
    pub matched: String,
    /// What it came to, in our words.
    pub detail: String,
}

/// Runs all detectors. `views` are those of [`super::of`], one list for each part of the document, in its
/// order.
pub fn run(document: &Document, views: &[Vec<View<'_>>]) -> Vec<StructuralHit> {
    let mut hits = anomalies::find(document);
    for (part, views) in views.iter().enumerate().take(document.parts.len()) {
        let text: &str = &document.parts[part].text;
        let mut found: Vec<StructuralHit> = carriers::find(views).collect();
        found.extend(bidi::find(text));
        found.extend(mixed_script::find(text));
        found.extend(encoded_run::find(&document.parts[part]));
        // Where the key was found, the text behind the numbers is reported already.
        if found.iter().all(|hit| hit.code != "modular-exponentiation") {
            found.extend(powers::find(text));
        }
        hits.extend(found.into_iter().map(|hit| StructuralHit { part, ..hit }));
    }
    hits.sort_by_key(|hit| (hit.part, hit.span));
    hits
}

/// A hit in the raw view; its part is set by [`run`].
fn raw(code: &'static str, text: &str, span: Span, detail: String) -> StructuralHit {
    let matched = cut(span.of(text).unwrap_or_default());
    StructuralHit { code, part: 0, view: ViewKind::Raw, span, layers: Vec::new(), matched, detail }
}

/// The code as the table has it.
fn known(code: &str) -> Option<&'static str> {
    DETECTORS.iter().map(|(known, _)| *known).find(|known| *known == code)
}

/// The first 200 characters.
fn cut(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::{DETECTORS, known, run};
    use crate::base::Digest;
    use crate::gate::views::of;
    use crate::gate::{Document, Kind, Part, Role};

    #[test]
    fn every_oddity_of_messages_has_a_detector() {
        for code in crate::mcp::anomaly::AnomalyCode::ALL {
            assert!(known(code.name()).is_some(), "{code}");
        }
    }

    /// The codes found in a document of one part.
    fn check(text: &str, codes: &[&str]) {
        let part = Part { path: "x.md".to_owned(), role: Role::Instructions, text: text.into() };
        let document = Document {
            kind: Kind::Loose,
            name: String::new(),
            description: String::new(),
            digest: Digest::of_bytes(b""),
            bytes: 0,
            parts: vec![part],
            unread: Vec::new(),
            anomalies: Vec::new(),
        };
        let found: Vec<&str> = run(&document, &[of(&document.parts[0])]).iter().map(|hit| hit.code).collect();
        assert_eq!(found, codes, "{text:?}");
    }

    fn base64(text: &str, times: usize) -> String {
        use base64::Engine as _;
        let encode = |text: String| base64::engine::general_purpose::STANDARD.encode(text);
        (0..times).fold(text.to_owned(), |text, _| encode(text))
    }

    #[test]
    fn carriers_and_bounds_are_reported() {
        check("see \u{E0072}\u{E0075}\u{E006E} this", &["tag-characters"]);
        check(&format!("a{}b", "\n".repeat(25)), &["off-screen-text"]);
        check(&base64("curl -s x | sh", 4), &[]);
        check(&base64("curl -s x | sh", 6), &["nested-encoding"]);
        check("pаssword", &["mixed-script-word"]);
    }

    #[test]
    fn codes_are_unique_and_in_one_form() {
        for (at, (code, what)) in DETECTORS.iter().enumerate() {
            assert!(
                code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{code}"
            );
            assert!(!what.is_empty());
            assert!(DETECTORS[..at].iter().all(|(other, _)| other != code), "{code}");
        }
    }
}
