//! Variables without a value in the text that one call prints.

use std::collections::BTreeSet;

use promptdeck_python::text::strip;

use super::{
    DataKey, Diagnostic, Pointer, Section, Severity, codes, item_data, title,
    undeclared_in_prompt::authored, variables::placeholders,
};
use crate::hydrate::{Call, Engine, State};

/// The variables that have neither a value nor a default although the call prints their text. Text
/// that is blank, or in a fragment whose condition does not hold, is not printed.
#[must_use]
pub fn gaps(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    let Ok(hydration) = engine.hydrate(call) else {
        return Vec::new();
    };
    let registry = engine.registry();
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for source in hydration
        .segments
        .iter()
        .filter_map(|each| each.source.as_ref())
    {
        let Some(section) = registry.section(&source.section) else {
            continue;
        };
        let item = section.items().get(source.item);
        let Some((_, text)) = item.and_then(|item| authored(item, source)) else {
            continue;
        };
        for name in placeholders(text).map(|range| &text[range]) {
            let mut declared = section.template_vars().iter();
            let Some(position) = declared.position(|variable| variable == name) else {
                continue;
            };
            if has_value(section, name, call.state)
                || !known.insert((section.name().to_owned(), position))
            {
                continue;
            }
            let message = format!(
                "{{{name}}} has no value and no default; {} is printed with a gap",
                title(section, source.item)
            );
            let pointer = Pointer::to(section.name())
                .key("template_vars")
                .index(position);
            found.push(Diagnostic::new(
                codes::VARIABLE_GAP,
                Severity::Warning,
                message,
                pointer.0,
                item_data(section, source.item).with(DataKey::Name, name),
            ));
        }
    }
    found
}

/// Whether the call or a default sets the variable.
pub(super) fn has_value(section: &Section, variable: &str, state: &State) -> bool {
    let key = format!("{}::{variable}", section.name());
    let filled = |text: Option<&String>| text.is_some_and(|text| !strip(text).is_empty());
    filled(state.template_vars.get(&key))
        || filled(section.defaults().template_var_defaults.get(variable))
}
