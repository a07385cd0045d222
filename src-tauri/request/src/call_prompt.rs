//! The prompt of a registry whose texts are Jinja templates, rendered with the arguments of one call:
//! the same for a preview, a run and lint.

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::{
    hydrate::{self, Engine, Gap, Hydration, Segment},
    registry::Diagnostic,
    run::RenderPrompt,
};
use serde_json::{Map, Value};

use super::{
    build::BuildError,
    call::Call,
    pipeline::{self, Stage, StageError},
    prompt::{Prompt, PromptSpan, TextLoop},
};

/// Renders prompts with the arguments of a call.
#[derive(Debug, Clone)]
pub struct CallPrompt {
    context: Map<String, Value>,
}

impl CallPrompt {
    /// Renders with the arguments of a call; `now` is the moment if the call has none.
    ///
    /// # Errors
    /// [`BuildError`] if the arguments cannot be built.
    pub fn new(call: &Call, now: Moment) -> Result<Self, BuildError> {
        let arguments = pipeline::arguments_of(call, call.now.unwrap_or(now)).map_err(|fault| {
            Box::new(StageError {
                stage: Stage::PreparePromptArguments,
                fault,
                trace: Vec::new(),
            })
        })?;
        Ok(Self {
            context: arguments.context,
        })
    }

    /// The prompt of these segments.
    #[must_use]
    pub fn of(&self, segments: &[Segment]) -> Prompt {
        self.with_gaps(segments, &[])
    }

    /// The same with the places of these variables without a value, which are in the order of the prompt.
    #[must_use]
    pub fn with_gaps(&self, segments: &[Segment], gaps: &[Gap]) -> Prompt {
        Prompt::rendered(segments, gaps, &self.context)
    }

    /// One note for each name that the templates of these segments read and the call does not set.
    #[must_use]
    pub fn unset(&self, segments: &[Segment]) -> Vec<Diagnostic> {
        Prompt::unset(segments, &self.context)
    }
}

impl RenderPrompt for CallPrompt {
    fn render_segments(&self, hydration: &Hydration) -> Result<Vec<Segment>, String> {
        let prompt = self.of(&hydration.segments);
        let segment = |span: PromptSpan| Segment {
            text: span.text,
            source: span.source,
            origin: None,
        };
        match prompt.error {
            None => Ok(prompt.spans.into_iter().map(segment).collect()),
            Some(error) => Err(error.to_string()),
        }
    }
}

/// Why the prompt of a registry whose texts are Jinja templates is not rendered with a call, and which
/// names the call has to set, or to set to a list: one diagnostic for each. Without a call the registry
/// is judged alone, in the default order and in every route. The moment of a call that has none is
/// fixed, so that a registry is judged the same at any time.
#[must_use]
pub fn lint(engine: &Engine, call: Option<&Call>) -> Vec<Diagnostic> {
    let registry = engine.registry();
    let mut found: Vec<Diagnostic> = Vec::new();
    if !Prompt::is_template(registry) {
        return found;
    }
    let empty = Call::default();
    let given = call.unwrap_or(&empty);
    let Ok(prompts) = CallPrompt::new(given, Moment::default()) else {
        return found;
    };
    let routes = match call {
        Some(_) => Vec::new(),
        None => registry.routes().keys().map(String::as_str).collect(),
    };
    let routes = routes.into_iter().map(Some);
    for route in [given.route.as_deref()].into_iter().chain(routes) {
        let hydration = engine.hydrate(&hydrate::Call {
            state: &given.state,
            route,
            seed: given.seed.unwrap_or_default(),
        });
        let Ok(Hydration { segments, .. }) = hydration else {
            continue;
        };
        let prompt = prompts.of(&segments);
        let fault = prompt.diagnostic(&segments).into_iter();
        let text_loops = prompt.text_loops.iter().map(TextLoop::diagnostic);
        for diagnostic in fault.chain(prompts.unset(&segments)).chain(text_loops) {
            // The same fault may be on another line in another route.
            let is_known = |known: &Diagnostic| {
                (known.code, &known.pointer, &known.data)
                    == (diagnostic.code, &diagnostic.pointer, &diagnostic.data)
            };
            if !found.iter().any(is_known) {
                found.push(diagnostic);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use promptdeck_core::registry::Registry;
    use serde_json::json;

    use super::*;

    /// The pointers and messages of the diagnostics of a registry with two sections, the second
    /// printed by a route alone.
    fn check(texts: [&str; 2], expected: &[(&str, &str)]) {
        let registry = json!({
            "template_engine": "jinja",
            "assembly_order": ["a"],
            "routes": {"b": {"assembly_order": ["a", "b"]}},
            "a": {"required": true, "items": [{"text": texts[0]}]},
            "b": {"required": true, "items": [{"text": texts[1]}]},
        });
        let registry = Registry::from_map(registry.as_object().unwrap()).expect("a registry");
        let found = lint(&Engine::new(registry), None);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.pointer.as_str(), found.message.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_prompt_that_does_not_render_is_reported_once_at_its_text() {
        let fault = "the prompt is not rendered: template not found: tried to include non-existing \
                     template 'tail.j2'";
        check(
            ["Hi.", "{% set x = 1 %}{% if x %}{{ args.y }}{% endif %}"],
            &[],
        );
        check(
            ["{% include 'tail.j2' %}", ""],
            &[(
                "/a/items/0/text",
                &format!("{fault} (line 1, column 4 of the prompt)"),
            )],
        );
        check(
            ["{{ args.name }}", "{% include 'tail.j2' %}"],
            &[(
                "/b/items/0/text",
                &format!("{fault} (line 3, column 4 of the prompt)"),
            )],
        );
    }

    #[test]
    fn a_name_that_a_call_has_to_set_is_noted_where_it_is_read() {
        let note =
            |name: &str| format!("the name {name} has no value: set it in args of a call document");
        let texts = [
            "{% if admin %}Be open.{% endif %}{{ namespace }}{{ args.x }}{{ tone | default('dry') }}",
            "{% for tool in tools %}{{ tool.name }}{{ loop.index }}{% endfor %}{{ admin }}",
        ];
        check(
            texts,
            &[
                ("/a/items/0/text", &note("admin")),
                ("/b/items/0/text", &note("tools")),
            ],
        );
        // Words of the text, attributes and texts in code are no names.
        check(
            [
                "Tell me the hour. {{ args.hour }}{{ 'hour' }}{# hour #}",
                "It is {{ hour }}.",
            ],
            &[("/b/items/0/text", &note("hour"))],
        );
        let call = json!({"args": {"admin": true}});
        let call = Call::from_map(call.as_object().expect("an object")).expect("a call");
        let prompts = CallPrompt::new(&call, Moment::default()).expect("arguments");
        let messages = |text: &str| {
            let segment = Segment {
                text: text.to_owned(),
                source: None,
                origin: None,
            };
            let found = prompts.unset(&[segment]).into_iter();
            found.map(|note| note.message).collect::<Vec<_>>()
        };
        assert!(messages(texts[0]).is_empty());
        assert_eq!(
            messages("{% if amdin %}{% endif %}"),
            [format!("{}; did you mean \"admin\"?", note("amdin"))]
        );
    }
}
