//! The tools of a call: those in the shapes of other providers as functions in `OpenAI`'s, and what
//! is wrong with an entry.

use promptdeck_core::{
    import::messages::openai_function,
    registry::{DataKey, Diagnostic, DiagnosticData, Severity},
};
use serde_json::{Map, Value, json};

use super::{codes, function_rules, tool_keys};

/// An entry that every target can send.
const SAMPLE: &str =
    r#"{"type": "function", "function": {"name": "find_room", "parameters": {"type": "object"}}}"#;

/// Keys under which Gemini lists functions.
pub(crate) const DECLARATIONS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// The API that tools are sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolFormat {
    /// `OpenAI`'s, which chat templates take as well.
    OpenAi,
    /// Gemini's.
    Gemini,
}

/// The tools in `OpenAI`'s shape: bare functions, and tools of Anthropic and of MCP, are converted;
/// every other entry stays as it is.
#[must_use]
pub fn in_openai_shape(tools: &[Value]) -> Vec<Value> {
    tools.iter().map(openai_shape).collect()
}

fn openai_shape(tool: &Value) -> Value {
    let Some(map) = tool.as_object() else {
        return tool.clone();
    };
    let wrapped = |function: Map<String, Value>| json!({"type": "function", "function": function});
    match map.get("function") {
        Some(function) => match function.as_object().and_then(openai_function) {
            Some(converted) => wrapped(converted.function),
            None => tool.clone(),
        },
        None => match openai_function(map) {
            Some(converted) => wrapped(converted.function),
            None if map.contains_key("name") && is_function(map) => {
                let mut function = map.clone();
                function.shift_remove("type");
                wrapped(function)
            }
            None => tool.clone(),
        },
    }
}

/// Whether the type of an entry, if it has one, is that of a function.
fn is_function(tool: &Map<String, Value>) -> bool {
    tool.get("type")
        .is_none_or(|kind| kind == "function" || kind.is_null())
}

/// The names of the functions; `None` if an entry can have other names, or none is known.
#[must_use]
pub fn names(tools: &[Value]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for tool in in_openai_shape(tools) {
        match declarations(&tool) {
            Some(functions) => {
                names.extend(functions.iter().map(name).collect::<Option<Vec<_>>>()?);
            }
            None => names.push(name(tool.get("function")?)?),
        }
    }
    (!names.is_empty()).then_some(names)
}

fn name(function: &Value) -> Option<String> {
    let name = function.get("name")?.as_str()?;
    (!name.trim().is_empty()).then(|| name.to_owned())
}

fn declarations(tool: &Value) -> Option<&Vec<Value>> {
    let mut found = DECLARATIONS.iter().filter_map(|key| tool.get(*key));
    found.next()?.as_array()
}

/// What is wrong with tools that are sent in a format, and what is converted; `at` is the pointer to
/// their list. Keys that `template` mentions are its own.
#[must_use]
pub fn lint(
    tools: &[Value],
    format: ToolFormat,
    at: &str,
    template: Option<&str>,
) -> Vec<Diagnostic> {
    let entries = tools.iter().enumerate();
    let entries = entries.filter_map(|(index, tool)| {
        wrong_shape(index, tool, format, at).or_else(|| converted(index, tool, at))
    });
    let mut found: Vec<Diagnostic> = entries.collect();
    found.extend(function_rules::lint(tools, format, at));
    found.extend(tool_keys::lint(tools, at, template));
    found
}

/// What is wrong with tools that a chat format is given as they are written.
#[must_use]
pub fn lint_as_written(tools: &[Value], at: &str, template: Option<&str>) -> Vec<Diagnostic> {
    let entries = tools.iter().enumerate();
    let shapes = entries.filter_map(|(index, tool)| {
        wrong_shape(index, tool, ToolFormat::OpenAi, at)
            .or_else(|| not_converted(index, tool, at, template))
    });
    let mut found: Vec<Diagnostic> = shapes.collect();
    found.extend(tool_keys::lint(tools, at, template));
    found
}

