//! The tool instructions of `ChatML` and Qwen: definitions as JSON lines in XML, calls as JSON in
//! XML.

use promptdeck_python::json::dumps;
use serde_json::json;

use crate::message::Tool;

/// The text that describes tools.
pub(super) fn tools(tools: &[Tool]) -> String {
    let lines: Vec<String> = tools
        .iter()
        .map(|tool| {
            dumps(&json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }}), None)
        })
        .collect();
    let mut text = String::from(
        "# Tools\n\nThese functions may be called, each described by one line of JSON:\n",
    );
    text.push_str(&format!("<tools>\n{}\n</tools>\n\n", lines.join("\n")));
    text.push_str(
        "To call one, write its name and arguments as JSON inside <tool_call> tags, one pair of \
         tags for each call:\n<tool_call>\n{\"name\": \"function name\", \"arguments\": \
         {\"argument\": \"value\"}}\n</tool_call>",
    );
    text
}
