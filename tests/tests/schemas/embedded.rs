//! A registry inside a call document or a line of `hydrate --batch`: the schemas of both accept the
//! registries that their readers accept.

use std::fs;

use promptdeck_core::registry;
use promptdeck_request::{call, document::DocumentKind};
use serde_json::{Value, json};

use crate::{registries, validator};

/// Readers and schemas agree on a registry in both documents. A line has what a file contains: the
/// registry may be under a key again.
#[track_caller]
fn agree(registry: &Value, accepted: bool) {
    let is_read = |file: &Value| registry::parse(file.to_string().as_bytes()).is_ok();
    let wrapped = json!({"registry": registry});
    let call = json!({"registry": registry, "message": {"text": "Hi"}});
    assert!(call::parse(call.to_string().as_bytes()).is_ok());
    for (kind, document, registry) in [
        (DocumentKind::Call, &call, &call),
        (DocumentKind::Hydrate, &wrapped, registry),
        (
            DocumentKind::Hydrate,
            &json!({"registry": wrapped}),
            &wrapped,
        ),
    ] {
        assert_eq!(is_read(registry), accepted, "the reader on {document}");
        let is_valid = validator(&kind.schema()).is_valid(document);
        assert_eq!(is_valid, accepted, "the schema of {kind:?} on {document}");
    }
}

#[test]
fn readers_and_schemas_agree() {
    let of = |section: Value| json!({"assembly_order": ["a"], "a": section});
    let fragment = json!({"if_var": "x", "text": "t"});
    agree(
        &of(json!({"items": [{"id": "x", "fragments": [fragment], "mine": 1}]})),
        true,
    );
    agree(&of(json!({"items": null, "slider": 2.5})), true);
    agree(&of(json!({"items": ["x"]})), false);
    agree(&of(json!({"items": [{"id": 1}]})), false);
    agree(&of(json!({"items": [{"fragments": [{"text": 1}]}]})), false);
    agree(&json!({"version": 2, "a": {"items": []}}), false);
    let route = json!({"r": {"generation": {"temperature": 0.5}}});
    agree(&json!({"routes": route, "a": {"items": []}}), true);
    let route = json!({"r": {"assembly_order": [1]}});
    agree(&json!({"routes": route, "a": {"items": []}}), false);
}

#[test]
fn a_document_may_have_no_registry_and_a_call_names_it() {
    let [call, hydrate] =
        [DocumentKind::Call, DocumentKind::Hydrate].map(|kind| validator(&kind.schema()));
    for (registry, of_call, of_hydrate) in [
        (json!(null), true, true),
        (json!("deck.json"), true, false),
        (json!(1), false, false),
        (json!([]), false, false),
        (json!({"a": {"items": [], "requird": true}}), false, false),
    ] {
        let document = json!({"registry": registry});
        assert_eq!(call.is_valid(&document), of_call, "a call: {document}");
        assert_eq!(
            hydrate.is_valid(&document),
            of_hydrate,
            "a line: {document}"
        );
    }
    assert!(call.is_valid(&json!({})));
    assert!(hydrate.is_valid(&json!({})));
}

#[test]
fn the_samples_are_valid_in_both_documents() {
    let [call, hydrate] =
        [DocumentKind::Call, DocumentKind::Hydrate].map(|kind| validator(&kind.schema()));
    let mut count = 0;
    for folder in [registries(), registries().join("calls")] {
        for entry in fs::read_dir(folder).expect("the samples") {
            let path = entry.expect("a file").path();
            let name = path.display();
            let bytes = fs::read(&path).unwrap_or_default();
            let Ok(sample) = serde_json::from_slice::<Value>(&bytes) else {
                continue;
            };
            if path.to_string_lossy().ends_with(".schema.json") {
                continue;
            }
            if sample["registry"].is_object() {
                assert!(hydrate.is_valid(&json!({"registry": sample})), "{name}");
            }
            if !sample["registry"].is_null() {
                assert!(
                    call.is_valid(&json!({"registry": sample["registry"]})),
                    "{name}"
                );
                count += 1;
            }
            if path.to_string_lossy().contains("/calls/") {
                assert!(call.is_valid(&sample), "{name}");
            }
        }
    }
    assert_eq!(count, 7);
}
