//! The field of the item that a token prints.

use serde_json::{Value, json};

use super::{deck, optional, prints, required};

/// A required section `a` with this first item.
#[track_caller]
fn item(token: &str, item: Value, expected: &str) {
    prints(
        &deck(&[token], json!({"a": required(json!([item]))})),
        &json!({}),
        expected,
    );
}

/// An optional section `a` with all of these items selected.
#[track_caller]
fn items(token: &str, items: Value, expected: &str) {
    let ids: Vec<Value> = items
        .as_array()
        .into_iter()
        .flatten()
        .map(|item| item["id"].clone())
        .collect();
    let registry = deck(&[token], json!({"a": optional(items)}));
    prints(&registry, &json!({"selections": {"a": ids}}), expected);
}

#[test]
fn a_bare_token_prints_the_pool_else_the_primary_field() {
    item("a", json!({"text": "T"}), "T");
    item("a", json!({"text": "T", "context": "C"}), "T");
    item("a", json!({"text": "T", "items": ["x", "y"]}), "- x\n- y");
    item("a", json!({"text": "T", "items": []}), "");
    item("a", json!({"text": "T", "items": null}), "T");
    item("a", json!({"context": "C"}), "");
    item("a", json!({"text": ""}), "");
    items(
        "a",
        json!([{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]),
        "X\n\nY",
    );
    items(
        "a",
        json!([{"id": "x", "text": "X", "items": ["p"]}, {"id": "y", "items": ["q"]}]),
        "X",
    );
    for section in ["personas", "sentiment"] {
        let registry = deck(
            &[section],
            json!({section: required(json!([{"text": "T", "context": "C"}]))}),
        );
        prints(&registry, &json!({}), "C");
    }
}

#[test]
fn a_dotted_token_takes_the_first_that_applies() {
    item("a.note", json!({"note": "N", "text": "T"}), "N");
    item("a.note", json!({"note": null, "items": ["p"]}), "");
    item("a.note", json!({"note": "", "items": ["p"]}), "");
    item("a.note", json!({"note": [], "items": ["p"]}), "");
    item("a.note", json!({"items": ["p"]}), "p");
    item("a.note", json!({"text": "T"}), "");
    item("a.x.y", json!({"x.y": "dotted"}), "dotted");
    item("a.note", json!({"id": "note", "text": "T"}), "T");
    item(
        "a.note",
        json!({"id": "note", "note": "own field first"}),
        "own field first",
    );
    item("a.text", json!({"fragments": [{"text": "F"}]}), "F");
    items(
        "a.note",
        json!([{"id": "x", "note": "N"}, {"id": "y"}, {"id": "z", "note": "M"}]),
        "N\n\nM",
    );
    items(
        "a.note",
        json!([{"id": "x", "note": null, "items": ["p"]}, {"id": "y", "items": ["q"]}]),
        "- p\n- q",
    );
    items(
        "a.x",
        json!([{"id": "x", "text": "item x"}, {"id": "y", "text": "Y"}]),
        "item x",
    );
    items(
        "a.x",
        json!([{"id": "x", "text": "item"}, {"id": "y", "x": "field first"}]),
        "field first",
    );
}

#[test]
fn an_item_is_found_by_name_then_by_id() {
    let lore = || {
        required(json!([
            {"id": "k1", "name": "calm", "text": "named calm"},
            {"id": "calm", "text": "id calm"},
            {"id": "k2", "name": "wild", "text": "named wild"},
        ]))
    };
    let find = |inner: &str, expected: &str| {
        let sections = json!({"lore": lore(), "key": required(json!([{"text": inner}]))});
        prints(&deck(&["lore[key]"], sections), &json!({}), expected);
    };
    find("calm", "named calm");
    find("wild", "named wild");
    find("k2", "named wild");
    find("nobody", "");
    find("Calm", "");
    find(" calm", "");
    prints(
        &deck(&["lore.wild"], json!({"lore": lore()})),
        &json!({}),
        "named wild",
    );
    prints(&deck(&["lore.k2"], json!({"lore": lore()})), &json!({}), "");
}

#[test]
fn brackets_nest_and_hold_any_token() {
    let sections = json!({
        "c-1": required(json!([{"text": "b2"}])),
        "b": required(json!([{"id": "b1", "text": "no"}, {"id": "b2", "label": "a3", "text": "a1"}])),
        "a": required(json!([{"id": "a1", "items": ["one"]}, {"id": "a3", "text": "three"}])),
    });
    let table = |token: &str, expected: &str| {
        prints(&deck(&[token], sections.clone()), &json!({}), expected);
    };
    table("b[c-1]", "a1");
    table("a[b[c-1]]", "one");
    table("a[b.b2]", "one");
    table("a[b[c-1].label]", "");
    table("a[nowhere]", "");
    table("nowhere[b]", "");
    table("a[b]", "");
    let deep = format!("{}c-1{}", "b[".repeat(17), "]".repeat(17));
    table(&deep, "");
}

#[test]
fn aliases_give_way_to_sections_of_that_name() {
    for (alias, section, field) in [
        ("persona", "personas", "context"),
        ("sentiments", "sentiment", "context"),
        ("injections", "static_injections", "text"),
        ("ending", "prompt_endings", "text"),
        ("endings", "prompt_endings", "text"),
    ] {
        let mut sections = json!({section: required(json!([{field: "real"}]))});
        prints(&deck(&[alias], sections.clone()), &json!({}), "real");
        sections[alias] = required(json!([{"text": "own"}]));
        prints(&deck(&[alias], sections), &json!({}), "own");
    }
}

#[test]
fn a_token_that_is_none_or_names_nothing_drops() {
    for token in ["", ".text", "nowhere", "a ", "a[", "a]", "a[x]y", "[a]"] {
        item(token, json!({"text": "T"}), "");
    }
}

#[test]
fn the_scale_is_a_sentence_of_any_section_with_a_slider() {
    let scaled = |section: &str, extra: Value, state: Value, expected: &str| {
        let mut map = required(json!([{"id": "calm", "text": "T"}]));
        for (key, value) in extra.as_object().into_iter().flatten() {
            map[key] = value.clone();
        }
        let registry = deck(&[&format!("{section}.scale")], json!({section: map}));
        prints(&registry, &state, expected);
    };
    let sentence = "On a scale of 1-10, intensity is 5 on calm.";
    scaled("sentiment", json!({}), json!({}), sentence);
    scaled("tone", json!({}), json!({}), "");
    scaled("tone", json!({"slider": 5}), json!({}), sentence);
    scaled(
        "tone",
        json!({}),
        json!({"sliders": {"tone": 5.9}}),
        sentence,
    );
    scaled(
        "tone",
        json!({"slider": 5}),
        json!({"sliders": {"tone": -2.7}}),
        "On a scale of 1-10, intensity is -2 on calm.",
    );
    scaled(
        "tone",
        json!({"scale_template": "{value}{emotion}{value}"}),
        json!({}),
        "5calm5",
    );
    scaled(
        "tone",
        json!({"scale_template": "{v} {value}", "template_vars": ["v"]}),
        json!({"template_vars": {"tone::v": "x"}}),
        "{v} 5",
    );
    scaled("tone", json!({"scale_template": ""}), json!({}), "");
    scaled(
        "tone",
        json!({"slider": 3, "items": [{"id": "x", "scale": "own"}]}),
        json!({}),
        "own",
    );
    for (item, emotion) in [
        (json!({"id": "positive"}), "excited"),
        (json!({"id": "negative"}), "annoyed"),
        (json!({"id": "positive", "scale_emotion": "joy"}), "joy"),
        (json!({"name": "named"}), "feeling"),
    ] {
        scaled(
            "tone",
            json!({"scale_template": "{emotion}", "items": [item]}),
            json!({}),
            emotion,
        );
    }
    scaled(
        "tone",
        json!({"slider": 5, "required": false}),
        json!({"selections": {"tone": "calm"}}),
        "",
    );
}
