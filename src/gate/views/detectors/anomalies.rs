//! What was noticed while the document was made.
//!
//! An anomaly names a file or a field. Where that is a part, the hit is the start of it; where it is no part
//! (a binary, an unread file), it is the first place that mentions the file's name, or the start of the
//! document.

use super::{StructuralHit, cut, known};
use crate::base::Span;
use crate::gate::{Document, Part, ViewKind};

/// One hit for each anomaly with a known code.
pub(super) fn find(document: &Document) -> Vec<StructuralHit> {
    let hits = document.anomalies.iter().filter_map(|anomaly| {
        let code = known(&anomaly.code)?;
        let (part, span) = place(&document.parts, &anomaly.path)?;
        Some(StructuralHit {
            code,
            part,
            view: ViewKind::Raw,
            span,
            layers: Vec::new(),
            matched: cut(&anomaly.path),
            detail: String::new(),
        })
    });
    hits.collect()
}

/// The part and the span to show for a path; nothing in a document without parts.
fn place(parts: &[Part], path: &str) -> Option<(usize, Span)> {
    if let Some(part) = parts.iter().position(|part| part.path == path) {
        return Some((part, first_line(&parts[part].text)));
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let mention =
        |(nth, part): (usize, &Part)| part.text.find(name).map(|at| (nth, Span::new(at, at + name.len())));
    parts.iter().enumerate().find_map(mention).or_else(|| parts.first().map(|_| (0, Span::new(0, 0))))
}

fn first_line(text: &str) -> Span {
    Span::new(0, text.find('\n').unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::place;
    use crate::base::Span;
    use crate::gate::{Part, Role};

    #[test]
    fn an_anomaly_points_at_its_part_or_at_its_mention() {
        let part =
            |path: &str, text: &str| Part { path: path.to_owned(), role: Role::Script, text: text.into() };
        let parts = [part("SKILL.md", "See tool.bin\n"), part("a/run.sh", "x\ny")];
        assert_eq!(place(&parts, "a/run.sh"), Some((1, Span::new(0, 1))));
        assert_eq!(place(&parts, "bin/tool.bin"), Some((0, Span::new(4, 12))));
        assert_eq!(place(&parts, "other"), Some((0, Span::new(0, 0))));
        assert_eq!(place(&[], "other"), None);
    }
}
