//! What an archive may draw of its unit's room.
//!
//! An archive at the top may unpack to so many times its size, and all within it draw on that too: a few kilobytes that
//! are a terabyte cost no more than what they are worth.

use crate::base::compression::{End, Unpacked};
use crate::base::{Compression, Room, UnreadReason};

use super::Fault;

/// What any archive may unpack to, however small it is.
const FLOOR: u64 = 1 << 20;

/// What a byte of an archive may unpack to. Text seldom comes to 50, and deflate can make 1,032 of one.
const RATIO: u64 = 200;

/// A unit's room, and the part of it that is lent to the archive that is open.
#[derive(Debug)]
pub(in crate::gate::document) struct Budget {
    room: Room,
    lent: u64,
    open: usize,
}

impl Budget {
    /// A budget with this room.
    pub(in crate::gate::document) fn new(room: Room) -> Self {
        Self { room, lent: 0, open: 0 }
    }

    /// Enters an archive of so many bytes; false where it lies too deep in others.
    pub(in crate::gate::document) fn enter(&mut self, packed: usize) -> bool {
        if self.open == self.room.depth {
            return false;
        }
        if self.open == 0 {
            self.lent = (packed as u64).saturating_mul(RATIO).max(FLOOR).min(self.room.bytes);
        }
        self.open += 1;
        true
    }

    /// Leaves the archive that was entered last; true where it lay in no other.
    pub(in crate::gate::document) fn leave(&mut self) -> bool {
        self.open = self.open.saturating_sub(1);
        self.open == 0
    }

    /// The depth that is not exceeded.
    pub(in crate::gate::document) fn depth(&self) -> usize {
        self.room.depth
    }

    /// The largest file.
    pub(super) fn file_bytes(&self) -> u64 {
        self.room.file_bytes
    }

    /// Draws one entry; false where there were too many.
    pub(super) fn draw_entry(&mut self) -> bool {
        let left = self.room.files.checked_sub(1);
        self.room.files = left.unwrap_or_default();
        left.is_some()
    }

    /// True where nothing more can be unpacked.
    pub(super) fn is_spent(&self) -> bool {
        self.lent == 0
    }

    /// Unpacks at most so many bytes, and says what was missed.
    pub(super) fn unpack(
        &mut self,
        compression: Compression,
        bytes: &[u8],
        most: u64,
    ) -> (Unpacked, Option<Fault>) {
        let unpacked = compression.unpack(bytes, most.min(self.lent));
        let drawn = unpacked.bytes.len() as u64;
        let is_lent_out = drawn == self.lent;
        self.lent -= drawn;
        self.room.bytes -= drawn;
        let fault = match &unpacked.end {
            End::Whole => None,
            End::TooLarge if is_lent_out => Some(Self::spent()),
            End::TooLarge => Some(self.over_file_bytes()),
            End::TooDemanding(words) => {
                Some((UnreadReason::TooLarge, format!("asks for more than is given to unpack it: {words}")))
            }
            End::Broken(words) => {
                Some((UnreadReason::Undecodable, format!("the packed bytes break off: {words}")))
            }
        };
        (unpacked, fault)
    }

    /// What is said of a file that is too large.
    pub(super) fn over_file_bytes(&self) -> Fault {
        let detail = format!("unpacks to more than the {} bytes that a file may have", self.room.file_bytes);
        (UnreadReason::TooLarge, detail)
    }

    /// What is said of whatever was unpacked when nothing more could be.
    pub(super) fn spent() -> Fault {
        let detail = format!(
            "unpacks to more than is read of an archive: {RATIO} times its size, or the room that is left for the unit"
        );
        (UnreadReason::TooLarge, detail)
    }

    /// What is said of an archive with more entries than are read.
    pub(super) fn too_many() -> Fault {
        (UnreadReason::TooMany, "has more entries than files are read of a unit".to_owned())
    }
}
