//! Template variables: undeclared, unused, unset.

use super::{check, says};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::lint::gaps;
use promptdeck_core::registry;
use serde_json::{Value, json};

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
    let open = "Warning variable_not_closed /base_context/items/0/text";
    check(base(json!(["x"]), "Hello {x, how"), &[open]);
    check(base(json!([]), "Hello {x, how"), &[open]);
    check(base(json!(["y"]), "{x, {y} and {z"), &[open; 2]);
    check(base(json!([]), "{"), &[]);
    check(base(json!([]), "{\"x\": [ {\n x, {{x, {x: 1}, :{)"), &[]);
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
fn a_variable_is_reported_once_for_each_text() {
    let text =
        json!({"base_context": {"required": true, "items": [{"id": "a", "text": "{x} {x} {y}"}]}});
    check(
        text,
        &["Error variable_undeclared /base_context/items/0/text"; 2],
    );
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
