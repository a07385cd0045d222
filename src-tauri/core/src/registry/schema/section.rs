//! The parts of the schema that describe sections, items and fragments.

use serde_json::{Value, json};

use super::{flag, text, texts};

pub(super) fn section() -> Value {
    json!({
        "description": "A list of items, of which some are chosen for each prompt.",
        "type": "object",
        "required": ["items"],
        "properties": {
            "required": flag("Exactly one item is always chosen (the default), or any number."),
            "template_vars": texts("Variables that texts of this section substitute, as {name}."),
            "items": {"type": ["array", "null"], "items": {"$ref": "#/$defs/item"}},
            "selected": {
                "description": "What is chosen unless the call says otherwise: an id or several.",
                "type": ["string", "array", "null"],
                "items": {"type": "string"},
            },
            "section_random": flag("The chosen item is rolled."),
            "array_modes": {
                "description": "Which entries of a list field are printed: all, none, index:N, \
                                indices:I,J,... or random:K, by field.",
                "type": ["object", "null"],
                "additionalProperties": {"type": ["string", "null"]},
                "examples": [{"items": "random:2"}],
            },
            "slider": {"description": "The intensity, from 1 to 10.", "type": ["number", "null"]},
            "slider_random": flag("The intensity is rolled."),
            "scale_template": text("The sentence about the intensity, with {value} and {emotion}."),
            "template_var_defaults": {
                "description": "Texts for variables that the call leaves empty, by name.",
                "type": ["object", "null"],
                "additionalProperties": {"type": ["string", "null"]},
            },
        },
    })
}

pub(super) fn item() -> Value {
    json!({
        "description": "One choice. Beside the fields below it may have any field of the author's \
                        own, for dotted tokens.",
        "type": "object",
        "properties": {
            "id": text("What selections call the item."),
            "name": text("What they call it when there is no id."),
            "text": text("What an entry of the section alone prints, in most sections."),
            "context": text("What an entry of the section alone prints in personas and sentiment."),
            "items": {"description": "A pool of entries.", "type": ["array", "null"]},
            "pre_context": text("The heading of the lists in items and examples."),
            "pre_context:": {
                "description": "The older spelling of pre_context.",
                "type": ["string", "null"],
                "deprecated": true,
            },
            "fragments": {
                "description": "Conditional texts that follow the text.",
                "type": ["array", "null"],
                "items": {"$ref": "#/$defs/fragment"},
            },
            "scale_emotion": text("What the slider measures when this item is chosen."),
            "include_sections": texts("Sections that stay while this runtime injection is active."),
            "runtime_variables": texts("Variables that a caller is expected to fill."),
            "requires": texts("section or section.id that must be chosen for a roll to land here."),
            "excludes": texts("section or section.id that must not be chosen for that."),
        },
    })
}

pub(super) fn fragment() -> Value {
    json!({
        "type": "object",
        "properties": {
            "if_var": text("The variable that must be filled; none means always."),
            "var": {
                "description": "The older spelling of if_var.",
                "type": ["string", "null"],
                "deprecated": true,
            },
            "text": text("What is printed then."),
        },
    })
}
