//! JSON in one spelling, for hashes and sizes.

use serde_json::Value;

/// JSON with sorted keys, no blanks, and nothing escaped that needn't be.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    match value {
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(canonical_json).collect();
            format!("[{}]", entries.join(","))
        }
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            let entries: Vec<String> = keys
                .into_iter()
                .map(|key| {
                    format!(
                        "{}:{}",
                        Value::from(key.as_str()),
                        canonical_json(&map[key])
                    )
                })
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        other => other.to_string(),
    }
}
