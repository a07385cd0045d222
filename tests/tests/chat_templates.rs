//! Invariants of all templates: none crashes the engine, spans cover the text, and a long
//! conversation is not treated as an attack.

use promptdeck_chat::Request;
use promptdeck_jinja::Template;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn a_long_conversation_is_no_attack() {
    let source =
        "{% for m in messages %}{{ m.role + ': ' + m.content | trim + '\\n' }}{% endfor %}";
    let template = Template::compile(source).expect("a template");
    let content = "word ".repeat(20_000);
    let messages: Vec<_> = (0..100)
        .map(|_| json!({"role": "user", "content": content}))
        .collect();
    let text = Request::of(messages)
        .render(&template)
        .expect("10 MB of conversation");
    assert!(text.len() > 9_900_000);
}

/// Random concatenations of template fragments.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-%}",
        "{%-",
        " ",
        "\n",
        "for",
        "x",
        "in",
        "messages",
        "if",
        "else",
        "elif",
        "endif",
        "endfor",
        "set",
        "=",
        "==",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ".",
        "|",
        "~",
        "+",
        "-",
        "*",
        "**",
        "/",
        "//",
        "%",
        "1",
        "1.5",
        "'a'",
        "\"b\"",
        "'",
        "\\",
        "not",
        "is",
        "defined",
        "and",
        "or",
        "tojson",
        "macro",
        "endmacro",
        "call",
        "endcall",
        "m",
        "loop",
        "loop.last",
        "namespace",
        "range",
        "raw",
        "endraw",
        "recursive",
        "filter",
        "endfilter",
        "upper",
        "with",
        "endwith",
        "generation",
        "endgeneration",
        "break",
        "continue",
        "true",
        "none",
        "é",
        "🦀",
        "\u{0}",
        "0x",
        "1e",
        "{{ messages[0].content }}",
        "{% for m in messages %}",
        "{% endfor %}",
        "{% if x %}",
        "{% endif %}",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|all| all.join(""))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_text_is_a_template_that_crashes(source in pieces()) {
        if let Ok(template) = Template::compile(&source) {
            let request = Request {
                tools: Some(json!([{"function": {"name": "f"}}])),
                ..Request::of(vec![json!({"role": "user", "content": "Hi <é>"})])
            };
            if let Err(error) = request.render(&template) {
                prop_assert!(!error.to_string().is_empty());
            }
            let traced = request.trace(&template);
            prop_assert_eq!(traced.map(|rendered| rendered.text).ok(), request.render(&template).ok());
        }
    }

    #[test]
    fn spans_cover_the_text_without_gaps(contents in prop::collection::vec("[a-zé ]{0,12}", 0..6)) {
        let source = "a{% for m in messages %}{{ m.role }}:{{ m.content | trim }};\n{% endfor %}z";
        let template = Template::compile(source).expect("a template");
        let messages = contents.iter().map(|one| json!({"role": "user", "content": one})).collect();
        let rendered = Request::of(messages).trace(&template).expect("a rendering");
        let mut at = 0;
        for span in &rendered.spans {
            prop_assert_eq!(span.start, at);
            at = span.end;
        }
        prop_assert_eq!(at, rendered.text.len());
    }
}
