//! Lint of a registry: severity, code and pointer of each finding.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

mod prefix_stability;
mod sections;
mod settings;
mod tokens;
mod unreached;
mod variables;

use std::time::Instant;

use std::fmt::Write as _;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::lint::lint;
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

/// Texts that no entry prints are the subject of [`unreached`]; the registries of the other tests
/// are full of them.
const UNREACHED: [&str; 2] = ["text_not_in_assembly", "slider_not_in_assembly"];

/// Merges `extra` into a faultless registry and expects exactly these findings.
#[track_caller]
fn assert_findings(extra: &Value, state: &Value, expected: &[&str]) {
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
        .filter(|found| !UNREACHED.contains(&found.code.as_str()))
        .map(|found| {
            assert!(found.place.is_some(), "{} has no place", found.pointer);
            format!("{:?} {} {}", found.severity, found.code, found.pointer)
        })
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check(extra: Value, expected: &[&str]) {
    assert_findings(&extra, &json!({}), expected);
}

/// A section with these items that no token needs to name.
fn optional(items: Value) -> Value {
    json!({"required": false, "items": items})
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
        "entry \"persona.tone\" names the section \"persona\", which is not in this registry\n\
         {who} in item 1 of base_context is not declared in template_vars of \"base_context\": it \
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
    // The promised bound is for a release build on an idle machine.
    let bound = if cfg!(debug_assertions) { 10_000 } else { 50 };
    assert!(took.as_millis() < bound, "{took:?}");
}
