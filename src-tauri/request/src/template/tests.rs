//! The rendering contract, row by row, and hostile templates.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Limits, Origin, Rendering, render, render_with};

fn rendered(template: &str, context: &Value) -> Rendering {
    render(
        template,
        context.as_object().expect("a context is an object"),
    )
}

fn check(template: &str, context: &Value, expected: &str) {
    let rendering = rendered(template, context);
    assert_eq!(rendering.error, None, "{template}");
    assert_eq!(rendering.output, expected, "{template}");
    let total: usize = rendering.pieces.iter().map(|piece| piece.length).sum();
    assert_eq!(total, expected.len(), "pieces of {template}");
}

fn check_error(template: &str, context: &Value, kind: &str, place: Option<(usize, usize)>) {
    let rendering = rendered(template, context);
    assert_eq!(rendering.output, template, "the original text comes back");
    let error = rendering.error.expect("an error");
    assert_eq!(error.kind, kind, "{template}: {}", error.message);
    assert!(!error.message.contains('\n'), "{}", error.message);
    assert_eq!(
        error.line.zip(error.column),
        place,
        "{template}: {}",
        error.message
    );
}

#[test]
fn interpolation_conditions_and_loops() {
    check("Hello {{ name }}!", &json!({"name": "Ada"}), "Hello Ada!");
    check(
        "{{ args.name }} {{ a.b[0].c }}",
        &json!({"args": {"name": "x"}, "a": {"b": [{"c": 1}]}}),
        "x 1",
    );
    check(
        "{% if age > 20 %}old{% elif age %}young{% else %}?{% endif %}",
        &json!({"age": 30}),
        "old",
    );
    check(
        "{% for m in messages %}{{ loop.index }}:{{ m.role }} {% endfor %}",
        &json!({"messages": [{"role": "user"}, {"role": "assistant"}]}),
        "1:user 2:assistant ",
    );
    check(
        "{% set x = name|upper %}{{ x ~ '!' }}",
        &json!({"name": "a"}),
        "A!",
    );
    check(
        "{% macro greet(who) %}<{{ who }}>{% endmacro %}{{ greet('x') }}{{ greet('y') }}",
        &json!({}),
        "<x><y>",
    );
    check(
        "{# nothing #}{% raw %}{{ x }}{% endraw %}",
        &json!({}),
        "{{ x }}",
    );
    check(
        "{% for a, b in pairs %}{{ a }}={{ b }};{% endfor %}",
        &json!({"pairs": [[1, 2], [3, 4]]}),
        "1=2;3=4;",
    );
    check(
        "{% for x in [3,1,2]|sort recursive %}{{ x }}{% endfor %}",
        &json!({}),
        "123",
    );
    check(
        "{% for x in tree recursive %}{{ x.n }}{% if x.c %}({{ loop(x.c) }}){% endif %}{% endfor %}",
        &json!({"tree": [{"n": 1, "c": [{"n": 2}, {"n": 3, "c": [{"n": 4}]}]}, {"n": 5}]}),
        "1(23(4))5",
    );
    check("{% block a %}in{% endblock %} out", &json!({}), "in out");
    check(
        "{{ [3, 1, 2]|sort(reverse=true)|join('-') }}{{ 'a\nb'|indent(width=2) }}",
        &json!({}),
        "3-2-1a\n  b",
    );
    check(
        "{{ [1, 2][1:] }}{{ 'abc'[::-1] }}{{ 2 * 3 + 1 }}{{ 1 < 2 < 3 }}",
        &json!({}),
        "[2]cba7True",
    );
    check(
        "{% set ns = namespace(n=0) %}{% for i in range(5) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}",
        &json!({}),
        "10",
    );
}

#[test]
fn autoescape_in_both_spellings_off_by_default() {
    let context = json!({"x": "<a href='b'>\"&", "off": true, "on": false});
    check("{{ x }}", &context, "<a href='b'>\"&");
    let escaped = "&lt;a href=&#39;b&#39;&gt;&#34;&amp;";
    for on in ["on", "true", "True"] {
        check(
            &format!("{{% autoescape {on} %}}{{{{ x }}}}{{% endautoescape %}}"),
            &context,
            escaped,
        );
    }
    for off in ["off", "false", "False"] {
        check(
            &format!("{{% autoescape {off} %}}{{{{ x }}}}{{% endautoescape %}}"),
            &context,
            "<a href='b'>\"&",
        );
    }
    check(
        "{% autoescape on %}{{ x|safe }}{% autoescape off %}{{ x }}{% endautoescape %}{{ x|e }}{% endautoescape %}",
        &context,
        &format!("<a href='b'>\"&<a href='b'>\"&{escaped}"),
    );
}

