//! Parsing registry files: accepted input, rejected input, and the position of the error.

use promptdeck_core::registry::{ParseError, parse};
use proptest::prelude::*;
use serde_json::Value;

fn refuse(text: &str) -> ParseError {
    match parse(text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error,
    }
}

/// Checks code, pointer and position of an error.
fn check(text: &str, code: &str, pointer: &str, line: u32, column: u32) {
    let error = refuse(text);
    assert_eq!(error.code(), code, "{error} in {text}");
    assert_eq!(error.pointer, pointer, "{error} in {text}");
    assert_eq!(
        (error.line(), error.column()),
        (Some(line), Some(column)),
        "{error} in {text}"
    );
}

#[test]
fn a_number_that_no_double_holds_is_named() {
    let error = refuse(r#"{"a": {"items": [], "slider": 1e400}}"#);
    let expected = "must be a number that a double can hold, not 1e400";
    assert!(error.message.ends_with(expected), "{error}");
}

#[test]
fn syntax_errors_have_places() {
    check("", "syntax", "", 1, 1);
    check("{", "syntax", "", 1, 2);
    check("{\n  \"a\": }", "syntax", "/a", 2, 8);
    check("{\"a\": [1,]}", "syntax", "/a/1", 1, 10);
    check("{\"a\": 1,}", "syntax", "", 1, 9);
    check("{\"a\": 01}", "syntax", "", 1, 8);
    check("{\"a\": +1}", "syntax", "/a", 1, 7);
    check("{\"a\": 1.}", "syntax", "/a", 1, 9);
    check("{\"a\": 1e}", "syntax", "/a", 1, 9);
    check("{\"a\": NaN}", "syntax", "/a", 1, 7);
    check("{\"a\": 'x'}", "syntax", "/a", 1, 7);
    check("{\"a\": \"x", "syntax", "/a", 1, 7);
    check("{\"a\": \"\\x\"}", "syntax", "/a", 1, 9);
    check("{\"a\": \"\\u12g4\"}", "syntax", "/a", 1, 12);
    check("{\"é\": \"\t\"}", "syntax", "/é", 1, 8);
    check("{} {}", "syntax", "", 1, 4);
    check("\u{feff}{}", "syntax", "", 1, 1);
    check(
        "{\"a/b\": {\"c~d\": [tru]}}",
        "syntax",
        "/a~1b/c~0d/0",
        1,
        18,
    );
}

#[test]
fn duplicate_keys_are_refused_at_the_second() {
    check("{\"a\": 1, \"a\": 2}", "duplicate_key", "/a", 1, 10);
    check(
        "{\"a\": {\n\"b\": 1, \"\\u0062\": 2}}",
        "duplicate_key",
        "/a/b",
        2,
        9,
    );
}

#[test]
fn lone_surrogates_are_refused() {
    check(r#"{"a": "\ud800"}"#, "lone_surrogate", "/a", 1, 8);
    check(r#"{"a": "\ud800x"}"#, "lone_surrogate", "/a", 1, 8);
    check(r#"{"a": "\udc00"}"#, "lone_surrogate", "/a", 1, 8);
    check(r#"{"a": "\ud800A"}"#, "lone_surrogate", "/a", 1, 8);
    let parsed = parse(br#"{"a": "\ud83d\ude00"}"#).expect("a pair is one character");
    assert_eq!(parsed.document.registry["a"], "\u{1f600}");
}

#[test]
fn other_encodings_are_refused_where_they_start() {
    let error = parse(b"{\"a\":\n \"\xff\"}").expect_err("not UTF-8");
    assert_eq!(
        (error.code(), error.line(), error.column()),
        ("encoding", Some(2), Some(3))
    );
    // A surrogate encoded in UTF-8 is invalid UTF-8.
    assert_eq!(
        parse(b"{\"a\":\"\xed\xa0\x80\"}")
            .expect_err("not UTF-8")
            .code(),
        "encoding"
    );
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(127).as_bytes()).is_ok());
    assert_eq!(refuse(&nested(128)).code(), "too_deep");
    assert_eq!(refuse(&"{\"a\":".repeat(1_000_000)).code(), "too_deep");
}

#[test]
fn known_fields_must_have_their_types() {
    let wrong = |text: &str, pointer: &str| {
        let error = refuse(text);
        assert_eq!(
            (error.code(), error.pointer.as_str()),
            ("wrong_type", pointer),
            "{error}"
        );
        assert!(error.place.is_some());
    };
    wrong("[]", "");
    wrong(r#"{"registry": 1}"#, "/registry");
    wrong(r#"{"version": "22"}"#, "/version");
    wrong(r#"{"title": 1}"#, "/title");
    wrong(r#"{"assembly_order": "a"}"#, "/assembly_order");
    wrong(r#"{"assembly_order": ["a", 1]}"#, "/assembly_order/1");
    wrong(r#"{"routes": []}"#, "/routes");
    wrong(r#"{"routes": {"r": 1}}"#, "/routes/r");
    wrong(
        r#"{"routes": {"r": {"assembly_order": [1]}}}"#,
        "/routes/r/assembly_order/0",
    );
    wrong(r#"{"generation": 1}"#, "/generation");
    wrong(r#"{"output_policy": []}"#, "/output_policy");
    wrong(r#"{"template_engine": {}}"#, "/template_engine");
    wrong(r#"{"a": {"items": {}}}"#, "/a/items");
    wrong(
        r#"{"registry": {"a": {"items": ["x"]}}}"#,
        "/registry/a/items/0",
    );
    wrong(r#"{"a": {"items": [], "required": 1}}"#, "/a/required");
    wrong(
        r#"{"a": {"items": [], "template_vars": ["x", 2]}}"#,
        "/a/template_vars/1",
    );
    wrong(r#"{"a": {"items": [], "selected": 3}}"#, "/a/selected");
    wrong(r#"{"a": {"items": [], "selected": [3]}}"#, "/a/selected/0");
    wrong(
        r#"{"a": {"items": [], "array_modes": {"f": 1}}}"#,
        "/a/array_modes/f",
    );
    wrong(r#"{"a": {"items": [], "slider": "5"}}"#, "/a/slider");
    wrong(r#"{"a": {"items": [], "slider": 1e999}}"#, "/a/slider");
    wrong(
        r#"{"a": {"items": [], "slider_random": "yes"}}"#,
        "/a/slider_random",
    );
    wrong(
        r#"{"a": {"items": [], "section_random": 0}}"#,
        "/a/section_random",
    );
    wrong(
        r#"{"a": {"items": [], "scale_template": 5}}"#,
        "/a/scale_template",
    );
    wrong(
        r#"{"a": {"items": [], "template_var_defaults": {"v": 1}}}"#,
        "/a/template_var_defaults/v",
    );
    for field in [
        "id",
        "name",
        "text",
        "context",
        "pre_context",
        "pre_context:",
        "scale_emotion",
    ] {
        wrong(
            &format!(r#"{{"a": {{"items": [{{"{field}": 1}}]}}}}"#),
            &format!("/a/items/0/{field}"),
        );
    }
    for field in [
        "include_sections",
        "runtime_variables",
        "requires",
        "excludes",
    ] {
        wrong(
            &format!(r#"{{"a": {{"items": [{{"{field}": [1]}}]}}}}"#),
            &format!("/a/items/0/{field}/0"),
        );
    }
    wrong(r#"{"a": {"items": [{"items": "x"}]}}"#, "/a/items/0/items");
    wrong(
        r#"{"a": {"items": [{"fragments": {}}]}}"#,
        "/a/items/0/fragments",
    );
    wrong(
        r#"{"a": {"items": [{"fragments": ["x"]}]}}"#,
        "/a/items/0/fragments/0",
    );
    wrong(
        r#"{"a": {"items": [{"fragments": [{"text": 1}]}]}}"#,
        "/a/items/0/fragments/0/text",
    );
}

#[test]
fn versions_are_refused_by_name() {
    for accepted in ["{}", r#"{"version": null}"#, r#"{"version": 22}"#] {
        assert!(parse(accepted.as_bytes()).is_ok(), "{accepted}");
    }
    check(
        r#"{"version": 2}"#,
        "unsupported_version",
        "/version",
        1,
        13,
    );
    assert!(refuse(r#"{"version": 2}"#).message.contains("0.7"));
    check(
        r#"{"registry": {"version": 23}}"#,
        "unsupported_version",
        "/registry/version",
        1,
        26,
    );
}

#[test]
fn null_is_absence() {
    let text = r#"{"assembly_order": null, "routes": null, "generation": null, "a": {"required": null,
        "template_vars": null, "items": [{"id": null, "fragments": null, "items": null}], "slider": null}}"#;
    let parsed = parse(text.as_bytes()).expect("nulls are absent fields");
    let section = parsed.registry.section("a").expect("a section");
    assert!(section.required());
    assert_eq!(section.items()[0].identity(), None);
}

#[test]
fn sections_are_objects_with_items() {
    let text =
        r#"{"a": {"items": []}, "b": {"item": []}, "c": [], "title": "t", "d e": {"items": null}}"#;
    let parsed = parse(text.as_bytes()).expect("readable");
    let names: Vec<_> = parsed.registry.sections().keys().collect();
    assert_eq!(names, ["a", "d e"]);
}

#[test]
fn numbers_stay_as_written() {
    let text = r#"{"x":[1E5,1e5,1e+05,-0,0.10,12345678901234567890123,1e400]}"#;
    let parsed = parse(text.as_bytes()).expect("readable");
    assert_eq!(Value::Object(parsed.document.registry).to_string(), text);
}

#[test]
fn the_private_number_key_of_serde_is_only_a_key() {
    let text = r#"{"x":{"$serde_json::private::Number":"1"}}"#;
    let parsed = parse(text.as_bytes()).expect("readable");
    assert_eq!(Value::Object(parsed.document.registry).to_string(), text);
}

#[test]
fn positions_are_found_by_pointer() {
    let text = "{\"registry\": {\n  \"a/b\": {\"items\": [\n    {\"id\": \"é\", \"text\": \"t\"}]}}, \"x\": 1}";
    let source_map = parse(text.as_bytes()).expect("readable").source_map;
    let at = |pointer: &str| {
        source_map
            .find(pointer)
            .map(|found| (found.line, found.column))
    };
    assert_eq!(source_map.root(), "/registry");
    assert_eq!(at(""), Some((1, 1)));
    assert_eq!(at("/registry/a~1b"), Some((2, 10)));
    assert_eq!(at("/registry/a~1b/items/0/text"), Some((3, 25)));
    assert_eq!(at("/x"), Some((3, 39)));
    assert_eq!(at("/registry/a~1b/items/1"), None);
    assert_eq!(at("registry"), None);
    let key = source_map
        .find_key("/registry/a~1b/items/0/text")
        .expect("a key");
    assert_eq!((key.line, key.column), (3, 17));
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no such number", |x| x.is_finite())
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_serde_writes_is_read_alike(value in json(), pretty: bool) {
        let value = serde_json::json!({ "unknown": value });
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let parsed = parse(text.as_bytes());
        prop_assert_eq!(Value::Object(parsed.unwrap().document.registry), value);
    }

    #[test]
    fn garbage_never_panics(bytes: Vec<u8>) {
        let _ = parse(&bytes);
    }

    #[test]
    fn damaged_json_is_judged_as_serde_judges_it(value in json(), at: prop::sample::Index, byte: u8) {
        let mut bytes = serde_json::json!({ "unknown": value }).to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let ours = parse(&bytes);
        match serde_json::from_slice::<Value>(&bytes) {
            // serde keeps the last of two equal keys; our other errors are about registries.
            Ok(_) => prop_assert!(
                ours.as_ref().is_ok()
                    || matches!(ours.as_ref().unwrap_err().code(), "duplicate_key" | "wrong_type"),
                "{:?}", ours.unwrap_err(),
            ),
            Err(_) => prop_assert!(ours.is_err()),
        }
    }
}
