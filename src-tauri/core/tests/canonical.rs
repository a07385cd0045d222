//! The canonical form: order, spelling, defaults, applied settings, and what must be preserved.

use promptdeck_core::export;
use promptdeck_core::{
    hydrate::State,
    registry::{canonical, parse},
};
use serde_json::{Value, json};

fn format(text: &str) -> String {
    canonical::format(&parse(text.as_bytes()).expect("a registry").document)
}

fn export(text: &str, state: Value) -> Value {
    let document = parse(text.as_bytes()).expect("a registry").document;
    let state: State = serde_json::from_value(state).expect("a state");
    let exported = export::export(&document, &state);
    let again = parse(exported.as_bytes())
        .expect("an export is a registry")
        .document;
    assert_eq!(
        export::export(&again, &state),
        exported,
        "an export of an export differs"
    );
    assert_eq!(
        canonical::format(&again),
        exported,
        "an export is not in canonical form"
    );
    serde_json::from_str(&exported).expect("JSON")
}

#[test]
fn keys_have_their_order_and_nothing_is_lost() {
    let text = r#"{"z": 1, "tone": {"items": [], "note": "n"}, "output_policy": {}, "examples": {"slider": 3,
        "items": [{"text": "é", "id": "i", "x": [1E5]}], "template_vars": ["{a}"], "required": false},
        "routes": {"r": {"note": 2}}, "assembly_order": ["examples"], "personas": {"items": null},
        "title": "T", "generation": {"temperature": 0.80}, "half": {"required": true}}"#;
    let expected = r#"{
  "registry": {
    "version": 22,
    "title": "T",
    "assembly_order": [
      "examples"
    ],
    "personas": {
      "required": true,
      "template_vars": [],
      "items": []
    },
    "examples": {
      "required": false,
      "template_vars": [
        "a"
      ],
      "items": [
        {
          "text": "é",
          "id": "i",
          "x": [
            1E5
          ]
        }
      ],
      "slider": 3
    },
    "tone": {
      "required": true,
      "template_vars": [],
      "items": [],
      "note": "n"
    },
    "routes": {
      "r": {
        "note": 2
      }
    },
    "generation": {
      "temperature": 0.80
    },
    "output_policy": {},
    "z": 1,
    "half": {
      "required": true
    }
  }
}
"#;
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

#[test]
fn siblings_of_the_registry_stay() {
    let formatted = format(r#"{"saved": "x", "registry": {}, "by": {"a": 1}}"#);
    let value: Value = serde_json::from_str(&formatted).expect("JSON");
    assert_eq!(
        value,
        json!({"registry": {"version": 22}, "saved": "x", "by": {"a": 1}})
    );
    assert_eq!(format(&formatted), formatted);
}

#[test]
fn legacy_spellings_become_canonical_in_place() {
    let item = |text: &str| {
        let text = format!(r#"{{"a": {{"items": [{text}]}}}}"#);
        let value: Value = serde_json::from_str(&format(&text)).expect("JSON");
        value["registry"]["a"]["items"][0].to_string()
    };
    for (written, canonical) in [
        (
            r#"{"id":"i","pre_context:":"H","x":1}"#,
            r#"{"id":"i","pre_context":"H","x":1}"#,
        ),
        (
            r#"{"pre_context":"","pre_context:":"H"}"#,
            r#"{"pre_context":"H"}"#,
        ),
        (
            r#"{"pre_context":"H","pre_context:":"I"}"#,
            r#"{"pre_context":"H","pre_context:":"I"}"#,
        ),
        (
            r#"{"fragments":[{"var":"{v}","text":"t"}]}"#,
            r#"{"fragments":[{"if_var":"v","text":"t"}]}"#,
        ),
        (
            r#"{"runtime_variables":["{v}"]}"#,
            r#"{"runtime_variables":["v"]}"#,
        ),
    ] {
        assert_eq!(item(written), canonical);
        assert_eq!(item(canonical), canonical);
    }
}

#[test]
fn a_state_is_written_in() {
    let registry = r#"{"a": {"items": [{"id": "x"}], "section_random": true, "slider_random": true,
        "array_modes": {"f": "all", "g": "none"}, "template_var_defaults": {"v": "d"}}, "b": {"items": []}}"#;
    let section = |state: Value| export(registry, state)["registry"]["a"].clone();
    let merged = section(json!({
        "selections": {"a": "x", "nowhere": "y"},
        "array_modes": {"a": {"f": "random:2", "h": "index:1"}},
        "sliders": {"a": 7},
        "template_vars": {"a::v": "typed"},
    }));
    assert_eq!(
        merged,
        json!({
            "required": true, "template_vars": [], "items": [{"id": "x"}],
            "selected": "x",
            "section_random": false,
            "array_modes": {"f": "random:2", "g": "none", "h": "index:1"},
            "slider": 7,
            "slider_random": false,
            "template_var_defaults": {"v": "d"},
        })
    );
    let rolled = section(
        json!({"selections": {"a": ["x"]}, "section_random": {"a": true}, "sliders": {"a": 7.5}}),
    );
    assert_eq!(rolled["selected"], json!(["x"]));
    assert_eq!(rolled["section_random"], json!(true));
    assert_eq!(rolled["slider"].to_string(), "7.5");
    let untouched = section(json!({}));
    assert_eq!(untouched["section_random"], json!(true));
    assert!(untouched.get("selected").is_none());
}

#[test]
fn the_private_number_key_of_serde_survives() {
    let formatted = format(r#"{"x": {"$serde_json::private::Number": "1"}}"#);
    assert!(
        formatted.contains(r#""$serde_json::private::Number": "1""#),
        "{formatted}"
    );
}
