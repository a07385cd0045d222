//! Names, declarations and defaults of version 2.

use serde_json::{Value, json};

use super::{check, two, with};

#[test]
fn names_and_tokens_of_version_two() {
    let item = json!([{"id": "x", "text": "T"}]);
    check(
        two(&["a"], item.clone()),
        "/a/items/0",
        json!({"id": "x", "text": "T"}),
        &[],
    );
    check(
        two(&["a[x]"], item.clone()),
        "/assembly_order",
        json!(["a.x"]),
        &["Converted /assembly_order/0"],
    );
    check(
        two(&["a[y]"], item.clone()),
        "/assembly_order",
        json!([]),
        &["Converted /assembly_order/0"],
    );
    check(
        two(&["persona", "a"], item.clone()),
        "/assembly_order",
        json!(["a"]),
        &["Converted /assembly_order/0"],
    );
    check(
        two(&["injections", "a"], item.clone()),
        "/assembly_order",
        json!(["a"]),
        &["Converted /assembly_order/0"],
    );
    check(
        with(two(&["a"], item), "template_engine", json!("jinja")),
        "/template_engine",
        json!(null),
        &["Converted /template_engine"],
    );
    check(
        two(&["a"], json!([{"name": "x", "text": "T"}])),
        "/a/items/0/id",
        json!("x"),
        &["Ambiguous /a", "Converted /a/items"],
    );
    check(
        two(&["a"], json!([{"id": "x", "name": "y"}])),
        "/a/items/0/label",
        json!("y"),
        &["Converted /a/items/0/name"],
    );
    check(
        two(&["a"], json!([{"id": "x", "name": "y", "label": "l"}])),
        "/a/items/0/name",
        json!("y"),
        &["NotSupported /a/items/0/name"],
    );
    check(
        json!({"version": 2, "a": {"items": [], "required": null}}),
        "/a/required",
        json!(false),
        &[],
    );
    check(
        json!({"version": 2, "a": {"items": [], "selected": "x"}}),
        "/a/selected",
        json!(null),
        &["Converted /a/selected"],
    );
    let personas = json!({"version": 2, "assembly_order": ["personas", "personas.text"], "personas": {"items": [{"id": "x", "text": "T"}]}});
    let lines = ["Ambiguous /personas", "Converted /personas/items"];
    check(
        personas.clone(),
        "/personas/items/0/context",
        json!("T"),
        &lines,
    );
    check(
        personas,
        "/assembly_order",
        json!(["personas", "personas.context"]),
        &lines,
    );
}

#[test]
fn the_default_state_is_baked_in() {
    let state = |state: Value| {
        with(
            two(
                &["a"],
                json!([{"id": "x", "items": ["0", "1"]}, {"id": "y"}]),
            ),
            "default_state",
            json!({"a": state}),
        )
    };
    check(
        state(json!({"selected": "y"})),
        "/a/selected",
        json!("y"),
        &[],
    );
    check(
        state(json!({"selected": "z"})),
        "/a/selected",
        json!(null),
        &["Converted /default_state/a/selected"],
    );
    check(
        state(json!({"selected": ["y", "x"]})),
        "/a/required",
        json!(false),
        &[
            "NotSupported /default_state/a/selected",
            "Ambiguous /default_state/a/selected",
        ],
    );
    check(
        state(json!({"slider": 3.5})),
        "/a/slider",
        json!(4),
        &["Converted /default_state/a/slider"],
    );
    check(
        state(json!({"slider_random": true, "section_random": 1})),
        "/a/section_random",
        json!(true),
        &[],
    );
    check(
        state(json!({"array_modes": {"items": "indices:1,0"}})),
        "/a/array_modes/items",
        json!("indices:1,0"),
        &[],
    );
    let mode = ["Converted /default_state/a/array_modes/items"];
    check(
        state(json!({"array_modes": {"items": "indices:1,x"}})),
        "/a/array_modes/items",
        json!("none"),
        &mode,
    );
    check(
        state(json!({"array_modes": {"items": "indices:1,,0"}})),
        "/a/array_modes/items",
        json!("indices:1,0"),
        &mode,
    );
    check(
        state(json!({"array_modes": {"items": "odd"}})),
        "/a/array_modes/items",
        json!("all"),
        &mode,
    );
    let optional = json!({"version": 2, "a": {"required": false, "items": [{"id": "x"}]}, "default_state": {"a": {"selected": "x"}, "b": {}}});
    check(
        optional,
        "/a/selected",
        json!(null),
        &[
            "Converted /default_state/a/selected",
            "Converted /default_state/b",
        ],
    );
    let route = json!({"version": 2, "a": {"items": []}, "routes": {"r": {"default_state": {"a": {"slider": 1}}, "label": "R"}}});
    check(
        route,
        "/routes/r",
        json!({"label": "R"}),
        &["NotSupported /routes/r/default_state"],
    );
}

