//! Hidden carriers that a view has already decoded.

use super::{StructuralHit, cut};
use crate::base::Span;
use crate::gate::views::{Layer, View};

/// One hit for each view whose innermost layer is a carrier that nobody sees, and for decoding that stopped
/// at a bound.
pub(super) fn find<'v>(views: &'v [View<'_>]) -> impl Iterator<Item = StructuralHit> + 'v {
    views.iter().flat_map(|view| {
        let layer = view.layers.last().filter(|layer| says_something(&view.text, **layer));
        let hidden = layer.and_then(|layer| code(*layer));
        let nested = view.is_cut().then_some("nested-encoding");
        [hidden, nested].into_iter().flatten().map(|code| hit(view, code))
    })
}

/// True for text with a word in it: the ends of a range in a pattern say nothing, nor do numbers that happen to be
/// letters.
fn says_something(text: &str, layer: Layer) -> bool {
    let shortest = match layer {
        Layer::ModularExponentiation => 4,
        Layer::BlankLines | Layer::WideSpace => 1,
        _ => 3,
    };
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word.chars().count() >= shortest)
}

fn hit(view: &View<'_>, code: &'static str) -> StructuralHit {
    StructuralHit {
        code,
        part: 0,
        view: view.kind,
        span: view.to_part(Span::new(0, view.text.len())),
        layers: view.layers.clone(),
        matched: cut(&view.text),
        detail: format!("{} characters of text", view.text.chars().count()),
    }
}

fn code(layer: Layer) -> Option<&'static str> {
    Some(match layer {
        Layer::TagCharacters => "tag-characters",
        Layer::ZeroWidth => "zero-width-stream",
        Layer::VariationSelectors => "variation-selector-stream",
        Layer::TrailingSpace => "trailing-space-stream",
        Layer::Initials => "initials",
        Layer::ModularExponentiation => "modular-exponentiation",
        Layer::BlankLines | Layer::WideSpace => "off-screen-text",
        _ => return None,
    })
}
