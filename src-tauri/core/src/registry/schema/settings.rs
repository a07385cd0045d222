//! The part of the schema for generation settings and output policies.

use serde_json::{Value, json};

use super::{flag, text, texts};
use crate::output::GenerationConfig;

pub(super) fn generation() -> Value {
    let default = GenerationConfig::default();
    let with = |mut schema: Value, default: Value| {
        schema["default"] = default;
        schema
    };
    json!({
        "description": "Generation settings.",
        "type": ["object", "null"],
        "properties": {
            "provider": with(text("Intended provider (informational)."), json!(default.provider)),
            "model": with(text("Name of the model."), json!(default.model)),
            "temperature": with(number("Sampling temperature."), json!(default.temperature)),
            "top_p": number("Nucleus sampling, from 0 to 1."),
            "top_k": count("Number of candidate tokens at each step."),
            "max_tokens": with(count("Maximum number of generated tokens."), json!(default.max_tokens)),
            "repeat_penalty": number("Penalty for repeated tokens; 1 for none."),
            "timeout_ms": with(count("Time limit of one attempt in milliseconds."), json!(default.timeout_ms)),
            "retries": with(count(&format!("Maximum number of attempts while the policy rejects the text; at most {}.", GenerationConfig::MAX_ATTEMPTS)), json!(default.retries)),
            "max_prompt_chars": count("Maximum length of the prompt in characters; a longer one is not sent."),
        },
        "additionalProperties": false,
    })
}

pub(super) fn output_policy() -> Value {
    json!({
        "description": "How the generated text is cleaned and checked. Patterns are Python regular expressions.",
        "type": ["object", "null"],
        "properties": {
            "strip_prefixes": texts("Prefixes to remove, each once, ignoring case."),
            "strip_patterns": texts("Patterns whose matches are removed; ^ and $ match at every line."),
            "forbidden_substrings": texts("Texts that must not occur."),
            "forbidden_patterns": texts("Patterns that must not match."),
            "max_length": count("Maximum length in characters; longer texts are truncated."),
            "min_length": count("Minimum length in characters; shorter texts are rejected."),
            "require_patterns": texts("Patterns that must match."),
            "append_suffix": text("Text appended after cleaning."),
            "collapse_whitespace": flag("Whether to reduce runs of blanks to one blank, and of blank lines to one blank line."),
        },
        "additionalProperties": false,
    })
}

fn number(description: &str) -> Value {
    json!({"description": description, "type": ["number", "null"]})
}

fn count(description: &str) -> Value {
    json!({"description": description, "type": ["integer", "null"], "minimum": 0})
}
