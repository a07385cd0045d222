//! The words of Llama 2 about tools: a plain list, calls as JSON.

use promptdeck_python::json::dumps;

use crate::message::Tool;

/// The text of a system message.
pub(super) fn system(content: &str, tools: &[Tool]) -> String {
    if tools.is_empty() {
        return content.to_owned();
    }
    let mut text = String::new();
    if !content.is_empty() {
        text.push_str(content);
        text.push_str("\n\n");
    }
    text.push_str("Tools you may use:\n");
    for tool in tools {
        text.push_str(&format!(
            "- {}: {} Parameters: {}\n",
            tool.name,
            tool.description,
            dumps(&tool.parameters, None)
        ));
    }
    text.push_str(
        "\nTo use a tool, answer with JSON alone: {\"name\": \"tool_name\", \"parameters\": {...}}",
    );
    text
}
