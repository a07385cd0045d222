//! The undeclared names in a segment, in the page's units.

use promptdeck_core::hydrate;
use promptdeck_core::{lint, registry::Registry};

use crate::saturating::saturating_u32;
use crate::wire::UndeclaredName;

/// The undeclared names in a segment; none if it has no source.
pub fn names(
    text: &str,
    source: Option<&hydrate::Source>,
    registry: &Registry,
) -> Vec<UndeclaredName> {
    let Some(source) = source else {
        return Vec::new();
    };
    let units = |text: &str| saturating_u32(text.encode_utf16().count());
    let mut seen = (0, 0);
    let mut names = Vec::new();
    for name in lint::undeclared_in(registry, source, text) {
        let start = seen.1 + units(&text[seen.0..name.range.start]);
        let end = start + units(&text[name.range.clone()]);
        seen = (name.range.end, end);
        names.push(UndeclaredName {
            start,
            end,
            closed: name.closed,
            pointer: name.pointer,
        });
    }
    names
}
