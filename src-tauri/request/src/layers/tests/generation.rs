//! Tools and generation settings in the shape of the API.

use promptdeck_core::registry::Severity;
use serde_json::json;

use super::{full, layered};

#[test]
fn tools_and_generation_in_the_words_of_the_api() {
    let layered = layered(&full());
    assert_eq!(
        layered.request["tools"],
        json!([{"functionDeclarations": [{"name": "read_file", "description": "Reads", "parametersJsonSchema": {"type": "object"}}]}])
    );
    assert_eq!(
        layered.request["generationConfig"],
        json!({"temperature": 0.4, "maxOutputTokens": 100})
    );
}

#[test]
fn settings_the_api_does_not_have_are_left_out_and_each_is_said() {
    let mut document = full();
    document["generation"] = json!({
        "temperature": 0.4, "retries": 3, "timeout_ms": 1000, "repeat_penalty": 1.1,
        "a/b": 1, "top_k": null, "thinking_config": {"thinkingLevel": "low"},
    });
    let found = layered(&document);
    assert_eq!(
        found.request["generationConfig"],
        json!({"temperature": 0.4, "thinkingConfig": {"thinkingLevel": "low"}})
    );
    let reported = found.diagnostics.iter().map(|diagnostic| {
        (
            diagnostic.code.as_str(),
            diagnostic.severity,
            diagnostic.pointer.as_str(),
        )
    });
    assert_eq!(
        reported.collect::<Vec<_>>(),
        [
            ("generation_key", Severity::Note, "/generation/retries"),
            ("generation_key", Severity::Note, "/generation/timeout_ms"),
            (
                "generation_key",
                Severity::Warning,
                "/generation/repeat_penalty"
            ),
            ("generation_key", Severity::Warning, "/generation/a~1b"),
        ]
    );
    document["generation"] = json!({"retries": 3});
    assert!(!layered(&document).request.contains_key("generationConfig"));
}
