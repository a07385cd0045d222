//! Tools, those of Anthropic in the shape of `OpenAI`.

use serde_json::{Map, Value, json};

use super::{Conversation, wrong};
use crate::{import::ConversionStatus, registry::ParseError};

/// The tools of a call document.
pub(super) fn convert(
    tools: Value,
    conversation: &mut Conversation,
) -> Result<Vec<Value>, ParseError> {
    let Value::Array(tools) = tools else {
        return Err(wrong("/tools", "`tools` must be a list"));
    };
    let tool = |(index, tool): (usize, Value)| {
        let at = format!("/tools/{index}");
        let Value::Object(tool) = tool else {
            return Err(wrong(&at, "a tool must be an object"));
        };
        if let Some(converted) = openai_function(&tool) {
            for key in &converted.left_out {
                let note = format!("{key} of a tool is left out");
                let at = format!("{at}{}", crate::import::pointer::pointer(&[key]));
                conversation.report(ConversionStatus::NotSupported, &at, note);
            }
            return Ok(json!({"type": "function", "function": converted.function}));
        }
        if tool.get("type").is_some_and(|kind| kind != "function") {
            let note = "only functions are tools of every provider; this one is left as it is";
            conversation.report(ConversionStatus::Unread, &at, note);
        }
        Ok(Value::Object(tool))
    };
    tools.into_iter().enumerate().map(tool).collect()
}

/// A tool of Anthropic or of MCP as a function in `OpenAI`'s keys.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvertedTool {
    /// The function: its name, description and parameters.
    pub function: Map<String, Value>,
    /// The key of its schema as written.
    pub schema_key: &'static str,
    /// The keys that have no counterpart.
    pub left_out: Vec<String>,
}

/// Converts a tool whose schema has the key of Anthropic or of MCP; `None` for every other.
#[must_use]
pub fn openai_function(tool: &Map<String, Value>) -> Option<ConvertedTool> {
    let is_written = |key: &&str| tool.contains_key(*key);
    let schema_key = ["input_schema", "inputSchema"]
        .into_iter()
        .find(is_written)?;
    let keys = [
        ("name", "name"),
        ("description", "description"),
        (schema_key, "parameters"),
    ];
    let mut rest = tool.clone();
    rest.shift_remove("type");
    let mut function = Map::new();
    for (theirs, ours) in keys {
        if let Some(value) = rest.shift_remove(theirs) {
            function.insert(ours.to_owned(), value);
        }
    }
    Some(ConvertedTool {
        function,
        schema_key,
        left_out: rest.into_iter().map(|(key, _)| key).collect(),
    })
}
