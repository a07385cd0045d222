//! The namespaces, key by key, and which of two equal names wins.

use promptdeck_chat::timestamp::Moment;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{ArgumentError, Arguments, NAMESPACES, Sources, build};
use crate::template;

const NOW: &str = "2026-03-04T05:06:07Z";

fn built(document: &Value) -> Result<Arguments, ArgumentError> {
    let part = |name: &str| document.get(name).and_then(Value::as_object);
    build(&Sources {
        now: Moment::parse(NOW).expect("a moment"),
        assistant: part("assistant"),
        conversation: part("conversation"),
        session: part("session"),
        message: part("message"),
        args: part("args"),
        defaults: part("defaults"),
    })
}

/// What the context holds at a pointer.
fn check(document: &Value, pointer: &str, expected: &Value) {
    let context = Value::Object(built(document).expect("good arguments").context);
    assert_eq!(
        context.pointer(pointer).unwrap_or(&json!("nothing")),
        expected,
        "{pointer} of {document}"
    );
}

fn nothing() -> Value {
    json!("nothing")
}

#[test]
fn system_holds_the_moment_in_utc() {
    check(&json!({}), "/system/current_date", &json!("2026-03-04"));
    check(&json!({}), "/system/current_time", &json!("05:06:07"));
    check(&json!({}), "/system/current_datetime", &json!(NOW));
    check(&json!({}), "/system/day_of_week", &json!("Wednesday"));
    check(
        &json!({}),
        "/system/date_rfc1123",
        &json!("Wed, 04 Mar 2026 05:06:07 UTC"),
    );
    check(&json!({}), "/system/date_unix", &json!(1_772_600_767));
    check(
        &json!({}),
        "/system/date_unix_ms",
        &json!(1_772_600_767_000_i64),
    );
}

#[test]
fn assistant_fields_and_an_id_that_is_text() {
    let document = json!({"assistant": {"name": "Ada", "id": 42, "language": "en", "description": "d", "secret": "s"}});
    check(
        &document,
        "/assistant",
        &json!({"name": "Ada", "id": "42", "language": "en", "description": "d"}),
    );
    check(
        &json!({"assistant": {"id": "042"}}),
        "/assistant/id",
        &json!("042"),
    );
    check(
        &json!({"assistant": {"id": 12_345_678_901_234_567_u64}}),
        "/assistant/id",
        &json!("12345678901234567"),
    );
    check(&json!({}), "/assistant", &json!({}));
}

#[test]
fn conversation_dates_when_known_and_duration_at_best() {
    let known = json!({"conversation": {"id": "c1", "identifier": "i", "source": "web", "direction": "inbound",
        "created_date": "2026-03-04T05:05:05.5Z", "updated_date": "2026-03-04T05:06:00Z"}});
    check(
        &known,
        "/conversation",
        &json!({"id": "c1", "identifier": "i", "source": "web", "direction": "inbound",
        "created_date": "2026-03-04T05:05:05.5Z", "updated_date": "2026-03-04T05:06:00Z", "duration": 61}),
    );
    check(
        &json!({"conversation": {"id": "c1", "created_date": null}}),
        "/conversation",
        &json!({"id": "c1"}),
    );
    for unknown in ["soon", "2027-01-01T00:00:00Z"] {
        check(
            &json!({"conversation": {"created_date": unknown}}),
            "/conversation/duration",
            &nothing(),
        );
    }
}

#[test]
fn session_exists_only_with_a_mode() {
    check(
        &json!({"session": {"mode": "text"}}),
        "/session",
        &json!({"mode": "text"}),
    );
    for without in [
        json!({}),
        json!({"session": {}}),
        json!({"session": {"mode": null}}),
        json!({"session": {"mode": ""}}),
    ] {
        check(&without, "/session", &nothing());
    }
}

#[test]
fn message_text_and_language() {
    check(
        &json!({"message": {"text": "hi", "language": "fr", "id": 1}}),
        "/message",
        &json!({"text": "hi", "language": "fr"}),
    );
    check(
        &json!({"message": {"text": "hi", "language": null}}),
        "/message",
        &json!({"text": "hi"}),
    );
}

