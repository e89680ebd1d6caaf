//! Text behind arithmetic: lists of numbers and encoded bytes that code turns into characters.
//!
//! Only numbers and literals that stand in the same text are tried as keys. Masks are tried only where the text names
//! something like them; what big numbers come to under a wrong key is never text, so these need no such word.

use super::{giants, masked, modular};
use crate::gate::ViewKind;
use crate::gate::views::Layer;
use crate::gate::views::decoded::blobs;
use crate::gate::views::hints::Hint;
use crate::gate::views::integers;
use crate::gate::views::unfold::{Found, Groups, Source};

/// The most lists and encoded runs of one text that are tried.
const TRIES: usize = 32;

/// The texts that numbers and encoded bytes come to.
pub(super) fn solve(source: &Source<'_>) -> Vec<Found> {
    let mut groups = Groups::default();
    let integers = integers::of(source.text);
    let has_masks = source.hints.any(Hint::Mask);
    let keys = if has_masks { masked::keys(source.text, &integers.singles) } else { Vec::new() };
    let mut budget = modular::Budget::default();
    for list in integers.lists.iter().filter(|list| source.is_new(list.span)).take(TRIES) {
        let bytes: Option<Vec<u8>> = list.values.iter().map(|value| u8::try_from(*value).ok()).collect();
        if let Some(text) = bytes.and_then(|bytes| masked::read(&bytes, &keys)) {
            groups.add(list.span, &text, vec![Layer::Masked]);
        } else if let Some(text) = modular::read(list, &integers, &mut budget) {
            groups.add(list.span, &text, vec![Layer::ModularExponentiation]);
        }
    }
    for (span, text) in
        giants::read(source.text, &integers).into_iter().filter(|(span, _)| source.is_new(*span))
    {
        groups.add(span, &text, vec![Layer::ModularExponentiation]);
    }
    if has_masks {
        for (span, bytes, layer) in blobs(source, 0).into_iter().take(TRIES) {
            if let Some(text) = masked::read(&bytes, &keys).filter(|_| source.is_new(span)) {
                groups.add(span, &text, vec![layer, Layer::Masked]);
            }
        }
    }
    groups.finish(ViewKind::Assembled)
}
