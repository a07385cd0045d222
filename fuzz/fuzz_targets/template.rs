//! Templates of prompts: rendered, or given back as they are with the error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_request::template::render;
use serde_json::{Map, json};

fuzz_target!(|source: &str| {
    let context = Map::from_iter([
        (
            "user".to_owned(),
            json!({"name": "Ada", "tags": ["a", "b"]}),
        ),
        ("n".to_owned(), json!(3)),
    ]);
    let rendering = render(source, &context);
    if rendering.error.is_some() {
        assert_eq!(rendering.output, source);
    }
});