fn wrong_shape(index: usize, tool: &Value, format: ToolFormat, at: &str) -> Option<Diagnostic> {
    let reason = shape(tool, format).err()?;
    Some(shape_diagnostic(index, Severity::Error, reason, at))
}

/// Says what is wrong with the shape of an entry.
fn shape_diagnostic(index: usize, severity: Severity, reason: String, at: &str) -> Diagnostic {
    let message = format!("tool {} {reason}; write {SAMPLE}", index + 1);
    let data = DiagnosticData::of(DataKey::Entry, index)
        .with(DataKey::Reason, reason)
        .with(DataKey::Expected, SAMPLE);
    let pointer = format!("{at}/{index}");
    Diagnostic::new(codes::TOOL_SHAPE, severity, message, pointer, data)
}

/// Why an API does not take an entry.
fn shape(tool: &Value, format: ToolFormat) -> Result<(), String> {
    let Some(object) = tool.as_object() else {
        return Err("is no object".to_owned());
    };
    let sent = openai_shape(tool);
    if let Some(function) = sent.get("function") {
        return match (function.is_object(), name(function)) {
            (true, Some(_)) => Ok(()),
            (true, None) => Err("has no name".to_owned()),
            (false, _) => Err("has a function that is no object".to_owned()),
        };
    }
    match (format, object.get("type")) {
        (_, Some(kind)) if kind == "function" => Err("has no function".to_owned()),
        (ToolFormat::OpenAi, Some(Value::String(_))) => Ok(()),
        (ToolFormat::Gemini, Some(Value::String(kind))) => Err(format!(
            "is of type {kind:?}, and Gemini takes functions and tools of its own alone"
        )),
        _ => match (format, declarations(&sent)) {
            (ToolFormat::OpenAi, Some(_)) => {
                Err("is in the shape of Gemini, which only the target Gemini takes".to_owned())
            }
            (ToolFormat::Gemini, Some(functions)) => {
                match functions.iter().all(|one| name(one).is_some()) {
                    true => Ok(()),
                    false => Err("declares a function without a name".to_owned()),
                }
            }
            (ToolFormat::Gemini, None) if !object.is_empty() => Ok(()),
            _ => Err("has neither a function nor a type".to_owned()),
        },
    }
}

/// Says that an entry is sent in another shape than it is written in.
fn converted(index: usize, tool: &Value, at: &str) -> Option<Diagnostic> {
    let map = tool.as_object()?;
    let function = map.get("function").and_then(Value::as_object);
    let converted = openai_function(function.unwrap_or(map))?;
    let name = converted.function.get("name").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    let key = converted.schema_key;
    let left_out = converted.left_out.join(", ");
    let number = index + 1;
    let mut message = format!("tool {number}, {name:?}: its {key:?} is sent as \"parameters\"");
    if !left_out.is_empty() {
        message.push_str(&format!(", and without {left_out}"));
    }
    let data = DiagnosticData::of(DataKey::Entry, index)
        .with(DataKey::Tool, name)
        .with(DataKey::Found, key)
        .with(DataKey::Replacement, "parameters")
        .with_some(DataKey::Key, (!left_out.is_empty()).then_some(left_out));
    Some(Diagnostic::new(
        codes::TOOL_CONVERTED,
        Severity::Note,
        message,
        format!("{at}/{index}"),
        data,
    ))
}

