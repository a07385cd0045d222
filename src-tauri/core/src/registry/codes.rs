//! The codes of the core's diagnostics. Those of rejected files are in [`super::ParseCode`].

crate::diagnostic_codes! {
    /// A baked mode is malformed.
    BAKED_MODE = "baked_mode",
    /// A baked selection of several items in a section that takes one.
    BAKED_SEVERAL_ITEMS = "baked_several_items",
    /// A baked slider value is outside the scale.
    BAKED_SLIDER_OUT_OF_RANGE = "baked_slider_out_of_range",
    /// A baked selection names an unknown item.
    BAKED_UNKNOWN_ITEM = "baked_unknown_item",
    /// A token has a bracket without its pair.
    BRACKET_NOT_PAIRED = "bracket_not_paired",
    /// The brackets of a token can match no item.
    BRACKET_WITHOUT_MATCH = "bracket_without_match",
    /// A fragment has an undeclared condition.
    CONDITION_UNDECLARED = "condition_undeclared",
    /// A default of a variable that is not declared.
    DEFAULT_UNDECLARED = "default_undeclared",
    /// Two items have one identity.
    DUPLICATE_ID = "duplicate_id",
    /// An entry of a printed list is empty or not a text.
    ENTRY_NOT_TEXT = "entry_not_text",
    /// A fragment has no text.
    FRAGMENT_WITHOUT_TEXT = "fragment_without_text",
    /// No token prints the fragments of an item.
    FRAGMENTS_NOT_PRINTED = "fragments_not_printed",
    /// A text has a character that is not shown.
    HIDDEN_CHARACTER = "hidden_character",
    /// `include_sections` has an alias.
    INCLUDE_ALIAS = "include_alias",
    /// `include_sections` has an unknown section.
    INCLUDE_UNKNOWN = "include_unknown",
    /// The section of injections is required, so that they never act.
    INJECTIONS_REQUIRED = "injections_required",
    /// No token and no selection can reach an item.
    ITEM_UNREACHABLE = "item_unreachable",
    /// A key has an older spelling.
    LEGACY_SPELLING = "legacy_spelling",
    /// No text has a length between the bounds of an output policy.
    LENGTH_CONFLICT = "length_conflict",
    /// A mode is malformed.
    MODE_MALFORMED = "mode_malformed",
    /// A mode names an index beyond every list.
    MODE_OUT_OF_RANGE = "mode_out_of_range",
    /// A mode on a field in which no item has a list.
    MODE_WITHOUT_LIST = "mode_without_list",
    /// No token can refer to a name.
    NAME_NOT_IN_TOKENS = "name_not_in_tokens",
    /// A pattern of an output policy does not compile.
    PATTERN = "pattern",
    /// A bare token of an optional section prints no pool.
    POOL_NEEDS_FIELD = "pool_needs_field",
    /// The prompt exceeds a limit.
    PROMPT_TOO_LARGE = "prompt_too_large",
    /// Text that a seed changes precedes stable text.
    RANDOM_BEFORE_STABLE = "random_before_stable",
    /// A required item contradicts another relation.
    RELATION_CONTRADICTION = "relation_contradiction",
    /// `requires` or `excludes` names nothing that exists.
    RELATION_UNKNOWN = "relation_unknown",
    /// `retries` is above the attempts of a run.
    RETRIES_CAPPED = "retries_capped",
    /// No item satisfies `requires` and `excludes` of the call.
    ROLL_DISAGREES = "roll_disagrees",
    /// A route has the name that the window gives to calls without a route.
    ROUTE_NAMED_DEFAULT = "route_named_default",
    /// A runtime variable has no value.
    RUNTIME_VARIABLE_UNFILLED = "runtime_variable_unfilled",
    /// A slider's sentence has a name that is not filled in.
    SCALE_NAME_UNKNOWN = "scale_name_unknown",
    /// A required section has no item.
    SECTION_EMPTY = "section_empty",
    /// No assembly order renders a section.
    SECTION_NOT_RENDERED = "section_not_rendered",
    /// A setting is unknown.
    SETTING_UNKNOWN = "setting_unknown",
    /// A setting has a value of the wrong type.
    SETTING_WRONG_TYPE = "setting_wrong_type",
    /// No assembly order prints the sentence of a slider.
    SLIDER_NOT_IN_ASSEMBLY = "slider_not_in_assembly",
    /// A mode of the call is malformed.
    STATE_MODE = "state_mode",
    /// A mode of the call names an entry beyond a list.
    STATE_MODE_OUT_OF_RANGE = "state_mode_out_of_range",
    /// The call selects no item in a section that takes one.
    STATE_NO_ITEM = "state_no_item",
    /// The call selects several items in a section that takes one.
    STATE_SEVERAL_ITEMS = "state_several_items",
    /// A slider value of the call is no whole number.
    STATE_SLIDER_NOT_WHOLE = "state_slider_not_whole",
    /// A slider value of the call is outside the scale.
    STATE_SLIDER_OUT_OF_RANGE = "state_slider_out_of_range",
    /// The call sets a mode on an unknown field.
    STATE_UNKNOWN_FIELD = "state_unknown_field",
    /// The call selects an unknown item.
    STATE_UNKNOWN_ITEM = "state_unknown_item",
    /// The call names an unknown section.
    STATE_UNKNOWN_SECTION = "state_unknown_section",
    /// The call sets the slider of a section that has none.
    STATE_UNKNOWN_SLIDER = "state_unknown_slider",
    /// The call sets an undeclared variable.
    STATE_UNKNOWN_VARIABLE = "state_unknown_variable",
    /// The template engine is unknown.
    TEMPLATE_ENGINE_UNKNOWN = "template_engine_unknown",
    /// No assembly order prints a text.
    TEXT_NOT_IN_ASSEMBLY = "text_not_in_assembly",
    /// The pool of an item replaces its text.
    TEXT_NOT_PRINTED = "text_not_printed",
    /// A token is malformed.
    TOKEN_MALFORMED = "token_malformed",
    /// No item of the section has the field of a token.
    UNKNOWN_FIELD = "unknown_field",
    /// Nothing reads a key.
    UNKNOWN_KEY = "unknown_key",
    /// A token names an unknown section.
    UNKNOWN_SECTION = "unknown_section",
    /// A printed variable has no value and no default.
    VARIABLE_GAP = "variable_gap",
    /// The brace of a variable is not closed.
    VARIABLE_NOT_CLOSED = "variable_not_closed",
    /// The value of a variable is its own name in braces.
    VARIABLE_PLACEHOLDER = "variable_placeholder",
    /// A variable is not declared.
    VARIABLE_UNDECLARED = "variable_undeclared",
    /// A declared variable is not used.
    VARIABLE_UNUSED = "variable_unused",
    /// The weight of an item is not a number, or out of bounds.
    WEIGHT_INVALID = "weight_invalid",
    /// All items of a section have the weight 0.
    WEIGHTS_ALL_ZERO = "weights_all_zero",
    /// Weights in a section that is not rolled.
    WEIGHTS_UNUSED = "weights_unused",
}
