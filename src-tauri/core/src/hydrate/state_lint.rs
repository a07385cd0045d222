//! Diagnostics about one call: unknown names in its state, malformed modes, baked defaults that do
//! not apply.
//!
//! None of them stops a call. Diagnostics about the registry itself are lint's.

use std::collections::HashSet;

use promptdeck_json::{nearest::did_you_mean, push_step};

use super::{
    ArrayEvaluation, Entries as _, Mode, Origin, SCALE, State, entry_fault, program::SectionProgram,
};
use crate::registry::{Diagnostic, Registry, Section, Selection, Severity};

/// Diagnostics about a state, checked against its registry.
pub(super) fn of_state(registry: &Registry, state: &State) -> Vec<Diagnostic> {
    let entries = state.entries();
    entries
        .filter_map(|entry| entry_fault(registry, entry))
        .collect()
}

/// Diagnostics about the defaults of a section that this call uses.
pub(super) fn of_baked(program: &SectionProgram, state: &State) -> Vec<Diagnostic> {
    let section = &program.section;
    let mut found = Vec::new();
    if !state.selections.contains_key(section.name()) {
        found.extend(baked_selection(section, |id| !program.find(id).is_empty()));
    }
    if !state.sliders.contains_key(section.name()) {
        found.extend(baked_position(section));
    }
    for (field, text) in &section.defaults().array_modes {
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
                pointer(section, "array_modes"),
            ));
        }
    }
    found
}

/// Diagnostics about the baked selection and slider of a section, regardless of any call.
pub(crate) fn baked_faults(section: &Section) -> Vec<Diagnostic> {
    let identities: HashSet<&str> = identities(section).collect();
    let mut found = baked_selection(section, |id| identities.contains(id));
    found.extend(baked_position(section));
    found
}

fn identities(section: &Section) -> impl Iterator<Item = &str> {
    section.items().iter().filter_map(|item| item.identity())
}

fn baked_selection(section: &Section, is_known: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let baked = section.defaults().selected.as_ref();
    let ids = baked.map(Selection::ids).unwrap_or_default();
    let warning = |code, message| {
        Diagnostic::new(
            code,
            Severity::Warning,
            message,
            pointer(section, "selected"),
        )
    };
    let name = section.name();
    let mut found: Vec<Diagnostic> = ids
        .iter()
        .filter(|id| !is_known(id))
        .map(|id| {
            let near = did_you_mean(id, identities(section));
            let message = format!("{name:?} has no item {id:?}; the selection leaves it out{near}");
            warning("baked_unknown_item", message)
        })
        .collect();
    if section.required() && ids.len() > 1 {
        let message = format!(
            "{name:?} takes one item, and {} are selected: the first that exists is used",
            ids.len()
        );
        found.push(warning("baked_several_items", message));
    }
    found
}

fn baked_position(section: &Section) -> Option<Diagnostic> {
    let value = section.defaults().slider?;
    (!SCALE.contains(&value)).then(|| {
        let message = format!(
            "the slider of {:?} stands at {value}, outside its scale from {} to {}",
            section.name(),
            SCALE.start(),
            SCALE.end()
        );
        let pointer = pointer(section, "slider");
        Diagnostic::new(
            "baked_slider_out_of_range",
            Severity::Warning,
            message,
            pointer,
        )
    })
}

/// The pointer to a key of a section.
fn pointer(section: &Section, key: &str) -> String {
    let mut pointer = String::new();
    push_step(&mut pointer, section.name());
    push_step(&mut pointer, key);
    pointer
}

/// Diagnostics about modes of the call that name entries an array does not have.
pub(super) fn of_arrays(arrays: &[ArrayEvaluation]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for array in arrays {
        let wanted = match Mode::parse(&array.mode).0 {
            Mode::Index(_) => 1,
            Mode::Indices(indices) => indices.len(),
            _ => continue,
        };
        // Lint reports baked modes.
        if array.origin != Origin::Selection || array.kept.len() == wanted {
            continue;
        }
        let mut pointer = String::new();
        let item = array.item.to_string();
        for step in [array.section.as_str(), "items", &item, &array.field] {
            push_step(&mut pointer, step);
        }
        let message = format!(
            "mode {:?} of {}.{} names an entry beyond the {} there are, which is left out",
            array.mode, array.section, array.field, array.total
        );
        let diagnostic = Diagnostic::new(
            "state_mode_out_of_range",
            Severity::Warning,
            message,
            pointer,
        );
        if !found.contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
    found
}
