//! Tokens, brackets and the names that tokens refer to.

use super::{assert_findings, check, findings, optional};
use promptdeck_core::lint::{ignored, look_ups};
use promptdeck_core::registry::{self, DataKey};
use serde_json::{Value, json};

#[test]
fn tokens() {
    check(json!({}), &[]);
    check(
        json!({"assembly_order": ["base_context", "nope.x"]}),
        &["Error unknown_section /assembly_order/1"],
    );
    check(
        json!({"assembly_order": ["base_context", ".x"]}),
        &["Error token_malformed /assembly_order/1"],
    );
    check(
        json!({"assembly_order": ["base_context.nope"]}),
        &["Error unknown_field /assembly_order/0"],
    );
    check(json!({"assembly_order": ["base_context.a"]}), &[]);
    check(
        json!({"assembly_order": ["base_context.scale"]}),
        &["Error unknown_field /assembly_order/0"],
    );
    assert_findings(
        &json!({"assembly_order": ["base_context.scale"]}),
        &json!({"sliders": {"base_context": 3}}),
        &[],
    );
    check(
        json!({"sentiment": {"items": [{"id": "x", "context": "c"}]}, "assembly_order": ["base_context", "sentiments.scale"]}),
        &[],
    );
    check(
        json!({"routes": {"r/1": {"assembly_order": ["base_context", "gone"]}}}),
        &["Error unknown_section /routes/r~11/assembly_order/1"],
    );
    check(
        json!({"lost": optional(json!([]))}),
        &["Warning section_not_rendered /lost"],
    );
    check(
        json!({"pool": optional(json!([{"id": "p", "items": ["x"]}])), "assembly_order": ["base_context", "pool"]}),
        &["Error pool_needs_field /assembly_order/1"],
    );
}

#[test]
fn entries_that_print_a_list_for_a_field_that_nothing_has() {
    let rules = |items: Value, entries: &[&str]| json!({"rules": {"required": true, "items": items}, "assembly_order": entries});
    let list = || json!([{"id": "a", "text": "T.", "items": ["x", "y"]}]);
    let warning = |at: usize| format!("Warning unknown_field /assembly_order/{at}");
    let sentence = |token: &str| {
        let mut registry = rules(list(), &["base_context", "rules.text", token]);
        registry["base_context"] = json!({"required": true, "items": [{"id": "a", "text": "A."}]});
        let mut found = findings(&registry, &json!({}));
        found.retain(|found| found.code.as_str() == "unknown_field");
        assert_eq!(found.len(), 1, "{token}: {found:?}");
        let data = &found[0].data;
        assert_eq!(data.text(DataKey::PrintedField), Some("items"));
        assert_eq!(data.text(DataKey::Replacement), Some("rules.items"));
        found[0].message.clone()
    };
    for (field, way_out) in [
        ("nope", "write \"rules.items\" if it is meant"),
        ("txet", "did you mean \"text\"?"),
        ("Text", "did you mean \"text\"?"),
        ("text.x", "did you mean \"text\"?"),
        ("item", "did you mean \"items\"?"),
    ] {
        let expected = format!(
            "entry \"rules.{field}\": no item of \"rules\" has a field {field:?} or that name, so \
             the list in \"items\" is printed; {way_out}"
        );
        assert_eq!(sentence(&format!("rules.{field}")), expected);
    }
    for entries in [
        ["base_context", "rules.text", "rules.items"],
        ["base_context", "rules.text", "rules.a"],
    ] {
        check(rules(list(), &entries), &[]);
    }
    check(
        rules(list(), &["base_context", "rules.text", "rules.scale"]),
        &[&warning(2)],
    );
    check(
        rules(list(), &["base_context", "rules.text", "rules[rules.nope]"]),
        &[&warning(2), "Error bracket_without_match /assembly_order/2"],
    );
    // An empty list prints nothing.
    check(
        rules(
            json!([{"id": "a", "text": "T.", "items": []}]),
            &["base_context", "rules.text", "rules.nope"],
        ),
        &["Error unknown_field /assembly_order/2"],
    );
    // Entries name an item by its name, and only without one by its id.
    check(
        rules(
            json!([{"id": "a", "name": "b", "text": "T."}]),
            &["base_context", "rules.b", "rules.a"],
        ),
        &["Error unknown_field /assembly_order/2"],
    );
}

