//! Variables without a value of their own: with none, or with their name in braces as it stands in the
//! text.

use promptdeck_python::text::strip;

use super::{DataKey, Diagnostic, DiagnosticData, Pointer, Section, Severity, codes, item_data};
use crate::hydrate::{Call, Engine, State, UnsetVariable, is_placeholder};

/// The variables that have neither a value nor a default although the call prints their text. Text
/// that is blank, or in a fragment whose condition does not hold, is not printed.
#[must_use]
pub fn gaps(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    let mut found = unset(engine, call);
    found.retain(|one| one.code == codes::VARIABLE_GAP);
    found
}

/// As [`gaps`], and a note for each variable whose value is its own name in braces, which [`super::lint`]
/// reports whether or not the call prints it.
#[must_use]
pub fn unset(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    let found = engine.hydrate_text_with_gaps(call, &mut String::new());
    let found = found.unwrap_or_default();
    found.iter().map(unset_variable).collect()
}

/// The diagnostic of a variable without a value of its own.
#[must_use]
pub fn unset_variable(variable: &UnsetVariable<'_>) -> Diagnostic {
    if variable.is_placeholder {
        return placeholder(variable.section, variable.position);
    }
    let section = variable.section;
    let name = variable.name();
    let message = format!(
        "{name} of {} has no value and leaves a gap in the prompt",
        section.name()
    );
    let pointer = declaration(section, variable.position);
    let data = item_data(section, variable.item).with(DataKey::Name, name);
    Diagnostic::new(
        codes::VARIABLE_GAP,
        Severity::Warning,
        message,
        pointer.0,
        data,
    )
}

/// The note on a declared variable whose value is its own name in braces.
fn placeholder(section: &Section, position: usize) -> Diagnostic {
    let name = section.template_vars()[position].as_str();
    let message = format!(
        "{name} of {} has only its own name as value: the prompt prints {{{name}}}",
        section.name()
    );
    let pointer = declaration(section, position);
    let data = DiagnosticData::of(DataKey::Name, name).with(DataKey::Section, section.name());
    Diagnostic::new(
        codes::VARIABLE_PLACEHOLDER,
        Severity::Note,
        message,
        pointer.0,
        data,
    )
}

/// The note on a declared variable if the call or its default has its own name in braces as value.
pub(super) fn if_placeholder(
    section: &Section,
    position: usize,
    state: &State,
) -> Option<Diagnostic> {
    let name = section.template_vars()[position].as_str();
    let set = state.template_vars.get(&state_key(section, name));
    let default = section.defaults().template_var_defaults.get(name);
    let value = set.filter(|text| !text.is_empty()).or(default)?;
    is_placeholder(value, name).then(|| placeholder(section, position))
}

/// Where a variable is declared.
fn declaration(section: &Section, position: usize) -> Pointer {
    let names = Pointer::to(section.name()).key("template_vars");
    names.index(position)
}

fn state_key(section: &Section, variable: &str) -> String {
    format!("{}::{variable}", section.name())
}

/// Whether the call or a default sets the variable.
pub(super) fn has_value(section: &Section, variable: &str, state: &State) -> bool {
    let filled = |text: Option<&String>| text.is_some_and(|text| !strip(text).is_empty());
    filled(state.template_vars.get(&state_key(section, variable)))
        || filled(section.defaults().template_var_defaults.get(variable))
}
