//! Template variables: undeclared, unused, unset.

use super::{assert_findings, check, findings};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::lint::{gaps, lint, unset};
use promptdeck_core::registry::{self, Diagnostic};
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
    let words = "Warning variable_undeclared /base_context/items/0/text";
    check(
        base(json!([]), "{the visitor} or {no_1 of us 4}"),
        &[words; 2],
    );
    check(base(json!(["the visitor"]), "{the visitor}"), &[]);
    let prose = "{ a b } {a  b} {1 a} {a b c d e} {a, b} {a|b c} {{a b}} {a b";
    check(
        base(json!([]), prose),
        &["Warning variable_not_closed /base_context/items/0/text"],
    );
    let runtime = json!({"base_context": {
        "required": true, "template_vars": ["x"],
        "items": [{"id": "a", "text": "{x}", "runtime_variables": ["x"]}],
    }});
    let unfilled = "Note runtime_variable_unfilled /base_context/items/0/runtime_variables/0";
    assert_findings(&runtime, &json!({}), &[unfilled]);
    assert_findings(
        &runtime,
        &json!({"template_vars": {"base_context::x": " "}}),
        &[unfilled],
    );
    assert_findings(
        &runtime,
        &json!({"template_vars": {"base_context::x": "1"}}),
        &[],
    );
}

#[test]
fn a_variable_with_its_own_name_as_value() {
    let section = json!({"base_context": {
        "required": true, "template_vars": ["y", "x"], "template_var_defaults": {"x": "{x}", "y": "{x}"},
        "items": [{"id": "a", "text": "{x} {y}"}, {"id": "b", "text": "B."}],
    }});
    let found = ["Note variable_placeholder /base_context/template_vars/1"];
    let with = |variables: Value| json!({ "template_vars": variables });
    assert_findings(&section, &json!({}), &found);
    assert_findings(&section, &with(json!({"base_context::x": ""})), &found);
    assert_findings(&section, &with(json!({"base_context::x": "1"})), &[]);
    let declared = with(json!({"base_context::x": "1", "base_context::y": "{y}"}));
    assert_findings(
        &section,
        &declared,
        &["Note variable_placeholder /base_context/template_vars/0"],
    );
    // Of what a call prints, only what it prints.
    let unset_in = |state: Value| -> Vec<String> {
        let found = in_call(&section["base_context"], state, unset);
        found.into_iter().map(|found| found.message).collect()
    };
    assert_eq!(
        unset_in(json!({})),
        ["x of base_context has only its own name as value: the prompt prints {x}"]
    );
    assert_eq!(unset_in(with(json!({"base_context::x": "1"}))), [""; 0]);
    assert_eq!(
        unset_in(json!({"selections": {"base_context": "b"}})),
        [""; 0]
    );
}

#[test]
fn variables_are_used_where_the_engine_fills_them_in() {
    let base = |vars: Value, item: Value| json!({"base_context": {"required": true, "template_vars": vars, "items": [item]}});
    let text = |text: &str| json!({"id": "a", "text": text});
    let jinja = |mut registry: Value| {
        registry["template_engine"] = "jinja".into();
        registry
    };
    let unused = ["Warning variable_unused /base_context/template_vars/0"];
    for used in ["{{x}}", "{{{x}}}", "{\"a\": {x}}", "{{x}", "{x}}"] {
        check(base(json!(["x"]), text(used)), &[]);
    }
    for name in ["a.b", "one, two", "1", "\"a\": 1"] {
        check(base(json!([name]), text(&format!("{{{name}}}"))), &[]);
    }
    let json_field = json!({"id": "a", "text": "A.", "facts": [{"a": ["{x}"]}]});
    let not_text = "Warning entry_not_text /base_context/items/0/facts/0";
    check(base(json!(["x"]), json_field), &[not_text]);
    check(base(json!(["x"]), text("{ x } {{ x }} {X}x")), &{
        let undeclared = "Error variable_undeclared /base_context/items/0/text";
        [undeclared, unused[0]]
    });
    for expression in ["{{x}}", "{{ '{x}' }}", "{# {x} #}", "{% if {x} %}"] {
        check(jinja(base(json!(["x"]), text(expression))), &unused);
        check(jinja(base(json!([]), text(expression))), &[]);
    }
    check(jinja(base(json!(["x"]), text("{{x}} {x}"))), &[]);
}

