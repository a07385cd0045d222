//! The view of a prompt rendered with Jinja, which distinguishes the output of expressions from
//! authored text.

use promptdeck_core::hydrate;
use promptdeck_core::registry::Registry;
use promptdeck_request::prompt::{EmptyPlace, Prompt};

use super::{Preview, Segment, source, undeclared_offsets};
use crate::ServiceError;
use crate::saturating::saturating_u32;

impl Preview {
    /// Replaces the prompt by the one rendered from these segments, with expressions marked. If it
    /// could not be rendered, for this reason, shows the template and adds the diagnostic.
    #[must_use]
    pub fn rendered(
        self,
        segments: &[hydrate::Segment],
        prompt: Prompt,
        unrendered: Option<ServiceError>,
        registry: &Registry,
    ) -> Self {
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(prompt.diagnostic(segments));
        Self {
            characters: match unrendered {
                Some(_) => 0,
                None => saturating_u32(prompt.text.chars().count()),
            },
            unrendered: unrendered.map(Into::into),
            segments: pieces(prompt, registry),
            diagnostics,
            ..self
        }
    }
}

/// The pieces of a prompt, with an empty one for each place at which nothing is printed for want of a
/// value.
fn pieces(prompt: Prompt, registry: &Registry) -> Vec<Segment> {
    let mut pieces = Vec::with_capacity(prompt.spans.len() + prompt.empty.len());
    let mut empty = prompt.empty.into_iter().peekable();
    for (index, span) in prompt.spans.into_iter().enumerate() {
        while let Some(place) = empty.next_if(|place| place.span <= index) {
            pieces.push(nothing(place));
        }
        // The output of an expression contains no variables.
        let authored = span.source.as_ref().filter(|_| span.expression.is_none());
        pieces.push(Segment {
            undeclared: undeclared_offsets::names(&span.text, authored, registry),
            text: span.text,
            source: span.source.map(source),
            expression: span.expression,
            arguments: span.arguments,
            ..Segment::default()
        });
    }
    pieces.extend(empty.map(nothing));
    pieces
}

fn nothing(place: EmptyPlace) -> Segment {
    Segment {
        source: place.source.map(source),
        expression: place.expression,
        ..Segment::default()
    }
}
