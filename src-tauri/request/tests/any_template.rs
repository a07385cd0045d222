//! Generated input: any template is rendered or rejected without a panic.

use promptdeck_jinja::{Limits, Template, Variables};
use promptdeck_request::template::render;
use proptest::prelude::*;
use serde_json::{Map, json};

/// Text of random pieces that are meaningful to a reader.
fn of_pieces(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 0..most).prop_map(|pieces| pieces.concat())
}

const TEMPLATE: &[&str] = &[
    "{{ ",
    " }}",
    "{% ",
    " %}",
    "{# ",
    " #}",
    "user",
    "n",
    ".name",
    "[0]",
    "['k']",
    "if ",
    "else ",
    "elif ",
    "endif ",
    "for ",
    "x ",
    "in ",
    "endfor ",
    "set ",
    "= ",
    "macro m(a)",
    "endmacro",
    "m(1)",
    "|upper",
    "|join(',')",
    "|tojson",
    "range(3)",
    "loop.index",
    "'text'",
    "\"",
    "(",
    ")",
    "~ ",
    "+ ",
    "* ",
    "- ",
    "not ",
    "and ",
    "is defined ",
    "none ",
    "\n",
    "é",
    "-%}",
    "{%- ",
    "namespace(i=0)",
    "messages",
    "break ",
    "raise_exception('no')",
    "1e9",
    "**9 ",
];

proptest! {
    #[test]
    fn a_template_prints_or_is_given_back(source in of_pieces(TEMPLATE, 16), any in any::<String>()) {
        let context = Map::from_iter([
            ("user".to_owned(), json!({"name": "Ada"})),
            ("n".to_owned(), json!(3)),
        ]);
        for source in [source, any] {
            let rendering = render(&source, &context);
            if rendering.error.is_some() {
                prop_assert_eq!(rendering.output, source);
            }
        }
    }

    #[test]
    fn a_chat_template_renders_or_is_refused(source in of_pieces(TEMPLATE, 16), any in any::<String>()) {
        let mut variables = Variables::default();
        let messages = json!([{"role": "user", "content": "Hi"}]);
        variables.set_json("messages", &messages).expect("a short conversation");
        for source in [source, any] {
            if let Ok(template) = Template::compile(&source) {
                let limits = Limits { steps: 20_000, bytes: 1 << 20, ..Limits::default() };
                let _ = template.render(&variables, None, limits);
            }
        }
    }
}
