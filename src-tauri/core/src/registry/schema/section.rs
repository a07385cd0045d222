//! The part of the schema for sections, items and fragments.

use serde_json::{Value, json};

use super::{flag, text, texts};

pub(super) fn section() -> Value {
    json!({
        "description": "A list of items, some of which are selected for each prompt.",
        "type": "object",
        "required": ["items"],
        "properties": {
            "required": flag("True (the default): exactly one item is selected. False: any number."),
            "template_vars": texts("Variables that the texts of this section contain as {name}."),
            "items": {
                "description": "The choices.",
                "type": ["array", "null"],
                "items": {"$ref": "#/$defs/item"},
            },
            "selected": {
                "description": "Default selection: one id or a list of ids.",
                "type": ["string", "array", "null"],
                "items": {"type": "string"},
            },
            "section_random": flag("Whether the selected item is rolled."),
            "array_modes": {
                "description": "Which entries of a list field are printed: all, none, index:N, \
                                indices:I,J,... or random:K, by field.",
                "type": ["object", "null"],
                "additionalProperties": {"type": ["string", "null"]},
                "examples": [{"items": "random:2"}],
            },
            "slider": {"description": "Default position of the slider, from 1 to 10.", "type": ["number", "null"]},
            "slider_random": flag("Whether the slider is rolled."),
            "scale_template": text("Sentence for the slider, with {value} and {emotion}."),
            "template_var_defaults": {
                "description": "Default texts of variables, by name.",
                "type": ["object", "null"],
                "additionalProperties": {"type": ["string", "null"]},
            },
        },
        "additionalProperties": false,
    })
}

pub(super) fn item() -> Value {
    json!({
        "description": "One choice. It may have further fields, which dotted tokens print.",
        "type": "object",
        "properties": {
            "id": text("Identifier in selections."),
            "name": text("Name; identifies the item if it has no id."),
            "text": text("Text that the bare section token prints, in most sections."),
            "context": text("Text that the bare section token prints in personas and sentiment."),
            "items": {"description": "A pool of entries.", "type": ["array", "null"]},
            "pre_context": text("Heading of the lists in items and examples."),
            "pre_context:": {
                "description": "Older spelling of pre_context.",
                "type": ["string", "null"],
                "deprecated": true,
            },
            "fragments": {
                "description": "Conditional texts after the text.",
                "type": ["array", "null"],
                "items": {"$ref": "#/$defs/fragment"},
            },
            "scale_emotion": text("What the slider measures while this item is selected."),
            "include_sections": texts("Sections that are still printed while this runtime injection is active."),
            "runtime_variables": texts("Variables that the call is expected to set."),
            "requires": texts("section or section.id that must be selected for a roll to select this item."),
            "excludes": texts("section or section.id that must not be selected for a roll to select this item."),
            // Any type, as the reader takes any: an invalid weight counts as 1.
            "weight": {
                "description": "How often a roll selects this item, relative to the others of its section: \
                                0, or a number from 1e-9 to 1e9. Without it 1.",
                "default": 1,
                "examples": [2, 0.5, 0],
            },
        },
    })
}

pub(super) fn fragment() -> Value {
    json!({
        "description": "A text that is printed after that of its item if a variable is set.",
        "type": "object",
        "properties": {
            "if_var": text("Variable that must be set; without it the text is always printed."),
            "var": {
                "description": "Older spelling of if_var.",
                "type": ["string", "null"],
                "deprecated": true,
            },
            "text": text("The conditional text."),
        },
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{ITEM_KEYS, canonical::SECTION_KEYS};

    #[test]
    fn the_schema_lists_the_known_keys() {
        let sorted = |schema: &Value| {
            let properties = schema["properties"].as_object().expect("properties");
            let mut keys: Vec<String> = properties.keys().cloned().collect();
            keys.sort_unstable();
            keys
        };
        let mut known: Vec<&str> = ITEM_KEYS.to_vec();
        known.sort_unstable();
        assert_eq!(sorted(&item()), known);
        let mut known: Vec<&str> = SECTION_KEYS.to_vec();
        known.sort_unstable();
        assert_eq!(sorted(&section()), known);
    }
}
