//! The JSON Schema of a file of checks: the only list of its keys.

use promptdeck_core::hydrate::schema::{seed, state};
use promptdeck_json::schema::{closed, count, text, titled};
use serde_json::{Value, json};

use super::document::{MAX_CHECKS, MAX_ROLLS};

/// The schema (2020-12) of a file of checks.
#[must_use]
pub fn json_schema() -> Value {
    let document = closed(
        "Promises about the prompts of the registry NAME.json, in NAME.checks.json beside it.",
        &["checks"],
        json!({
            "version": {"description": "Version of the format.", "enum": [1, null]},
            "checks": {"description": "The checks.", "type": "array", "maxItems": MAX_CHECKS, "items": check()},
        }),
    );
    titled("Promptdeck checks", document)
}

fn check() -> Value {
    closed(
        "A promise: what is given, and what is expected of it.",
        &["name", "expect"],
        json!({
            "name": {"description": "What is promised.", "type": "string", "minLength": 1},
            "given": given(),
            "answer": text(
                "A model's answer, judged by the output policy; of `given` only `route` counts.",
            ),
            "expect": {
                "description": "The expectations, one object for each.",
                "type": "array",
                "minItems": 1,
                "items": expectation(),
            },
        }),
    )
}

fn given() -> Value {
    let mut state = state();
    state["type"] = json!(["object", "null"]);
    let mut given = closed(
        "The rolls: one with seed 0 if nothing is given.",
        &[],
        json!({
            "state": state,
            "route": text("Route of the registry."),
            "variables": {
                "description": "By SECTION::NAME: text of a template variable, over the state's.",
                "type": ["object", "null"],
                "additionalProperties": {"type": ["string", "null"]},
            },
            "seed": seed(),
            "rolls": {
                "description": "Number of rolls, with the seeds from `seed` on; 1 by default. Seed 0 follows the largest.",
                "type": ["integer", "null"],
                "minimum": 1,
                "maximum": MAX_ROLLS,
            },
        }),
    );
    given["type"] = json!(["object", "null"]);
    given
}

fn expectation() -> Value {
    let only_true = |description: &str| json!({"description": description, "enum": [true, null]});
    let mut schema = closed(
        "One expectation, with `tokenizer`, `min`, `max` or `allow` where it needs them. It has to \
         hold for every roll.",
        &[],
        json!({
            "contains": some_text("Text that the prompt or the cleaned answer contains."),
            "not_contains": some_text("Text that it does not contain."),
            "matches": some_text("Pattern (Python's re) that matches somewhere in it."),
            "not_matches": some_text("Pattern that matches nowhere in it."),
            "starts_with": some_text("Text that it starts with."),
            "ends_with": some_text("Text that it ends with."),
            "max_tokens": count("Maximum number of tokens, counted by `tokenizer`."),
            "min_tokens": count("Minimum number of tokens, counted by `tokenizer`."),
            "max_characters": count("Maximum number of characters (Unicode scalar values)."),
            "text": text("Golden text: the prompt of one roll."),
            "renders": some_text("Section, SECTION.ITEM or assembly entry that prints."),
            "never_renders": some_text("Section, SECTION.ITEM or assembly entry that does not print."),
            "share": some_text(
                "Section, SECTION.ITEM or assembly entry that prints in `min` to `max` of the rolls.",
            ),
            "stable_prefix_tokens": count(
                "Minimum number of tokens, counted by `tokenizer`, of the text that all rolls start with.",
            ),
            "no_problems": only_true("Lint and hydration report no error and no warning."),
            "accepted": only_true("The output policy accepts the answer."),
            "rejected": {
                "description": "The output policy rejects the answer: for a reason that contains \
                                this text, or for any if true.",
                "type": ["string", "boolean", "null"],
            },
            "cleaned": text("Golden text: the answer as the output policy cleans it."),
            "tokenizer": text("Tokenizer that counts: o200k_base, cl100k_base or estimate."),
            "min": share("Minimum share of the rolls, from 0 to 1."),
            "max": share("Maximum share of the rolls, from 0 to 1."),
            "allow": {
                "description": "Codes of problems that may occur.",
                "type": ["array", "null"],
                "items": {"type": "string"},
            },
        }),
    );
    schema["minProperties"] = json!(1);
    let needs = |key: &str| (key.to_owned(), json!(["tokenizer"]));
    let limits = ["max_tokens", "min_tokens", "stable_prefix_tokens"];
    schema["dependentRequired"] = limits.into_iter().map(needs).collect();
    schema
}

/// Text of at least one character.
fn some_text(description: &str) -> Value {
    let mut schema = text(description);
    schema["minLength"] = json!(1);
    schema
}

fn share(description: &str) -> Value {
    json!({"description": description, "type": ["number", "null"], "minimum": 0, "maximum": 1})
}
