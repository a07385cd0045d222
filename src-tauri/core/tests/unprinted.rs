//! Why a call leaves authored text out.

use promptdeck_core::hydrate::{Call, DropReason, Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_core::unprinted::{
    Unprinted, UnprintedReason as Why, entry_splits, only_routes, unprinted,
};
use serde_json::{Value, json};

fn found(registry: &Value, state: &Value) -> Vec<Unprinted> {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(parsed.registry);
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let hydration = engine.hydrate(&call).expect("a prompt");
    unprinted(&engine, &call, &hydration)
}

type Expected<'a> = (&'a str, Option<usize>, Option<usize>, Why);

#[track_caller]
fn expect(registry: &Value, state: &Value, expected: &[Expected<'_>]) {
    let found = found(registry, state);
    let found: Vec<Expected<'_>> = found
        .iter()
        .map(|one| {
            (
                one.field.as_str(),
                one.entry,
                one.fragment,
                one.reason.clone(),
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn everything_printed() {
    let registry = json!({
        "assembly_order": ["personas", "personas.base_directives", "personas.text"],
        "personas": {"template_vars": ["who"], "items": [{
            "id": "cook", "context": "You cook.", "base_directives": ["a", "", "b"],
            "fragments": [{"if_var": "who", "text": "For {who}."}, {"text": "Always."}],
        }]},
    });
    expect(
        &registry,
        &json!({"template_vars": {"personas::who": "Ann"}}),
        &[],
    );
    let condition = Why::Condition {
        variable: "who".into(),
    };
    expect(
        &registry,
        &json!({}),
        &[("fragments", None, Some(0), condition)],
    );
}

#[test]
fn modes_and_dice() {
    let registry = json!({
        "assembly_order": ["rules"],
        "rules": {"items": [{"id": "r", "items": ["a", "b", "c"]}]},
    });
    let mode = |mode: &str| json!({"array_modes": {"rules": {"items": mode}}});
    let left_out = |mode: &str| Why::Mode { mode: mode.into() };
    expect(
        &registry,
        &mode("indices:0,2"),
        &[("items", Some(1), None, left_out("indices:0,2"))],
    );
    expect(
        &registry,
        &mode("none"),
        &[("items", None, None, left_out("none"))],
    );
    let rolled = found(&registry, &mode("random:1"));
    assert_eq!(rolled.len(), 2);
    assert!(rolled.iter().all(|one| one.reason == Why::NotRolled));
}

#[test]
fn an_injection_filters() {
    let registry = json!({
        "assembly_order": ["rules"],
        "rules": {"items": [{"id": "r", "text": "x"}]},
        "runtime_injections": {"required": false, "items": [{"id": "i", "text": "now"}]},
    });
    let by = vec!["i".to_owned()];
    expect(
        &registry,
        &json!({"selections": {"runtime_injections": ["i"]}}),
        &[("text", None, None, Why::Filtered { by })],
    );
}

#[test]
fn a_text_that_substitutes_to_nothing() {
    let registry = json!({
        "assembly_order": ["rules", "more"],
        "rules": {"template_vars": ["x"], "items": [{"id": "r", "text": "{x}"}]},
        "more": {"items": [{"id": "m", "text": "M."}]},
    });
    let blank = Why::Dropped {
        token: 0,
        reason: DropReason::Blank,
    };
    expect(&registry, &json!({}), &[("text", None, None, blank)]);
}

#[test]
fn the_pool_prints_in_place_of_the_text() {
    let registry = json!({
        "assembly_order": ["rules"],
        "rules": {"items": [{"id": "r", "text": "T.", "items": ["a"]}]},
    });
    let found = found(&registry, &json!({}));
    let [one] = found.as_slice() else {
        panic!("{found:?}");
    };
    let Why::NotInAssembly {
        insertion: Some(insertion),
    } = &one.reason
    else {
        panic!("{one:?}");
    };
    assert_eq!(
        (insertion.token.as_str(), insertion.index),
        ("rules.text", 0)
    );
}

/// The entry that is offered prints the text, wherever it is put.
#[test]
fn the_offered_entry_prints_the_text() {
    let registry = json!({
        "assembly_order": ["base_context", "prompt_endings"],
        "base_context": {"items": [{"id": "b", "text": "B.", "note": "N.", "examples": ["e"], "pre_context": "E:"}]},
        "personas": {"items": [{"id": "p", "context": "P.", "fragments": [{"text": "F."}]}]},
        "sentiment": {"slider": 7, "items": [{"id": "s", "context": "S.", "nudges": ["n1", "n2"]}]},
        "pools": {"required": false, "selected": ["q"], "items": [{"id": "q", "items": ["i"]}]},
        "prompt_endings": {"items": [{"id": "e", "text": "End."}]},
    });
    let mut registry = registry;
    let mut rounds = 0;
    loop {
        let found = found(&registry, &json!({}));
        let Some(one) = found.first() else { break };
        let Why::NotInAssembly {
            insertion: Some(insertion),
        } = &one.reason
        else {
            panic!("{one:?}");
        };
        let order = registry["assembly_order"].as_array_mut().expect("an order");
        order.insert(insertion.index, json!(insertion.token));
        rounds += 1;
        assert!(rounds < 20, "{found:?}");
    }
    let order = &registry["assembly_order"];
    assert_eq!(order[0], "base_context");
    assert_eq!(
        order.as_array().and_then(|all| all.last()),
        Some(&json!("prompt_endings")),
        "{order}"
    );
}

/// A text that another route prints is not one that nothing prints.
#[test]
fn another_route_prints_it() {
    let registry = json!({
        "assembly_order": ["role"],
        "role": {"items": [{"id": "r", "text": "R.", "note": "N."}]},
        "tone": {"slider": 3, "items": [{"id": "t", "context": "T.", "fragments": [{"text": "F."}]}]},
        "routes": {
            "long": {"assembly_order": ["role", "role.note", "tone.text", "tone.scale"]},
            "short": {"assembly_order": ["role.note"]},
            "plain": {},
        },
    });
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(parsed.registry);
    let state = State::default();
    let of = |route: Option<&str>| {
        let call = Call {
            state: &state,
            route,
            seed: Seed::default(),
        };
        let hydration = engine.hydrate(&call).expect("a prompt");
        let found = unprinted(&engine, &call, &hydration);
        let found = found.into_iter().map(|one| {
            let name = format!("{}.{}", one.section, one.field);
            match one.reason {
                Why::OtherRoute { routes, insertion } => {
                    let token = insertion.map(|insertion| insertion.token);
                    (name, only_routes(&routes), token.unwrap_or_default())
                }
                other => (name, format!("{other:?}"), String::new()),
            }
        });
        found.collect::<Vec<_>>()
    };
    let expected = |rows: &[(&str, &str, &str)]| -> Vec<(String, String, String)> {
        let rows = rows.iter();
        rows.map(|(name, why, token)| ((*name).into(), (*why).into(), (*token).into()))
            .collect()
    };
    let default = of(None);
    assert_eq!(
        default[0],
        expected(&[(
            "role.note",
            "only routes long and short print it",
            "role.note"
        )])[0]
    );
    assert!(default[1].1.starts_with("NotInAssembly"), "{default:?}");
    assert_eq!(
        default[2..],
        expected(&[
            ("tone.fragments", "only route long prints it", "tone"),
            ("tone.scale", "only route long prints it", "tone.scale"),
        ])
    );
    assert_eq!(
        of(Some("plain")),
        default,
        "a route without an order uses the registry's"
    );
    let short = of(Some("short"));
    let role = (
        "role.text",
        "only the default route and route long print it",
        "role.text",
    );
    assert_eq!(short[0], expected(&[role])[0]);
}

/// A slider is text of an author once it is set, wherever that is.
#[test]
fn a_slider_that_is_not_set_is_not_missed() {
    let registry = json!({
        "assembly_order": ["sentiment"],
        "sentiment": {"items": [{"id": "s", "context": "S."}]},
    });
    expect(&registry, &json!({}), &[]);
    for state in [
        json!({"sliders": {"sentiment": 7}}),
        json!({"slider_random": {"sentiment": true}}),
    ] {
        let found = found(&registry, &state);
        let found: Vec<&str> = found.iter().map(|one| one.field.as_str()).collect();
        assert_eq!(found, ["scale"], "{state}");
    }
}

/// The position in the order that a text's entry gets.
#[track_caller]
fn placed(registry: &Value, expected: &[(&str, usize)]) {
    let found = found(registry, &json!({}));
    let found: Vec<(&str, usize)> = found
        .iter()
        .filter_map(|one| match &one.reason {
            Why::NotInAssembly { insertion } => insertion.as_ref(),
            _ => None,
        })
        .map(|insertion| (insertion.token.as_str(), insertion.index))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn an_entry_is_not_added_after_the_endings() {
    placed(
        &json!({
            "assembly_order": ["rules", "prompt_endings", "ending.note"],
            "rules": {"items": [{"id": "r", "text": "R."}]},
            "orphan": {"items": [{"id": "o", "text": "O."}]},
            "prompt_endings": {"items": [{"id": "e", "text": "E.", "note": "N.", "last": "L."}]},
        }),
        &[("prompt_endings.last", 3), ("orphan", 1)],
    );
}

#[test]
fn an_entry_is_not_added_between_lists_that_merge() {
    let order = |order: Value| {
        json!({
            "assembly_order": order,
            "sentiment": {"slider": 4, "items": [{
                "id": "s", "context": "C.", "nudges": ["n"], "pre_context": "Lines:",
                "examples": ["x"],
            }]},
            "more": {"items": [{"id": "m", "items": ["m"]}]},
            "other": {"items": [{"id": "o", "pre_context": "Others:", "items": ["o"]}]},
            "examples": {"required": false, "selected": ["a"], "items": [
                {"id": "a", "pre_context": "Lines:", "items": ["e"]},
            ]},
        })
    };
    let scale = |before: Value, index: usize| {
        placed(&order(before), &[("sentiment.scale", index)]);
    };
    scale(
        json!([
            "sentiment",
            "sentiment.nudges",
            "sentiment.examples",
            "examples.items",
            "more",
            "other"
        ]),
        2,
    );
    // A list without a heading continues, and so does the one after it.
    scale(
        json!([
            "sentiment",
            "sentiment.nudges",
            "sentiment.examples",
            "more",
            "examples.items",
            "other"
        ]),
        2,
    );
    // Another heading begins another list.
    scale(
        json!([
            "sentiment",
            "sentiment.nudges",
            "sentiment.examples",
            "other",
            "examples.items",
            "more"
        ]),
        3,
    );
    // Both of one section's entries are added: they do not part its list from the next either.
    placed(
        &order(json!([
            "sentiment",
            "sentiment.nudges",
            "examples.items",
            "more",
            "other"
        ])),
        &[
            ("sentiment.examples", 2),
            ("sentiment.examples", 2),
            ("sentiment.scale", 1),
        ],
    );
}

#[test]
fn fragments_are_placed_where_their_item_has_them() {
    placed(
        &json!({
            "assembly_order": ["personas", "personas.sign_off"],
            "personas": {"items": [{
                "id": "p", "context": "P.", "fragments": [{"text": "F."}], "sign_off": "Bye.",
            }]},
        }),
        &[("personas.text", 1)],
    );
}

#[test]
fn a_text_above_the_list_that_prints_in_its_place_is_placed_before_it() {
    placed(
        &json!({
            "assembly_order": ["notes", "rules"],
            "notes": {"items": [{"text": "N."}]},
            "rules": {"required": true, "items": [{"id": "a", "text": "A.", "items": ["B."]}]},
        }),
        &[("rules.text", 1)],
    );
}

#[test]
fn a_new_list_splits_the_entry_that_prints_the_text() {
    let splits = |order: Value, item: Value, list: Value| {
        let registry = json!({
            "assembly_order": order,
            "routes": {"short": {"assembly_order": ["rules"]}, "other": {}},
            "rules": {"required": true, "items": [item]},
            "personas": {"required": true, "items": [item]},
        });
        let before = registry::parse(registry.to_string().as_bytes()).expect("a registry");
        let mut changed = registry["rules"].clone();
        changed["items"][0]["items"] = list;
        let after = before.registry.with_section("rules", &changed);
        let splits = entry_splits(&before.registry, &after.expect("a section"), "rules", 0);
        let splits = splits.into_iter();
        let found = splits.map(|split| json!([split.route, split.index, split.tokens]));
        Value::Array(found.collect())
    };
    let text = || json!({"id": "a", "text": "A."});
    let short = || json!(["short", 0, ["rules.text", "rules.items"]]);
    assert_eq!(
        splits(json!(["personas", "rules"]), text(), json!([""])),
        json!([[null, 1, ["rules.text", "rules.items"]], short()])
    );
    // The list has its entry already, or the text has.
    assert_eq!(
        splits(json!(["rules", "rules.items"]), text(), json!(["B."])),
        json!([[null, 0, ["rules.text"]], short()])
    );
    assert_eq!(
        splits(json!(["rules.text", "rules"]), text(), json!([])),
        json!([short()])
    );
    // Fragments are a text; what is blank is none.
    let fragments = json!({"id": "a", "fragments": [{"text": "F."}]});
    assert_eq!(splits(json!([]), fragments, json!([""])), json!([short()]));
    assert_eq!(
        splits(
            json!(["rules"]),
            json!({"id": "a", "text": " "}),
            json!([""])
        ),
        json!([])
    );
}
