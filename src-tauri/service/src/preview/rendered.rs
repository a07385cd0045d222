//! The view of a prompt rendered with Jinja, which distinguishes the output of expressions from
//! authored text.

use promptdeck_core::hydrate;
use promptdeck_core::registry::Registry;
use promptdeck_request::prompt::Prompt;

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
            segments: prompt
                .spans
                .into_iter()
                .map(|span| {
                    // The output of an expression contains no variables.
                    let authored = span.source.as_ref().filter(|_| span.expression.is_none());
                    Segment {
                        undeclared: undeclared_offsets::names(&span.text, authored, registry),
                        text: span.text,
                        source: span.source.map(source),
                        expression: span.expression,
                        ..Segment::default()
                    }
                })
                .collect(),
            diagnostics,
            ..self
        }
    }
}