/// Warns of an entry in the shape of another provider that nothing converts. A template that mentions
/// the key of the schema reads that shape.
fn not_converted(
    index: usize,
    tool: &Value,
    at: &str,
    template: Option<&str>,
) -> Option<Diagnostic> {
    let map = tool.as_object()?;
    let function = map.get("function").and_then(Value::as_object);
    let key = openai_function(function.unwrap_or(map))?.schema_key;
    if template.is_some_and(|template| template.contains(key)) {
        return None;
    }
    let reason =
        format!("has {key:?}, and chat templates read the \"parameters\" of a \"function\"");
    Some(shape_diagnostic(index, Severity::Warning, reason, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tool: &Value, openai: &str, gemini: &str) {
        for (format, expected) in [(ToolFormat::OpenAi, openai), (ToolFormat::Gemini, gemini)] {
            let found = lint(std::slice::from_ref(tool), format, "/tools", None);
            let message = found.first().map_or_else(String::new, |found| {
                let end = format!("; write {SAMPLE}");
                assert_eq!(found.pointer, "/tools/0");
                found.message.trim_end_matches(&end).to_owned()
            });
            assert_eq!(message, expected, "{tool} for {format:?}");
        }
    }

    #[test]
    fn an_entry_that_an_api_does_not_take_is_an_error() {
        let check_both = |tool: &Value, message: &str| check(tool, message, message);
        check_both(&json!({"type": "function", "function": {"name": "f"}}), "");
        check_both(&json!({"name": "f"}), "");
        check_both(&json!({"type": "function", "name": "f"}), "");
        check_both(&json!("find_room"), "tool 1 is no object");
        check_both(&json!(5), "tool 1 is no object");
        check_both(&json!({}), "tool 1 has neither a function nor a type");
        check_both(&json!({"name": " "}), "tool 1 has no name");
        check_both(&json!({"name": 5}), "tool 1 has no name");
        check_both(&json!({"input_schema": {}}), "tool 1 has no name");
        check_both(&json!({"type": "function"}), "tool 1 has no function");
        check_both(
            &json!({"type": "function", "function": {}}),
            "tool 1 has no name",
        );
        check_both(
            &json!({"function": "f"}),
            "tool 1 has a function that is no object",
        );
        check(
            &json!({"type": "web_search"}),
            "",
            "tool 1 is of type \"web_search\", and Gemini takes functions and tools of its own alone",
        );
        check(
            &json!({"google_search": {}}),
            "tool 1 has neither a function nor a type",
            "",
        );
        let of_gemini = "tool 1 is in the shape of Gemini, which only the target Gemini takes";
        check(
            &json!({"function_declarations": [{"name": "f"}]}),
            of_gemini,
            "",
        );
        check(
            &json!({"functionDeclarations": [{}]}),
            of_gemini,
            "tool 1 declares a function without a name",
        );
    }

    #[test]
    fn tools_of_anthropic_and_of_mcp_become_functions() {
        let schema = json!({"type": "object"});
        let sent = json!({"type": "function", "function": {"name": "f", "parameters": schema}});
        for (tool, message) in [
            (
                json!({"type": "custom", "name": "f", "input_schema": schema}),
                "tool 1, \"f\": its \"input_schema\" is sent as \"parameters\"",
            ),
            (
                json!({"name": "f", "title": "F", "inputSchema": schema, "annotations": {}}),
                "tool 1, \"f\": its \"inputSchema\" is sent as \"parameters\", and without title, \
                 annotations",
            ),
            (
                json!({"type": "function", "function": {"name": "f", "input_schema": schema}}),
                "tool 1, \"f\": its \"input_schema\" is sent as \"parameters\"",
            ),
        ] {
            assert_eq!(openai_shape(&tool), sent);
            check(&tool, message, message);
        }
        let flat_tool = json!({"type": "function", "name": "f", "parameters": schema});
        assert_eq!(in_openai_shape(&[flat_tool]), [sent]);
    }

    #[test]
    fn names_are_known_only_if_every_entry_has_one() {
        let known = |tools: Value| names(tools.as_array().expect("a list"));
        assert_eq!(
            known(json!([{"name": "a"}, {"functionDeclarations": [{"name": "b"}]}])),
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
        assert_eq!(known(json!([])), None);
        assert_eq!(known(json!([{"name": "a"}, {"type": "web_search"}])), None);
        assert_eq!(known(json!([{"name": "a"}, 5])), None);
    }
}
