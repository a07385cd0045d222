//! The JSON Schemas of files: the committed ones equal the generated ones, the samples are valid, and
//! reader and schema agree.

mod checks;
mod embedded;
mod registry;

use std::fs;
use std::path::{Path, PathBuf};

use promptdeck_checks::{ChecksDocument, is_checks_name};
use serde_json::Value;

/// If set, the test rewrites the committed files.
const UPDATE: &str = "PROMPTDECK_UPDATE_SCHEMA";

fn registries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../registries")
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::new(schema).expect("a schema")
}

/// The committed schemas: name of the file, and the schema that the code gives.
fn schemas() -> [(&'static str, Value); 2] {
    [
        (
            "registry.schema.json",
            promptdeck_core::registry::schema::json_schema(),
        ),
        (
            "checks.schema.json",
            promptdeck_checks::schema::json_schema(),
        ),
    ]
}

#[test]
fn the_committed_schemas_are_the_generated_ones() {
    for (name, schema) in schemas() {
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        let file = registries().join(name);
        let generated = format!("{schema:#}\n");
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&file, &generated).expect("the file can be written");
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == generated,
            "registries/{name} is stale; run this test with {UPDATE}=1"
        );
    }
}

#[test]
fn the_samples_are_valid() {
    let [registry, checks] = schemas().map(|(_, schema)| validator(&schema));
    let mut names = Vec::new();
    for entry in fs::read_dir(registries()).expect("the samples") {
        let path = entry.expect("a file").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".json") || name.ends_with(".schema.json") {
            continue;
        }
        let bytes = fs::read(&path).expect("a sample");
        let sample: Value = serde_json::from_slice(&bytes).expect("JSON");
        let is_checks = is_checks_name(&name);
        let validator = if is_checks { &checks } else { &registry };
        let faults: Vec<String> = validator
            .iter_errors(&sample)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
        if is_checks {
            let document = ChecksDocument::parse(&bytes).expect("a file of checks");
            assert!(document.warnings().is_empty(), "{name}");
            let count = document.entries().len();
            assert!((3..=6).contains(&count), "{name}: {count} checks");
        }
        names.push((is_checks, name.into_owned()));
    }
    let checked = names.iter().filter(|(is_checks, _)| *is_checks).count();
    assert_eq!((names.len(), checked), (10, 5), "{names:?}");
}
