//! Items, defaults, modes, injections and constraints of a section.

use super::{assert_findings, check, optional};
use serde_json::{Value, json};

#[test]
fn items_and_identities() {
    let base = |items: Value| json!({"base_context": {"required": true, "items": items}});
    check(
        base(json!([{"id": "a", "text": "1"}, {"name": "a", "text": "2"}])),
        &["Warning duplicate_id /base_context/items/1/name"],
    );
    check(
        base(json!([{"text": "1"}, {"text": "2"}])),
        &["Warning item_unreachable /base_context/items/1"],
    );
    assert_findings(
        &base(json!([{"text": "1"}, {"text": "2"}])),
        &json!({"section_random": {"base_context": true}}),
        &[],
    );
    check(
        base(
            json!([{"id": "a", "text": "1", "pre_context:": "h", "fragments": [{"var": "x", "text": "y"}]}]),
        ),
        &[
            "Note legacy_spelling /base_context/items/0/pre_context:",
            "Note legacy_spelling /base_context/items/0/fragments/0/var",
            "Warning condition_undeclared /base_context/items/0/fragments/0",
        ],
    );
}

#[test]
fn fragments_without_a_text() {
    let base = |fragments: Value| {
        let item = json!({"id": "a", "text": "{x}", "fragments": fragments});
        json!({"base_context": {"required": true, "template_vars": ["x"], "items": [item]}})
    };
    let found = "Warning fragment_without_text /base_context/items/0/fragments/0";
    check(base(json!([{"if_var": "x"}])), &[found]);
    check(base(json!([{"text": null}])), &[found]);
    // As the window adds one, to be filled in.
    check(base(json!([{"text": ""}])), &[]);
    check(base(json!([{"if_var": "x", "text": "X."}])), &[]);
}

#[test]
fn names_in_the_sentence_of_a_slider() {
    let base = |template: &str| {
        let items = json!([{"id": "a", "text": "A."}]);
        json!({"base_context": {"required": true, "scale_template": template, "items": items}})
    };
    let error = "Error scale_name_unknown /base_context/scale_template";
    check(base("{value} of {emotion}"), &[]);
    check(base("{valu} of {emotion} {venue} {venue}"), &[error; 2]);
    check(
        base("{{valu}} {the value}"),
        &["Warning scale_name_unknown /base_context/scale_template"; 2],
    );
    let mut jinja = base("{{ args.x }} {% if args.y %}{value}{% endif %}");
    jinja["template_engine"] = json!("jinja");
    check(jinja, &[]);
}

#[test]
fn defaults() {
    let base = |key: &str, value: Value| {
        let mut registry = json!({"base_context": {"required": true, "scale_template": "{value}", "items": [
            {"id": "a", "text": "A."}, {"name": "b", "text": "B."},
        ]}});
        registry["base_context"][key] = value;
        registry
    };
    for id in [json!("a"), json!("b"), json!(["a"]), json!([])] {
        check(base("selected", id), &[]);
    }
    for id in [json!("nobody"), json!(["nobody"])] {
        check(
            base("selected", id),
            &["Warning baked_unknown_item /base_context/selected"],
        );
    }
    check(
        base("selected", json!(["a", "b"])),
        &["Warning baked_several_items /base_context/selected"],
    );
    check(
        base("template_var_defaults", json!({"weathr": "fog"})),
        &["Warning default_undeclared /base_context/template_var_defaults/weathr"],
    );
    for position in [json!(1), json!(10), json!(2.5)] {
        check(base("slider", position), &[]);
    }
    for position in [json!(0), json!(10.5), json!(-1)] {
        check(
            base("slider", position),
            &["Warning baked_slider_out_of_range /base_context/slider"],
        );
    }
    check(
        json!({"assembly_order": ["base_context", "empty"], "empty": {"required": true, "items": []}}),
        &["Error section_empty /empty/items"],
    );
    check(
        json!({"assembly_order": ["base_context", "empty"], "empty": optional(json!([]))}),
        &[],
    );
}

#[test]
fn entries_that_are_no_texts() {
    let with = |entry: Value| {
        json!({"base_context": {"required": true, "items": [
            {"id": "a", "text": "A.", "nudges": ["x", entry], "runtime_variables": []},
        ]}})
    };
    for entry in [json!("y"), json!(5), json!(0.5)] {
        check(with(entry), &[]);
    }
    let spelled: Value = serde_json::from_str("1.50").expect("a number");
    for entry in [
        json!(""),
        json!(" "),
        json!(null),
        json!(true),
        json!(["y"]),
        json!({"text": "y"}),
        spelled,
    ] {
        check(
            with(entry),
            &["Warning entry_not_text /base_context/items/0/nudges/1"],
        );
    }
}

