//! Variables without a value in the text that one call prints.

use promptdeck_python::text::strip;

use super::{DataKey, Diagnostic, Pointer, Section, Severity, codes, item_data};
use crate::hydrate::{Call, EmptyVariable, Engine, State};

/// The variables that have neither a value nor a default although the call prints their text. Text
/// that is blank, or in a fragment whose condition does not hold, is not printed.
#[must_use]
pub fn gaps(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    let found = engine.hydrate_text_with_gaps(call, &mut String::new());
    found.unwrap_or_default().iter().map(gap).collect()
}

/// The diagnostic of a variable without a value.
#[must_use]
pub fn gap(variable: &EmptyVariable<'_>) -> Diagnostic {
    let section = variable.section;
    let name = variable.name();
    let message = format!(
        "{name} of {} has no value and leaves a gap in the prompt",
        section.name()
    );
    let pointer = Pointer::to(section.name())
        .key("template_vars")
        .index(variable.position);
    let data = item_data(section, variable.item).with(DataKey::Name, name);
    Diagnostic::new(
        codes::VARIABLE_GAP,
        Severity::Warning,
        message,
        pointer.0,
        data,
    )
}

/// Whether the call or a default sets the variable.
pub(super) fn has_value(section: &Section, variable: &str, state: &State) -> bool {
    let key = format!("{}::{variable}", section.name());
    let filled = |text: Option<&String>| text.is_some_and(|text| !strip(text).is_empty());
    filled(state.template_vars.get(&key))
        || filled(section.defaults().template_var_defaults.get(variable))
}
