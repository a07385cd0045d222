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
        if tool.contains_key("input_schema") {
            return Ok(of_anthropic(tool, &at, conversation));
        }
        if tool.get("type").is_some_and(|kind| kind != "function") {
            let note = "only functions are tools of every provider; this one is left as it is";
            conversation.report(ConversionStatus::Unread, &at, note);
        }
        Ok(Value::Object(tool))
    };
    tools.into_iter().enumerate().map(tool).collect()
}

fn of_anthropic(mut tool: Map<String, Value>, at: &str, conversation: &mut Conversation) -> Value {
    let mut function = Map::new();
    for (theirs, ours) in [
        ("name", "name"),
        ("description", "description"),
        ("input_schema", "parameters"),
    ] {
        if let Some(value) = tool.shift_remove(theirs) {
            function.insert(ours.to_owned(), value);
        }
    }
    tool.shift_remove("type");
    for key in tool.keys() {
        let note = format!("{key} of a tool is left out");
        let at = format!("{at}{}", crate::import::pointer::pointer(&[key]));
        conversation.report(ConversionStatus::NotSupported, &at, note);
    }
    json!({"type": "function", "function": function})
}
