//! How version 2 prints differently: groups, scales, prefixes, injections, pools.

use serde_json::{Value, json};

use super::{check, two, with};

#[test]
fn groups_become_fields_of_the_items_that_name_them() {
    let shelf = json!({"required": false, "items": [{"id": "g", "items": ["1", "2"]}, {"id": "h", "pre_context": "H:", "items": ["3"]}]});
    let one = |order: &[&str], groups: Value| {
        with(
            two(order, json!([{"id": "x", "text": "T", "groups": groups}])),
            "groups",
            shelf.clone(),
        )
    };
    let lines = ["Converted /a/items"];
    check(
        one(&["a.groups"], json!(["g"])),
        "/a/items/0/groups",
        json!(["1", "2"]),
        &lines,
    );
    check(
        one(&["a.groups[g]"], json!(["g", "h"])),
        "/a/items/0/groups[g]",
        json!(["1", "2"]),
        &lines,
    );
    check(
        one(&["a.groups"], json!(["h"])),
        "/a/items/0/examples",
        json!(["3"]),
        &lines,
    );
    check(
        one(&["a.groups"], json!(["h"])),
        "/a/items/0/pre_context",
        json!("H:"),
        &lines,
    );
    check(
        one(&["a.groups"], json!(["h"])),
        "/assembly_order",
        json!(["a.examples"]),
        &lines,
    );
    check(
        one(&["a.groups"], json!(["g", "h"])),
        "/a/items/0/groups",
        json!("- 1\n- 2\n\nH:\n- 3"),
        &lines,
    );
    check(
        one(
            &["a.groups"],
            json!([{"id": "own", "items": ["o"]}, "nobody"]),
        ),
        "/a/items/0/groups",
        json!(["o"]),
        &lines,
    );
    check(
        one(&["a.text"], json!(["g"])),
        "/a/items/0/groups",
        json!(["g"]),
        &[],
    );
}

#[test]
fn scales_become_the_sections() {
    let one = |scale: Value| json!({"version": 2, "assembly_order": ["sentiment.scale"], "sentiment": {"items": [{"id": "x", "scale": scale}]}});
    let lines = ["Converted /sentiment/items"];
    check(
        one(json!({})),
        "/sentiment/scale_template",
        json!("Scale: {value}/10 — {emotion}."),
        &lines,
    );
    check(
        one(json!({"label": "Heat", "max_value": 7.5})),
        "/sentiment/scale_template",
        json!("Heat: {value}/7 — {emotion}."),
        &lines,
    );
    check(
        one(json!({})),
        "/sentiment/items/0",
        json!({"id": "x", "scale_emotion": "x"}),
        &lines,
    );
    check(
        one(json!({"scale_descriptor": "joy"})),
        "/sentiment/items/0/scale_emotion",
        json!("joy"),
        &lines,
    );
    check(
        one(json!({"default_value": 2.5})),
        "/sentiment/slider",
        json!(2),
        &lines,
    );
    // Parsed like Python's `float`.
    check(
        one(json!({"default_value": "\u{a0}1_0\n"})),
        "/sentiment/slider",
        json!(10),
        &lines,
    );
    check(
        one(json!({"randomize": true})),
        "/sentiment/slider_random",
        json!(true),
        &lines,
    );
    check(
        one(json!({"randomize": true, "max_value": 3})),
        "/sentiment/slider_random",
        json!(true),
        &["NotSupported /sentiment/items/0/scale", lines[0]],
    );
    check(
        one(json!({"scale_descriptor": ["joy", "awe"]})),
        "/sentiment/items/0/scale_emotion",
        json!("joy"),
        &["NotSupported /sentiment/items/0/scale", lines[0]],
    );
    let apart = json!({"version": 2, "sentiment": {"items": [{"id": "x", "scale": {"template": "A{value}"}}, {"id": "y", "scale": {"template": "B{value}"}}]}});
    check(
        apart,
        "/sentiment/scale_template",
        json!("A{value}"),
        &["NotSupported /sentiment/items/1/scale", lines[0]],
    );
}

