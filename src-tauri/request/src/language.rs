//! Which language a message is taken to be in when it doesn't say so itself.

use serde_json::{Map, Value};

/// The key of the client's language in a call's metadata.
pub const CLIENT_LANGUAGE: &str = "client.language";

/// The language of the latest user message of the history that has one, else the client's, else
/// empty.
#[must_use]
pub fn language(history: &[Value], metadata: Option<&Map<String, Value>>) -> String {
    history
        .iter()
        .rev()
        .filter(|message| message.get("role").and_then(Value::as_str) == Some("user"))
        .filter_map(|message| message.get("language").and_then(Value::as_str))
        .chain(
            metadata
                .and_then(|metadata| metadata.get(CLIENT_LANGUAGE))
                .and_then(Value::as_str),
        )
        .find(|language| !language.is_empty())
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(history: &Value, client: &Value, expected: &str) {
        let metadata = json!({ CLIENT_LANGUAGE: client });
        let history = history.as_array().expect("a list");
        assert_eq!(
            language(history, metadata.as_object()),
            expected,
            "{history:?}"
        );
    }

    #[test]
    fn the_history_comes_before_the_client() {
        let history = json!([{"role": "user", "language": "de"}, {"role": "user", "language": "fr"}, {"role": "assistant", "language": "en"}]);
        check(&history, &json!("es"), "fr");
        check(
            &json!([{"role": "user", "language": "de"}, {"role": "user"}]),
            &json!("es"),
            "de",
        );
        check(
            &json!([{"role": "user", "language": ""}, {"role": "assistant", "language": "en"}]),
            &json!("es"),
            "es",
        );
        check(&json!([]), &json!("es"), "es");
        check(&json!([]), &json!(null), "");
        assert_eq!(language(&[], None), "");
    }
}
