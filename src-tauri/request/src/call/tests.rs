//! Call documents: what is read, what is refused and where, and that nothing an author wrote is lost.

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::hydrate::Seed;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{RegistryReference, parse};

#[test]
fn the_whole_document() {
    let document = json!({
        "registry": "trivia-host.json", "state": {"sliders": {"sentiment": 7}}, "route": null, "seed": 7, "now": "2026-01-15T10:30:00Z",
        "assistant": {"name": "Ada", "id": "42"}, "conversation": {"id": "c1"}, "session": {"mode": "text"},
        "metadata": {"client.language": "fr"}, "args": {"name": "Bob"}, "defaults": {"name": "friend"},
        "history": [{"role": "user", "content": "hi", "language": "fr"}, {"role": "assistant", "content": "", "tool_calls": []}],
        "message": {"text": "go", "language": "fr"}, "tools": [], "layers": {"roles": ["r"]},
        "mine": {"unknown": 1.50}
    });
    let parsed = parse(document.to_string().as_bytes()).expect("a call document");
    assert_eq!(Value::Object(parsed.document.clone()), document);
    let call = parsed.call;
    assert_eq!(
        call.registry,
        Some(RegistryReference::File("trivia-host.json".to_owned()))
    );
    assert_eq!(call.seed.map(Seed::get), Some(7));
    assert_eq!(
        call.now.map(Moment::rfc3339),
        Some("2026-01-15T10:30:00Z".to_owned())
    );
    assert_eq!(call.route, None);
    assert_eq!(call.history.len(), 2);
    assert_eq!(call.layers["roles"], json!(["r"]));
}

#[test]
fn every_part_may_be_missing_or_null() {
    let empty = parse(b"{}").expect("an empty call");
    let nulls = parse(br#"{"registry":null,"state":null,"route":null,"seed":null,"now":null,"assistant":null,"conversation":null,"session":null,"metadata":null,"args":null,"defaults":null,"history":null,"message":null,"tools":null,"thinking":null,"layers":null}"#).expect("nulls");
    assert_eq!(empty.call, nulls.call);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("[]", "line 1, column 1: a call document is a JSON object"),
        (
            "{\n \"args\": []}",
            "line 2, column 10: /args: `args` must be an object",
        ),
        (
            "{\"registry\": 1}",
            "line 1, column 14: /registry: `registry` must be a file name or a registry",
        ),
        (
            "{\"seed\": -1}",
            "line 1, column 10: /seed: a seed is an integer from 0 to 9007199254740991, not \"-1\"",
        ),
        (
            "{\"now\": \"soon\"}",
            "line 1, column 9: /now: \"soon\" is not a date and time; write it like 2026-01-15T10:30:00Z",
        ),
        (
            "{\"history\": [{\"role\": \"user\"}, {}]}",
            "line 1, column 32: /history/1: message 2: expected an object with a role",
        ),
        (
            "{\"route\": 1}",
            "line 1, column 11: /route: `route` must be the name of a route",
        ),
        (
            "{\"layers\": 1}",
            "line 1, column 12: /layers: `layers` must be an object",
        ),
        ("{\"a\":1,\n\"a\":2}", "line 2, column 1: /a: "),
        ("{", "line 1, column 2: "),
    ] {
        let error = parse(text.as_bytes()).expect_err("refused").to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn the_schema_names_every_part() {
    let schema = super::json_schema();
    for part in [
        "registry",
        "state",
        "route",
        "seed",
        "now",
        "assistant",
        "conversation",
        "session",
        "metadata",
        "args",
        "defaults",
        "history",
        "message",
        "tools",
        "layers",
    ] {
        assert!(
            schema["properties"][part]["description"].is_string(),
            "{part}"
        );
    }
}

fn any_field() -> impl Strategy<Value = (String, Value)> {
    let name = prop::sample::select(vec![
        "registry",
        "state",
        "route",
        "seed",
        "now",
        "assistant",
        "args",
        "history",
        "message",
        "tools",
        "layers",
        "x",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from)
    ];
    let value = leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(
                (
                    prop::sample::select(vec![
                        "role",
                        "content",
                        "tool_calls",
                        "id",
                        "selections",
                        "text",
                        "turns"
                    ]),
                    inner
                ),
                0..4
            )
            .prop_map(|pairs| pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    });
    (name, value).prop_map(|(name, value)| (name.to_owned(), value))
}

proptest! {
    /// Any object is read or refused with a place, and what is read is kept whole.
    #[test]
    fn any_object_is_read_or_refused(fields in prop::collection::vec(any_field(), 0..6)) {
        let document: serde_json::Map<String, Value> = fields.into_iter().collect();
        match parse(&serde_json::to_vec(&document).expect("JSON")) {
            Ok(parsed) => prop_assert_eq!(parsed.document, document),
            Err(error) => {
                prop_assert!(error.place.is_some(), "{}", error);
                prop_assert!(!error.message.contains('\n'));
            }
        }
    }

    /// Any bytes are read or refused.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64), text in "[{}\\[\\]\",:a-z0-9 \\\\]{0,64}") {
        let _ = parse(&bytes);
        let _ = parse(text.as_bytes());
    }
}
