//! Rewriting where it stands: the lines that change, with what surrounds the change.
//!
//! Escapes and concatenations sit in the middle of a command, and a rule needs the whole of it. So the lines
//! with a change are copied with the change made; lines without one are left out. Edits come in order and do
//! not overlap.

use memchr::{memchr, memrchr};

use super::Layer;
use super::map::Rewrite;
use super::unfold::Found;
use crate::base::Span;
use crate::gate::ViewKind;

/// Collects the changed lines of a text, one rewrite for each kind of first change.
pub(super) struct InPlace<'t> {
    text: &'t str,
    kind: ViewKind,
    made: Vec<(Vec<Layer>, Rewrite)>,
    /// The rewrite that the current line goes to.
    current: usize,
    /// Up to where the current line was written.
    from: usize,
    /// Where the current line ends.
    end: usize,
}

impl<'t> InPlace<'t> {
    /// No change yet.
    pub(super) fn new(text: &'t str, kind: ViewKind) -> Self {
        Self { text, kind, made: Vec::new(), current: 0, from: 0, end: 0 }
    }

    /// Puts other text in the place of a span.
    pub(super) fn edit(&mut self, span: Span, with: &str, layer: Layer) {
        if span.start >= self.end || self.made.is_empty() {
            self.finish_line();
            self.start_line(span.start, layer);
        }
        if span.end > self.end {
            self.end = line_end(self.text, span.end);
        }
        let (layers, rewrite) = &mut self.made[self.current];
        if !layers.contains(&layer) {
            layers.push(layer);
        }
        rewrite.copy(self.text, Span::new(self.from, span.start));
        rewrite.put(with, span);
        self.from = span.end;
    }

    fn start_line(&mut self, at: usize, layer: Layer) {
        self.current = self.made.iter().position(|(layers, _)| layers[0] == layer).unwrap_or_else(|| {
            self.made.push((vec![layer], Rewrite::default()));
            self.made.len() - 1
        });
        let before = &self.text.as_bytes()[self.end..at];
        self.from = memrchr(b'\n', before).map_or(self.end, |nth| self.end + nth + 1);
        self.end = line_end(self.text, at);
        self.made[self.current].1.break_line(self.from);
    }

    fn finish_line(&mut self) {
        if let Some((_, rewrite)) = self.made.get_mut(self.current) {
            rewrite.copy(self.text, Span::new(self.from, self.end));
        }
    }

    /// The changed lines.
    pub(super) fn finish(mut self) -> impl Iterator<Item = Found> {
        self.finish_line();
        let kind = self.kind;
        self.made.into_iter().map(move |(layers, rewrite)| Found { kind, layers, rewrite })
    }
}

fn line_end(text: &str, at: usize) -> usize {
    memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |nth| at + nth)
}

#[cfg(test)]
mod tests {
    use super::InPlace;
    use crate::base::Span;
    use crate::gate::ViewKind;
    use crate::gate::views::Layer;

    #[test]
    fn changed_lines_are_kept_whole_and_others_left_out() {
        let text = "one\nt%77o %33\nthree\n&lt;four\nfive%21";
        let mut lines = InPlace::new(text, ViewKind::Decoded);
        for (start, end, with, layer) in [
            (5, 8, "w", Layer::Percent),
            (10, 13, "3", Layer::Percent),
            (20, 24, "<", Layer::HtmlEntity),
            (33, 36, "!", Layer::Percent),
        ] {
            lines.edit(Span::new(start, end), with, layer);
        }
        let made: Vec<_> = lines.finish().map(|found| (found.layers, found.rewrite.text)).collect();
        assert_eq!(made[0], (vec![Layer::Percent], "two 3\nfive!".to_owned()));
        assert_eq!(made[1], (vec![Layer::HtmlEntity], "<four".to_owned()));
    }
}
