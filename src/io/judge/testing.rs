//! A small Evidence for this room's tests.

use crate::base::Span;
use crate::gate::context::Context;
use crate::gate::embedded::Facts;
use crate::gate::rules::Severity;
use crate::gate::{Evidence, EvidenceHit, Kind, ViewKind, Window};

/// One critical hit in one window of `text`.
pub(super) fn evidence(preamble: &str, text: &str) -> Evidence {
    let hit = EvidenceHit {
        rule: "EXFIL-001".parse().unwrap(),
        category: "exfiltration".to_owned(),
        severity: Severity::Critical,
        view: ViewKind::Raw,
        layers: Vec::new(),
        file: "scripts/x.sh".to_owned(),
        line: 1,
        span: Span::new(0, 1),
        matched: text.chars().take(200).collect(),
        context: Context::default(),
        redacted: false,
    };
    let window = Window {
        file: "scripts/x.sh".to_owned(),
        line: 1,
        span: Span::new(0, text.len()),
        text: text.to_owned(),
        hits: vec![0],
    };
    Evidence {
        kind: Kind::Package,
        preamble: preamble.to_owned(),
        name: "n".to_owned(),
        description: "d".to_owned(),
        method: String::new(),
        windows: vec![window],
        windows_dropped: Vec::new(),
        hits: vec![hit],
        facts: Facts::default(),
    }
}