#[test]
fn a_list_that_two_entries_print_as_an_item_lacks_the_field_of_one() {
    let rules = |required: bool, entries: &[&str]| {
        json!({
            "rules": {"required": required, "items": [
                {"id": "a", "text": "T."}, {"id": "b", "items": ["x", "y"]},
            ]},
            "assembly_order": entries,
        })
    };
    let repeated = ["Warning unknown_field /assembly_order/1"];
    check(rules(true, &["base_context", "rules.text"]), &[]);
    check(
        rules(true, &["base_context", "rules.text", "rules.items"]),
        &repeated,
    );
    check(
        rules(true, &["base_context", "rules.text", "rules.b"]),
        &repeated,
    );
    check(
        rules(false, &["base_context", "rules.text", "rules.items"]),
        &[],
    );
}

#[test]
fn tokens_with_a_bracket_too_few_or_too_many() {
    for token in ["base_context[a", "base_context[[a]", "base_context]"] {
        check(
            json!({"assembly_order": ["base_context", token]}),
            &["Error bracket_not_paired /assembly_order/1"],
        );
    }
}

#[test]
fn names_that_no_token_can_refer_to() {
    let items = json!([{"id": "a", "text": "1"}, {"name": "b.[c]", "text": "2", "the mood": "3"}]);
    check(
        json!({"base_context": {"required": true, "items": items}}),
        &[
            "Warning name_not_in_tokens /base_context/items/1/name",
            "Warning name_not_in_tokens /base_context/items/1/the mood",
        ],
    );
    check(
        json!({"my rules": optional(json!([])), "assembly_order": ["base_context", "my rules"]}),
        &["Warning name_not_in_tokens /my rules"],
    );
}

#[test]
fn bracket_look_ups() {
    let with = |pool: Value| {
        json!({
            "assembly_order": ["base_context[keys.pool]"],
            "keys": {"required": true, "template_vars": ["v"], "items": [{"id": "k", "text": "{v}", "pool": pool}]},
        })
    };
    check(with(json!(" a ")), &[]);
    check(
        with(json!("b")),
        &["Error bracket_without_match /assembly_order/0"],
    );
    check(with(json!("{v}")), &[]);
    // A single entry of a list prints unchanged.
    check(with(json!(["b", "a"])), &[]);
    check(
        with(json!(["b"])),
        &["Error bracket_without_match /assembly_order/0"],
    );
    check(with(json!(["b", 1])), &[]);
}

#[test]
fn a_bracket_is_completed_by_what_can_match() {
    let registry = json!({
        "base_context": {"required": true, "items": [
            {"id": "a", "text": "A long text."}, {"name": "b", "text": "c"},
        ]},
        "keys": {"required": true, "template_vars": ["v"], "slider": 3, "items": [
            {"id": "k", "text": "a", "filled": "{v}", "list": ["x", "b"], "other": "x", "requires": []},
            {"id": "b", "text": "x"},
        ]},
        "pools": {"required": true, "items": [{"id": "p", "items": ["b"], "text": "x"}]},
    });
    let engine = promptdeck_core::registry::parse(registry.to_string().as_bytes()).expect("parsed");
    let completed = |typed: &str| look_ups(&engine.registry, typed).join(" ");
    assert_eq!(
        completed("base_context["),
        "base_context[base_context.id] base_context[base_context.name] base_context[keys] \
         base_context[keys.filled] base_context[keys.id] base_context[keys.k] \
         base_context[keys.list] base_context[keys.scale] base_context[keys.text] \
         base_context[pools] base_context[pools.items] base_context[pools.p]"
    );
    assert_eq!(completed("base_context[x]"), completed("base_context["));
    // The section in between must print a name, too.
    assert_eq!(
        completed("pools[keys["),
        "",
        "no text of keys is the name of a pool"
    );
    assert_eq!(
        completed("base_context[keys[x"),
        "base_context[keys[base_context.name]] base_context[keys[keys.filled]] \
         base_context[keys[keys.id]] base_context[keys[keys.list]] base_context[keys[keys.scale]] \
         base_context[keys[pools]] base_context[keys[pools.items]] base_context[keys[pools.p]]"
    );
    assert_eq!(completed("nowhere["), "");
    assert_eq!(completed("base_context"), "");
}