#[test]
fn prefixes_go_into_the_text_or_are_reported() {
    let one = |order: &[&str], item: Value, key: &str| {
        with(
            two(order, json!([item])),
            "assembly_prefixes",
            json!({key: " Above: "}),
        )
    };
    let written = [
        "Ambiguous /assembly_prefixes",
        "Converted /assembly_prefixes/a",
    ];
    let lost = [
        "NotSupported /assembly_prefixes/a",
        "Ambiguous /assembly_prefixes",
    ];
    check(
        one(&["a"], json!({"text": "T"}), "a"),
        "/a/items/0/text",
        json!("Above:\nT"),
        &written,
    );
    check(
        one(&["a"], json!({"items": ["x"]}), "a"),
        "/a/items/0/items",
        json!(["x"]),
        &lost,
    );
    check(
        one(&["a", "a.text"], json!({"text": "T"}), "a"),
        "/a/items/0/text",
        json!("T"),
        &lost,
    );
    check(
        one(&["a"], json!({"text": ""}), "a"),
        "/a/items/0/text",
        json!(""),
        &lost,
    );
    check(
        one(&["a.note"], json!({"note": "N"}), "a.note"),
        "/a/items/0/note",
        json!("Above:\nN"),
        &[
            "Ambiguous /assembly_prefixes",
            "Converted /assembly_prefixes/a.note",
        ],
    );
    check(
        one(&["a"], json!({"text": "T"}), "b"),
        "/a/items/0/text",
        json!("T"),
        &[
            "Ambiguous /assembly_prefixes",
            "Converted /assembly_prefixes/b",
        ],
    );
}

#[test]
fn injections_leave_every_section_in() {
    let registry = json!({
        "version": 2, "assembly_order": ["a"], "a": {"items": [{"id": "x", "text": "T"}]},
        "runtime_injections": {"required": false, "items": [{"id": "r", "text": " R ", "include_sections": ["a"]}]},
    });
    let lines = ["Converted /runtime_injections/items"; 2];
    check(
        registry.clone(),
        "/assembly_order",
        json!(["a", "runtime_injections"]),
        &lines,
    );
    check(
        registry.clone(),
        "/runtime_injections/items/0/include_sections",
        json!(["a", "runtime_injections"]),
        &lines,
    );
    check(
        registry,
        "/runtime_injections/items/0/text",
        json!("R"),
        &lines,
    );
}

#[test]
fn unsupported_keys_are_preserved_or_reported() {
    let rest = |key: &str, value: Value| with(two(&[], json!([])), key, value);
    check(
        rest("memory_config", json!({"k": 1})),
        "/memory_config",
        json!({"k": 1}),
        &["Unread /memory_config"],
    );
    check(
        rest("style_blend", json!({"items": 1})),
        "/style_blend",
        json!(null),
        &["NotSupported /style_blend"],
    );
    check(
        rest("output_policy", json!({"max_length": 9})),
        "/output_policy/max_length",
        json!(9),
        &["Ambiguous /output_policy/max_length"],
    );
    check(
        two(&["a"], json!([{"text": "T", "items": ["x"]}])),
        "/a/items/0/pre_context",
        json!("T\n"),
        &["NotSupported /a/items/0"],
    );
    check(
        two(
            &["a.examples"],
            json!([{"examples": ["x"], "pre_context": "H"}]),
        ),
        "/assembly_order",
        json!(["a.example_list"]),
        &["Converted /a/items"],
    );
    check(
        two(&["a"], json!([{"text": "T", "requires": ["b"]}])),
        "/a/items/0/requires",
        json!(["b"]),
        &["NotSupported /a/items"],
    );
    check(
        json!({"by": "me", "registry": two(&[], json!([]))}),
        "/version",
        json!(22),
        &[],
    );
}
