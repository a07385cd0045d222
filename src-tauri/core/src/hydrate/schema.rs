//! JSON Schemas of a state and of a line of `hydrate --batch`.

use promptdeck_json::schema::{closed, text};
use serde_json::{Value, json};

use crate::registry::schema as registry;

/// The schema of a state.
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
        "The settings of one call; all are optional.",
        &[],
        json!({
            "selections": table(
                "By section: id or name of the selected item, or a list of them.",
                json!({"type": ["string", "array", "null"], "items": {"type": "string"}}),
            ),
            "array_modes": table(
                "By section and field: mode, which is all, none, index:N, indices:I,J or random:K.",
                json!({
                    "type": ["object", "null"],
                    "additionalProperties": {"type": ["string", "null"]},
                }),
            ),
            "section_random": table("By section: whether its item is rolled.", boolean()),
            "sliders": table("By section: position of the slider.", json!({"type": ["number", "null"]})),
            "slider_random": table("By section: whether its slider is rolled.", boolean()),
            "template_vars": table(
                "By SECTION::NAME: text of the template variable.",
                json!({"type": ["string", "null"]}),
            ),
        }),
    )
}

/// The schema of a line of `hydrate --batch`.
#[must_use]
pub fn hydrate() -> Value {
    let mut state = state();
    state["type"] = json!(["object", "null"]);
    let mut schema = closed(
        "One call. With --registry, a line needs no registry of its own.",
        &[],
        json!({
            "registry": registry::embedded_file("The registry."),
            "state": state,
            "route": text("Route of the registry."),
            "seed": seed(),
        }),
    );
    schema["$defs"] = Value::Object(registry::definitions());
    schema
}

/// The schema of a seed.
#[must_use]
pub fn seed() -> Value {
    json!({
        "description": "Seed of all picks, below 2^53.",
        "type": ["integer", "string", "null"],
        "minimum": 0,
        "maximum": 9_007_199_254_740_991_u64,
    })
}
