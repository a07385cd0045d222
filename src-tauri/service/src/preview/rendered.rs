//! The view of a prompt rendered with Jinja, which distinguishes the output of expressions from
//! authored text.

use promptdeck_core::hydrate;
use promptdeck_core::registry::{Diagnostic, Registry};
use promptdeck_request::prompt::Prompt;
use promptdeck_request::template::TemplateError;

use super::{Preview, Segment, source, undeclared_offsets};
use crate::saturating::saturating_u32;

impl Preview {
    /// Replaces the prompt by the one rendered from these segments, with expressions marked; keeps
    /// the unrendered prompt and adds a diagnostic if rendering failed.
    #[must_use]
    pub fn rendered(
        self,
        segments: &[hydrate::Segment],
        prompt: Prompt,
        registry: &Registry,
    ) -> Self {
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(
            prompt
                .error
                .iter()
                .map(|error| not_rendered(error, segments)),
        );
        Self {
            characters: saturating_u32(prompt.text.chars().count()),
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

/// The diagnostic of a failed rendering, at the field where it occurred.
fn not_rendered(error: &TemplateError, segments: &[hydrate::Segment]) -> Diagnostic {
    let mut end = 0;
    let offset = error.offset.unwrap_or_default();
    let place = segments.iter().find(|segment| {
        end += segment.text.len();
        offset < end
    });
    let pointer = place
        .and_then(|segment| segment.source.as_ref())
        .map_or_else(
            || "/template_engine".to_owned(),
            |source| format!("/{}/items/{}/{}", source.section, source.item, source.field),
        );
    error.diagnostic(pointer)
}
