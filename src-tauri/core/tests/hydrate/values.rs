//! How fields print: texts, variables, fragments, numbers, JSON.

use serde_json::{Value, json};

use super::{deck, prints, required};

/// A section `a` that declares these names and has one item, with these variables set.
#[track_caller]
fn filled(declared: Value, item: Value, variables: Value, expected: &str) {
    let mut section = required(json!([item]));
    section["template_vars"] = declared;
    let registry = deck(&["a.text"], json!({"a": section}));
    prints(&registry, &json!({"template_vars": variables}), expected);
}

#[test]
fn declared_names_are_filled_in_one_pass() {
    let one = |text: &str, variables: Value, expected: &str| {
        filled(
            json!(["v", "w"]),
            json!({"text": text}),
            variables,
            expected,
        );
    };
    one("a {v} b", json!({"a::v": "V"}), "a V b");
    one("a {v} b", json!({}), "a  b");
    one("{v}{w}", json!({"a::v": "{w}", "a::w": "W"}), "{w}W");
    one("{other} {v", json!({"a::other": "x"}), "{other} {v");
    one("{\"v\": {v}}", json!({"a::v": "1"}), "{\"v\": 1}");
    one("{{v}}", json!({"a::v": "V"}), "{V}");
    one("{v}", json!({"b::v": "of another section"}), "");
    filled(
        json!(["{v}"]),
        json!({"text": "{v}"}),
        json!({"a::v": "V"}),
        "V",
    );
    filled(
        json!(["{v}"]),
        json!({"text": "{v}"}),
        json!({"a::{v}": "V"}),
        "",
    );
    filled(
        json!(["é"]),
        json!({"text": "{é}"}),
        json!({"a::é": "ok"}),
        "ok",
    );
}

#[test]
fn defaults_fill_what_is_missing_or_empty() {
    let mut section = required(json!([{"text": "<{v}>"}]));
    section["template_vars"] = json!(["v"]);
    section["template_var_defaults"] = json!({"{v}": "D"});
    let registry = deck(&["a"], json!({"a": section}));
    prints(&registry, &json!({}), "<D>");
    prints(&registry, &json!({"template_vars": {"a::v": ""}}), "<D>");
    prints(&registry, &json!({"template_vars": {"a::v": " "}}), "< >");
    prints(&registry, &json!({"template_vars": {"a::v": "V"}}), "<V>");
}

#[test]
fn fragments_follow_the_text_where_their_condition_is_filled() {
    let one = |item: Value, variables: Value, expected: &str| {
        filled(json!(["v"]), item, variables, expected);
    };
    let both = json!([{"text": "F"}, {"if_var": "v", "text": "got {v}"}]);
    one(json!({"text": "T", "fragments": both}), json!({}), "T F");
    one(
        json!({"text": "T", "fragments": both}),
        json!({"a::v": "V"}),
        "T F got V",
    );
    one(
        json!({"text": "T", "fragments": both}),
        json!({"a::v": " \n"}),
        "T F",
    );
    one(json!({"text": "  ", "fragments": both}), json!({}), "F");
    one(json!({"text": null, "fragments": both}), json!({}), "F");
    one(
        json!({"text": "T", "fragments": [{"var": "{v}", "text": "legacy"}]}),
        json!({"a::v": "V"}),
        "T legacy",
    );
    one(
        json!({"text": " T ", "fragments": [{"text": " F "}]}),
        json!({}),
        "T   F",
    );
    one(
        json!({"text": "T", "fragments": [{"text": " "}, {"text": "F"}]}),
        json!({}),
        "T F",
    );
    one(json!({"text": "T", "fragments": []}), json!({}), "T");
    one(
        json!({"text": "", "fragments": [{"if_var": "v", "text": "F"}]}),
        json!({}),
        "",
    );
}

#[test]
fn entries_print_as_texts_numbers_or_json() {
    let entry = |entry: Value, printed: &str| {
        let registry = deck(
            &["a"],
            json!({"a": required(json!([{"items": [entry, "end"]}]))}),
        );
        prints(&registry, &json!({}), &format!("- {printed}\n- end"));
    };
    entry(json!("text"), "text");
    entry(json!(7), "7");
    entry(serde_json::from_str("1E2").expect("a number"), "100.0");
    entry(serde_json::from_str("1.50").expect("a number"), "1.5");
    entry(json!(null), "");
    entry(json!(true), "true");
    entry(json!({"k": [1, null]}), r#"{"k":[1,null]}"#);
    entry(json!([]), "[]");
    entry(json!("{x}"), "{x}");
}

#[test]
fn plain_fields_print_as_entries_do() {
    for (value, printed) in [
        (json!(7), "7"),
        (json!(false), "false"),
        (json!({"a": 1}), r#"{"a":1}"#),
        (json!("T"), "T"),
    ] {
        let registry = deck(
            &["a.note"],
            json!({"a": required(json!([{"note": value}]))}),
        );
        prints(&registry, &json!({}), printed);
    }
}
