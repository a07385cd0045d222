//! The parts of the schema that describe generation settings and output policies.

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
        "description": "How the text is to be generated.",
        "type": ["object", "null"],
        "properties": {
            "provider": with(text("Whom the author had in mind; it switches nothing."), json!(default.provider)),
            "model": with(text("The model's name."), json!(default.model)),
            "temperature": with(number("Sampling temperature."), json!(default.temperature)),
            "top_p": number("Nucleus sampling, from 0 to 1."),
            "top_k": count("Candidates at each step."),
            "max_tokens": with(count("Tokens generated at most."), json!(default.max_tokens)),
            "repeat_penalty": number("Penalty for repeated tokens; 1 is none."),
            "timeout_ms": with(count("Milliseconds for one attempt."), json!(default.timeout_ms)),
            "retries": with(count(&format!("Attempts while the policy refuses the text; {} at most.", GenerationConfig::MAX_ATTEMPTS)), json!(default.retries)),
            "max_prompt_chars": count("Characters a prompt may have; a longer one is not sent."),
        },
        "additionalProperties": false,
    })
}

pub(super) fn output_policy() -> Value {
    json!({
        "description": "How the generated text is cleaned and judged. Patterns are Python's.",
        "type": ["object", "null"],
        "properties": {
            "strip_prefixes": texts("Taken off the start, each once, whatever their letter case."),
            "strip_patterns": texts("Their matches are removed; ^ and $ match at every line."),
            "forbidden_substrings": texts("Must not occur."),
            "forbidden_patterns": texts("Must not match."),
            "max_length": count("Characters that are kept."),
            "min_length": count("A shorter text is refused."),
            "require_patterns": texts("Must match."),
            "append_suffix": text("Appended to what is left."),
            "collapse_whitespace": flag("Runs of blanks become one, blank lines at most one."),
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
