//! A hydrated prompt rendered as a template: values stay text, sources stay known.

use promptdeck_core::{
    hydrate::{Call, Engine, Gap, Part, Seed, Segment, Source, State},
    registry::{DataKey, Registry},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Prompt, PromptSpan};

fn segment(text: &str, section: &str, variable: Option<&str>) -> Segment {
    Segment {
        text: text.to_owned(),
        source: Some(Source {
            token: Some(0),
            section: section.into(),
            item: 0,
            id: None,
            field: "text".into(),
            part: Part::Text,
            entry: None,
            fragment: None,
            variable: variable.map(Into::into),
        }),
        origin: None,
    }
}

fn glue(text: &str) -> Segment {
    Segment {
        text: text.to_owned(),
        source: None,
        origin: None,
    }
}

fn rendered(segments: &[Segment], context: &Value) -> Prompt {
    Prompt::rendered(segments, &[], context.as_object().expect("an object"))
}

fn describe(span: &PromptSpan) -> String {
    let section = span.source.as_ref().map_or("-", |source| &*source.section);
    match &span.expression {
        Some(expression) => format!("{}|{section}|{expression}", span.text),
        None => format!("{}|{section}", span.text),
    }
}

#[test]
fn every_piece_keeps_its_section() {
    let segments = [
        segment("Hi {{ args.name }}, ", "base", None),
        segment("{{ args.name }}", "base", Some("v")),
        glue("\n\n"),
        segment("{% if args.old %}", "personas", None),
        segment("old", "personas", None),
        segment("{% endif %}!", "endings", None),
    ];
    let prompt = rendered(&segments, &json!({"args": {"name": "Bob", "old": true}}));
    assert_eq!(prompt.text, "Hi Bob, {{ args.name }}\n\nold!");
    let spans: Vec<_> = prompt.spans.iter().map(describe).collect();
    assert_eq!(
        spans,
        [
            "Hi |base",
            "Bob|base|args.name",
            ", |base",
            "{{ args.name }}|base",
            "\n\n|-",
            "old|personas",
            "!|endings"
        ]
    );
}

#[test]
fn a_brace_and_a_value_never_make_a_delimiter() {
    let segments = [
        segment("{", "a", None),
        segment("{ 1 }", "a", Some("v")),
        segment("}", "a", None),
    ];
    assert_eq!(rendered(&segments, &json!({})).text, "{{ 1 }}");
    let raw = [
        segment("{% raw %}{{ ", "a", None),
        segment("{% endraw %}", "a", Some("v")),
        segment(" }}{% endraw %}", "a", None),
    ];
    assert_eq!(rendered(&raw, &json!({})).text, "{{ {% endraw %} }}");
}

/// The rendered prompt with what has no value in brackets where it would be printed, each section with its
/// first letter. `gaps` are variables, with how many segments precede them.
fn with_empty_places(segments: &[Segment], gaps: &[(usize, &str)], context: &Value) -> String {
    let gaps: Vec<_> = gaps
        .iter()
        .map(|&(at, name)| Gap {
            segment: at,
            source: segment("", "v", Some(name)).source.expect("a source"),
        })
        .collect();
    let context = context.as_object().expect("an object");
    let prompt = Prompt::rendered(segments, &gaps, context);
    let mut empty = prompt.empty.iter().peekable();
    let mut diagram = String::new();
    for index in 0..=prompt.spans.len() {
        while let Some(place) = empty.next_if(|place| place.span == index) {
            let source = place.source.as_ref().expect("a source");
            let name = match (&place.expression, &source.variable) {
                (Some(expression), None) => format!("{}:{expression}", source.section),
                (None, Some(variable)) => format!("{{{variable}}}"),
                both => panic!("{both:?}"),
            };
            diagram += &format!("[{name}]");
        }
        diagram += prompt.spans.get(index).map_or("", |span| &span.text);
    }
    assert_eq!(empty.next(), None, "out of order");
    diagram
}