#[test]
fn what_is_undefined_renders_empty() {
    check(
        "[{{ nobody }}{{ nobody.knows.this }}{{ nobody['x'][0] }}]",
        &json!({}),
        "[]",
    );
    check("[{{ a.b.c }}]", &json!({"a": {}}), "[]");
    check(
        "{% if nobody.home %}yes{% else %}no{% endif %}{% for x in nobody.home %}x{% endfor %}",
        &json!({}),
        "no",
    );
    check("{{ nobody|default('somebody') }}", &json!({}), "somebody");
}

#[test]
fn an_error_gives_the_text_back_with_its_place() {
    check_error("a\n {{ x", &json!({}), "syntax", Some((2, 5)));
    check_error("{% if %}", &json!({}), "syntax", Some((1, 7)));
    check_error("{% nosuch %}", &json!({}), "syntax", Some((1, 4)));
    check_error(
        "é {{ x|nosuch }}",
        &json!({}),
        "unknown_filter",
        Some((1, 8)),
    );
    check_error(
        "{{ x is nosuch }}",
        &json!({}),
        "unknown_test",
        Some((1, 9)),
    );
    check_error(
        "ok\n\n{{ nosuch() }}",
        &json!({}),
        "unknown_function",
        Some((3, 4)),
    );
    check_error(
        "{{ 'a' + 1 }}",
        &json!({}),
        "invalid_operation",
        Some((1, 4)),
    );
    check_error(
        "{% include 'other' %}",
        &json!({}),
        "no_other_templates",
        Some((1, 4)),
    );
    for ring in [
        "{% set ns = namespace() %}{% set ns.me = [ns] %}",
        "{% set ns = namespace() %}{% set ns.me = {'a': ns} %}",
    ] {
        check_error(ring, &json!({}), "invalid_operation", Some((1, 37)));
    }
    check_error(
        "{{ x.nosuch() }}",
        &json!({"x": "a"}),
        "unknown_method",
        Some((1, 5)),
    );
}

#[test]
fn a_method_of_what_is_undefined_says_so() {
    let error = rendered("{{ name.strip() }}", &json!({})).error;
    assert_eq!(
        error.expect("an error").message,
        "unknown method: strip() is called on what has no value (`name` is undefined)"
    );
}

#[test]
fn an_error_names_the_argument_whose_value_is_missing() {
    let check = |template: &str, argument: Option<&str>| {
        let error = rendered(template, &json!({"x": "a"})).error;
        let found = error.expect(template).argument;
        assert_eq!(found.as_deref(), argument, "{template}");
    };
    check("{{ a }}{{ name.strip() }}{{ b }}", Some("name"));
    check("{{ x }}{{ town + 1 }}", Some("town"));
    check("{% if name.strip() %}{% endif %}", Some("name"));
    check("{{ name.strip() ~ town }}", Some("name"));
    // Not for want of a value.
    check("{{ x.nosuch() }}", None);
    check("{{ x", None);
    check("{% set name = x %}{{ name.nosuch() }}", None);
}

#[test]
fn the_callers_arguments_stay_as_they_are() {
    let context = json!({"args": {"list": [1], "map": {"a": 1}}});
    let before = context.clone();
    check("{% set args = 1 %}{{ args }}", &context, "1");
    assert_eq!(context, before);
}

#[test]
fn stand_ins_print_what_they_stand_for_and_are_never_read() {
    let source = "a\u{e000}b{% if x %}\u{e000}{% endif %}{% raw %}{{ \u{e000} }}{% endraw %}";
    let values = [
        ('\u{e000}', "{{ x }}"),
        ('\u{e000}', "{% if %}"),
        ('\u{e000}', "#}"),
    ];
    let context = json!({"x": 1});
    let rendering = render_with(
        source,
        &values,
        context.as_object().expect("object"),
        &Limits::default(),
    );
    assert_eq!(rendering.error, None);
    assert_eq!(rendering.output, "a{{ x }}b{% if %}{{ #} }}");
    let origins: Vec<_> = rendering
        .pieces
        .iter()
        .map(|piece| piece.origin.clone())
        .collect();
    assert!(matches!(origins[0], Some(Origin::Text(ref range)) if *range == (0..1)));
    assert!(matches!(origins[1], Some(Origin::Value(0, _))));
    assert!(
        matches!(origins[3], Some(Origin::Value(1, _))),
        "{origins:?}"
    );
}

#[test]
fn an_expression_over_several_lines_has_its_place() {
    let source = "{{ user\n  .name\n  .first }}!";
    let rendering = rendered(source, &json!({"user": {"name": {"first": "Ada"}}}));
    let origin = rendering.pieces[0].origin.clone();
    let Some(Origin::Expression(range)) = origin else {
        panic!("{origin:?}");
    };
    assert!(source[range].ends_with(".name\n  .first"));
}

