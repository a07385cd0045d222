//! What is odd about a state: names that mean nothing here, modes that are no modes.
//!
//! Nothing of this stops a call; lint looks at registries, this looks at one call.

use super::{
    ArrayEvaluation, Mode, Names as _, Origin, State,
    program::SectionProgram,
    state_names::{self, unknown_name},
};
use crate::registry::{Diagnostic, Registry, Selection, Severity};

/// Remarks about a state against its registry, and about the modes baked into the registry.
pub(super) fn of_state(registry: &Registry, state: &State) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = state
        .names()
        .filter_map(|name| unknown_name(registry, name))
        .collect();
    for (name, modes) in &state.array_modes {
        for (field, text) in modes {
            if let (_, Some(fault)) = Mode::parse(text) {
                let consequence = fault.consequence();
                let message = format!("mode {text:?} of {name}.{field} {consequence}");
                found.push(state_names::warning(registry, "state_mode", name, message));
            }
        }
    }
    found
}

/// Remarks about what is baked into a section and what this call uses of it.
pub(super) fn of_baked(program: &SectionProgram, state: &State) -> Vec<Diagnostic> {
    let section = &program.section;
    let defaults = section.defaults();
    let mut found = Vec::new();
    let pointer = |key: &str| {
        let mut pointer = String::new();
        crate::registry::push_step(&mut pointer, section.name());
        crate::registry::push_step(&mut pointer, key);
        pointer
    };
    if !state.selections.contains_key(section.name()) {
        let baked = defaults
            .selected
            .as_ref()
            .map(Selection::ids)
            .unwrap_or_default();
        for id in baked.iter().filter(|id| program.find(id).is_empty()) {
            let message = format!(
                "{:?} has no item {id:?}; the selection leaves it out",
                section.name()
            );
            found.push(Diagnostic::new(
                "baked_unknown_item",
                Severity::Warning,
                message,
                pointer("selected"),
            ));
        }
    }
    for (field, text) in &defaults.array_modes {
        if let (_, Some(fault)) = Mode::parse(text)
            && !state
                .array_modes
                .get(section.name())
                .is_some_and(|set| set.contains_key(field))
        {
            let message = format!(
                "mode {text:?} of {}.{field} {}",
                section.name(),
                fault.consequence()
            );
            found.push(Diagnostic::new(
                "baked_mode",
                Severity::Warning,
                message,
                pointer("array_modes"),
            ));
        }
    }
    found
}

/// Remarks about modes of the call that name entries an array does not have.
pub(super) fn of_arrays(arrays: &[ArrayEvaluation]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for array in arrays {
        let wanted = match Mode::parse(&array.mode).0 {
            Mode::Index(_) => 1,
            Mode::Indices(indices) => indices.len(),
            _ => continue,
        };
        // What is baked is lint's to say.
        if array.origin != Origin::Selection || array.kept.len() == wanted {
            continue;
        }
        let mut pointer = String::new();
        let item = array.item.to_string();
        for step in [array.section.as_str(), "items", &item, &array.field] {
            crate::registry::push_step(&mut pointer, step);
        }
        let message = format!(
            "mode {:?} of {}.{} names an entry beyond the {} there are, which is left out",
            array.mode, array.section, array.field, array.total
        );
        let remark = Diagnostic::new(
            "state_mode_out_of_range",
            Severity::Warning,
            message,
            pointer,
        );
        if !found.contains(&remark) {
            found.push(remark);
        }
    }
    found
}
