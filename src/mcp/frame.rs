//! Newline framing on bytes: chunks in, lines out.
//!
//! A line is at most as long as the limit, counted as it streams in; a longer one is skipped to its end and reported with
//! its first and last bytes. Every byte is looked at once, characters may be split over chunks at will, and a long
//! message's memory goes away with it.

use super::glimpse::{self, Glimpse};

/// How much of an over-long line is kept from its front, and from its end.
const HEAD: usize = 64 << 10;
const TAIL: usize = 1 << 10;

/// What came out of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A line without its line feed; a carriage return before that is part of it.
    Line(Vec<u8>),
    /// A line over the limit.
    TooLong(TooLong),
}

/// What is left of a line over the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Its length.
    pub bytes: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl TooLong {
    /// What the ends of the line tell about the message.
    pub fn glimpse(&self) -> Glimpse {
        glimpse::ends(&self.head, &self.tail)
    }
}

/// Cuts a stream into lines.
#[derive(Debug)]
pub struct Framer {
    limit: usize,
    line: Vec<u8>,
    skipping: Option<TooLong>,
}

impl Framer {
    /// Lines of at most `limit` bytes.
    pub const fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), skipping: None }
    }

    /// Changes the limit from the next line on.
    pub const fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Takes the next bytes of the stream and gives the lines that they end.
    pub fn push(&mut self, mut chunk: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(end) = memchr::memchr(b'\n', chunk) {
            self.add(&chunk[..end]);
            frames.push(self.take());
            chunk = &chunk[end + 1..];
        }
        self.add(chunk);
        frames
    }

    /// The end of the stream: what came after the last line feed, where there is any.
    pub fn finish(&mut self) -> Option<Frame> {
        (!self.line.is_empty() || self.skipping.is_some()).then(|| self.take())
    }

    fn add(&mut self, bytes: &[u8]) {
        if self.skipping.is_none() && self.line.len() + bytes.len() > self.limit {
            let mut head = std::mem::take(&mut self.line);
            let length = head.len() as u64;
            let tail = head[head.len().saturating_sub(TAIL)..].to_vec();
            head.truncate(HEAD);
            head.shrink_to_fit();
            self.skipping = Some(TooLong { bytes: length, head, tail });
        }
        match &mut self.skipping {
            None => self.line.extend_from_slice(bytes),
            Some(long) => long.add(bytes),
        }
    }

    fn take(&mut self) -> Frame {
        match self.skipping.take() {
            Some(long) => Frame::TooLong(long),
            None => Frame::Line(std::mem::take(&mut self.line)),
        }
    }
}

impl TooLong {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let room = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Frame, Framer};

    fn frames(limit: usize, chunks: &[&[u8]]) -> Vec<String> {
        let mut framer = Framer::new(limit);
        let mut cut: Vec<_> = chunks.iter().flat_map(|chunk| framer.push(chunk)).collect();
        cut.extend(framer.finish());
        cut.into_iter()
            .map(|frame| match frame {
                Frame::Line(line) => String::from_utf8_lossy(&line).into_owned(),
                Frame::TooLong(long) => format!("{} bytes", long.bytes),
            })
            .collect()
    }

    #[test]
    fn lines_end_at_line_feeds_and_at_the_end_of_the_stream() {
        assert_eq!(frames(99, &[b"a\r\n\nb", b"c\n", b"d"]), ["a\r", "", "bc", "d"]);
        assert_eq!(frames(99, &[b"\xc3", b"\xa4\n"]), ["ä"]);
        assert_eq!(frames(99, &[b""]), Vec::<String>::new());
    }

    #[test]
    fn an_over_long_line_is_skipped_and_the_next_one_is_not() {
        assert_eq!(frames(4, &[b"abcd\nabcde\nok\n"]), ["abcd", "5 bytes", "ok"]);
        assert_eq!(frames(4, &[b"abc", b"def", b"ghi\nok"]), ["9 bytes", "ok"]);
        assert_eq!(frames(4, &[b"abcdefg"]), ["7 bytes"]);
    }

    #[test]
    fn an_over_long_line_shows_its_id_at_either_end() {
        let id = |line: &str| {
            let mut framer = Framer::new(100);
            let frame = framer.push(format!("{line}\n").as_bytes()).pop();
            let Some(Frame::TooLong(long)) = frame else { panic!("not too long") };
            long.glimpse().id.map(|id| String::from_utf8_lossy(id.raw()).into_owned())
        };
        let long = "x".repeat(200_000);
        assert_eq!(id(&format!(r#"{{"jsonrpc":"2.0","id":7,"result":"{long}"}}"#)), Some("7".to_owned()));
        assert_eq!(
            id(&format!(r#"{{"result":"{long}","jsonrpc":"2.0","id":"a b"}}"#)),
            Some("\"a b\"".to_owned())
        );
        assert_eq!(id(&format!(r#"{{"result":"{long}"}}"#)), None);
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(text in "[ab\\n]{0,60}", cuts in prop::collection::vec(0..60_usize, 0..6), limit in 1..12_usize) {
            let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut <= text.len()).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts {
                chunks.push(&text.as_bytes()[from..cut]);
                from = cut;
            }
            chunks.push(&text.as_bytes()[from..]);
            prop_assert_eq!(frames(limit, &chunks), frames(limit, &[text.as_bytes()]));
        }
    }
}