#[test]
fn pieces_have_the_origin_of_the_output() {
    let source = "Hi {{ name }}, {% for x in xs %}<{{ x }}>{% endfor %}";
    let rendering = rendered(source, &json!({"name": "Ada", "xs": [1, 2]}));
    let mut at = 0;
    let mut described = Vec::new();
    for piece in &rendering.pieces {
        let text = &rendering.output[at..at + piece.length];
        at += piece.length;
        let (kind, range) = match piece.origin.clone().expect("an origin") {
            Origin::Text(range) => ("text", range),
            Origin::Expression(range) => ("expression", range),
            Origin::Value(_, range) => ("value", range),
        };
        described.push(format!("{text}|{kind}|{}", &source[range]));
    }
    assert_eq!(
        described,
        [
            "Hi |text|Hi ",
            "Ada|expression|name",
            ", |text|, ",
            "<|text|<",
            "1|expression|x",
            ">|text|>",
            "<|text|<",
            "2|expression|x",
            ">|text|>",
        ]
    );
}

/// Templates that would run endlessly or take all memory without limits.
const HOSTILE: &[&str] = &[
    "{% for a in range(100000) %}{% for b in range(100000) %}{% for c in range(100000) %}{% endfor %}{% endfor %}{% endfor %}",
    "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    "{{ range(1000000000) }}",
    "{{ range(100000)|list|length * range(100000)|list }}",
    "{{ 'x' * 1000000000 }}",
    "{{ 'x' * 99999999 }}",
    "{{ 'abcdefghij' * 9999999 }}",
    "{{ [1] * 99999999 }}",
    "{{ ([1] * 99999999)|length }}",
    "{{ 99999999999 ** 99999999999 }}",
    "{% set x = 'aaaaaaaaaa' %}{% set ns = namespace(x=x) %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x='a') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x|length }}",
    "{% set ns = namespace(x='a') %}{% for i in range(60) %}{% set ns.x = ns.x * 9 %}{% endfor %}{{ ns.x|length }}",
    "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x }}",
    "{% set ns = namespace(x={}) %}{% for i in range(100000) %}{% set ns.x = {'a': ns.x} %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x={}) %}{% for i in range(100000) %}{% set ns.x = dict(a=ns.x) %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}",
    "{% set ns = namespace() %}{% set ns.me = [ns] %}{{ ns }}",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "{% macro f(n) %}{{ f(n) }}{{ f(n) }}{% endmacro %}{{ f(1) }}",
    "{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}x{% endmacro %}{{ f(25) }}",
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% for x in [1] recursive %}{{ loop([1]) ~ loop([1]) }}{% endfor %}",
    "{{ 'x'|indent(1000000000) }}",
    "{{ ('\\n' * 500000)|indent(900) }}",
    "{{ '%1000000000d'|format(1) }}",
    "{{ '%*d'|format(1000000000, 1) }}",
    "{{ ('a' * 100000)|replace('', 'b' * 100000) }}",
    "{{ ('a' * 100000)|replace('a', 'b' * 100000) }}",
    "{{ [1, 2]|batch(1000000000, 0) }}",
    "{{ [1, 2]|slice(1000000000) }}",
    "{{ ('a' * 3000000)|list|length }}",
    "{{ ('a' * 3000000)|reverse|list|sort|unique|join(', ') }}",
    "{% for c in 'a' * 3000000 %}{% for d in 'a' * 3000000 %}{{ c }}{% endfor %}{% endfor %}",
    "{% for i in range(100000) %}{% for c in big %}{% break %}{% endfor %}{% endfor %}",
    "{% for i in range(100000) %}{% if 'zz' in big %}{% endif %}{% endfor %}",
    "{% for i in range(100000) %}{% if big == big2 %}{% endif %}{% endfor %}",
    "{% for i in range(100000) %}{% set y = big|upper %}{% endfor %}",
    "{% for i in range(100000) %}{{ big }}{% endfor %}",
    "{% set x %}{% for i in range(100000) %}{{ big }}{% endfor %}{% endset %}{{ x|length }}",
    "{% for i in range(100000) %}{% set y %}{{ big }}{% endset %}{% endfor %}",
    "{% filter upper %}{% for i in range(100000) %}{{ big }}{% endfor %}{% endfilter %}",
    "{% for i in range(100000) %}{% set y = big[1:] %}{% endfor %}",
    "{{ ''[::-1] }}{{ [][::-1] }}{{ 'ab'[1:5:-1] }}{{ 'ab'[::-9223372036854775808] }}",
    "{{ range(0, -9223372036854775807, -1) }}{{ range(0, 10, -9223372036854775808) }}",
    "{% for i in range(100000) %}{{ loop.changed(big) }}{% endfor %}",
    "{% for i in range(100000) %}{{ {big: 1}[big2] }}{% endfor %}",
    "{{ [[3,1,2]*1000]|map('sort')|list * 10000 }}",
    "{{ range(90000)|map('indent', 1000000000)|list }}",
    "{{ (range(90000)|list)|tojson(1000000) }}",
    "{{ ('x,' * 1000000)|split(',')|length }}",
    "{{ range(90000)|groupby('x')|list }}",
    "{{ range(90000)|zip(range(90000), range(90000))|list }}{{ range(90000)|chain(range(90000))|list|length * 100 }}",
    "{{ 'x'|attr('y' * 90000000) }}",
    "{% for i in range(100000) %}{{ 'a'.upper() }}{% endfor %}",
    "{% for i in range(100000) %}{{ 'a b'|wordcount }}{% endfor %}",
    "{% for i in range(100000) %}{% set y = big.upper() %}{% endfor %}",
    "{% for i in range(100000) %}{% set y = big|wordwrap(1) %}{% endfor %}",
    "{% for i in range(100000) %}{% set y = big.count('aab') %}{% endfor %}",
    "{% for i in range(100000) %}{% set y = big.replace('a', big2) %}{% endfor %}",
    "{{ big.split('a')|length }}{{ (big ~ big2).split('b')|length }}{{ big.join(big2)|length }}",
    "{{ 'x'.ljust(1000000000) }}",
    "{{ 'x'|center(1000000000) }}",
    "{{ '{:>1000000000}'.format(1) }}",
    "{{ big.encode() }}{{ big.translate({}) }}",
    "{{ (range(90000)|list).copy()|length }}{{ (range(90000)|list).index(-1) }}",
    "{% set ns = namespace(x='a') %}{% for i in range(60) %}{% set ns.x = ns.x.replace('a', 'aa') %}{% endfor %}{{ ns.x|length }}",
    "{% set a = 'x' * 1000000 %}{{ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a ~ a }}",
];