#[test]
fn expressions_without_a_value_have_places_where_they_print_nothing() {
    let check = |template: &str, diagram: &str| {
        let context = json!({"user": {"name": "Ada"}, "xs": [1, 2], "empty": ""});
        let segments = [segment(template, "a", None), segment("|{{ z }}", "b", None)];
        let expected = format!("{diagram}|[b:z]");
        assert_eq!(with_empty_places(&segments, &[], &context), expected);
    };
    check("Hi {{ user.nam }}!", "Hi [a:user.nam]!");
    check("{{ x }}{{ y }}", "[a:x][a:y]");
    check("{{ user.name }}{{ x }}{{ empty }}", "Ada[a:x]");
    check("{{ 'Hi ' ~ x }}", "[a:x]Hi ");
    check(
        "{% for n in xs %}{{ n }}{{ n.a }},{% endfor %}",
        "1[a:n.a],2[a:n.a],",
    );
    check("a{% for n in ys %}{{ n }}{% endfor %}b", "a[a:ys]b");
    // A loop that prints nothing has a place for each expression, not for each round.
    check("{% for n in xs %}{{ x }}{{ y }}{% endfor %}", "[a:x][a:y]");
    check("{{ args.captain }} steers.", "[a:args.captain] steers.");
    check("{% if x %}{{ y }}{% endif %}", "");
    // What a macro or a block of text has no value for is printed elsewhere, if at all.
    check("{% macro m() %}{{ x }}.{% endmacro %}{{ m() }}", ".");
    check("{% set t %}{{ x }}{% endset %}a{{ t }}", "a");
}