#[test]
fn a_token_that_is_wrong_in_several_orders_is_one_finding() {
    let registry = json!({
        "assembly_order": ["base_context", "gone.x"],
        "base_context": {"items": [{"id": "a", "text": "A."}]},
        "routes": {
            "final": {"assembly_order": ["gone.x", "base_context"]},
            "short": {"assembly_order": ["base_context", "base_context.nope"]},
            "twice": {"assembly_order": ["gone.x", "gone.x"]},
        },
    });
    let found: Vec<_> = findings(&registry, &json!({}))
        .into_iter()
        .map(|found| (found.message, found.pointer, found.also))
        .collect();
    let expected = [
        (
            "entry \"gone.x\" names the section \"gone\", which is not in this registry (in \
             assembly_order, route \"final\", route \"twice\")",
            "/assembly_order/1",
            vec![
                "/routes/final/assembly_order/0",
                "/routes/twice/assembly_order/0",
                "/routes/twice/assembly_order/1",
            ],
        ),
        (
            "entry \"base_context.nope\": no item of \"base_context\" has a field \"nope\" or that name",
            "/routes/short/assembly_order/1",
            vec![],
        ),
    ];
    assert_eq!(
        found,
        expected.map(|(message, pointer, also)| {
            let also = also.into_iter().map(str::to_owned).collect::<Vec<_>>();
            (message.to_owned(), pointer.to_owned(), also)
        })
    );
}

/// Findings about parts that hydration ignores silently; notes are excluded.
#[test]
fn ignored_keys_and_tokens() {
    let registry = json!({
        "assembly_order": ["base_context", "gone", "base_context.nope", "base_context.scale"],
        "base_context": {"requird": true, "x-own": 1, "items": [
            {"id": "a", "text": "A.", "own": 1, "fragments": [{"if_vr": "x", "text": "y"}]},
        ]},
        "ruotes": {},
        "template_engine": "jnja",
        "comment": "mine",
        "routes": {"r": {"assembly_ordr": []}},
    });
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let found: Vec<String> = ignored(&parsed.document, &parsed.registry)
        .into_iter()
        .map(|found| format!("{} {}", found.code, found.pointer))
        .collect();
    assert_eq!(
        found,
        [
            "unknown_key /base_context/requird",
            "unknown_key /base_context/items/0/fragments/0/if_vr",
            "unknown_key /ruotes",
            "unknown_key /routes/r/assembly_ordr",
            "unknown_section /assembly_order/1",
            "unknown_field /assembly_order/2",
            "template_engine_unknown /template_engine",
        ]
    );
}

