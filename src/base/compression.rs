//! Compressed streams, unpacked in memory up to a limit.
//!
//! Told by their first bytes. What came before a stream broke off is kept, since whoever unpacks it has it too.
//! Nothing here knows of files: archives are opened elsewhere.

use std::io::Read;

use bzip2::read::MultiBzDecoder;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::FrameDecoderError;

/// One way of compressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed at all, as zip has it.
    None,
    /// Deflate without a header, as zip has it.
    Deflate,
    /// Deflate in zlib's header.
    Zlib,
    /// Deflate in gzip's header.
    Gzip,
    /// LZMA in xz's container.
    Xz,
    /// Zstandard.
    Zstd,
    /// Bzip2.
    Bzip2,
}

/// What a stream came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// The bytes, as far as they were read.
    pub bytes: Vec<u8>,
    /// How reading ended.
    pub end: End,
}

/// How reading ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At the end.
    Whole,
    /// At the limit, with more to come.
    TooLarge,
    /// At something that is no such stream; the reader's words.
    Broken(String),
    /// Before its beginning: it asks for more memory than it gets, or for a dictionary; the reader's words.
    TooDemanding(String),
}

/// The most memory that a stream may ask for besides its output, in KiB.
const XZ_MEMORY: u32 = 128 << 10;

impl Compression {
    /// The way in which these bytes say that they are compressed.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..] => Some(Self::Zlib),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Unpacks at most so many bytes.
    pub fn unpack(self, bytes: &[u8], most: u64) -> Unpacked {
        match self {
            Self::None => read(bytes, most),
            Self::Deflate => read(DeflateDecoder::new(bytes), most),
            Self::Zlib => read(ZlibDecoder::new(bytes), most),
            Self::Gzip => read(MultiGzDecoder::new(bytes), most),
            Self::Xz => read(XzReader::new_mem_limit(bytes, true, XZ_MEMORY), most),
            Self::Bzip2 => read(MultiBzDecoder::new(bytes), most),
            Self::Zstd => zstd(bytes, most),
        }
    }
}

fn read(mut reader: impl Read, most: u64) -> Unpacked {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(most).read_to_end(&mut bytes);
    let end = match read {
        Err(error) if error.kind() == std::io::ErrorKind::OutOfMemory => End::TooDemanding(error.to_string()),
        Err(error) => End::Broken(error.to_string()),
        Ok(_) if bytes.len() as u64 == most && goes_on(reader) => End::TooLarge,
        Ok(_) => End::Whole,
    };
    Unpacked { bytes, end }
}

/// True where a reader has more than was taken; one that breaks off right there has been read to its end.
fn goes_on(mut reader: impl Read) -> bool {
    matches!(reader.read(&mut [0]), Ok(1..))
}

/// The frames of a Zstandard file one after the other, since the decoder reads one.
fn zstd(mut bytes: &[u8], most: u64) -> Unpacked {
    let mut all = Unpacked { bytes: Vec::new(), end: End::Whole };
    while !bytes.is_empty() && all.end == End::Whole {
        if let Some(rest) = after_skipped(bytes) {
            bytes = rest;
            continue;
        }
        match StreamingDecoder::new(&mut bytes) {
            Ok(frame) => {
                let next = read(frame, most - all.bytes.len() as u64);
                all.bytes.extend(next.bytes);
                all.end = next.end;
            }
            Err(error) => all.end = refused(&error),
        }
    }
    all
}

fn refused(error: &FrameDecoderError) -> End {
    let words = error.to_string();
    match error {
        FrameDecoderError::WindowSizeTooBig { .. } | FrameDecoderError::DictNotProvided { .. } => {
            End::TooDemanding(words)
        }
        _ => End::Broken(words),
    }
}

/// What follows a frame that holds no data.
fn after_skipped(bytes: &[u8]) -> Option<&[u8]> {
    let [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, rest @ ..] = bytes else { return None };
    let length = usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).ok()?;
    Some(rest.get(length..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Compression, End};

    const WORDS: &[u8] = b"the same words the same words the same words\n";

    /// `WORDS` as `xz`, `zstd` and `bzip2` pack them.
    const PACKED: [(Compression, &[u8]); 3] = [
        (Compression::Xz, include_bytes!("../../tests/fixtures/packed/words.xz")),
        (Compression::Zstd, include_bytes!("../../tests/fixtures/packed/words.zst")),
        (Compression::Bzip2, include_bytes!("../../tests/fixtures/packed/words.bz2")),
    ];

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn each_way_is_told_by_its_bytes_and_undone() {
        let packed = gzip(WORDS);
        for (compression, bytes) in PACKED.into_iter().chain([(Compression::Gzip, packed.as_slice())]) {
            assert_eq!(Compression::of(bytes), Some(compression));
            let unpacked = compression.unpack(bytes, 1 << 20);
            assert_eq!((unpacked.bytes.as_slice(), unpacked.end), (WORDS, End::Whole), "{compression:?}");
            let twice = compression.unpack(&[bytes, bytes].concat(), 1 << 20);
            assert_eq!((twice.bytes, twice.end), ([WORDS, WORDS].concat(), End::Whole), "{compression:?}");
        }
    }

    #[test]
    fn a_limit_ends_it_and_the_last_byte_does_not() {
        let packed = gzip(WORDS);
        for (compression, bytes) in PACKED.into_iter().chain([(Compression::Gzip, packed.as_slice())]) {
            let len = WORDS.len() as u64;
            assert_eq!(compression.unpack(bytes, len).end, End::Whole, "{compression:?}");
            let cut = compression.unpack(bytes, len - 1);
            assert_eq!((cut.bytes.len() as u64, cut.end), (len - 1, End::TooLarge), "{compression:?}");
        }
    }

    #[test]
    fn what_breaks_off_is_kept_so_far() {
        let long = WORDS.repeat(2000);
        let packed = gzip(&long);
        let cut = Compression::Gzip.unpack(&packed[..packed.len() - 10], 1 << 20);
        assert!(matches!(cut.end, End::Broken(_)) && long.starts_with(&cut.bytes) && !cut.bytes.is_empty());
        for (compression, bytes) in PACKED {
            let cut = compression.unpack(&bytes[..bytes.len() / 2], 1 << 20);
            assert!(matches!(cut.end, End::Broken(_)), "{compression:?}: {cut:?}");
        }
    }

    #[test]
    fn words_are_no_stream() {
        assert_eq!(Compression::of(b"BZh9 is how bzip2 begins"), None);
        assert_eq!(Compression::of(b""), None);
    }
}
