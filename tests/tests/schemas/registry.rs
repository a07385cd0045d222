//! The registry's JSON Schema and the reader agree on what is a registry.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

use promptdeck_core::output::{GenerationConfig, OutputPolicy};
use promptdeck_core::registry::{self, schema::json_schema};
use serde_json::{Value, json};

use crate::validator;

#[test]
fn every_setting_is_described() {
    let schema = json_schema();
    let described = |part: &str| -> Vec<String> {
        let fields = schema["$defs"][part]["properties"]
            .as_object()
            .expect("fields");
        fields.keys().cloned().collect()
    };
    assert_eq!(described("generation"), GenerationConfig::FIELDS);
    assert_eq!(described("output_policy"), OutputPolicy::FIELDS);
}

/// Reader and schema agree on a registry with these members, bare and wrapped.
#[track_caller]
fn agree(members: Value, accepted: bool) {
    for file in [members.clone(), json!({"registry": members, "note": 1})] {
        let read = registry::parse(file.to_string().as_bytes());
        assert_eq!(read.is_ok(), accepted, "the reader on {file}: {read:?}");
        assert_eq!(
            validator(&json_schema()).is_valid(&file),
            accepted,
            "the schema on {file}"
        );
    }
}

#[test]
fn reader_and_schema_agree() {
    agree(json!({}), true);
    agree(
        json!({"version": 22, "title": null, "unknown": [1], "also": {"no": "section"}}),
        true,
    );
    agree(json!({"version": 2}), false);
    agree(json!({"version": "22"}), false);
    agree(json!({"title": 1}), false);
    agree(json!({"assembly_order": ["a", 1]}), false);
    agree(json!({"routes": {"r": {"assembly_order": null}}}), true);
    agree(json!({"routes": {"r": []}}), false);
    agree(json!({"generation": []}), false);
    let section = |section: Value, accepted| agree(json!({"any": section}), accepted);
    section(json!({"items": []}), true);
    section(json!({"items": null}), true);
    section(json!({"items": {}}), false);
    section(json!({"items": ["x"]}), false);
    section(json!({"items": [], "required": "yes"}), false);
    section(
        json!({"items": [], "selected": ["a"], "slider": 2.5, "mine": {}}),
        true,
    );
    section(json!({"items": [], "selected": 1}), false);
    section(json!({"items": [], "array_modes": {"a": "all"}}), true);
    section(json!({"items": [], "array_modes": {"a": 1}}), false);
    section(
        json!({"items": [], "template_var_defaults": {"a": []}}),
        false,
    );
    let item = |item: Value, accepted| agree(json!({"any": {"items": [item]}}), accepted);
    item(
        json!({"id": "a", "text": null, "items": [1, null], "mine": 1}),
        true,
    );
    item(json!({"id": 1}), false);
    item(json!({"pre_context:": 1}), false);
    item(json!({"items": "x"}), false);
    item(json!({"requires": "a.b"}), false);
    item(json!({"weight": 0.5}), true);
    // Invalid weights count as 1: an author may have a field of that name.
    item(json!({"weight": "heavy"}), true);
    item(
        json!({"fragments": [{"if_var": "a", "text": "t"}, {"var": null}]}),
        true,
    );
    item(json!({"fragments": [{"text": 1}]}), false);
    item(json!({"fragments": ["t"]}), false);
}