#[test]
fn names_that_nobody_knows_are_those_of_lint() {
    let registry = json!({
        "assembly_order": ["base_context", "moods", "moods.scale"],
        "base_context": {
            "required": true, "template_vars": ["x"], "selected": "b",
            "array_modes": {"nudgs": "random:1"},
            "items": [{
                "id": "a", "text": "{x} {y} {y}", "unprinted": "{z}", "requires": ["moods.none"],
                "fragments": [{"if_var": "w", "text": "{v}"}, {"if_var": "x"}],
            }],
        },
        "moods": {"required": true, "scale_template": "{vlue}", "items": [{"id": "m", "text": "M."}]},
        "quiet": {"required": true, "scale_template": "{vlue}", "items": [{"id": "q", "text": "{q}"}]},
        "runtime_injections": {"required": false, "items": [
            {"id": "i", "text": "I.", "include_sections": ["mods"]},
        ]},
        "generation": {"temprature": 1},
        "routes": {"r": {"output_policy": {"mx_length": 1}}},
    });
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let unknown: Vec<(String, String)> = ignored(&parsed.document, &parsed.registry)
        .into_iter()
        .map(|found| (found.code.to_string(), found.pointer))
        .collect();
    let expected = [
        ("variable_undeclared", "/base_context/items/0/text"),
        (
            "variable_undeclared",
            "/base_context/items/0/fragments/0/text",
        ),
        ("condition_undeclared", "/base_context/items/0/fragments/0"),
        ("baked_unknown_item", "/base_context/selected"),
        ("mode_without_list", "/base_context/array_modes/nudgs"),
        ("fragment_without_text", "/base_context/items/0/fragments/1"),
        ("relation_unknown", "/base_context/items/0/requires/0"),
        ("scale_name_unknown", "/moods/scale_template"),
        (
            "include_unknown",
            "/runtime_injections/items/0/include_sections/0",
        ),
        ("setting_unknown", "/generation/temprature"),
        ("setting_unknown", "/routes/r/output_policy/mx_length"),
    ];
    let expected = expected.map(|(code, pointer)| (code.to_owned(), pointer.to_owned()));
    assert_eq!(unknown, expected);
    let lint = findings(&registry, &json!({}));
    for (code, pointer) in expected {
        let mut lint = lint.iter();
        let is_found = lint.any(|found| found.code == code.as_str() && found.pointer == pointer);
        assert!(is_found, "{code} {pointer}");
    }
}

/// A section whose items have fragments besides what a bare token prints.
#[test]
fn fragments_that_no_token_prints() {
    let fragments = json!([{"text": "Here."}]);
    let item = |extra: Value| {
        let mut item = json!({"id": "ada", "fragments": fragments});
        let members = extra.as_object().cloned().unwrap_or_default();
        item.as_object_mut().expect("an object").extend(members);
        item
    };
    let with = |section: &str, required: bool, extra: Value, tokens: &[&str]| {
        json!({
            "assembly_order": tokens,
            "base_context": {"items": [{"id": "a", "text": "A."}]},
            section: {"required": required, "items": [item(extra)]},
        })
    };
    let left_out = ["Warning fragments_not_printed /assembly_order/1"];
    let context = json!({"context": "C."});
    for required in [true, false] {
        let registry = |tokens: &[&str]| with("personas", required, context.clone(), tokens);
        check(registry(&["base_context", "personas"]), &left_out);
        check(registry(&["base_context", "persona"]), &left_out);
        check(registry(&["base_context", "personas.ada"]), &left_out);
        check(
            registry(&["base_context", "personas", "personas.text"]),
            &[],
        );
    }
    // For a single item, a pool is printed instead of the text.
    let pool = json!({"text": "T.", "items": ["x", "y"]});
    let of_pool = |required: bool| {
        with(
            "scenes",
            required,
            pool.clone(),
            &["base_context", "scenes"],
        )
    };
    let both = [
        "Warning fragments_not_printed /assembly_order/1",
        "Warning text_not_printed /assembly_order/1",
    ];
    check(of_pool(true), &both);
    check(of_pool(false), &[]);
    // The text prints its fragments.
    let text = with(
        "scenes",
        true,
        json!({"text": "T."}),
        &["base_context", "scenes"],
    );
    check(text, &[]);
}

#[test]
fn a_text_that_its_pool_replaces() {
    let with = |order: Value, item: Value| json!({"assembly_order": order, "base_context": {"required": true, "items": [item]}});
    let both = json!({"id": "a", "text": "T.", "items": ["x"]});
    check(
        with(json!(["base_context"]), both.clone()),
        &["Warning text_not_printed /assembly_order/0"],
    );
    check(
        with(json!(["base_context", "base_context.text"]), both),
        &[],
    );
    for text in ["", " \n"] {
        let item = json!({"id": "a", "text": text, "items": ["x"]});
        check(with(json!(["base_context"]), item), &[]);
    }
}
