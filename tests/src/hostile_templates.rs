//! Hostile templates, to test that they are stopped.

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

/// Templates that would take unlimited time or memory.
#[must_use]
pub fn all() -> Vec<String> {
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
        "{% set x = 'é' * 400000 %}{% for i in range(99999) %}{{ x | length }}{% endfor %}",
        "{% set x = 'A' * 800000 %}{% for i in range(99999) %}{{ x | wordwrap(3) | length }}{% endfor %}",
        "{% set x = '<' * 800000 %}{% for i in range(99999) %}{{ x | e | striptags | length }}{% endfor %}",
        "{% set d = dict(a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1) %}{% set x = 'a' * 900000 %}{% for i in range(99999) %}{{ d[x] }}{% endfor %}",
        "{% set d = dict(a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1) %}{% set x = 'a' * 900000 %}{% for i in range(99999) %}{{ x in d }}{{ d.get(x) }}{% endfor %}",
        "{% set ns = namespace(t=(1, 2)) %}{% for i in range(90) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ {ns.t: 1} }}",
        "{% set ns = namespace(t=(1, 2), u=(1, 2)) %}{% for i in range(90) %}{% set ns.t = (ns.t, ns.t) %}{% set ns.u = (ns.u, ns.u) %}{% endfor %}{{ ns.t == ns.u }}",
        "{% set ns = namespace(t=[1, 2]) %}{% for i in range(90) %}{% set ns.t = [ns.t, ns.t] %}{% endfor %}{{ ns.t | tojson }}",
        "{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = ns.l + [(namespace(), 1)] %}{% endfor %}{{ dict(ns.l) }}",
        "{% set x = 2 ** 16000 %}{% for i in range(99999) %}{{ (x * x) == i }}{% endfor %}",
        "{% set x = 2 ** 8000 - 1 %}{% for i in range(99999) %}{% set y = x * x %}{% set z = y // x %}{% endfor %}",
        "{% set x = 3 ** 5000 %}{% for i in range(99999) %}{% set y = x | string %}{% endfor %}",
        "{% set x = 3 ** 500 %}{% for i in range(99999) %}{% set y = x / 7.5 %}{% endfor %}",
        "{% for i in range(99999) %}{% set y = 7 | round(-5000) %}{% endfor %}",
        "{% set x = 'é' * 400000 %}{% for i in range(99999) %}{% set y = x | length %}{% endfor %}",
        "{% set x = 'é' * 400000 %}{% for i in range(99999) %}{% set y = x.isprintable() %}{% endfor %}",
        "{% set x = '٣' * 400000 %}{% for i in range(99999) %}{% set y = x.isdecimal() %}{% endfor %}",
        "{% set x = 'é' * 4000000 %}{{ [x] }}",
        "{% set x = '\u{a0}' * 4000000 %}{{ [x] }}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x.isalpha() %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x is lower %}{% endfor %}",
        "{% set x = 'é' * 400000 %}{% for i in range(99999) %}{% for c in x %}{{ loop.index }}{% break %}{% endfor %}{% endfor %}",
        "{% set x = ' ' * 900000 %}{% for i in range(99999) %}{% set y = x.strip() %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% set y = 'bcdefghijk' * 50000 ~ 'a' %}{{ x.strip(y) }}{% for i in range(99999) %}{{ x.strip(y) }}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x.startswith(x) %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x.startswith('a', 800000) %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x.removeprefix('a') %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x.partition('b') %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = x % () %}{% endfor %}",
        "{% set x = 'a' * 900000 %}{% for i in range(99999) %}{% set y = '{}'.format(x) %}{% endfor %}",
        "{% set x = '1' * 900000 %}{% for i in range(99999) %}{% set y = x | int %}{% set z = x | float %}{% endfor %}",
        "{% set x = '\n' * 4000000 %}{{ x.splitlines() | length }}",
        "{% set x = '\n' * 4000000 %}{{ x | indent }}",
        "{% set x = 'a,' * 4000000 %}{{ x.split(',') | length }}",
        "{% set x = '<' * 8000000 %}{{ x | e }}",
        "{% set x = 'a' * 12000000 %}{{ x[::2] }}",
        "{% set x = 'é' * 6000000 %}{{ x[::2] }}",
        "{% set x = ' ' * 8000000 %}{{ x | urlencode }}",
        "{{ [[1]] | map(attribute='.' * 9000000) | list }}",
        "{{ range(9000) | map('string', *range(9000)) | list }}",
        "{% set x = '-a' * 400000 %}{% for i in range(99999) %}{{ x | wordwrap(3) | length }}{% endfor %}",
        "{{ [range(99999) | list] * 999 | tojson }}",
        "{{ '%.900000f' % 1.5 }}{{ '%.900000e' % 1.5 }}{{ '%.900000g' % 1.5 }}{{ '{:.900000f}'.format(1.5) * 99 }}",
        "{% for i in range(9999) %}{% for j in range(9999) %}{% set x = [('nan' | float), 1, 2] | sort %}{% endfor %}{% endfor %}",
    ]
    .map(str::to_owned)
    .to_vec();
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
    let many =
        |count: usize, one: &dyn Fn(usize) -> String| -> String { (0..count).map(one).collect() };
    // Many names looked up in every iteration, many branches, attributes, argument names and
    // parameter names.
    all.push(format!(
        "{{% for i in range(99999) %}}{{% if 0 %}}{}{{% endif %}}{{% endfor %}}",
        many(1_900, &|index| format!("{{{{ a{index} }}}}"))
    ));
    all.push(format!(
        "{{% for i in range(99999) %}}{{% if a %}}{}{{% endif %}}{{% endfor %}}",
        "{% elif a %}".repeat(30_000)
    ));
    all.push(format!(
        "{{% for i in range(99999) %}}{{% if {} %}}{{% endif %}}{{% endfor %}}",
        vec!["a"; 60].join(" or ")
    ));
    all.push(format!(
        "{{% set ns = namespace() %}}{{% for i in range(99999) %}}{}{{% endfor %}}",
        many(20_000, &|index| format!("{{% set ns.a{index} = 1 %}}"))
    ));
    all.push(format!(
        "{{% for i in range(99999) %}}{{% set x = dict({}) %}}{{% endfor %}}",
        many(40_000, &|index| format!("a{index}=1,"))
    ));
    all.push(format!(
        "{{% macro m({}) %}}{{% endmacro %}}{{% for i in range(99999) %}}{{{{ m() }}}}{{% endfor %}}",
        many(1_900, &|index| format!("a{index}=1,"))
    ));
    all
}