#[test]
fn variables_are_declared_and_print_as_written_while_unset() {
    let one = |item: Value| two(&["a"], json!([item]));
    let unset = "Converted /a/template_vars";
    check(
        one(json!({"text": "{v}"})),
        "/a/template_var_defaults",
        json!({"v": "{v}"}),
        &[unset, unset],
    );
    check(
        one(json!({"text": "{v}"})),
        "/a/template_vars",
        json!(["v"]),
        &[unset, unset],
    );
    check(
        one(json!({"text": "{\"v\": 1} { v }"})),
        "/a/template_vars",
        json!([]),
        &[],
    );
    check(
        one(json!({"text": "T", "template_vars": ["{v}"]})),
        "/a/template_vars",
        json!(["v"]),
        &[unset],
    );
    check(
        one(json!({"text": "{v}", "template_defaults": {"v": "D"}})),
        "/a/template_var_defaults",
        json!({"v": "D"}),
        &["Converted /a/items", unset],
    );
    let state = with(
        one(json!({"text": "{v}"})),
        "default_state",
        json!({"a": {"template_vars": {"v": "S"}}}),
    );
    check(
        state,
        "/a/template_var_defaults",
        json!({"v": "S"}),
        &[unset],
    );
    let two_defaults = two(
        &["a"],
        json!([{"id": "x", "text": "{v}", "template_defaults": {"v": "X"}}, {"id": "y", "text": "{v}"}]),
    );
    check(
        two_defaults,
        "/a/template_var_defaults",
        json!({"v": "X"}),
        &[
            "NotSupported /a/items/1/template_defaults",
            "Converted /a/items",
            unset,
        ],
    );
}

#[test]
fn fragments_wait_for_if_var() {
    let one = |fragment: Value| two(&["a"], json!([{"text": "T", "fragments": [fragment]}]));
    let fragments = "Converted /a/items/0/fragments";
    let vars = "Converted /a/template_vars";
    check(
        one(json!({"condition": "{v}", "text": "F"})),
        "/a/items/0/fragments",
        json!([{"if_var": "v", "text": "F"}]),
        &[fragments, vars],
    );
    check(
        one(json!({"condition": "v", "text": "{v}"})),
        "/a/template_var_defaults",
        json!(null),
        &[fragments, vars],
    );
    check(
        one(json!({"if_var": "v", "text": "F"})),
        "/a/items/0/fragments",
        json!([{"text": "F"}]),
        &[fragments],
    );
    check(
        one(json!({"condition": "{}", "text": "F"})),
        "/a/items/0/fragments",
        json!([]),
        &[fragments, fragments],
    );
    let beside = two(
        &["a"],
        json!([{"text": "{v}", "fragments": [{"condition": "v", "text": "F"}]}]),
    );
    check(
        beside,
        "/a/template_var_defaults",
        json!(null),
        &["NotSupported /a/template_vars", fragments, vars],
    );
}
