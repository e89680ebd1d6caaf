//! From byte offsets to lines and columns.

/// A place as people count it: both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Where each line of a text starts.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Reads a text once. Lines end with LF; a CR before it belongs to the line.
    pub fn new(text: &str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The line of a byte offset, from 1; an offset past the end is on the last line.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The line and column of a byte offset in the text that this index was made of.
    pub fn line_column(&self, text: &str, offset: usize) -> LineColumn {
        let line = self.line(offset);
        let start = self.starts[line - 1];
        let column = text.get(start..offset.min(text.len())).map_or(1, |before| before.chars().count() + 1);
        LineColumn { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineColumn, LineIndex};

    #[test]
    fn counts_characters_from_one() {
        let text = "ab\néx\n";
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(text, 0), LineColumn { line: 1, column: 1 });
        assert_eq!(index.line_column(text, 5), LineColumn { line: 2, column: 2 });
        assert_eq!(index.line(99), 3);
    }
}
