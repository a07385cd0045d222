//! The call documents in `registries/calls` and their schema: each can be read and built for every
//! target, and the committed schema equals the generated one.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::{
    hydrate::{Engine, Seed},
    registry::{self, Registry, Severity},
};
use promptdeck_request::{
    build::{BuildContext, Target, build},
    call::{self, RegistryReference},
    pipeline::StageClock,
};
use serde_json::Value;

struct Still;

impl StageClock for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries/calls")
}

fn samples() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder of samples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !path.ends_with("call.schema.json"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_sample_makes_a_request_for_every_receiver() {
    let context = BuildContext {
        turn: &[],
        now: Moment::parse("2026-01-15T10:30:00Z").expect("a moment"),
        seed: Seed::default(),
        clock: &Still,
        counter: &|text: &str| text.len() / 4,
    };
    let files = samples();
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        let bytes = fs::read(&file).expect("a sample");
        let document =
            call::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let registry = match &document.call.registry {
            Some(RegistryReference::File(name)) => {
                let bytes = fs::read(folder().join(name)).expect("the sample's registry");
                registry::parse(&bytes).expect("a registry").registry
            }
            Some(RegistryReference::Inline(map)) => Registry::from_map(map).expect("a registry"),
            None => panic!("{}: a sample names its registry", file.display()),
        };
        let engine = Engine::new(registry);
        for target in [Target::OpenAi, Target::Gemini] {
            let made = build(&document.call, &engine, target, &context)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert_eq!(made.trace.len(), 4);
            assert!(made.request.spans.len() > 2);
            let odd: Vec<_> = made
                .request
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity != Severity::Note)
                .collect();
            assert!(odd.is_empty(), "{}: {odd:?}", file.display());
        }
    }
}

#[test]
fn the_schema_beside_the_samples_is_the_programs() {
    let path = folder().join("call.schema.json");
    let expected = format!(
        "{}\n",
        serde_json::to_string_pretty(&call::json_schema()).expect("JSON")
    );
    if std::env::var_os("PROMPTDECK_BLESS").is_some() {
        fs::write(&path, &expected).expect("the schema can be written");
    }
    let written = fs::read_to_string(&path).expect("the schema; write it with PROMPTDECK_BLESS=1");
    assert_eq!(written, expected, "write it anew with PROMPTDECK_BLESS=1");
}

/// Schema and reader agree on the type of every part.
#[test]
fn the_schema_and_the_reader_know_the_same_parts() {
    let schema = call::json_schema();
    let parts = schema["properties"].as_object().expect("properties");
    // Editors use `$schema`; the reader ignores it.
    for (name, part) in parts.iter().filter(|(name, _)| *name != "$schema") {
        let types: Vec<&str> = part["type"]
            .as_array()
            .expect("a list of types")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for (kind, value) in [
            ("null", Value::Null),
            ("boolean", Value::Bool(true)),
            ("array", Value::Array(Vec::new())),
            ("object", serde_json::json!({})),
        ] {
            let document = serde_json::json!({ name: value });
            let read = call::parse(document.to_string().as_bytes());
            assert_eq!(
                read.is_ok(),
                types.contains(&kind),
                "{name}: {kind}: {read:?}"
            );
        }
    }
}
