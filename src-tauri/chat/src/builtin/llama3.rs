//! The tool instructions of Llama 3: JSON Schema in the manner of the Berkeley function calling
//! benchmark, and calls only where they are needed.

use serde_json::{Value as Json, json};

use crate::message::Tool;

/// The text that describes tools.
pub(super) fn tools(tools: &[Tool]) -> String {
    let mut text = String::from(
        "You can call the functions below. Call one ONLY when the question cannot be answered \
         without it; in every other case answer in plain words and call nothing.\n\nTo call a \
         function, answer with a single JSON object and nothing else:\n{\"name\": \"function \
         name\", \"parameters\": {\"parameter\": \"value\"}}\n\n",
    );
    for tool in tools {
        let schema: Json = json!({
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        });
        let pretty = serde_json::to_string_pretty(&schema).unwrap_or_default();
        text.push_str(&format!(
            "{}: {}\n{pretty}\n\n",
            tool.name, tool.description
        ));
    }
    text.push_str("Do not call a function that is not listed, and never invent parameters.");
    text
}
