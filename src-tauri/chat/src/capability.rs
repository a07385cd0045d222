//! What a format can do: found by probing a template, or known of a builtin format.

use serde::Serialize;

/// The capabilities of a format. The first seven are those that polyfills and extraction go by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
// Each is a question of its own about the template.
#[allow(clippy::struct_excessive_bools)]
pub struct Capabilities {
    /// Shows the tools it is given.
    pub supports_tools: bool,
    /// Shows the calls of an assistant message.
    pub supports_tool_calls: bool,
    /// Shows messages of the role `tool`.
    pub supports_tool_responses: bool,
    /// Shows a system message.
    pub supports_system_role: bool,
    /// Answers come in channels.
    pub has_channels: bool,
    /// What the final channel begins with; empty without channels.
    pub channel_extract_marker: String,
    /// What a channel ends with; empty without channels.
    pub channel_end_marker: String,
    /// Shows several calls of one message.
    pub supports_parallel_tool_calls: bool,
    /// Shows the ids of calls.
    pub supports_tool_call_id: bool,
    /// Fails, shows nothing or escapes it once more when arguments are a text.
    pub requires_object_arguments: bool,
    /// Fails, or shows nothing, when arguments are an object.
    pub requires_string_arguments: bool,
    /// Shows content given as a list of parts.
    pub supports_typed_content: bool,
    /// Shows content only when it is given as a list of parts.
    pub requires_typed_content: bool,
    /// Renders a message whose content is null without printing a `None`.
    pub supports_null_content: bool,
    /// Its output changes with the thinking switch.
    pub supports_thinking: bool,
    /// Shows the reasoning of earlier turns.
    pub keeps_reasoning: bool,
    /// Drops think blocks written inside the content of earlier turns.
    pub strips_inline_think: bool,
    /// Shows a message of the role `developer`.
    pub supports_developer_role: bool,
    /// Refuses two messages of the user in a row.
    pub requires_alternation: bool,
    /// Shows the system message only in a conversation in which the user speaks last.
    pub drops_system_text: bool,
    /// Marks what the model wrote with `{% generation %}`.
    pub has_generation_tag: bool,
    /// Writes the token a text begins with itself.
    pub writes_bos: bool,
    /// Asks for the time.
    pub uses_clock: bool,
    /// Ends where the model is to begin when it is asked to.
    pub writes_generation_prompt: bool,
}
