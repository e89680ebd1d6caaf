//! The hidden view: text that a person who looks at the file does not see, and an agent reads (gate.md 1).
//!
//! Streams are characters that show nothing and decode to text; they occur in any text. Excerpts are
//! stretches of a part that rendering or the edge of the screen hides; they are copied as they stand.
//! Pictures, flags, right-to-left prose, soft hyphens and the joiners of other scripts are everyday text and
//! give nothing.

mod bits;
mod far;
mod fences;
mod initials;
mod markup;
mod selectors;
mod tags;
mod trailing;
mod zero_width;

use super::foreign;
use super::map::Rewrite;
use super::unfold::{Found, Source};
use super::{Layer, View};
use crate::base::Span;
use crate::gate::{Part, Role, ViewKind};

/// Texts written in characters that show nothing.
pub(super) fn streams(source: &Source<'_>, found: &mut Vec<Found>) {
    let [mut tags, mut selectors, mut symbols] = [false; 3];
    for (_, c) in foreign::chars(source.text) {
        tags |= tags::is_tag(c);
        selectors |= selectors::is_selector(c);
        symbols |= zero_width::is_symbol(c);
    }
    if tags {
        found.extend(tags::decode(source));
    }
    if selectors {
        found.extend(selectors::decode(source));
    }
    if symbols {
        found.extend(zero_width::decode(source));
    }
    found.extend(trailing::decode(source));
}

/// Stretches of a part that a reader does not see.
pub(super) fn excerpts(part: &Part) -> Vec<View<'_>> {
    let text: &str = &part.text;
    let mut spans = far::spans(text);
    match part.role {
        Role::Script => {}
        Role::Config => spans.extend(markup::html_comments(text, &[])),
        Role::Instructions | Role::Reference | Role::Field => spans.extend(markup::spans(text)),
    }
    let mut views: Vec<(Layer, Rewrite)> = Vec::new();
    for (layer, span) in spans {
        let nth = views.iter().position(|(known, _)| *known == layer).unwrap_or_else(|| {
            views.push((layer, Rewrite::default()));
            views.len() - 1
        });
        views[nth].1.break_line(span.start);
        views[nth].1.copy(text, span);
    }
    if !matches!(part.role, Role::Script | Role::Config) {
        views.extend(spelled(text));
    }
    let made = |(layer, rewrite)| View::made(text, rewrite, ViewKind::Hidden, vec![layer]);
    views.into_iter().map(made).collect()
}

/// The orders that first letters spell, where there are any.
fn spelled(text: &str) -> Option<(Layer, Rewrite)> {
    let mut rewrite = Rewrite::default();
    for (span, words) in initials::orders(text) {
        rewrite.break_line(span.start);
        rewrite.put(&words, span);
    }
    (!rewrite.text.is_empty()).then_some((Layer::Initials, rewrite))
}

/// A stretch that is hidden, and how.
type Excerpt = (Layer, Span);
