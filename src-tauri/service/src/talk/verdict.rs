//! Verdicts on tool calls: the arguments against the tool's `parameters`, a result typed by hand
//! against the schema of its results, if the tool has one.

use std::collections::HashMap;

use jsonschema::Validator;
use promptdeck_request::call::Call;
use promptdeck_store::turns::Turn;
use serde_json::Value;

use super::{record, tool_calls};
use crate::ServiceError;
use crate::wire::{SchemaStatus, SchemaVerdict, TalkMessage, ToolVerdict};

/// Keys of the schema of a tool's results: Gemini's, that of transformers, and those of MCP.
const RESULT_SCHEMAS: [&str; 4] = ["response", "return", "outputSchema", "output_schema"];

/// How many violations are listed.
const MOST_LISTED: usize = 5;

/// How many characters of a violation are listed; it quotes the value.
const LONGEST: usize = 200;

/// The verdicts on the tool calls of a call document and of a branch after it, and on the results
/// typed for them.
///
/// # Errors
/// If a turn is damaged.
pub fn verdicts(
    call: &Call,
    path: &[&Turn],
    typed: &[TalkMessage],
) -> Result<Vec<ToolVerdict>, ServiceError> {
    let mut schemas = Schemas::new(&call.tools);
    let mut verdicts = Vec::new();
    let mut messages: Vec<(Option<u32>, Value)> = Vec::new();
    messages.extend(call.messages().into_iter().map(|message| (None, message)));
    for turn in path {
        let message = serde_json::from_str(&turn.message)?;
        messages.push((Some(record::number(turn.id)), message));
    }
    for (turn, message) in &messages {
        for call in tool_calls(message) {
            let answers =
                |typed_message: &&TalkMessage| typed_message.answers.as_ref() == Some(&call.id);
            let result = typed.iter().find(answers);
            verdicts.push(ToolVerdict {
                turn: *turn,
                arguments: schemas.arguments(&call.name, &call.arguments),
                result: result
                    .map(|typed_message| schemas.result(&call.name, &typed_message.content)),
                call: call.id,
            });
        }
    }
    Ok(verdicts)
}

/// A schema of a tool, ready to validate with.
enum Schema {
    None,
    /// Why it can't be used.
    Unusable(String),
    Usable(Box<Validator>),
}

/// The schemas of the tools, each compiled when it is first needed.
struct Schemas<'t> {
    tools: HashMap<&'t str, &'t Value>,
    compiled: HashMap<(String, bool), Schema>,
}

impl<'t> Schemas<'t> {
    fn new(tools: &'t [Value]) -> Self {
        let named = tools.iter().filter_map(|tool| {
            let function = tool.get("function").unwrap_or(tool);
            Some((function.get("name")?.as_str()?, tool))
        });
        Self {
            tools: named.collect(),
            compiled: HashMap::new(),
        }
    }

    fn arguments(&mut self, tool: &str, text: &str) -> SchemaVerdict {
        if !self.tools.contains_key(tool) {
            return verdict(SchemaStatus::UnknownTool);
        }
        match serde_json::from_str(text) {
            Ok(value) => self.judge(tool, false, &value),
            Err(fault) => not_json(&fault),
        }
    }

    fn result(&mut self, tool: &str, text: &str) -> SchemaVerdict {
        match serde_json::from_str(text) {
            Ok(value) => self.judge(tool, true, &value),
            Err(fault) => {
                // A result that is a text needs no quotes.
                let plain = self.judge(tool, true, &Value::from(text));
                if plain.status == SchemaStatus::Valid {
                    plain
                } else {
                    not_json(&fault)
                }
            }
        }
    }

    fn judge(&mut self, tool: &str, is_result: bool, value: &Value) -> SchemaVerdict {
        let source = self
            .tools
            .get(tool)
            .and_then(|tool| schema_of(tool, is_result));
        let key = (tool.to_owned(), is_result);
        let schema = self.compiled.entry(key).or_insert_with(|| compile(source));
        match schema {
            Schema::None => verdict(SchemaStatus::NoSchema),
            Schema::Unusable(reason) => SchemaVerdict {
                status: SchemaStatus::BadSchema,
                problems: vec![reason.clone()],
            },
            Schema::Usable(validator) => {
                let problems = validator.iter_errors(value).take(MOST_LISTED);
                let problems: Vec<String> = problems
                    .map(|error| match error.instance_path().as_str() {
                        "" => shortened(&error.to_string()),
                        place => format!("{place}: {}", shortened(&error.to_string())),
                    })
                    .collect();
                SchemaVerdict {
                    status: if problems.is_empty() {
                        SchemaStatus::Valid
                    } else {
                        SchemaStatus::Invalid
                    },
                    problems,
                }
            }
        }
    }
}

