//! Selections, modes and routes: set by the call, built into the registry, or by default.

use promptdeck_core::hydrate::{Call, Engine, HydrateError, Seed, State, StateRef, schema};
use promptdeck_core::registry::Registry;
use promptdeck_json::explain;
use serde_json::{Value, json};

use super::{deck, hydrate, optional, prints, required};

fn two() -> Value {
    json!([{"id": "x", "text": "X"}, {"name": "y", "text": "Y"}])
}

#[test]
fn a_required_section_has_one_item() {
    let chosen = |selection: Value, expected: &str| {
        let registry = deck(&["a"], json!({"a": required(two())}));
        prints(
            &registry,
            &json!({"selections": {"a": selection}}),
            expected,
        );
    };
    chosen(json!("y"), "Y");
    chosen(json!("nobody"), "X");
    chosen(json!(["nobody", "y", "x"]), "Y");
    chosen(json!([]), "X");
    prints(
        &deck(&["a"], json!({"a": required(two())})),
        &json!({}),
        "X",
    );
    prints(
        &deck(&["a"], json!({"a": required(json!([]))})),
        &json!({}),
        "",
    );
}

#[test]
fn an_optional_section_has_the_listed_items_in_its_own_order() {
    let chosen = |selection: Value, expected: &str| {
        let registry = deck(&["a"], json!({"a": optional(two())}));
        prints(
            &registry,
            &json!({"selections": {"a": selection}}),
            expected,
        );
    };
    chosen(json!(["y", "x"]), "X\n\nY");
    chosen(json!("y"), "Y");
    chosen(json!(["nobody"]), "");
    chosen(json!(["y", "y"]), "Y");
    prints(&deck(&["a"], json!({"a": optional(two())})), &json!({}), "");
}

#[test]
fn a_call_goes_before_what_is_baked_setting_by_setting() {
    let mut section =
        required(json!([{"id": "x", "items": ["1", "2"]}, {"id": "y", "items": ["3", "4"]}]));
    section["selected"] = json!("y");
    section["array_modes"] = json!({"items": "index:1"});
    let registry = deck(&["a"], json!({"a": section}));
    prints(&registry, &json!({}), "4");
    prints(&registry, &json!({"selections": {"a": "x"}}), "2");
    prints(
        &registry,
        &json!({"array_modes": {"a": {"items": "all"}}}),
        "- 3\n- 4",
    );
    prints(
        &registry,
        &json!({"array_modes": {"a": {"other": "all"}}}),
        "4",
    );
}

#[test]
fn modes_keep_entries() {
    let mode = |mode: &str, expected: &str| {
        let registry = deck(
            &["a"],
            json!({"a": required(json!([{"items": ["0", "1", "2"]}]))}),
        );
        prints(
            &registry,
            &json!({"array_modes": {"a": {"items": mode}}}),
            expected,
        );
    };
    mode("all", "- 0\n- 1\n- 2");
    mode("none", "");
    mode("index:2", "2");
    mode("index:3", "");
    mode("index:-1", "");
    mode("index:x", "0");
    mode("indices:2,0", "- 2\n- 0");
    mode("indices:1", "1");
    mode("indices:1,1", "- 1\n- 1");
    mode("indices:9,1,-1", "1");
    mode("indices:9", "");
    mode("indices:", "");
    mode("indices:x,1", "1");
    mode("nonsense", "- 0\n- 1\n- 2");
}

#[test]
fn a_pool_obeys_the_mode_of_items_whatever_the_token_is_called() {
    let registry = |token: &str| {
        deck(
            &[token],
            json!({"a": required(json!([{"id": "x", "items": ["0", "1"]}]))}),
        )
    };
    let state = json!({"array_modes": {"a": {"items": "index:1", "other": "none"}}});
    for token in ["a", "a.items", "a.other", "a.x"] {
        prints(&registry(token), &state, "1");
    }
}

