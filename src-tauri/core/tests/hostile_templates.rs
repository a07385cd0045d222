//! Templates made to harm: each stops with a clear error, within a quarter of a second and 64 MiB.
//! Time is measured on an optimized build only; memory always.

use std::time::{Duration, Instant};

use promptdeck_core::chat::Request;
use promptdeck_core::chat::jinja::{ErrorKind, Template};
use proptest::prelude::*;
use serde_json::json;

/// The most memory this process ever used, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|own| own.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

fn hostile() -> Vec<String> {
    let mut all: Vec<String> = [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}x{% endfor %}{% endfor %}{% endfor %}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro a(n) %}{{ b(n) }}{% endmacro %}{% macro b(n) %}{{ a(n) }}{% endmacro %}{{ a(1) }}",
        "{{ 'a' * 999999999999 }}",
        "{{ [1] * 999999999999 }}",
        "{{ ('a' * 1000000) * 1000000 }}",
        "{{ 9 ** 999999999 }}",
        "{{ 9 ** (9 ** (9 ** 9)) }}",
        "{{ (2 ** 60000) * (2 ** 60000) }}",
        "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(99999) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        "{% set ns = namespace(x=[1]) %}{% for i in range(99999) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        "{% set ns = namespace(x=[]) %}{% for i in range(99999) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x={}) %}{% for i in range(99999) %}{% set ns.x = {'a': ns.x} %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x='a') %}{% for i in range(99999) %}{% set ns.x = ns.x | map('upper') %}{% endfor %}{{ ns.x | list }}",
        "{% set ns = namespace(x='a') %}{% for i in range(99999) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "{% set ns = namespace(x='a') %}{% for i in range(99999) %}{% set ns.x = ns.x | replace('a', 'aaaaaaaaaa') %}{% endfor %}",
        "{% set ns = namespace() %}{% for i in range(99999) %}{% set ns.x = namespace(x=ns.x) %}{% endfor %}{{ ns }}",
        "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '%.999999999f' % 1 }}",
        "{{ '{:999999999}'.format(1) }}",
        "{{ 'a'.center(999999999) }}|{{ 'a'.ljust(999999999) }}|{{ '1'.zfill(999999999) }}",
        "{{ 'a' | center(999999999) }}",
        "{{ 'a\nb' | indent(999999999) }}",
        "{{ '\t' | string }}{{ ('\t' * 100000).expandtabs(1000000) }}",
        "{{ range(99999) | list | batch(2, 'x') | list | batch(2) | list | tojson(indent=1000000) }}",
        "{{ [1] | batch(999999999999, 'x') | list }}",
        "{{ [1] | slice(999999999999) | list }}",
        "{{ range(99999) | map('string') | join('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') }}{{ range(99999) | list | tojson }}{{ range(99999) | list | tojson }}{{ range(99999) | list | tojson(indent=900) }}",
        "{% for x in [[]] recursive %}{{ loop([[]]) }}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{{ x in x }}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{{ x.count('a') }}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{{ x == x ~ 'b' }}{% endfor %}",
        "{% set x = 'a ' * 400000 %}{% for i in range(99999) %}{{ x.split() | length }}{% endfor %}",
        "{% set x = range(90000) | list %}{% for i in range(99999) %}{{ x == x + [1] }}{% endfor %}",
        "{% set x = range(90000) | list %}{% for i in range(99999) %}{{ x | sort | length }}{% endfor %}",
        "{% set x = range(90000) | list %}{% for i in x %}{{ i in x }}{% endfor %}",
        "{% set x = 'é' * 400000 %}{% for i in range(99999) %}{{ x[-1] }}{% endfor %}",
        "{% set x = 'A' * 800000 %}{% for i in range(99999) %}{{ x | wordwrap(3) | length }}{% endfor %}",
        "{% set x = '<' * 800000 %}{% for i in range(99999) %}{{ x | e | striptags | length }}{% endfor %}",
    ]
    .map(str::to_owned)
    .to_vec();
    all.push(nested("{{ (", "1", ") }}", 1) + &nested("(", "1", ")", 100_000));
    all.push(format!("{{{{ {} }}}}", nested("(", "1", ")", 100_000)));
    all.push(format!("{{{{ {} }}}}", nested("[", "1", "]", 100_000)));
    all.push(format!("{{{{ {}1 }}}}", "not ".repeat(100_000)));
    all.push(format!("{{{{ {}1 }}}}", "-".repeat(100_000)));
    all.push(format!("{{{{ x{} }}}}", ".a".repeat(100_000)));
    all.push(format!("{{{{ x{} }}}}", "|string".repeat(50_000)));
    all.push(format!("{{{{ 1{} }}}}", " if 1 else 2".repeat(30_000)));
    all.push(nested("{% if 1 %}", "x", "{% endif %}", 20_000));
    all.push(nested("{% for x in [1] %}", "x", "{% endfor %}", 15_000));
    all.push(
        (0..20_000)
            .map(|index| format!("{{% set v{index} = 1 %}}"))
            .collect(),
    );
    all.push(
        (0..1_900)
            .map(|index| format!("{{% set v{index} = 1 %}}"))
            .collect::<String>()
            + &"{% if a %}{% endif %}".repeat(20_000),
    );
    all.push("x".repeat(2 << 20));
    all
}

#[test]
fn hostile_templates_are_stopped() {
    let all = hostile();
    let before = peak();
    let mut slowest = Duration::ZERO;
    for source in &all {
        let begun = Instant::now();
        let request = Request::of(vec![json!({"role": "user", "content": "Hi"})]);
        let outcome = Template::compile(source).and_then(|template| {
            request.render(&template).map_err(|error| match error {
                promptdeck_core::chat::RenderError::Template(error) => error,
                other => panic!("{other}"),
            })
        });
        let took = begun.elapsed();
        slowest = slowest.max(took);
        let shown: String = source.chars().take(120).collect();
        let error = outcome.map(|text| text.len()).expect_err(&shown);
        let stopped = matches!(
            error.kind(),
            ErrorKind::Limit
                | ErrorKind::Arithmetic
                | ErrorKind::Value
                | ErrorKind::Type
                | ErrorKind::Syntax
        );
        assert!(stopped, "{shown}: {error:?}");
        // The bound is a promise of the release build; an unoptimised one is many times slower.
        assert!(
            cfg!(debug_assertions) || took < Duration::from_millis(250),
            "{shown} took {took:?}: {error}"
        );
    }
    let grown = (peak() - before) >> 10;
    println!(
        "{} hostile templates stopped, the slowest after {slowest:?}, {grown} MiB",
        all.len()
    );
    assert!(grown <= 64, "{grown} MiB were used");
}

#[test]
fn a_long_conversation_is_no_attack() {
    let source =
        "{% for m in messages %}{{ m.role + ': ' + m.content | trim + '\\n' }}{% endfor %}";
    let template = Template::compile(source).expect("a template");
    let content = "word ".repeat(20_000);
    let messages: Vec<_> = (0..500)
        .map(|_| json!({"role": "user", "content": content}))
        .collect();
    let text = Request::of(messages)
        .render(&template)
        .expect("50 MB of conversation");
    assert!(text.len() > 49_000_000);
}

/// Pieces that templates are made of, put together at random.
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
    #![proptest_config(ProptestConfig::with_cases(4_000))]

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
            prop_assert_eq!(traced.map(|own| own.text).ok(), request.render(&template).ok());
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
