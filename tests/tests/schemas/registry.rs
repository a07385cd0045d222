//! The registry's JSON Schema and the reader agree on what is a registry, and the schema refuses keys
//! that nothing reads.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

use promptdeck_core::lint::unknown_keys;
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

/// Reader and schema agree on a registry with these members and a section, bare and wrapped.
#[track_caller]
fn agree(members: Value, accepted: bool) {
    let mut members = members;
    members["section"] = json!({"items": []});
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

/// The reader takes a registry with these members, lint reports a key of it, and the schema refuses it.
#[track_caller]
fn has_unknown_key(members: Value) {
    for file in [members.clone(), json!({"registry": members})] {
        let read = registry::parse(file.to_string().as_bytes()).expect("a registry");
        let reported = unknown_keys(&read.document);
        assert_eq!(reported.len(), 1, "{file}: {reported:?}");
        assert!(!validator(&json_schema()).is_valid(&file), "{file}");
    }
}

#[test]
fn keys_that_nothing_reads_are_refused() {
    has_unknown_key(json!({"assembly_ordr": [], "a": {"items": []}}));
    has_unknown_key(json!({"assembly_order": [], "a": {"itms": []}}));
    has_unknown_key(json!({"assembly_order": [], "personas": {"required": true}}));
    has_unknown_key(json!({"a": {"items": [], "requird": true}}));
    has_unknown_key(json!({"a": {"items": [], "mine": {}}}));
    has_unknown_key(json!({"a": {"items": [{"fragments": [{"txt": "t"}]}]}}));
    has_unknown_key(json!({"a": {"items": []}, "routes": {"r": {"order": []}}}));
}

#[test]
fn a_file_without_a_section_and_an_order_is_no_registry() {
    let schema = validator(&json_schema());
    for file in [json!({}), json!({"registry": {}}), json!({"title": "x"})] {
        assert!(!schema.is_valid(&file), "{file}");
    }
    for file in [
        json!({"assembly_order": []}),
        json!({"registry": {"a": {"items": []}}}),
        json!({"$schema": "registry.schema.json", "a": {"items": []}}),
    ] {
        assert!(schema.is_valid(&file), "{file}");
        let read = registry::parse(file.to_string().as_bytes()).expect("a registry");
        assert_eq!(unknown_keys(&read.document), [], "{file}");
    }
}

#[test]
fn reader_and_schema_agree() {
    agree(json!({}), true);
    agree(
        json!({"version": 22, "title": null, "description": "d"}),
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
    section(json!({"items": [], "selected": ["a"], "slider": 2.5}), true);
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