#[test]
fn build_prompt_context_arguments_remain_root_level() {
    let document = json!({"args": {"name": "Bob", "address": {"city": "Graz"}}});
    check(&document, "/args/name", &json!("Bob"));
    check(&document, "/name", &json!("Bob"));
    check(&document, "/address/city", &json!("Graz"));
    check(&document, "/args/address/city", &json!("Graz"));
}

#[test]
fn a_namespace_wins_over_an_argument_of_its_name() {
    for name in NAMESPACES {
        let document =
            json!({"args": {name: {"name": "Mallory"}, "other": 1}, "assistant": {"name": "Ada"}});
        let arguments = built(&document).expect("good arguments");
        let context = Value::Object(arguments.context);
        assert_eq!(
            context.pointer(&format!("/args/{name}/name")),
            Some(&json!("Mallory"))
        );
        assert_eq!(context.pointer("/assistant/name"), Some(&json!("Ada")));
        assert_eq!(context.pointer("/other"), Some(&json!(1)));
        assert_ne!(
            context.get(name),
            Some(&json!({"name": "Mallory"})),
            "{name}"
        );
        let diagnostic = &arguments.diagnostics[..];
        assert_eq!(diagnostic.len(), 1, "{name}");
        assert_eq!(diagnostic[0].code, "argument_hidden");
        assert_eq!(diagnostic[0].pointer, format!("/args/{name}"));
    }
}

#[test]
fn defaults_lie_below_arguments_and_maps_merge() {
    let document = json!({
        "defaults": {"name": "friend", "tone": "warm", "style": {"long": true, "emoji": false}, "list": [1, 2], "assistant": {"name": "nobody", "mood": "calm"}},
        "args": {"name": "Bob", "style": {"emoji": true}, "list": [3]},
        "assistant": {"name": "Ada"},
    });
    check(&document, "/name", &json!("Bob"));
    check(&document, "/tone", &json!("warm"));
    check(&document, "/style", &json!({"long": true, "emoji": true}));
    check(&document, "/list", &json!([3]));
    check(
        &document,
        "/assistant",
        &json!({"name": "Ada", "mood": "calm"}),
    );
    check(&document, "/args/tone", &nothing());
}

#[test]
fn a_field_of_the_wrong_type_is_named() {
    let error = built(&json!({"assistant": {"name": ["Ada"]}})).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "/assistant/name: expected text or a number, found a list"
    );
    assert_eq!(error.code(), "wrong_type");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("{{ system.current_date }}")),
        Just(json!("{% for x in range(99999999) %}")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,6}", inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn any_map() -> impl Strategy<Value = Map<String, Value>> {
    let name = prop_oneof![
        "[a-z]{1,8}",
        prop::sample::select(&NAMESPACES[..]).prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    prop::collection::vec((name, any_json()), 0..6).prop_map(|pairs| pairs.into_iter().collect())
}

proptest! {
    /// Whatever is passed: no namespace is forged, nothing passed is parsed, the source is intact.
    #[test]
    fn arguments_from_outside_stay_data(args in any_map(), defaults in any_map()) {
        let assistant = json!({"name": "Ada"});
        let before = args.clone();
        let arguments = build(&Sources {
            assistant: assistant.as_object(),
            args: Some(&args),
            defaults: Some(&defaults),
            ..Sources::at(Moment::parse(NOW).expect("a moment"))
        }).expect("nothing here can be refused");
        prop_assert_eq!(&arguments.context["assistant"]["name"], &json!("Ada"));
        prop_assert_eq!(&arguments.context["system"]["current_date"], &json!("2026-03-04"));
        prop_assert_eq!(&args, &before);
        for (name, value) in &args {
            prop_assert_eq!(&arguments.context["args"][name.as_str()], value);
        }
        let rendering = template::render("{{ assistant.name }}{{ args }}", &arguments.context);
        prop_assert!(rendering.error.is_none());
        let printed = rendering.output.starts_with("Ada{");
        prop_assert!(printed);
    }
}
