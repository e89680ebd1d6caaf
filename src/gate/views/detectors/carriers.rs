//! Hidden carriers that a view has already decoded.

use super::{StructuralHit, cut};
use crate::base::Span;
use crate::gate::views::{Layer, View};

/// One hit for each view whose innermost layer is a carrier that nobody sees.
pub(super) fn find<'v>(views: &'v [View<'_>]) -> impl Iterator<Item = StructuralHit> + 'v {
    views.iter().filter_map(|view| {
        let code = code(*view.layers.last()?)?;
        Some(StructuralHit {
            code,
            part: 0,
            view: view.kind,
            span: view.to_part(Span::new(0, view.text.len())),
            layers: view.layers.clone(),
            matched: cut(&view.text),
            detail: format!("{} characters of hidden text", view.text.chars().count()),
        })
    })
}

fn code(layer: Layer) -> Option<&'static str> {
    Some(match layer {
        Layer::TagCharacters => "tag-characters",
        Layer::ZeroWidth => "zero-width-stream",
        Layer::VariationSelectors => "variation-selector-stream",
        Layer::TrailingSpace => "trailing-space-stream",
        Layer::BlankLines | Layer::WideSpace => "off-screen-text",
        _ => return None,
    })
}
