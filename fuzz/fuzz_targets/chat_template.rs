//! Chat templates: compiled and rendered within their limits, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_jinja::{Limits, Template, Variables};
use serde_json::json;

fuzz_target!(|source: &str| {
    let Ok(template) = Template::compile(source) else {
        return;
    };
    let mut variables = Variables::default();
    let messages =
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]);
    variables
        .set_json("messages", &messages)
        .expect("a short conversation");
    let _ = template.render(&variables, None, Limits::default());
});
