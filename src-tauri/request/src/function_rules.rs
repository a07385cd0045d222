//! What providers refuse of functions that have the right shape: their names, a name that another
//! function has, and parameters that are no JSON Schema.

use std::collections::HashMap;

use jsonschema::{ValidationError, draft7, draft202012};
use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticCode, DiagnosticData, Severity};
use serde_json::{Map, Value};

use super::{
    codes,
    tools::{DECLARATIONS, ToolFormat},
};

/// The longest name, in characters.
const MAX_NAME: usize = 64;

/// Keys of a function's parameters, as JSON Schema. `parameters` of a declaration in Gemini's shape
/// is a schema of `OpenAPI`.
const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];
const DECLARED_SCHEMAS: [&str; 2] = ["parametersJsonSchema", "parameters_json_schema"];

/// The words that `type` takes.
const TYPES: &str =
    "\"object\", \"string\", \"number\", \"integer\", \"boolean\", \"array\" or \"null\"";

/// How much of a schema's fault is reported, in characters.
const LONGEST_REASON: usize = 200;

/// A function of a tool, as it is written.
struct Function<'t> {
    /// The position of its tool in the list.
    tool: usize,
    /// JSON pointer to it.
    pointer: String,
    members: &'t Map<String, Value>,
    schemas: &'static [&'static str],
}

/// The warnings about the functions of tools; `at` is the pointer to their list.
pub fn lint(tools: &[Value], format: ToolFormat, at: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for function in functions(tools, at) {
        if let Some(name) = function.name() {
            found.extend(function.wrong_name(name, format));
            match first.get(name) {
                Some(other) => found.push(function.duplicate(name, *other)),
                None => {
                    first.insert(name, function.tool);
                }
            }
        }
        found.extend(function.wrong_parameters());
    }
    found
}

fn functions<'t>(tools: &'t [Value], at: &str) -> Vec<Function<'t>> {
    let mut functions = Vec::new();
    for (tool, written) in tools.iter().enumerate() {
        let mut add = |pointer: String, value: &'t Value, schemas| {
            functions.extend(value.as_object().map(|members| Function {
                tool,
                pointer,
                members,
                schemas,
            }));
        };
        let declared = DECLARATIONS.iter().find_map(|key| {
            let list = written.get(*key)?.as_array()?;
            Some((key, list))
        });
        match (written.get("function"), declared) {
            (Some(function), _) => add(format!("{at}/{tool}/function"), function, &SCHEMAS),
            (None, Some((key, list))) => {
                for (index, declaration) in list.iter().enumerate() {
                    let pointer = format!("{at}/{tool}/{key}/{index}");
                    add(pointer, declaration, &DECLARED_SCHEMAS);
                }
            }
            (None, None) => add(format!("{at}/{tool}"), written, &SCHEMAS),
        }
    }
    functions
}

/// Whether a format takes a name.
///
/// `OpenAI` (API reference, `FunctionObject.name`) takes a-z, A-Z, 0-9, `_` and `-`, at most 64;
/// Anthropic (Messages API, `tools.name`) the same by the pattern `^[a-zA-Z0-9_-]{1,64}$`, raised to
/// 128 by now. Gemini (`FunctionDeclaration.name`) takes `.` and `:` as well, and on Vertex AI a name
/// begins with a letter or `_`; 64 is the older limit there too.
fn takes(format: ToolFormat, name: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let fits = name.chars().count() <= MAX_NAME;
    fits && match format {
        ToolFormat::OpenAi => name.chars().all(plain),
        ToolFormat::Gemini => {
            name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && name
                    .chars()
                    .all(|character| plain(character) || ".:".contains(character))
        }
    }
}

/// The names that a format takes, in words.
fn rule(format: ToolFormat) -> &'static str {
    match format {
        ToolFormat::OpenAi => "has at most 64 characters: letters without accents, digits, _ and -",
        ToolFormat::Gemini => {
            "begins with a letter or _ and has at most 64 characters: letters without accents, \
             digits, _ . : and -"
        }
    }
}

impl<'t> Function<'t> {
    /// Its name, if it has one.
    fn name(&self) -> Option<&'t str> {
        let name = self.members.get("name")?.as_str()?;
        (!name.trim().is_empty()).then_some(name)
    }

    fn wrong_name(&self, name: &str, format: ToolFormat) -> Option<Diagnostic> {
        if takes(format, name) {
            return None;
        }
        let rule = rule(format);
        let tool = self.tool;
        let number = tool + 1;
        let message =
            format!("tool {number}: providers refuse the name {name:?}, as a name {rule}");
        let data = DiagnosticData::of(DataKey::Entry, tool)
            .with(DataKey::Tool, name)
            .with(DataKey::Expected, rule);
        Some(self.warning(codes::TOOL_NAME, message, "/name", data))
    }

    fn duplicate(&self, name: &str, other: usize) -> Diagnostic {
        let tool = self.tool;
        let message = format!(
            "tool {}: tool {} is called {name:?} too, and providers refuse a name that occurs twice",
            tool + 1,
            other + 1
        );
        let data = DiagnosticData::of(DataKey::Entry, tool)
            .with(DataKey::OtherIndex, other)
            .with(DataKey::Tool, name);
        self.warning(codes::TOOL_DUPLICATE, message, "/name", data)
    }

    fn wrong_parameters(&self) -> Option<Diagnostic> {
        let written = self.schemas.iter().find_map(|key| {
            let schema = self.members.get(*key)?;
            (!schema.is_null()).then_some((*key, schema))
        });
        let (key, schema) = written?;
        let (place, reason) = schema_fault(schema)?;
        let (tool, name) = (self.tool, self.name().unwrap_or_default());
        let place = format!("/{key}{place}");
        let reason = format!("at {place}, {reason}");
        let number = tool + 1;
        let message =
            format!("tool {number}, {name:?}: its parameters are no JSON Schema: {reason}");
        let data = DiagnosticData::of(DataKey::Entry, tool)
            .with(DataKey::Tool, name)
            .with(DataKey::Reason, reason);
        Some(self.warning(codes::TOOL_PARAMETERS, message, &place, data))
    }

    fn warning(
        &self,
        code: DiagnosticCode,
        message: String,
        below: &str,
        data: DiagnosticData,
    ) -> Diagnostic {
        let pointer = format!("{}{below}", self.pointer);
        Diagnostic::new(code, Severity::Warning, message, pointer, data)
    }
}

