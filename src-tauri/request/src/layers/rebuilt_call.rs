//! A model's function calls without its persisted response: read from what was noted of them, or
//! else from the tool responses that follow. A call is never sent as mere text before its response,
//! as the API refuses a response to no call.

use serde_json::{Map, Value, json};

use crate::call_arguments;

/// The parts of a turn that called functions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rebuilt {
    /// The parts, in order; empty when there is nothing to send.
    pub parts: Vec<Value>,
    /// Whether the calls are named after their responses, their arguments unknown.
    pub guessed: bool,
}

/// Rebuilds a turn from its `response`, which is JSON of any known shape or words, and from the
/// names of the tools that answer it.
#[must_use]
pub fn rebuild(response: &str, answered_by: &[&str]) -> Rebuilt {
    let recorded: Vec<Value> = serde_json::from_str(response)
        .map(|recorded| calls(&recorded))
        .unwrap_or_default();
    if !recorded.is_empty() && recorded.len() >= answered_by.len() {
        return Rebuilt {
            parts: recorded,
            guessed: false,
        };
    }
    let words = (!response.trim().is_empty()).then(|| json!({"text": response}));
    let named = answered_by
        .iter()
        .map(|name| json!({"functionCall": {"name": name, "args": {}}}));
    Rebuilt {
        parts: words.into_iter().chain(named).collect(),
        guessed: !answered_by.is_empty(),
    }
}

/// The function calls of a JSON value: a call or a list of calls, in Gemini's shape or in
/// `OpenAI`'s. Empty when any of it is something else, or has arguments that are no object.
fn calls(recorded: &Value) -> Vec<Value> {
    let all = match recorded {
        Value::Array(all) => all.as_slice(),
        Value::Object(map) => match map.get("tool_calls") {
            Some(Value::Array(all)) => all.as_slice(),
            _ => std::slice::from_ref(recorded),
        },
        _ => return Vec::new(),
    };
    let read: Option<Vec<Value>> = all.iter().map(call).collect();
    read.unwrap_or_default()
}

fn call(recorded: &Value) -> Option<Value> {
    let recorded = recorded.as_object()?;
    let inner = ["functionCall", "function_call", "function"]
        .iter()
        .find_map(|key| recorded.get(*key)?.as_object());
    let function = inner.unwrap_or(recorded);
    let name = function.get("name")?.as_str()?;
    let id = function.get("id").or_else(|| recorded.get("id"));
    let arguments = function.get("args").or_else(|| function.get("arguments"));
    let mut call = Map::new();
    if let Some(id) = id.filter(|id| !id.is_null()) {
        call.insert("id".to_owned(), id.clone());
    }
    call.insert("name".to_owned(), Value::from(name));
    call.insert(
        "args".to_owned(),
        Value::Object(call_arguments::object(arguments).ok()?),
    );
    Some(json!({"functionCall": call}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_in_all_their_shapes() {
        let sent = json!({"functionCall": {"name": "f", "args": {"a": 1}}});
        for recorded in [
            json!({"name": "f", "args": {"a": 1}}),
            json!({"name": "f", "arguments": "{\"a\": 1}"}),
            json!([{"functionCall": {"name": "f", "args": {"a": 1}}}]),
            json!({"function_call": {"name": "f", "args": {"a": 1}}}),
            json!({"tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]}),
        ] {
            let rebuilt = rebuild(&recorded.to_string(), &["f"]);
            let expected = Rebuilt {
                parts: vec![sent.clone()],
                guessed: false,
            };
            assert_eq!(rebuilt, expected, "{recorded}");
        }
    }

    #[test]
    fn words_stay_words_beside_a_call_named_after_its_response() {
        let named = json!({"functionCall": {"name": "f", "args": {}}});
        let check = |recorded: &str, answered_by: &[&str], parts: Vec<Value>, guessed: bool| {
            let expected = Rebuilt { parts, guessed };
            assert_eq!(rebuild(recorded, answered_by), expected, "{recorded}");
        };
        check(
            "f(a)",
            &["f"],
            vec![json!({"text": "f(a)"}), named.clone()],
            true,
        );
        check("", &["f", "f"], vec![named.clone(), named.clone()], true);
        check("f(a)", &[], vec![json!({"text": "f(a)"})], false);
        check(" ", &[], vec![], false);
        let broken = r#"{"name": "f", "arguments": "{\"a\":1"}"#;
        check(
            broken,
            &["f"],
            vec![json!({"text": broken}), named.clone()],
            true,
        );
        // One call noted, two answered.
        let one = r#"{"name": "f"}"#;
        check(
            one,
            &["f", "f"],
            vec![json!({"text": one}), named.clone(), named],
            true,
        );
    }
}
