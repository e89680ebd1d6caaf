//! Cases for all views: what is carried, by which layers, and where it points.

mod carried;
mod properties;
mod quiet;

use super::View;
use crate::gate::{Part, Role};

fn part(role: Role, text: &str) -> Part {
    Part { path: "x".to_owned(), role, text: text.into() }
}

/// The layers of a view, joined.
fn layers(view: &View<'_>) -> String {
    let names: Vec<&str> = view.layers.iter().map(|layer| layer.name()).collect();
    names.join(" ")
}

/// A readable list of all views, for messages.
fn shown(views: &[View<'_>]) -> String {
    let lines: Vec<String> =
        views.iter().map(|view| format!("{} [{}] {:?}", view.kind, layers(view), view.text)).collect();
    lines.join("\n")
}