#[test]
fn modes() {
    let base = |modes: Value| {
        json!({"base_context": {
            "required": true, "array_modes": modes, "items": [{"id": "a", "text": "A.", "nudges": ["x", "y"]}],
        }})
    };
    check(base(json!({"nudges": "index:1"})), &[]);
    check(
        base(json!({"nudges": "index:2"})),
        &["Warning mode_out_of_range /base_context/array_modes/nudges"],
    );
    check(
        base(json!({"nudges": "indices:0,-1"})),
        &["Warning mode_out_of_range /base_context/array_modes/nudges"],
    );
    check(
        base(json!({"nudges": "some"})),
        &["Warning mode_malformed /base_context/array_modes/nudges"],
    );
    check(
        base(json!({"text": "all"})),
        &["Warning mode_without_list /base_context/array_modes/text"],
    );
}

#[test]
fn injections() {
    let injections = |required: bool, include: Value| {
        json!({"runtime_injections": {
            "required": required, "items": [{"id": "raid", "text": "T", "include_sections": include}],
        }})
    };
    check(
        injections(false, json!(["base_context", "runtime_injections"])),
        &[],
    );
    check(
        injections(true, json!([])),
        &["Warning injections_required /runtime_injections"],
    );
    check(
        injections(false, json!(["nope"])),
        &["Error include_unknown /runtime_injections/items/0/include_sections/0"],
    );
    let mut alias = injections(false, json!(["persona"]));
    alias["personas"] = json!({"items": [{"id": "p", "context": "c"}]});
    alias["assembly_order"] = json!(["base_context", "personas"]);
    check(
        alias,
        &["Error include_alias /runtime_injections/items/0/include_sections/0"],
    );
}

#[test]
fn weights() {
    let with = |weights: [Value; 2], rolled: bool| {
        let [a, b] = weights;
        json!({"base_context": {"required": true, "section_random": rolled, "items": [
            {"id": "a", "text": "A.", "weight": a}, {"id": "b", "text": "B.", "weight": b},
        ]}})
    };
    let items = "/base_context/items";
    check(with([json!(2), json!(0.5)], true), &[]);
    check(with([json!(2), json!(2)], false), &[]);
    check(with([json!(null), json!(1)], false), &[]);
    check(
        with([json!(2), json!(1)], false),
        &[&format!("Note weights_unused {items}")],
    );
    check(
        with([json!(0), json!(0)], true),
        &[&format!("Warning weights_all_zero {items}")],
    );
    for invalid in [json!("2"), json!(-1), json!([2]), json!(1e12), json!(1e-12)] {
        check(
            with([json!(1), invalid], true),
            &[&format!("Warning weight_invalid {items}/1/weight")],
        );
    }
}

#[test]
fn relations() {
    let with = |item: Value| {
        json!({
            "assembly_order": ["base_context", "moods"],
            "base_context": {"required": true, "items": [
                {"id": "a", "text": "A.", "excludes": ["moods.sad"]}, {"id": "b", "text": "B."},
            ]},
            "moods": {"required": false, "items": [item, {"id": "sad", "text": "s", "requires": ["base_context.b"]}]},
        })
    };
    let at = "/moods/items/0";
    check(
        with(json!({"id": "m", "text": "t", "requires": ["base_context"]})),
        &[],
    );
    check(
        with(json!({"id": "m", "text": "t", "requires": ["base_context.z"], "excludes": ["nope"]})),
        &[
            &format!("Error relation_unknown {at}/requires/0"),
            &format!("Error relation_unknown {at}/excludes/0"),
        ],
    );
    let contradiction = format!("Error relation_contradiction {at}/requires/0");
    check(
        with(
            json!({"id": "m", "text": "t", "requires": ["base_context.a"], "excludes": ["base_context"]}),
        ),
        &[&contradiction],
    );
    check(
        with(json!({"id": "m", "text": "t", "requires": ["base_context.a", "base_context.b"]})),
        &[
            &contradiction,
            &format!("Error relation_contradiction {at}/requires/1"),
        ],
    );
    let mut mutual = with(json!({"id": "m", "text": "t"}));
    mutual["moods"]["items"][1]["requires"] = json!(["base_context.a"]);
    check(
        mutual,
        &["Error relation_contradiction /moods/items/1/requires/0"],
    );
}

#[test]
fn characters_that_are_not_shown_are_named_with_their_code_point() {
    let texts = |text: &str| json!({"base_context": {"required": true, "items": [{"id": "a", "text": text}]}});
    let place = "Warning hidden_character /base_context/items/0/text";
    check(texts("\u{202e}evil\u{202e}\0"), &[place; 2]);
    check(texts("👩\u{200d}👧 می\u{200c}خواهم"), &[]);
}
