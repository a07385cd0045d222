//! The registry's JSON Schema: the committed file equals the generated one, it accepts the samples
//! and everything the reader accepts, and it rejects what the reader rejects.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

use std::fs;
use std::path::{Path, PathBuf};

use promptdeck_core::output::{GenerationConfig, OutputPolicy};
use promptdeck_core::registry::{self, schema::json_schema};
use serde_json::{Value, json};

fn registries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries")
}

fn validator() -> jsonschema::Validator {
    jsonschema::draft202012::new(&json_schema()).expect("a schema")
}

/// If set, the test rewrites the committed file.
const UPDATE: &str = "PROMPTDECK_UPDATE_SCHEMA";

#[test]
fn the_committed_schema_is_the_generated_one() {
    let file = registries().join("registry.schema.json");
    let generated = format!("{:#}\n", json_schema());
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&file, &generated).expect("the file can be written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == generated,
        "registries/registry.schema.json is stale; run this test with {UPDATE}=1"
    );
}

#[test]
fn the_schema_is_a_schema() {
    assert!(jsonschema::meta::is_valid(&json_schema()));
}

#[test]
fn the_samples_are_valid() {
    let validator = validator();
    let mut samples = 0;
    for entry in fs::read_dir(registries()).expect("the samples") {
        let path = entry.expect("a file").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        let is_registry = !name.ends_with(".schema.json") && !name.ends_with(".checks.json");
        if !is_json || !is_registry {
            continue;
        }
        let bytes = fs::read(&path).expect("a sample");
        let sample: Value = serde_json::from_slice(&bytes).expect("JSON");
        let faults: Vec<String> = validator
            .iter_errors(&sample)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
        samples += 1;
    }
    assert!(samples >= 5, "{samples} samples");
}

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
            validator().is_valid(&file),
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
