//! Lint: a registry, and what is said about it: severity, code, pointer.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

use std::fmt::Write as _;
use std::time::Instant;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::lint::{gaps, ignored, lint};
use promptdeck_core::registry::{self, Diagnostic};
use serde_json::{Value, json};

fn findings(registry: &Value, state: &Value) -> Vec<Diagnostic> {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(parsed.registry);
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let found = lint(&engine, &call);
    found
        .into_iter()
        .map(|diagnostic| diagnostic.located(&parsed.source_map))
        .collect()
}

/// Merges `extra` into a registry without faults, and expects exactly these remarks.
#[track_caller]
fn says(extra: &Value, state: &Value, expected: &[&str]) {
    let mut registry = json!({
        "assembly_order": ["base_context"],
        "base_context": {"required": true, "template_vars": [], "items": [{"id": "a", "text": "A."}]},
    });
    let members = extra.as_object().expect("an object");
    for (key, value) in members {
        registry[key] = value.clone();
    }
    let found: Vec<String> = findings(&registry, state)
        .iter()
        .map(|found| {
            assert!(found.place.is_some(), "{} has no place", found.pointer);
            format!("{:?} {} {}", found.severity, found.code, found.pointer)
        })
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check(extra: Value, expected: &[&str]) {
    says(&extra, &json!({}), expected);
}

/// A section of these items that no token has to name.
fn optional(items: Value) -> Value {
    json!({"required": false, "items": items})
}

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
    says(
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
    check(with(json!(["b"])), &[]);
}

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
    says(
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
fn variables() {
    let base = |vars: Value, text: &str| json!({"base_context": {"required": true, "template_vars": vars, "items": [{"id": "a", "text": text}]}});
    check(base(json!(["x"]), "{x}"), &[]);
    check(base(json!(["{x}"]), "{x}"), &[]);
    check(
        base(json!(["x"]), "x"),
        &["Warning variable_unused /base_context/template_vars/0"],
    );
    check(
        base(json!([]), "{x} {y}"),
        &["Error variable_undeclared /base_context/items/0/text"; 2],
    );
    check(base(json!([]), "{\"json\": {}} {{ args.x }} { } {1}"), &[]);
    let runtime = json!({"base_context": {
        "required": true, "template_vars": ["x"],
        "items": [{"id": "a", "text": "{x}", "runtime_variables": ["x"]}],
    }});
    let unfilled = "Note runtime_variable_unfilled /base_context/items/0/runtime_variables/0";
    says(&runtime, &json!({}), &[unfilled]);
    says(
        &runtime,
        &json!({"template_vars": {"base_context::x": " "}}),
        &[unfilled],
    );
    says(
        &runtime,
        &json!({"template_vars": {"base_context::x": "1"}}),
        &[],
    );
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
fn engines_that_are_not_known() {
    check(json!({"template_engine": "jinja"}), &[]);
    check(json!({"template_engine": null}), &[]);
    check(
        json!({"template_engine": "jnja"}),
        &["Warning template_engine_unknown /template_engine"],
    );
}

#[test]
fn lengths_that_no_text_has() {
    let policy = |least: u64, most: u64, suffix: &str| json!({"min_length": least, "max_length": most, "append_suffix": suffix});
    check(json!({"output_policy": policy(5, 5, "")}), &[]);
    check(json!({"output_policy": policy(8, 5, "...")}), &[]);
    check(
        json!({"output_policy": policy(9, 5, "...")}),
        &["Error length_conflict /output_policy/min_length"],
    );
    check(
        json!({
            "output_policy": {"min_length": 9},
            "routes": {
                "same": {"output_policy": {"collapse_whitespace": false}},
                "short": {"output_policy": {"max_length": 8}},
                "long": {"output_policy": {"max_length": 9}},
            },
        }),
        &["Error length_conflict /routes/short/output_policy/max_length"],
    );
}

/// Findings about what hydration ignores silently; notes are not among them.
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
fn settings() {
    check(
        json!({"generation": {"temprature": 1, "top_k": "x", "model": "m"}}),
        &[
            "Error setting_unknown /generation/temprature",
            "Error setting_wrong_type /generation/top_k",
        ],
    );
    check(
        json!({"output_policy": {"maximum": 1, "strip_patterns": ["a", "("], "require_patterns": ["\\N{DASH}"]}}),
        &[
            "Error setting_unknown /output_policy/maximum",
            "Error pattern /output_policy/strip_patterns/1",
            "Error pattern /output_policy/require_patterns/0",
        ],
    );
    check(
        json!({"routes": {"r": {"generation": {"x": 1}, "output_policy": {"min_length": -1}}}}),
        &[
            "Error setting_unknown /routes/r/generation/x",
            "Error setting_wrong_type /routes/r/output_policy/min_length",
        ],
    );
    check(json!({"generation": {"retries": 20}}), &[]);
    check(
        json!({"generation": {"retries": 21, "x": 1}, "routes": {"r": {"generation": {"retries": 1_000_000_000}}}}),
        &[
            "Error setting_unknown /generation/x",
            "Warning retries_capped /generation/retries",
            "Warning retries_capped /routes/r/generation/retries",
        ],
    );
}

#[test]
fn a_variable_is_reported_once_for_each_text() {
    let text =
        json!({"base_context": {"required": true, "items": [{"id": "a", "text": "{x} {x} {y}"}]}});
    check(
        text,
        &["Error variable_undeclared /base_context/items/0/text"; 2],
    );
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
            "token \"gone.x\" names the section \"gone\", which is not in this registry (in \
             assembly_order, route \"final\", route \"twice\")",
            "/assembly_order/1",
            vec![
                "/routes/final/assembly_order/0",
                "/routes/twice/assembly_order/0",
                "/routes/twice/assembly_order/1",
            ],
        ),
        (
            "token \"base_context.nope\": no item of \"base_context\" has a field \"nope\", a pool, \
             or that name",
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

/// A die before and between stable text of this length, and the same in a route of its own.
fn rolled_early(stable: usize) -> Value {
    json!({
        "assembly_order": ["die", "base_context", "other_die", "tail"],
        "base_context": {"items": [{"id": "a", "text": "x".repeat(stable - 4)}]},
        "die": {"section_random": true, "items": [{"id": "x", "text": "one"}, {"id": "y", "text": "two"}]},
        "other_die": {"section_random": true, "items": [{"id": "z", "text": "three"}]},
        "tail": {"items": [{"id": "t", "text": "tail"}]},
        "routes": {"r": {"assembly_order": ["base_context", "tail", "die", "other_die"]}},
        "generation": {"unknown": 1},
    })
}

#[test]
fn rolls_before_stable_text_are_one_note_after_all_other_findings() {
    let found = findings(&rolled_early(512), &json!({}));
    let said: Vec<_> = found
        .iter()
        .map(|found| (found.code, found.pointer.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            ("setting_unknown", "/generation/unknown"),
            ("random_before_stable", "/assembly_order/0"),
        ]
    );
    assert_eq!(
        found[1].message,
        "rolled text comes before 512 stable characters: moving die, other_die down keeps a longer \
         prefix cacheable"
    );
    let short = findings(&rolled_early(511), &json!({}));
    assert_eq!(short.len(), 1, "{short:?}");
}

#[test]
fn the_order_in_use_is_the_one_that_is_judged() {
    let registry = registry::parse(rolled_early(900).to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(registry.registry);
    let codes = |route| {
        let call = Call {
            state: &State::default(),
            route,
            seed: Seed::default(),
        };
        lint(&engine, &call)
            .iter()
            .any(|found| found.code == "random_before_stable")
    };
    assert_eq!([codes(None), codes(Some("r"))], [true, false]);
}

#[test]
fn messages_name_the_thing_and_the_way_out() {
    let registry = json!({"assembly_order": ["base_context", "persona.tone"], "base_context": {"items": [{"text": "{who}"}]}});
    let mut out = String::new();
    for found in findings(&registry, &json!({})) {
        let _ = writeln!(out, "{}", found.message);
    }
    assert_eq!(
        out,
        "token \"persona.tone\" names the section \"persona\", which is not in this registry\n\
         {who} in item 0 of base_context is not declared in template_vars of \"base_context\": it \
         is printed as written\n"
    );
}

#[test]
fn five_thousand_items_are_a_matter_of_milliseconds() {
    let section = |number: usize| {
        let items: Vec<Value> = (0..25)
            .map(|item| {
                json!({
                    "id": format!("i{item}"),
                    "text": format!("Item {item} speaks of {{place}} and of {{nothing}} at length."),
                    "nudges": ["one", "two", "three"],
                    "fragments": [{"if_var": "place", "text": "At {place}."}],
                    "requires": [format!("s{}.i1", (number + 1) % 200)],
                })
            })
            .collect();
        json!({"required": true, "template_vars": ["place"], "items": items, "section_random": number.is_multiple_of(2)})
    };
    let mut registry =
        json!({"assembly_order": (0..200).map(|n| format!("s{n}")).collect::<Vec<_>>()});
    for number in 0..200 {
        registry[format!("s{number}")] = section(number);
    }
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(parsed.registry);
    let state = State::default();
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let started = Instant::now();
    let found = lint(&engine, &call);
    let took = started.elapsed();
    println!("{} remarks on 5000 items in {took:?}", found.len());
    assert!(found.len() > 5_000);
    // A person's bound holds for a release build on a machine that has nothing else to do.
    let bound = if cfg!(debug_assertions) { 10_000 } else { 50 };
    assert!(took.as_millis() < bound, "{took:?}");
}

/// A section whose items hold fragments beside what a bare token prints.
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
    // A pool is printed in place of the text where one item is printed.
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
    // The text brings its fragments along.
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

#[test]
fn variables_that_leave_a_gap_in_the_prompt() {
    let gaps_of = |section: Value, state: Value| -> Vec<String> {
        let registry = json!({"assembly_order": ["base_context"], "base_context": section});
        let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
        let state: State = serde_json::from_value(state).expect("a state");
        let call = Call {
            state: &state,
            route: None,
            seed: Seed::default(),
        };
        let found = gaps(&Engine::new(parsed.registry), &call);
        found.into_iter().map(|found| found.pointer).collect()
    };
    let section = |item: Value| json!({"template_vars": ["v"], "items": [item]});
    let gap = ["/base_context/template_vars/0"];
    let text = json!({"id": "a", "text": "On {v}, on {v}."});
    assert_eq!(gaps_of(section(text.clone()), json!({})), gap);
    let set = json!({"template_vars": {"base_context::v": "x"}});
    assert_eq!(gaps_of(section(text.clone()), set), [""; 0]);
    let mut default = section(text);
    default["template_var_defaults"] = json!({"v": "x"});
    assert_eq!(gaps_of(default, json!({})), [""; 0]);
    let fragment =
        json!({"id": "a", "text": "A.", "fragments": [{"if_var": "v", "text": "On {v}."}]});
    assert_eq!(gaps_of(section(fragment), json!({})), [""; 0]);
    let lone = json!({"id": "a", "text": "{v}"});
    assert_eq!(gaps_of(section(lone), json!({})), [""; 0]);
}
