//! Compares templates with Jinja2 where the syntax is shared: the same output, or errors in both.
//! COMPATIBILITY.md lists the intended differences.

use promptdeck_request::template;
use promptdeck_tests::oracle;
use serde_json::{Value, json};

const TEMPLATES: &[&str] = &[
    "plain text, { single } braces } {",
    "{{ name }}",
    "{{ args.name }}|{{ args['name'] }}",
    "{{ nobody }}{{ nobody.knows }}{{ nobody['a'].b.c }}|",
    "{{ missing|default('x') }}{{ name|default('x') }}",
    "{{ name|default('x', true) }}",
    "{{ n }} {{ f }} {{ big }} {{ small }} {{ yes }} {{ no }} {{ nothing }}",
    "{{ list }} {{ map }}",
    "{{ 1 + 2 * 3 }} {{ 7 // 2 }} {{ 7 % 3 }} {{ 2 ** 10 }} {{ 1 / 4 }} {{ 6 / 3 }}",
    "{{ 'a' ~ 1 ~ true ~ none ~ 1.0 }}",
    "{{ n > 3 }} {{ n == 5 }} {{ n != 5 }} {{ 'a' < 'b' }} {{ 1 < n < 9 }}",
    "{{ n > 3 and name or 'x' }} {{ not yes }}",
    "{{ 'e' in name }} {{ 2 in list }} {{ 9 not in list }} {{ 'k' in map }}",
    "{{ 'yes' if yes else 'no' }}{{ 'only' if no }}|",
    "{% if n > 3 %}big{% elif n %}small{% else %}none{% endif %}",
    "{% if nobody %}a{% else %}b{% endif %}{% if list %}c{% endif %}{% if nothing %}d{% endif %}",
    "{% if name is defined %}1{% endif %}{% if nobody is undefined %}2{% endif %}{% if nothing is none %}3{% endif %}",
    "{% if n is number %}1{% endif %}{% if name is string %}2{% endif %}{% if list is sequence %}3{% endif %}{% if map is mapping %}4{% endif %}",
    "{% if n is odd %}odd{% endif %}{% if n is divisibleby(5) %}five{% endif %}{% if list is iterable %}it{% endif %}",
    "{% for x in list %}{{ x }}{% endfor %}",
    "{% for x in list %}{{ loop.index }}/{{ loop.index0 }}/{{ loop.length }}/{{ loop.first }}/{{ loop.last }} {% endfor %}",
    "{% for x in list %}{{ loop.revindex }}{{ loop.cycle('a', 'b') }}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for x in nobody %}x{% else %}empty{% endfor %}",
    "{% for x in list if x > 1 %}{{ x }}{% endfor %}",
    "{% for k, v in map|items %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in map %}{{ k }}{% endfor %}",
    "{% for a in messages %}{{ a.role }}: {{ a.content }}\n{% endfor %}",
    "{% for a in messages %}{% for b in list %}{{ loop.index }}{{ b }}{% endfor %}{% endfor %}",
    "{% for x in range(3) %}{{ x }}{% endfor %}{% for x in range(1, 10, 4) %}{{ x }}{% endfor %}",
    "{% for c in name %}{{ c }}.{% endfor %}",
    "{% set x = n + 1 %}{{ x }}{% set y %}<{{ name }}>{% endset %}{{ y }}",
    "{% set ns = namespace(total=0) %}{% for x in list %}{% set ns.total = ns.total + x %}{% endfor %}{{ ns.total }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}",
    "{% with x = 1, y = 2 %}{{ x }}{{ y }}{% endwith %}{{ x }}",
    "{% macro m(a, b='d') %}[{{ a }}{{ b }}]{% endmacro %}{{ m(1) }}{{ m(1, 2) }}{{ m(b=3, a=4) }}",
    "{% macro m() %}({{ caller() }}){% endmacro %}{% call m() %}inside{% endcall %}",
    "{% filter upper %}loud {{ name }}{% endfilter %}",
    "{% raw %}{{ not }} {% this %}{% endraw %}",
    "{# a comment #}a{#- b -#} c",
    "a  {%- if true %}  b  {%- endif -%}  c",
    "a\n{% if true %}\nb\n{% endif %}\nc\n",
    "{{ '{{' }} {{ '}}' }} {{ \"quote's\" }} {{ 'tab\\t' }}",
    "{{ name|upper }} {{ name|lower }} {{ name|capitalize }} {{ name|title }} {{ name|length }}",
    "{{ '  x  '|trim }}|{{ 'a-b'|replace('-', '+') }}|{{ 'abc'|reverse }}|{{ 'abc'|first }}{{ 'abc'|last }}",
    "{{ list|join(', ') }} {{ list|first }} {{ list|last }} {{ list|length }} {{ list|sum }} {{ list|min }} {{ list|max }}",
    "{{ list|sort(reverse=true) }} {{ list|reverse|list }} {{ [3, 1, 3]|unique|list }}",
    "{{ messages|map(attribute='role')|join(',') }} {{ messages|selectattr('role', 'equalto', 'user')|list|length }}",
    "{{ list|select('odd')|list }} {{ list|reject('odd')|list }} {{ list|map('string')|join }}",
    "{{ 3.7|int }} {{ '12'|int + 1 }} {{ 3|float }} {{ -3|abs }} {{ 3.14159|round(2) }}",
    "{{ 'a\nb\nc'|indent(2) }}|{{ 'a\nb'|indent(3, true) }}",
    "{{ list|batch(2)|list }} {{ map|dictsort }}",
    "{{ 'the quick brown fox jumps'|truncate(12) }}|{{ name|truncate(3, true, '…', 0) }}|{{ name|truncate(length=4) }}",
    "{{ 'the quick brown-red fox\n\njumps over'|wordwrap(9) }}|{{ 'abcdefgh'|wordwrap(3, wrapstring='/') }}",
    "{{ name|center(9) }}|{{ n|center(7) }}|{{ 'one two  three'|wordcount + 1 }}|{{ name|wordcount }}",
    "{{ html|striptags }}|{{ 'a b/c?é'|urlencode }}|{{ map|urlencode }}|{{ 123456|filesizeformat }}",
    "{{ {'class': 'a b', 'id': none, 'x': html}|xmlattr }}|{{ html|forceescape }}|{{ nobody|truncate }}|{{ nobody|center(3) }}|",
    "{% autoescape true %}{{ html|safe|truncate(5, true) }}{{ html|truncate(5) }}{{ html|striptags }}{{ {'a': html}|xmlattr }}{{ html|forceescape }}{% endautoescape %}",
    "{{ name|truncate('x') }}",
    "{{ n|wordwrap }}",
    "{{ name|truncate(2, nosuch=1) }}",
    "{{ name.upper() }}|{{ '  x '.strip() }}|{{ 'a,b,c'.split(',') }}|{{ ', '.join(['a', 'b']) }}|{{ 'ab'.replace('a', 'c') }}",
    "{{ name.startswith('E') }}|{{ name.find('v') }}|{{ 'a-b'.partition('-')|list }}|{{ 'x'.zfill(4) }}|{{ '{} {x}'.format(1, x=n) }}",
    "{% for k, v in map.items() %}{{ k }}={{ v }};{% endfor %}{{ map.keys()|list }}{{ map.values()|list }}{{ map.get('k', 'none') }}{{ map.get('nosuch') }}",
    "{{ list.count(2) }}|{{ list.index(list[0]) }}|{{ name.title().lower().split('e')[0] }}|{{ f.is_integer() }}",
    "{{ messages[0].role.upper() }}|{{ messages.copy()|length }}",
    "{% if name.strip() %}yes{% endif %}{% for word in 'a b c'.split() %}{{ loop.index }}{{ word }}{% endfor %}",
    "{% macro m(x) %}{{ x.upper() }}{% endmacro %}{{ m('a') }}{% set ns = namespace(a='b') %}{{ ns.a.upper() }}",
    "{{ name.nosuch() }}",
    "{{ n.upper() }}",
    "{{ nothing.upper() }}",
    "{{ 'a'.join(n) }}",
    "{{ 'a'.center() }}",
    "{{ map.k() }}",
    "{{ '{k}'.format_map({'k': name}) }}",
    "{{ '%s is %d'|format('x', 3) }} {{ nothing|string }} {{ list|string }}",
    "{{ list[0] }} {{ list[-1] }} {{ list[1:] }} {{ name[:2] }} {{ name[::-1] }}",
    "{{ [1, 'a', none, true, 1.5] }} {{ (1, 2) }} {{ (1,) }} {{ {'a': 1, 'b': [2]} }}",
    "{{ ['\u{200b}\u{7f}\u{a0}\u{ad}\u{2028}\u{e000}é🌱', \"it's\"] }}",
    "{% autoescape true %}{{ html }}{{ html|safe }}{{ html|e }}{% endautoescape %}{{ html }}",
    "{% autoescape false %}{{ html }}{{ html|e }}{% endautoescape %}",
    "{{ html|escape }} {{ 'it\\'s'|e }}",
    "{% if not nobody.a.b %}silent{% endif %}",
    "{{ name",
    "{% if n %}",
    "{% endfor %}",
    "{% unknown %}",
    "{{ name|nosuch }}",
    "{{ n is nosuch }}",
    "{{ nosuch() }}",
    "{{ 1 + 'a' }}",
    "{{ n < 'a' }}",
    "{{ name > n }}{{ nothing < 1 }}",
    "{{ nothing <= nothing }}",
    "{{ map < map }}",
    "{{ list < [9] }} {{ yes < 5 }} {{ (1, 2) >= (1,) }} {{ n is ge(f) }} {{ name is lt('z') }}",
    "{{ list < n }}",
    "{{ name is lt(n) }}",
    "{{ n in name }}",
    "{{ n not in name }}",
    "{{ 'a' in 'abc' in ['abc'] }} {{ 1 in [1] != [] }} {{ 1 < 2 in list }} {{ 0 < 1 == 1 }}",
    "{{ n < 'a' < 3 }}",
    "{{ n in 'a' == false }}",
    "{{ [nobody, nothing] }} {{ {'k': nobody} }} {{ [[nobody]] }}|{{ nobody }}",
    "{{ n / 0 }}",
    "{{ n.nosuch.deeper }}|{{ name.nosuch }}|",
    "{% for x in n %}{{ x }}{% endfor %}",
    "{% include 'other' %}",
];