#[test]
fn a_gap_says_which_part_of_the_call_document_fills_it() {
    let segments = [segment(
        "{{ message.tone }}{{ system.x }}{{ args.y }}{{ z }}",
        "a",
        None,
    )];
    let prompt = rendered(&segments, &json!({"message": {}, "system": {}, "args": {}}));
    let found = prompt.gaps.iter().map(|gap| gap.diagnostic().message);
    let gap = "of a has no value and leaves a gap in the prompt";
    let expected = [
        format!("message.tone {gap}: set it in message of the call document"),
        format!("system.x {gap}"),
        format!("args.y {gap}: set it in args of the call document"),
        format!("z {gap}: set it in args of the call document"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let keys = prompt.gaps.iter().map(|gap| {
        let data = serde_json::to_value(gap.diagnostic().data).expect("JSON");
        data["argument"].as_str().map(str::to_owned)
    });
    let expected = [None, None, Some("y".to_owned()), Some("z".to_owned())];
    assert_eq!(keys.collect::<Vec<_>>(), expected);
}

#[test]
fn a_loop_over_an_argument_that_is_a_text_is_a_warning() {
    let context = json!({
        "names": "Ann", "none": "", "list": ["Ann"], "shop": {"towns": "Rye"}, "message": {"text": "Hi"},
        "args": {"names": "Ann"},
    });
    let check = |text: &str, expected: &[(&str, &str)]| {
        let prompt = rendered(&[segment(text, "a", None)], &context);
        let found: Vec<_> = prompt
            .text_loops
            .iter()
            .map(|found| (found.expression.as_str(), found.argument.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    let looped = |over: &str| format!("{{% for x in {over} %}}{{{{ x }}}}{{% endfor %}}");
    let names = [("names", "names")];
    for over in [
        "names",
        "names if x",
        "names | sort | list",
        "names | default([])",
        "names or []",
    ] {
        check(&looped(over), &names);
    }
    check("{% for x in names %}{% else %}-{% endfor %}", &names);
    check(
        "{% if names %}{% for x in names %}{% endfor %}{% endif %}",
        &names,
    );
    check(&looped("names").repeat(2), &names);
    check(&looped("args.names"), &[("args.names", "names")]);
    check(&looped("shop.towns"), &[("shop.towns", "shop")]);
    for text in [
        // Not over a text, or not over an argument.
        &looped("list"),
        &looped("none"),
        &looped("missing"),
        &looped("message.text"),
        &looped("names.split(',')"),
        &looped("names | length | string"),
        // Never reached, or the template's own.
        "{% if names is not string %}{% for x in names %}{% endfor %}{% endif %}",
        "{% set names = ['a'] %}{% for x in names %}{% endfor %}",
        "{% for x in list %}{% for y in x %}{% endfor %}{% endfor %}",
        "{{ names }}",
    ] {
        check(text, &[]);
    }
}

#[test]
fn the_print_of_an_expression_names_the_arguments_behind_it() {
    let context = json!({
        "names": ["Ann"], "town": "Rye", "args": {"town": "Rye"}, "system": {"current_date": "today"},
    });
    let text =
        "{% for n in names %}{{ n }}{% endfor %} {{ args.town ~ town }} {{ system.current_date }}.";
    let prompt = rendered(&[segment(text, "a", None)], &context);
    let found: Vec<_> = prompt
        .spans
        .iter()
        .filter(|span| span.expression.is_some())
        .map(|span| (span.text.as_str(), span.arguments.join(" ")))
        .collect();
    let expected = [("Ann", "names"), ("RyeRye", "town"), ("today", "")];
    assert_eq!(
        found,
        expected.map(|(text, names)| (text, names.to_owned()))
    );
}

#[test]
fn variables_without_a_value_have_places_where_their_text_is_printed() {
    let check = |parts: &[&str], diagram: &str| {
        let context = json!({"t": true, "xs": [1, 2]});
        let mut segments = Vec::new();
        let mut gaps = Vec::new();
        for part in parts {
            match part.strip_prefix('$') {
                Some(name) => gaps.push((segments.len(), name)),
                None => segments.push(segment(part, "a", None)),
            }
        }
        assert_eq!(
            with_empty_places(&segments, &gaps, &context),
            diagram,
            "{parts:?}"
        );
    };
    check(&["$v"], "[{v}]");
    check(&["$v", "$w", "a"], "[{v}][{w}]a");
    check(&["a", "$v", "$w"], "a[{v}][{w}]");
    check(&["a", "$v", "b", "$w", "c"], "a[{v}]b[{w}]c");
    check(&["{{ t }}", "$v", "{{ t }}"], "True[{v}]True");
    check(&["$v", "{{ t }}"], "[{v}]True");
    let call = "{% macro m() %}{{ caller() }}{% endmacro %}é{% call m() %}a";
    check(&[call, "$v", "b{% endcall %}"], "éab");
    check(&["{% if t %}a ", "$v", "{%- endif %}"], "a[{v}]");
    check(&["{% if t -%}", "$v", " a{% endif %}"], "[{v}]a");
    check(&["{% if not t %}a", "$v", "b{% endif %}c"], "c");
    check(
        &["{% for n in xs %}a", "$v", "b{% endfor %}"],
        "a[{v}]ba[{v}]b",
    );
    // A template that is not rendered is shown as it is.
    check(&["{{ nosuch() }}", "$v", "."], "{{ nosuch() }}[{v}].");
}

#[test]
fn an_error_keeps_the_hydrated_prompt_and_has_a_position_in_it() {
    let segments = [
        segment("first ", "a", None),
        segment("a\nvalue\n", "a", Some("v")),
        segment("then {{ nosuch() }}", "b", None),
    ];
    let prompt = rendered(&segments, &json!({}));
    assert_eq!(prompt.text, "first a\nvalue\nthen {{ nosuch() }}");
    assert_eq!(
        prompt,
        Prompt {
            error: prompt.error.clone(),
            ..Prompt::plain(&segments)
        }
    );
    let error = prompt.error.expect("an error");
    assert_eq!(
        (error.kind, error.line, error.column),
        ("unknown_function", Some(3), Some(9))
    );
}

proptest! {
    /// Whatever a value holds, it is printed as it is, and the spans make up the text.
    #[test]
    fn values_are_never_read(value in "[{}%#\\-\\w \n]{1,24}", authored in "[a-z \n]{0,8}") {
        let segments = [segment(&format!("{authored}<"), "a", None), segment(&value, "a", Some("v")), segment("{{ x }}>", "a", None)];
        let prompt = rendered(&segments, &json!({"x": "{{ y }}"}));
        prop_assert_eq!(&prompt.text, &format!("{authored}<{value}{}>", "{{ y }}"));
        let joined: String = prompt.spans.iter().map(|span| span.text.as_str()).collect();
        prop_assert_eq!(joined, prompt.text);
    }
}

/// What the diagnostic of a prompt that is not rendered leads to, and what it marks there.
fn faulty(segments: &[Segment]) -> (String, Option<String>) {
    let prompt = rendered(segments, &json!({}));
    let found = prompt.diagnostic(segments).expect("a diagnostic");
    let tag = found.data.text(DataKey::Found).map(str::to_owned);
    (found.pointer, tag)
}

#[test]
fn the_diagnostic_of_an_error_names_the_tag_at_fault() {
    let marked = |pointer: &str, tag: &str| (pointer.to_owned(), Some(tag.to_owned()));
    let value = segment("{{ a value }}", "a", Some("v"));
    let text = |text: &str, section: &str| segment(text, section, None);
    assert_eq!(
        faulty(&[value.clone(), text("{{ x }} {{ y. }}", "b"), text(".", "c")]),
        marked("/b/items/0/text", "{{ y. }}")
    );
    // The end that is missing would be behind the prompt.
    assert_eq!(
        faulty(&[text("{% if x %}", "a"), value, text("{{ y }} end", "b")]),
        marked("/a/items/0/text", "{% if x %}")
    );
    let mut entry = text("{{ x. }}", "a");
    let source = entry.source.as_mut().expect("a source");
    source.entry = Some(2);
    assert_eq!(
        faulty(&[entry.clone()]),
        marked("/a/items/0/text/2", "{{ x. }}")
    );
    let source = entry.source.as_mut().expect("a source");
    (source.entry, source.fragment) = (None, Some(1));
    let pointer = "/a/items/0/fragments/1/text";
    assert_eq!(faulty(&[entry]), marked(pointer, "{{ x. }}"));
}

fn hydrated(registry: &Value, vars: &[(&str, &str)], context: &Value) -> Prompt {
    let registry =
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry");
    let mut state = State::default();
    for (name, text) in vars {
        state
            .template_vars
            .insert((*name).to_owned(), (*text).to_owned());
    }
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::new(7).expect("a seed"),
    };
    let hydration = Engine::new(registry.clone())
        .hydrate(&call)
        .expect("a prompt");
    Prompt::of(
        &registry,
        &hydration.segments,
        context.as_object().expect("an object"),
    )
}

fn greeting(engine: &Value) -> Value {
    json!({
        "template_engine": engine,
        "assembly_order": ["base_context", "personas"],
        "base_context": {"template_vars": ["who"], "items": [{"id": "a", "text": "Dear {who}, {{ args.name }}{# {who} #}{% if args.old %} of old{% endif %}."}]},
        "personas": {"items": [{"id": "p", "context": "I am {{ assistant.name }}."}]},
    })
}

#[test]
fn a_registry_that_asks_for_jinja_is_rendered() {
    let context = json!({"args": {"name": "Bob", "old": true}, "assistant": {"name": "Ada"}});
    let prompt = hydrated(
        &greeting(&json!("jinja")),
        &[("base_context::who", "{{ args.name }}")],
        &context,
    );
    assert_eq!(
        prompt.text,
        "Dear {{ args.name }}, Bob of old.\n\nI am Ada."
    );
    assert_eq!(prompt.error, None);
    let spans: Vec<_> = prompt.spans.iter().map(describe).collect();
    assert_eq!(
        spans,
        [
            "Dear |base_context",
            "{{ args.name }}|base_context",
            ", |base_context",
            "Bob|base_context|args.name",
            " of old|base_context",
            ".|base_context",
            "\n\n|-",
            "I am |personas",
            "Ada|personas|assistant.name",
            ".|personas"
        ]
    );
}

#[test]
fn a_registry_that_does_not_keeps_its_braces() {
    let prompt = hydrated(
        &greeting(&json!(null)),
        &[("base_context::who", "Eve")],
        &json!({}),
    );
    assert_eq!(
        prompt.text,
        "Dear Eve, {{ args.name }}{# Eve #}{% if args.old %} of old{% endif %}.\n\nI am {{ assistant.name }}."
    );
}
