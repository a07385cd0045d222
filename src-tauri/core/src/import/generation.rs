//! The values that generation settings take, in every format that has them.

use promptdeck_json::abridged;
use serde_json::Value;

/// Whether a setting of a registry takes a value.
pub(super) fn is_value_of(setting: &str, value: &Value) -> bool {
    match setting {
        "model" => value.is_string(),
        "top_k" | "max_tokens" => value.as_u64().is_some(),
        _ => value.is_number(),
    }
}

/// Why the value of a setting, which a format calls `theirs`, is left out.
pub(super) fn wrong_value(theirs: &str, setting: &str, value: &Value) -> String {
    let kind = match setting {
        "model" => "a text",
        "top_k" | "max_tokens" => "a whole number",
        _ => "a number",
    };
    let value = value.to_string();
    format!(
        "{theirs} is not {kind} and is left out: {}",
        abridged(&value)
    )
}
