//! The patterns and behaviours that the rendering contract lists, each under the name of the test
//! that vouches for it in the system it was taken from.

use serde_json::{Value, json};

use super::{Rendering, render};

fn rendered(template: &str, context: &Value) -> Rendering {
    render(template, context.as_object().expect("an object"))
}

fn check(template: &str, context: &Value, expected: &str) {
    let rendering = rendered(template, context);
    assert_eq!(
        (rendering.output.as_str(), rendering.error),
        (expected, None),
        "{template}"
    );
}

#[test]
fn pongo2_string_template_parser_parse() {
    check("Hello {{ name }}.", &json!({"name": "Ada"}), "Hello Ada.");
    check("{{ name }}{{ name }}", &json!({"name": "Ada"}), "AdaAda");
    check("Hello {{ name }}.", &json!({}), "Hello .");
}

#[test]
fn pongo2_message_template_parser_parse() {
    let template = "{% if age > 20 %}adult{% endif %}!";
    check(template, &json!({"age": 21}), "adult!");
    check(template, &json!({"age": 20}), "!");
}

#[test]
fn pongo2_template_parser_parse() {
    let messages = json!({"messages": [{"role": "user", "text": "<hi>"}, {"role": "assistant", "text": "ho"}]});
    check(
        "{% for message in messages %}{{ message.role }}: {{ message.text }}\n{% endfor %}",
        &messages,
        "user: <hi>\nassistant: ho\n",
    );
    check(
        "{% autoescape off %}{{ messages[0].text }}{% endautoescape %}",
        &messages,
        "<hi>",
    );
}

#[test]
fn a_parse_error_returns_the_original_template_string() {
    for template in ["{{ name", "{% if name %}", "{% nosuch %}", "{{ name | }}"] {
        let rendering = rendered(template, &json!({"name": "Ada"}));
        assert_eq!(rendering.output, template);
        assert_eq!(
            rendering.error.expect("an error").kind,
            "syntax",
            "{template}"
        );
    }
}

#[test]
fn an_execute_error_returns_the_original_template_string() {
    for template in [
        "a{{ name|nosuch }}",
        "a{{ name.nosuch() }}",
        "a{{ 1 + name }}",
        "a{{ 1 / 0 }}",
    ] {
        let rendering = rendered(template, &json!({"name": "Ada"}));
        assert_eq!(
            rendering.output, template,
            "nothing of the output that was begun"
        );
        assert!(rendering.error.is_some(), "{template}");
    }
}