/// Why parameters are no JSON Schema of an object, and the pointer to the fault in them. Tools are
/// written for either draft: lists of schemas in `items` are of the older one.
fn schema_fault(schema: &Value) -> Option<(String, String)> {
    if !schema.is_object() {
        return Some((String::new(), "an object is expected".to_owned()));
    }
    if let Some(error) = draft202012::meta::validate(schema).err()
        && draft7::meta::validate(schema).is_err()
    {
        let place = error.instance_path().as_str().to_owned();
        return Some((place, reason(&error)));
    }
    let kind = schema.get("type")?;
    (kind != "object").then(|| {
        let reason = format!("{kind} is not the type of parameters; write \"object\"");
        ("/type".to_owned(), reason)
    })
}

fn reason(error: &ValidationError<'_>) -> String {
    if error.instance_path().as_str().ends_with("/type") {
        return format!("{} is no type; write {TYPES}", error.instance());
    }
    let error_text = error.to_string();
    match error_text.char_indices().nth(LONGEST_REASON) {
        Some((at, _)) => format!("{}…", &error_text[..at]),
        None => error_text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The codes and places of the warnings about tools in a format.
    #[track_caller]
    fn warns(tools: &Value, format: ToolFormat, expected: &[(&str, &str)]) {
        let found = lint(tools.as_array().expect("a list"), format, "/tools");
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|found| {
                assert_eq!(found.severity, Severity::Warning);
                (found.code.as_str(), found.pointer.as_str())
            })
            .collect();
        assert_eq!(found, expected, "{tools} for {format:?}");
    }

    #[test]
    fn a_name_has_the_characters_that_a_provider_takes() {
        use ToolFormat::{Gemini, OpenAi};
        let long = "n".repeat(65);
        for (name, openai, gemini) in [
            ("find_room-2", true, true),
            (&long[1..], true, true),
            (&long, false, false),
            ("my tool", false, false),
            ("größe", false, false),
            ("files.read:all", false, true),
            ("2nd", true, false),
            ("-x", true, false),
        ] {
            for (format, takes) in [(OpenAi, openai), (Gemini, gemini)] {
                let expected = [("tool_name", "/tools/0/function/name")];
                let expected = if takes { &[][..] } else { &expected };
                let tool = json!({"type": "function", "function": {"name": name}});
                warns(&json!([tool]), format, expected);
            }
        }
    }

    #[test]
    fn a_name_occurs_once() {
        let tools = json!([
            {"name": "a"},
            {"type": "function", "function": {"name": "a"}},
            {"functionDeclarations": [{"name": "b"}, {"name": "a"}]},
            {"type": "web_search"},
            {"type": "web_search"},
            "a",
        ]);
        let expected = [
            ("tool_duplicate", "/tools/1/function/name"),
            ("tool_duplicate", "/tools/2/functionDeclarations/1/name"),
        ];
        warns(&tools, ToolFormat::Gemini, &expected);
    }

    #[test]
    fn parameters_are_the_json_schema_of_an_object() {
        let check = |parameters: Value, place: Option<&str>| {
            for key in SCHEMAS {
                let tools = json!([{"name": "a", key: parameters}]);
                let place = place.map(|place| format!("/tools/0/{key}{place}"));
                let expected = place.as_deref().map(|place| ("tool_parameters", place));
                warns(&tools, ToolFormat::OpenAi, expected.as_slice());
            }
        };
        check(json!(null), None);
        check(json!({}), None);
        check(
            json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}),
            None,
        );
        // Of draft 7.
        check(
            json!({"type": "object", "properties": {"a": {"items": [{}, {}]}}}),
            None,
        );
        check(json!("object"), Some(""));
        check(json!({"type": "objct"}), Some("/type"));
        check(json!({"type": "string"}), Some("/type"));
        let nested = json!({"type": "object", "properties": {"a": {"type": "strng"}}});
        check(nested, Some("/properties/a/type"));
        check(
            json!({"properties": {"a": "string"}}),
            Some("/properties/a"),
        );
        check(json!({"required": "a"}), Some("/required"));
        let open_api =
            json!([{"functionDeclarations": [{"name": "a", "parameters": {"type": "OBJECT"}}]}]);
        warns(&open_api, ToolFormat::Gemini, &[]);
    }

    #[test]
    fn a_warning_says_what_to_write() {
        let tools = json!([{"name": "my tool", "parameters": {"type": "objct"}}]);
        let found = lint(
            tools.as_array().expect("a list"),
            ToolFormat::OpenAi,
            "/tools",
        );
        let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "tool 1: providers refuse the name \"my tool\", as a name has at most 64 characters: \
                 letters without accents, digits, _ and -",
                "tool 1, \"my tool\": its parameters are no JSON Schema: at /parameters/type, \"objct\" \
                 is no type; write \"object\", \"string\", \"number\", \"integer\", \"boolean\", \
                 \"array\" or \"null\"",
            ]
        );
    }
}
