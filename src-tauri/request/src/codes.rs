//! The codes of a request's diagnostics.

promptdeck_core::diagnostic_codes! {
    /// The name of a namespace hides an argument.
    ARGUMENT_HIDDEN = "argument_hidden",
    /// A name that a prompt's templates read has no value.
    ARGUMENT_UNSET = "argument_unset",
    /// The usage of the last response contradicts itself.
    BAD_USAGE = "bad_usage",
    /// The provider's cache is not used.
    CACHE_MISS = "cache_miss",
    /// A new cache is worth its cost.
    CACHE_REBUILD = "cache_rebuild",
    /// The arguments of a call are no JSON object.
    CALL_ARGUMENTS = "call_arguments",
    /// A tool call has no name.
    CALL_NAME = "call_name",
    /// A key of a message, or of a part of a call, that nothing reads.
    CALL_KEY = "call_key",
    /// A call is sent without its arguments.
    CALL_REBUILT = "call_rebuilt",
    /// A tool call names none of the tools.
    CALL_UNKNOWN_TOOL = "call_unknown_tool",
    /// A message is changed for the chat template.
    CHAT_POLYFILL = "chat_polyfill",
    /// The session's template of the dynamic layer is not used.
    DYNAMIC_TEMPLATE = "dynamic_template",
    /// A conversation is rendered to an empty text.
    EMPTY_TEXT = "empty_text",
    /// An expression of a prompt's templates has no value and prints nothing.
    EXPRESSION_GAP = "expression_gap",
    /// The provider has no such generation setting.
    GENERATION_KEY = "generation_key",
    /// A message has no content.
    NO_CONTENT = "no_content",
    /// There is no message to respond to.
    NO_TRIGGER = "no_trigger",
    /// The response of a tool answers no call.
    ORPHAN_RESPONSE = "orphan_response",
    /// A part of a message is not sent.
    PART_LEFT_OUT = "part_left_out",
    /// The template of a prompt cannot be rendered.
    PROMPT_TEMPLATE = "prompt_template",
    /// The latest turn of the model lacks its thought signature.
    SIGNATURE_MISSING = "signature_missing",
    /// A thought signature cannot be read.
    SIGNATURE_UNREADABLE = "signature_unreadable",
    /// The session's template of the static layer is not used.
    STATIC_TEMPLATE = "static_template",
    /// The static layer is left out.
    STATIC_TOO_LARGE = "static_too_large",
    /// A loop of a prompt's templates goes over the letters of an argument.
    TEXT_LOOPED = "text_looped",
    /// A tool is sent in another shape.
    TOOL_CONVERTED = "tool_converted",
    /// Two functions have the same name.
    TOOL_DUPLICATE = "tool_duplicate",
    /// A function has a name that providers refuse.
    TOOL_NAME = "tool_name",
    /// The parameters of a function are no JSON Schema.
    TOOL_PARAMETERS = "tool_parameters",
    /// A tool is in a shape that the API does not take.
    TOOL_SHAPE = "tool_shape",
    /// A chat template reads an attribute that is probably misspelled.
    UNKNOWN_ATTRIBUTE = "unknown_attribute",
    /// The type of a part of a message, or of a tool, is probably misspelled.
    UNKNOWN_TYPE = "unknown_type",
    /// A chat template reads a variable that is probably misspelled.
    UNKNOWN_VARIABLE = "unknown_variable",
    /// A variable that a conversation sets has no effect.
    UNREAD_VARIABLE = "unread_variable",
}