#[test]
fn random_modes_keep_distinct_entries_of_all_there_are() {
    let registry = deck(
        &["a"],
        json!({"a": required(json!([{"items": ["0", "1", "2"]}]))}),
    );
    for (mode, count) in [
        ("random:2", 2),
        ("random:9", 3),
        ("random:0", 1),
        ("random:x", 1),
    ] {
        for seed in 0..20 {
            let state = json!({"array_modes": {"a": {"items": mode}}});
            let text = hydrate(&registry, &state, None, seed);
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines.dedup();
            assert_eq!(lines.len(), count, "{mode} {text:?}");
        }
    }
}

#[test]
fn a_route_may_bring_its_own_order() {
    let registry = json!({
        "assembly_order": ["a"],
        "routes": {"short": {"assembly_order": ["b"]}, "same": {}, "empty": {"assembly_order": []}},
        "a": required(json!([{"text": "A"}])),
        "b": required(json!([{"text": "B"}])),
    });
    for (route, expected) in [
        (None, "A"),
        (Some("short"), "B"),
        (Some("same"), "A"),
        (Some("empty"), ""),
    ] {
        assert_eq!(hydrate(&registry, &json!({}), route, 0), expected);
    }
    let engine = Engine::new(
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry"),
    );
    let call = Call {
        state: &State::default(),
        route: Some("long"),
        seed: Seed::default(),
    };
    let Err(HydrateError::UnknownRoute { route, known }) = engine.hydrate_text(&call) else {
        panic!("an unknown route is an error");
    };
    assert_eq!(
        (route.as_str(), known.join(" ").as_str()),
        ("long", "short same empty")
    );
}

#[test]
fn requires_and_excludes_steer_rolls_only() {
    let rolled = |relations: Value, state: Value, expected: &[&str]| {
        let mut wild = json!({"id": "wild", "text": "wild"});
        for (key, value) in relations.as_object().into_iter().flatten() {
            wild[key] = value.clone();
        }
        let registry = deck(
            &["tone"],
            json!({
                "place": required(json!([{"id": "home"}, {"id": "forest"}])),
                "tone": required(json!([{"id": "calm", "text": "calm"}, wild])),
            }),
        );
        let mut found: Vec<String> = (0..40)
            .map(|seed| hydrate(&registry, &state, None, seed))
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, expected, "{relations} {state}");
    };
    let roll = json!({"section_random": {"tone": true}});
    let forest = json!({"section_random": {"tone": true}, "selections": {"place": "forest"}});
    rolled(json!({}), roll.clone(), &["calm", "wild"]);
    rolled(
        json!({"requires": ["place.forest"]}),
        roll.clone(),
        &["calm"],
    );
    rolled(
        json!({"requires": ["place.forest"]}),
        forest.clone(),
        &["calm", "wild"],
    );
    rolled(
        json!({"requires": ["place"]}),
        roll.clone(),
        &["calm", "wild"],
    );
    rolled(json!({"excludes": ["place.home"]}), roll, &["calm"]);
    rolled(json!({"excludes": ["place"]}), forest, &["calm"]);
    rolled(
        json!({"excludes": ["place"]}),
        json!({"selections": {"tone": "wild"}}),
        &["wild"],
    );
}

/// Infinity would be printed, and lost when the state is written.
#[test]
fn a_position_that_no_double_holds_is_refused() {
    for number in ["1e400", "-1e400", &"9".repeat(400)] {
        let text = format!(r#"{{"sliders": {{"a": {number}}}}}"#);
        assert!(serde_json::from_str::<State>(&text).is_err(), "{text}");
        assert!(
            serde_json::from_str::<StateRef<'_>>(&text).is_err(),
            "{text}"
        );
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let error = serde_json::from_value::<State>(document.clone()).expect_err(&text);
        assert_eq!(
            explain(&schema::state(), &document, &error).to_string(),
            "/sliders/a: expected a number or null, found a number too large for a double"
        );
    }
}