#[test]
fn an_undeclared_name_beside_other_braces_may_be_text() {
    let base = |text: &str| json!({"base_context": {"required": true, "template_vars": ["order"], "items": [{"id": "a", "text": format!("{{order}} {text}")}]}});
    let warning = "Warning variable_undeclared /base_context/items/0/text";
    let error = "Error variable_undeclared /base_context/items/0/text";
    for text in ["{{customer}}", "{\"a\": {customer}}", "{{{customer}}}"] {
        check(base(text), &[warning]);
    }
    check(base("{{customer}} {customer}"), &[warning, error]);
    let sentence = |text: &str| {
        let mut registry = json!({"assembly_order": ["base_context"]});
        registry["base_context"] = base(text)["base_context"].take();
        findings(&registry, &json!({}))
            .remove(0)
            .message
            .split_once(": ")
            .map(|(_, way_out)| way_out.to_owned())
            .expect("a way out")
    };
    let written = "it is printed as written";
    assert_eq!(
        sentence("{{customer}}"),
        format!("{written}; if it is a variable, write {{customer}}")
    );
    assert_eq!(
        sentence("{{ordre}}"),
        format!("{written}; did you mean \"order\"?")
    );
    assert_eq!(sentence("{\"a\": {customer}}"), written);
    for (word, what) in [
        ("else", "a keyword of Handlebars"),
        ("time", "a macro of SillyTavern"),
    ] {
        assert_eq!(
            sentence(&format!("{{{{{word}}}}}")),
            format!("{written}, like any text: {word} is {what}")
        );
    }
    assert_eq!(sentence("{order} {time}"), written);
}

#[test]
fn words_in_braces_are_offered_as_one_name() {
    let suggestion = |declared: Value| {
        let section = json!({
            "required": true, "template_vars": declared,
            "items": [{"id": "a", "text": "Greet {the visitor} and {the_vistor} of {venue}."}],
        });
        let registry = json!({"assembly_order": ["base_context"], "base_context": section});
        let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
        let call = Call {
            state: &State::default(),
            route: None,
            seed: Seed::default(),
        };
        let found = lint(&Engine::new(parsed.registry), &call);
        let words = found
            .iter()
            .find(|found| found.message.starts_with("{the visitor}"));
        words.expect("reported").message.clone()
    };
    let declared = suggestion(json!(["the_visitor"]));
    assert!(
        declared.ends_with("did you mean \"the_visitor\"?"),
        "{declared}"
    );
    let alone = suggestion(json!([]));
    assert!(
        alone.ends_with("if it is a variable, write {the_visitor}"),
        "{alone}"
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

/// What is found in a call that prints a section alone.
fn in_call(
    section: &Value,
    state: Value,
    find: fn(&Engine, &Call<'_>) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let registry = json!({"assembly_order": ["base_context"], "base_context": section});
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let state: State = serde_json::from_value(state).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    find(&Engine::new(parsed.registry), &call)
}

#[test]
fn variables_that_leave_a_gap_in_the_prompt() {
    let gaps_of = |section: Value, state: Value| -> Vec<String> {
        let found = in_call(&section, state, gaps);
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
    let last = json!({"id": "a", "text": "On {v}"});
    assert_eq!(gaps_of(section(last), json!({})), gap);
    let entries = json!({"id": "a", "items": ["A.", "{v}"]});
    assert_eq!(gaps_of(section(entries), json!({})), gap);
    let entry = json!({"id": "a", "items": ["{v}"]});
    assert_eq!(gaps_of(section(entry), json!({})), [""; 0]);
}