fn schema_of(tool: &Value, is_result: bool) -> Option<&Value> {
    let keys: &[&str] = if is_result {
        &RESULT_SCHEMAS
    } else {
        &["parameters", "inputSchema", "input_schema"]
    };
    let places = [tool.get("function"), Some(tool)];
    let mut found = places.into_iter().flatten().flat_map(|place| {
        let schemas = keys.iter().filter_map(|key| place.get(*key));
        schemas.filter(|schema| schema.is_object())
    });
    found.next()
}

fn compile(schema: Option<&Value>) -> Schema {
    let Some(schema) = schema else {
        return Schema::None;
    };
    match jsonschema::options().build(schema) {
        Ok(validator) => Schema::Usable(Box::new(validator)),
        Err(error) => Schema::Unusable(shortened(&error.to_string())),
    }
}

fn verdict(status: SchemaStatus) -> SchemaVerdict {
    SchemaVerdict {
        status,
        problems: Vec::new(),
    }
}

fn not_json(fault: &serde_json::Error) -> SchemaVerdict {
    SchemaVerdict {
        status: SchemaStatus::NotJson,
        problems: vec![fault.to_string()],
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Vec<Value> {
        let parameters = json!({
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
            "required": ["city"],
            "additionalProperties": false,
        });
        let result = json!({"type": "object", "required": ["sky"]});
        vec![
            json!({"type": "function", "function": {
                "name": "weather", "parameters": parameters, "return": result}}),
            json!({"name": "say", "outputSchema": {"type": "string"}}),
            json!({"name": "broken", "parameters": {"type": 3}}),
            json!({"name": "circle", "parameters": {"$ref": "#"}}),
            json!({"name": "away", "parameters": {"$ref": "https://example.com/schema.json"}}),
        ]
    }

    #[test]
    fn arguments_are_judged_by_the_parameters() {
        let tools = tools();
        let mut schemas = Schemas::new(&tools);
        for (tool, text, status, words) in [
            (
                "weather",
                r#"{"city":"Oslo","days":2}"#,
                SchemaStatus::Valid,
                "",
            ),
            (
                "weather",
                r#"{"city":"Oslo","days":0}"#,
                SchemaStatus::Invalid,
                "/days: 0 is less",
            ),
            (
                "weather",
                r#"{"town":"Oslo"}"#,
                SchemaStatus::Invalid,
                "city",
            ),
            (
                "weather",
                r#"{"city":"#,
                SchemaStatus::NotJson,
                "line 1 column 8",
            ),
            ("say", "{}", SchemaStatus::NoSchema, ""),
            ("broken", "{}", SchemaStatus::BadSchema, "3 is not"),
            ("away", "{}", SchemaStatus::BadSchema, "example.com"),
            ("none", "{}", SchemaStatus::UnknownTool, ""),
        ] {
            let found = schemas.arguments(tool, text);
            assert_eq!(found.status, status, "{tool} {text}: {found:?}");
            assert!(found.problems.join("\n").contains(words), "{found:?}");
        }
    }

    #[test]
    fn a_schema_that_only_names_itself_ends() {
        let tools = tools();
        let found = Schemas::new(&tools).arguments("circle", "{}");
        assert_eq!(found.status, SchemaStatus::Valid);
    }

    #[test]
    fn results_are_judged_by_their_schema_if_there_is_one() {
        let tools = tools();
        let mut schemas = Schemas::new(&tools);
        for (tool, text, status) in [
            ("weather", r#"{"sky":"grey"}"#, SchemaStatus::Valid),
            ("weather", "{}", SchemaStatus::Invalid),
            ("weather", "grey", SchemaStatus::NotJson),
            ("say", "grey", SchemaStatus::Valid),
            ("say", "3", SchemaStatus::Invalid),
            ("broken", "3", SchemaStatus::NoSchema),
            ("broken", "{", SchemaStatus::NotJson),
        ] {
            let found = schemas.result(tool, text);
            assert_eq!(found.status, status, "{tool} {text}: {found:?}");
        }
    }
}
