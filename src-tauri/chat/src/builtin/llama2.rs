//! The tool instructions of Llama 2: a plain list, calls as JSON.

use promptdeck_python::json::dumps;

use crate::message::Tool;

/// The text that describes tools.
pub(super) fn tools(tools: &[Tool]) -> String {
    let mut text = String::from("Tools you may use:\n");
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
