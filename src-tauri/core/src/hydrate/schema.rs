//! Schemas of a state and of a line of `hydrate --batch`.

use promptdeck_json::schema::{closed, text};
use serde_json::{Value, json};

/// The state of a hydration.
#[must_use]
pub fn state() -> Value {
    let table = |description: &str, value: Value| {
        json!({
            "description": description,
            "type": ["object", "null"],
            "additionalProperties": value,
        })
    };
    let boolean = || json!({"type": ["boolean", "null"]});
    closed(
        "What is set for one call; every part may be missing.",
        &[],
        json!({
            "selections": table(
                "Section to the id or name of the selected item, or to a list of them.",
                json!({"type": ["string", "array", "null"], "items": {"type": "string"}}),
            ),
            "array_modes": table(
                "Section to field to mode: all, none, index:N, indices:I,J or random:K.",
                json!({
                    "type": ["object", "null"],
                    "additionalProperties": {"type": ["string", "null"]},
                }),
            ),
            "section_random": table("Section to whether its item is rolled.", boolean()),
            "sliders": table("Section to the slider's position.", json!({"type": ["number", "null"]})),
            "slider_random": table("Section to whether its slider is rolled.", boolean()),
            "template_vars": table(
                "SECTION::NAME to the text of a template variable.",
                json!({"type": ["string", "null"]}),
            ),
        }),
    )
}

/// A line of `hydrate --batch`.
#[must_use]
pub fn hydrate() -> Value {
    let mut state = state();
    state["type"] = json!(["object", "null"]);
    closed(
        "One call. With --registry, a line needs no registry of its own.",
        &[],
        json!({
            "registry": {"description": "The registry itself.", "type": ["object", "null"]},
            "state": state,
            "route": text("A route of the registry."),
            "seed": seed(),
        }),
    )
}

/// A seed.
#[must_use]
pub fn seed() -> Value {
    json!({
        "description": "The seed of every pick, below 2^53.",
        "type": ["integer", "string", "null"],
        "minimum": 0,
        "maximum": 9_007_199_254_740_991_u64,
    })
}
