//! Keys and types of tools that are probably misspelled: a description or a schema that no model reads.
//! Other unknown keys may be a provider's.

use std::sync::LazyLock;

use promptdeck_chat::{message_keys::mentions, schema};
use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use promptdeck_json::{
    UnknownKey, abridged,
    nearest::{hint, nearest},
    unlisted_keys,
};
use serde_json::Value;

use super::{call_keys, codes};

static SCHEMA: LazyLock<Value> = LazyLock::new(schema::tool);

/// Keys that say what a tool is. Providers have others, whose names are like those of labels.
const SAYS: [&str; 13] = [
    "description",
    "function",
    "functionDeclarations",
    "function_declarations",
    "inputSchema",
    "input_schema",
    "name",
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
    "response",
    "strict",
    "type",
];

/// What is odd about the keys of tools; `at` is the pointer to their list. Keys that `template` mentions
/// are its own.
pub fn lint(tools: &[Value], at: &str, template: Option<&str>) -> Vec<Diagnostic> {
    let tools = tools.iter().enumerate();
    tools
        .flat_map(|(index, tool)| {
            let unknown = unlisted_keys(&SCHEMA, tool).into_iter();
            let unknown = unknown
                .filter(|unknown| !template.is_some_and(|source| mentions(source, &unknown.key)))
                .filter_map(move |unknown| of_key(index, tool, unknown, at));
            unknown.chain(of_type(index, tool, at))
        })
        .collect()
}

/// A key that is like a known one, or any other of a function.
fn of_key(index: usize, tool: &Value, unknown: UnknownKey, at: &str) -> Option<Diagnostic> {
    let nearest = unknown
        .nearest
        .filter(|suggestion| SAYS.contains(&suggestion.as_str()));
    // A tool that is no function has the keys of its provider; the conversion reports what it drops.
    let has = |key: &str| tool.get(key).is_some();
    let is_function =
        has("function") || (has("name") && !has("input_schema") && !has("inputSchema"));
    if nearest.is_none() && (!is_function || !has_function_type(tool)) {
        return None;
    }
    let parent = unknown
        .pointer
        .rsplit_once('/')
        .map_or("", |(parent, _)| parent);
    let place = match parent {
        "" => String::new(),
        parent => format!(" in {parent}"),
    };
    let sentence = format!(
        "tool {}: unknown key {:?}{place}{}",
        index + 1,
        abridged(&unknown.key),
        hint(nearest.as_deref())
    );
    Some(call_keys::of_key(
        sentence,
        format!("{at}/{index}{}", unknown.pointer),
        DiagnosticData::of(DataKey::Entry, index),
        &unknown.key,
        nearest.as_deref(),
    ))
}

fn has_function_type(tool: &Value) -> bool {
    tool.get("type").is_none_or(|kind| kind == "function")
}

/// A type that is like that of a function.
fn of_type(index: usize, tool: &Value, at: &str) -> Option<Diagnostic> {
    let kind = tool.get("type")?.as_str()?;
    let suggestion = nearest(kind, ["function"]).filter(|meant| *meant != kind)?;
    let hint = hint(Some(suggestion));
    let message = format!(
        "tool {}: unknown type {:?}{hint}",
        index + 1,
        abridged(kind)
    );
    let data = DiagnosticData::of(DataKey::Entry, index)
        .with(DataKey::Found, kind)
        .with(DataKey::Suggestion, suggestion);
    let pointer = format!("{at}/{index}/type");
    Some(Diagnostic::new(
        codes::UNKNOWN_TYPE,
        Severity::Warning,
        message,
        pointer,
        data,
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(tool: &Value, template: Option<&str>, expected: &[&str]) {
        let found = lint(std::slice::from_ref(tool), "/tools", template);
        let reported = found.iter().map(|found| match found.severity {
            Severity::Warning => found.message.clone(),
            _ => format!("note: {}", found.message),
        });
        assert_eq!(reported.collect::<Vec<_>>(), expected, "{tool}");
    }

    #[test]
    fn a_misspelled_key_is_named_with_the_one_that_is_meant() {
        let function = json!({"name": "f", "descripton": "x", "paramters": {"type": "object"}});
        check(
            &json!({"type": "function", "function": function}),
            None,
            &[
                "tool 1: unknown key \"descripton\" in /function; did you mean \"description\"?",
                "tool 1: unknown key \"paramters\" in /function; did you mean \"parameters\"?",
            ],
        );
        check(
            &json!({"nme": "x"}),
            None,
            &["tool 1: unknown key \"nme\"; did you mean \"name\"?"],
        );
        check(
            &json!({"functionDeclarations": [{"name": "f", "descriptn": "x"}]}),
            None,
            &[
                "tool 1: unknown key \"descriptn\" in /functionDeclarations/0; did you mean \
               \"description\"?",
            ],
        );
        check(
            &json!({"type": "functoin", "function": {"name": "f"}}),
            None,
            &["tool 1: unknown type \"functoin\"; did you mean \"function\"?"],
        );
    }

    #[test]
    fn keys_of_providers_and_templates_are_no_mistakes() {
        let schema = json!({"type": "object", "proprties": {}, "nme": 1});
        for tool in [
            json!({"type": "function", "function": {"name": "f", "strict": true, "parameters": schema}}),
            json!({"name": "f", "input_schema": schema, "cache_control": {"type": "ephemeral"}, "own": 1}),
            json!({"name": "f", "title": "F", "inputSchema": schema, "annotations": {}, "_meta": {}}),
            json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 5}),
            json!({"type": "file_search", "vector_store_ids": []}),
            json!({"google_search": {}}),
            json!("f"),
        ] {
            check(&tool, None, &[]);
        }
        let tool = json!({"name": "f", "colour": 1});
        check(&tool, None, &["note: tool 1: unknown key \"colour\""]);
        check(&tool, Some("{{ tool.colour }}"), &[]);
    }
}
