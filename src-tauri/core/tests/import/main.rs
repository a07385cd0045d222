//! Imports, rule by rule: the original, the result and the report.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

mod conservation;
mod formats;
mod printed;
mod settings;

use promptdeck_core::import::{Dialect, Report, import};
use serde_json::{Value, json};

/// The converted registry and the report.
#[track_caller]
fn imported(registry: &Value) -> (Value, Report) {
    let imported =
        import(registry.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let made: Value = serde_json::from_str(&imported.text).expect("JSON");
    (made["registry"].clone(), imported.report)
}

/// Checks the converted value at a pointer (null if absent) and the report's entries, each with
/// status and pointer.
#[track_caller]
fn check(registry: Value, pointer: &str, expected: Value, lines: &[&str]) {
    let (made, report) = imported(&registry);
    let found = made.pointer(pointer).unwrap_or(&Value::Null);
    assert_eq!(*found, expected, "{made:#}");
    let reported: Vec<String> = report
        .entries
        .iter()
        .map(|entry| format!("{:?} {}", entry.status, entry.pointer))
        .collect();
    assert_eq!(reported, lines, "{:#?}", report.entries);
}

/// A registry of version 2 with these tokens and one required section `a` with these items.
fn two(order: &[&str], items: Value) -> Value {
    json!({"version": 2, "assembly_order": order, "a": {"items": items}})
}

fn with(mut registry: Value, key: &str, value: Value) -> Value {
    registry[key] = value;
    registry
}

#[test]
fn dialects_are_told_apart() {
    let dialect = |registry: Value, expected: Dialect| {
        let registry = with(registry, "empty", json!({"items": []}));
        assert_eq!(
            imported(&registry).1.dialect(),
            Some(expected),
            "{registry}"
        );
    };
    dialect(json!({}), Dialect::V0_6);
    dialect(json!({"version": 22, "default_state": {}}), Dialect::V0_6);
    dialect(json!({"version": 2}), Dialect::V0_8);
    dialect(json!({"default_state": {}}), Dialect::V0_8);
    dialect(json!({"a": {"items": [{"groups": ["g"]}]}}), Dialect::V0_8);
    dialect(
        json!({"a": {"items": [{"fragments": [{"condition": "v", "text": "t"}]}]}}),
        Dialect::V0_8,
    );
    dialect(
        json!({"version": 2, "a": {"items": [{"context": "c"}]}}),
        Dialect::V0_7,
    );
    dialect(
        json!({"version": 2, "style_blend": {}, "a": {"items": [{"context": "c"}]}}),
        Dialect::V0_8,
    );
}

#[test]
fn the_classic_dialect_is_the_canonical_model() {
    let one = |item: Value| json!({"assembly_order": ["a"], "a": {"items": [item]}});
    check(one(json!({"text": "T"})), "/version", json!(22), &[]);
    check(
        one(json!({"text": 5})),
        "/a/items/0/text",
        json!("5"),
        &["Converted /a/items/0/text"],
    );
    check(
        one(json!({"pre_context:": "H"})),
        "/a/items/0/pre_context",
        json!("H"),
        &["Converted /a/items/0/pre_context:"],
    );
    check(
        one(json!({"fragments": [{"var": "v", "text": "t"}]})),
        "/a/items/0/fragments/0/if_var",
        json!("v"),
        &["Converted /a/items/0/fragments"],
    );
    check(
        one(json!({"items": [true]})),
        "/a/items/0/items",
        json!([true]),
        &["NotSupported /a/items/0/items"],
    );
    let section =
        |key: &str, value: Value| json!({"assembly_order": ["a"], "a": {"items": [], key: value}});
    check(
        section("selected", json!("x")),
        "/a/selected",
        json!("x"),
        &["Ambiguous /a/selected"],
    );
    check(
        section("slider", json!(3)),
        "/a/slider",
        json!(3),
        &["Ambiguous /a/slider"],
    );
    check(
        section("template_vars", json!(["{v}"])),
        "/a/template_vars",
        json!(["v"]),
        &["NotSupported /a/template_vars"],
    );
    check(
        section("template_var_defaults", json!({"v": 3})),
        "/a/template_var_defaults/v",
        json!("3"),
        &["Converted /a/template_var_defaults/v"],
    );
    let token = |token: &str, sections: Value| with(sections, "assembly_order", json!([token]));
    check(
        token("sentiment.scale", json!({"sentiment": {"items": []}})),
        "/title",
        json!(null),
        &["Ambiguous /assembly_order/0"],
    );
    check(
        token(
            "a.scale",
            json!({"a": {"items": [], "scale_template": "{value}"}}),
        ),
        "/title",
        json!(null),
        &["NotSupported /assembly_order/0"],
    );
    check(
        token("a[a[a]]", json!({"a": {"items": []}})),
        "/title",
        json!(null),
        &["NotSupported /assembly_order/0"],
    );
    check(
        token(
            "runtime_injections",
            json!({"runtime_injections": {"required": false, "items": []}}),
        ),
        "/title",
        json!(null),
        &["NotSupported /assembly_order/0"],
    );
    check(
        token(
            "a.text",
            json!({"a": {"items": [{"fragments": [{"text": "F"}]}]}}),
        ),
        "/title",
        json!(null),
        &["NotSupported /assembly_order/0"],
    );
}

#[test]
fn hostile_input_is_refused_with_the_place() {
    for (text, code, pointer) in [
        ("", "syntax", ""),
        ("[]", "wrong_type", ""),
        (r#"{"registry": 1}"#, "wrong_type", "/registry"),
        (r#"{"a": 1, "a": 2}"#, "duplicate_key", "/a"),
        (r#"{"version": 3}"#, "unsupported_version", "/version"),
        ("{}", "not_a_registry", ""),
        (r#"{"mesages": []}"#, "not_a_registry", "/mesages"),
        (
            r#"{"registry": {"assembly_ordr": []}}"#,
            "not_a_registry",
            "/registry/assembly_ordr",
        ),
        (
            r#"{"registry": {"version": "2"}}"#,
            "wrong_type",
            "/registry/version",
        ),
        (
            r#"{"version": 2, "assembly_order": [1]}"#,
            "wrong_type",
            "/assembly_order/0",
        ),
        (
            r#"{"version": 2, "routes": {"r": 1}}"#,
            "wrong_type",
            "/routes/r",
        ),
        (
            r#"{"version": 2, "default_state": []}"#,
            "wrong_type",
            "/default_state",
        ),
        (
            r#"{"version": 2, "default_state": {"a": {"slider": "x"}}}"#,
            "wrong_type",
            "/default_state/a/slider",
        ),
        (
            r#"{"version": 2, "a": {"items": ["x"]}}"#,
            "wrong_type",
            "/a/items/0",
        ),
        (
            r#"{"version": 2, "a": {"items": [{"text": []}]}}"#,
            "wrong_type",
            "/a/items/0/text",
        ),
        (
            r#"{"version": 2, "a": {"items": [{"groups": [1]}]}}"#,
            "wrong_type",
            "/a/items/0/groups/0",
        ),
        (
            r#"{"version": 2, "a": {"items": [{"scale": 1}]}}"#,
            "wrong_type",
            "/a/items/0/scale",
        ),
        (
            r#"{"version": 2, "a": {"items": [{"items": "x"}]}}"#,
            "wrong_type",
            "/a/items/0/items",
        ),
        (
            r#"{"version": 22, "a": {"items": [{"text": []}]}}"#,
            "wrong_type",
            "/a/items/0/text",
        ),
    ] {
        let error = import(text.as_bytes()).expect_err(text);
        assert_eq!(
            (error.code(), error.pointer.as_str()),
            (code, pointer),
            "{text}: {error}"
        );
        assert!(error.place.is_some(), "{text}");
    }
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    assert_eq!(
        import(deep.as_bytes()).expect_err("too deep").code(),
        "too_deep"
    );
    assert_eq!(
        import(b"{\"a\": \"\xff\"}").expect_err("no text").code(),
        "encoding"
    );
}

#[test]
fn the_canonical_form_is_unchanged() {
    let registry =
        json!({"assembly_order": ["a"], "a": {"items": [{"text": "T"}], "selected": "x"}});
    let made = import(registry.to_string().as_bytes()).expect("imported");
    assert_eq!(made.report.dialect(), Some(Dialect::V0_6));
    assert_eq!(
        made.report.entries.len(),
        1,
        "a baked selection is disputed"
    );
    let again = import(made.text.as_bytes()).expect("imported");
    assert_eq!(again.report.dialect(), Some(Dialect::Canonical));
    assert_eq!(again.report.entries, []);
    assert_eq!(again.text, made.text);
}

#[test]
fn a_canonical_form_that_was_edited_by_hand_is_taken_as_it_is() {
    let registry = json!({"assembly_order": ["a"], "a": {
        "items": [{"id": "x", "text": "T"}], "selected": "x", "slider": 2, "scale_template": "{value}",
    }});
    let made = import(registry.to_string().as_bytes())
        .expect("imported")
        .text;
    let canonical: Value = serde_json::from_str(&made).expect("JSON");
    let dialect = |document: &Value| {
        let made = import(document.to_string().as_bytes()).expect("imported");
        assert_eq!(
            made.report.entries.is_empty(),
            made.report.dialect() == Some(Dialect::Canonical)
        );
        made.report.dialect().expect("a registry")
    };
    let edited = |edit: &dyn Fn(&mut Value)| {
        let mut document = canonical.clone();
        edit(&mut document["registry"]);
        dialect(&document)
    };
    assert_eq!(dialect(&canonical), Dialect::Canonical, "laid out anew");
    let text = edited(&|registry| registry["a"]["items"][0]["text"] = json!("Edited."));
    assert_eq!(text, Dialect::Canonical);
    let items = edited(&|registry| {
        let items = registry["a"]["items"].as_array_mut().expect("items");
        items.push(json!({"note": 1, "text": "Added.", "id": "y"}));
    });
    assert_eq!(items, Dialect::Canonical);
    let shorter = edited(&|registry| {
        registry["a"]
            .as_object_mut()
            .expect("a section")
            .shift_remove("template_vars");
    });
    assert_eq!(
        shorter,
        Dialect::Canonical,
        "what is left out is the default"
    );
    // The shape of another program, or its spelling.
    assert_eq!(dialect(&canonical["registry"]), Dialect::V0_6);
    let number = edited(&|registry| registry["a"]["items"][0]["id"] = json!(7));
    assert_eq!(number, Dialect::V0_6);
    let spelling = edited(&|registry| registry["a"]["items"][0]["pre_context:"] = json!("Head"));
    assert_eq!(spelling, Dialect::V0_6);
    let order = edited(&|registry| {
        let section = registry["a"].as_object_mut().expect("a section");
        let items = section.shift_remove("items").expect("items");
        section.insert("items".to_owned(), items);
    });
    assert_eq!(order, Dialect::V0_6);
}