fn contexts() -> Vec<Value> {
    vec![
        json!({
            "name": "Eve", "args": {"name": "Eve"}, "n": 5, "f": 2.5, "big": 1e20, "small": 1.5e-7, "yes": true, "no": false, "nothing": null,
            "list": [1, 2, 3], "map": {"k": "v", "a": 1}, "html": "<a href=\"x\">'&'</a>",
            "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho {{ name }}"}]
        }),
        json!({
            "name": "", "args": {}, "n": 0, "f": 10.0, "big": 123_456_789_012_345_678_i64, "small": 0.0001, "yes": false, "no": true, "nothing": null,
            "list": [2], "map": {"k": null}, "html": "", "messages": []
        }),
        json!({
            "name": "Zoë 🌱", "args": {"name": "{% if %}"}, "n": -1, "f": -0.5, "big": 1e16, "small": 1e-5, "yes": true, "no": false, "nothing": null,
            "list": [3, 1, 2], "map": {"z": [1, {"y": "it's"}], "k": "\"q\""}, "html": "&amp;", "messages": [{"role": "tool", "content": null}]
        }),
    ]
}

/// What an undefined name goes through. Those that give a generator in Python, which is true and
/// prints its address, are made a list.
const FILTERS: &[&str] = &[
    "safe",
    "lower",
    "upper",
    "title",
    "capitalize",
    "replace('a', 'b')",
    "length",
    "count",
    "dictsort",
    "items|list",
    "reverse|list",
    "trim",
    "default('d')",
    "d('d', true)",
    "default",
    "round",
    "round(1)",
    "abs",
    "int",
    "int(7)",
    "float",
    "float(7.5)",
    "attr('x')",
    "first",
    "last",
    "min",
    "max",
    "sort",
    "sort(attribute='a')",
    "list",
    "batch(2)|list",
    "slice(2)|list",
    "sum",
    "sum(attribute='a')",
    "sum(start=2)",
    "truncate",
    "wordwrap",
    "center(4)",
    "wordcount",
    "striptags",
    "urlencode",
    "filesizeformat",
    "xmlattr",
    "forceescape",
    "truncate|default('d')",
    "indent",
    "select|list",
    "select('odd')|list",
    "reject|list",
    "selectattr('a')|list",
    "rejectattr('a')|list",
    "map('upper')|list",
    "map(attribute='a')|list",
    "groupby('a')",
    "unique|list",
    "format('x')",
    "string",
    "join",
    "join(', ')",
    "join(', ', attribute='a')",
    "tojson",
    "escape",
    "e",
    "length + 1",
    "list|length",
    "default([])|length",
    "first|upper",
    "sort|first|default('none')",
    "map(attribute='a')|join(', ')",
];
/// What it is tested for.
const TESTS: &[&str] = &[
    "defined",
    "not defined",
    "undefined",
    "none",
    "string",
    "number",
    "integer",
    "float",
    "boolean",
    "true",
    "false",
    "mapping",
    "iterable",
    "sequence",
    "odd",
    "even",
    "divisibleby(2)",
    "sameas(none)",
    "eq(1)",
    "ne(1)",
    "lt(1)",
    "le(1)",
    "gt(1)",
    "ge(1)",
    "in([1])",
    "in(list)",
    "lower",
    "upper",
];
/// What it is an operand of; `#` is the name.
const EXPRESSIONS: &[&str] = &[
    "#",
    "# + 1",
    "1 + #",
    "# + 'a'",
    "'a' + #",
    "# - 1",
    "# * 2",
    "2 * #",
    "'a' * #",
    "# / 2",
    "2 // #",
    "# % 2",
    "# ** 2",
    "-#",
    "+#",
    "# ~ 'a'",
    "'a' ~ # ~ 1",
    "# == #",
    "# == none",
    "# == ''",
    "# == []",
    "# == false",
    "# == 0",
    "# != nothing",
    "# != 1",
    "# < 1",
    "1 < #",
    "# > 'a'",
    "# <= 0",
    "# >= #",
    "0 < # < 2",
    "# in list",
    "# not in list",
    "# in []",
    "'a' in #",
    "1 not in #",
    "# in 'text'",
    "not #",
    "# and 1",
    "# or 1",
    "1 and #",
    "# or #",
    "# and #",
    "#[0]",
    "#['a']",
    "#[1:]",
    "#[::-1]",
    "#[:2]",
    "#.a.b.c",
    "#()",
    "#.upper()",
    "'a'.join(#)",
    "'abc'.replace('a', #)",
    "name.strip(#)",
    "list.index(#)",
    "map.get(#, 'none')",
    "[#, 1].count(1)",
    "#.a()",
    "# if # else 'no'",
    "'yes' if #",
    "'x' if not # else 'y'",
    "[#]",
    "[#, 1]",
    "(#,)",
    "{'a': #}",
    "[#]|length",
    "[1, #]|join('-')",
    "[#, 2]|first",
    "[3, #]|last",
    "list + #",
    "list[#]",
    "map[#]",
    "name[#]",
    "list|join(#)",
    "name|replace('v', #)",
    "name|default(#)",
    "range(#)",
    "range(#)|list",
    "name|replace(#, 'x')",
    "'%s'|format(#)",
    "[#, #]|sort",
    "[#, #]|unique|list",
    "namespace(a=#).a",
    "dict(a=#)",
    "dict(a=#).a",
    "loop",
    "# is defined and #",
    "# is not defined or #.a",
    "(# or [])|length",
    "list|select('eq', #)|list",
    "list is sameas(#)",
];
/// Statements on it.
const STATEMENTS: &[&str] = &[
    "{% if # %}a{% elif # is defined %}b{% else %}c{% endif %}",
    "{% if #|length %}x{% else %}empty{% endif %}",
    "{% if #|length > 0 %}x{% else %}empty{% endif %}",
    "{% if #|length == 0 %}empty{% endif %}",
    "{% for x in # %}x{% else %}empty{% endfor %}",
    "{% for x in #|sort %}x{% else %}empty{% endfor %}",
    "{% for x in #[:3] %}x{% else %}empty{% endfor %}",
    "{% for k, v in #|items %}x{% else %}empty{% endfor %}",
    "{% for k, v in #.items() %}x{% else %}empty{% endfor %}",
    "{% for x in #|reverse %}x{% else %}empty{% endfor %}",
    "{% for x in list if x in # %}x{% else %}none{% endfor %}",
    "{% for x in [#] %}<{{ x }}>{{ loop.length }}{% endfor %}",
    "{% for x in list %}{{ # }}{{ x }}{% endfor %}",
    "{% for x in # recursive %}x{% else %}empty{% endfor %}",
    "{% set x = # %}<{{ x }}>{{ x is defined }}",
    "{% set a, b = # %}{{ a }}",
    "{% set a, b = [#, 1] %}<{{ a }}>{{ b }}",
    "{% with x = # %}<{{ x }}>{% endwith %}",
    "{% macro m(a, b='d') %}<{{ a }}{{ b }}>{% endmacro %}{{ m(#) }}{{ m(1, 2) }}{{ m() }}",
    "{% macro m(a) %}{{ a is defined }}{{ a|default('d') }}{% endmacro %}{{ m(#) }}{{ m() }}",
    "{% filter upper %}a{{ # }}{% endfilter %}",
    "{% set ns = namespace() %}<{{ ns.a }}>{% set ns.b = # %}<{{ ns.b }}>",
    "{% call #() %}x{% endcall %}",
    "{% autoescape true %}{{ # }}{{ #|e }}{% endautoescape %}",
];
/// Names that have no value: of the context, and within values that have one.
const UNDEFINED: &[&str] = &[
    "nobody",
    "nobody.knows",
    "map.nobody",
    "map['nobody']",
    "list[9]",
];