#[test]
fn hostile_templates_are_stopped() {
    let mut big = Map::new();
    for name in ["big", "big2"] {
        big.insert(name.to_owned(), Value::from("a".repeat(1 << 20)));
    }
    let mut templates: Vec<String> = HOSTILE.iter().map(|&text| text.to_owned()).collect();
    templates.push(format!(
        "{{{{ {}1{} }}}}",
        "(".repeat(60_000),
        ")".repeat(60_000)
    ));
    templates.push(format!("{{{{ {}x }}}}", "not ".repeat(30_000)));
    templates.push(format!(
        "{{{{ {}1{} }}}}",
        "[".repeat(60_000),
        "]".repeat(60_000)
    ));
    templates.push("{% if x %}".repeat(12_000));
    templates.push(format!("{{{{ x{} }}}}", "|upper".repeat(20_000)));
    templates.push(format!("{{{{ x{} }}}}", ".a".repeat(60_000)));
    templates.push(format!("{{{{ x{} }}}}", " ~ x".repeat(30_000)));
    templates.push("{{ x }}".repeat(400_000));
    templates.push("{{".repeat(500_000));
    templates.push(format!("{{{{ [{}] }}}}", "1,".repeat(500_000)));
    templates.push(format!(
        "{{% for i in range(100000) %}}{}{{% endfor %}}",
        "y".repeat(10_000)
    ));
    // The bound is a release build's; unoptimised, what is charged has to end every template.
    let bound = (!cfg!(debug_assertions)).then_some(Duration::from_millis(250));
    let mut slowest = (Duration::ZERO, "");
    for template in &templates {
        let start = Instant::now();
        let rendering = render(template, &big);
        let duration = start.elapsed();
        let excerpt = template.get(..template.len().min(90)).unwrap_or(template);
        assert!(
            bound.is_none_or(|bound| duration < bound),
            "{duration:?} for {excerpt}"
        );
        assert!(
            rendering.error.is_some() || rendering.output.len() <= 8 << 20,
            "{} bytes of {excerpt}",
            rendering.output.len()
        );
        if duration > slowest.0 {
            slowest = (duration, excerpt);
        }
        if std::env::var_os("PROMPTDECK_SHOW").is_some() {
            println!(
                "{duration:?} {:?} {excerpt}",
                rendering.error.map(|e| e.message)
            );
        }
    }
    println!(
        "{} hostile templates, the slowest {:?}: {}",
        templates.len(),
        slowest.0,
        slowest.1
    );
}