#[test]
fn undefined_names_are_as_in_jinja2() {
    let filters = FILTERS.iter().flat_map(|filter| {
        [
            format!("{{{{ #|{filter} }}}}"),
            format!("{{% if #|{filter} %}}1{{% else %}}0{{% endif %}}"),
            format!("{{% for x in #|{filter} %}}{{{{ x }}}},{{% else %}}empty{{% endfor %}}"),
        ]
    });
    let tests = TESTS.iter().map(|test| format!("{{{{ # is {test} }}}}"));
    let expressions = EXPRESSIONS.iter().map(|text| format!("{{{{ {text} }}}}"));
    let statements = STATEMENTS.iter().copied().map(str::to_owned);
    let all = filters.chain(tests).chain(expressions).chain(statements);
    let context = contexts().remove(0);
    let questions: Vec<Value> = all
        .flat_map(|template| {
            UNDEFINED
                .iter()
                .map(move |name| template.replace('#', name))
        })
        .map(|template| json!({"template": template, "context": context}))
        .collect();
    compare(&questions);
}

#[test]
fn templates_render_as_in_jinja2() {
    let questions: Vec<Value> = TEMPLATES
        .iter()
        .flat_map(|template| {
            contexts()
                .into_iter()
                .map(move |context| json!({"template": template, "context": context}))
        })
        .collect();
    compare(&questions);
}

/// Compares renderings, or that there is none.
fn compare(questions: &[Value]) {
    let answers = oracle::ask("template_oracle.py", questions);
    let (mut errors, mut different) = (0, Vec::new());
    for (question, theirs) in questions.iter().zip(&answers) {
        let source = question["template"].as_str().expect("a template");
        let ours = template::render(source, question["context"].as_object().expect("a context"));
        let same = match (&ours.error, theirs.get("output")) {
            (None, Some(output)) => output == &json!(ours.output),
            (Some(_), None) => {
                errors += 1;
                assert_eq!(ours.output, source, "the original text comes back");
                true
            }
            _ => false,
        };
        if !same {
            different.push(format!(
                "{source:?}\n  ours   {:?} {:?}\n  theirs {theirs}",
                ours.output,
                ours.error.map(|error| error.message)
            ));
        }
    }
    println!(
        "{} renderings as in Jinja2, {errors} of them refused by both",
        questions.len() - different.len()
    );
    assert!(
        different.is_empty(),
        "{} of {} differ:\n{}",
        different.len(),
        questions.len(),
        different.join("\n")
    );
}
