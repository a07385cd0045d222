//! Diagnostics about one call: unknown names in its state, malformed modes, baked defaults that do
//! not apply.
//!
//! None of them stops a call. Diagnostics about the registry itself are lint's.

use std::collections::HashSet;

use promptdeck_json::{
    nearest::{hint, nearest},
    push_step,
};

use super::{
    ArrayEvaluation, Entries as _, Mode, Origin, SCALE, State, entry_fault, program::SectionProgram,
};
use crate::registry::{
    DataKey, Diagnostic, DiagnosticCode, DiagnosticData, Registry, Section, Selection, Severity,
    codes,
};

/// Diagnostics about a state, checked against its registry.
pub(super) fn of_state(registry: &Registry, state: &State) -> Vec<Diagnostic> {
    let entries = state.entries();
    entries
        .filter_map(|entry| entry_fault(registry, entry))
        .collect()
}

/// Diagnostics about the defaults of a section that this call uses.
pub(super) fn of_baked(program: &SectionProgram, state: &State) -> Vec<Diagnostic> {
    of_defaults(&program.section, state, |id| !program.find(id).is_empty())
}

/// What is wrong with the defaults of a registry that calls with a state use: selections of unknown items,
/// sliders outside their scale, malformed modes. Those of single calls are among their diagnostics.
#[must_use]
pub fn default_faults(registry: &Registry, state: &State) -> Vec<Diagnostic> {
    let of_section = |section: &Section| {
        let identities: HashSet<&str> = identities(section).collect();
        of_defaults(section, state, |id| identities.contains(id))
    };
    let sections = registry.sections().values();
    sections.flat_map(|section| of_section(section)).collect()
}

fn of_defaults(
    section: &Section,
    state: &State,
    is_known: impl Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !state.selections.contains_key(section.name()) {
        found.extend(baked_selection(section, is_known));
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
            let data = DiagnosticData::of(DataKey::Mode, text.as_str())
                .with(DataKey::Section, section.name())
                .with(DataKey::Field, field.as_str());
            found.push(warning(
                codes::BAKED_MODE,
                message,
                pointer(section, "array_modes"),
                data,
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
    let warning = |code, message, data| warning(code, message, pointer(section, "selected"), data);
    let name = section.name();
    let mut found: Vec<Diagnostic> = ids
        .iter()
        .filter(|id| !is_known(id))
        .map(|id| {
            let suggestion = nearest(id, identities(section));
            let message = format!(
                "{name:?} has no item {id:?}; the selection leaves it out{}",
                hint(suggestion)
            );
            let data = DiagnosticData::of(DataKey::Section, name)
                .with(DataKey::Item, id.as_str())
                .with_some(DataKey::Suggestion, suggestion);
            warning(codes::BAKED_UNKNOWN_ITEM, message, data)
        })
        .collect();
    if section.required() && ids.len() > 1 {
        let message = format!(
            "{name:?} takes one item, and {} are selected: the first that exists is used",
            ids.len()
        );
        let data = DiagnosticData::of(DataKey::Section, name).with(DataKey::Count, ids.len());
        found.push(warning(codes::BAKED_SEVERAL_ITEMS, message, data));
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
        let data = slider_position(section.name(), value);
        let pointer = pointer(section, "slider");
        warning(codes::BAKED_SLIDER_OUT_OF_RANGE, message, pointer, data)
    })
}

/// The data of a diagnostic about a position that a slider does not have.
pub(super) fn slider_position(section: &str, value: f64) -> DiagnosticData {
    DiagnosticData::of(DataKey::Section, section)
        .with(DataKey::Found, value.to_string())
        .with(DataKey::Minimum, *SCALE.start())
        .with(DataKey::Maximum, *SCALE.end())
}

fn warning(
    code: DiagnosticCode,
    message: String,
    pointer: String,
    data: DiagnosticData,
) -> Diagnostic {
    Diagnostic::new(code, Severity::Warning, message, pointer, data)
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
        if array.origin != Origin::Selection || array.selected.len() == wanted {
            continue;
        }
        let mut pointer = String::new();
        let item = array.item.to_string();
        for step in [array.section.as_str(), "items", &item, &array.field] {
            push_step(&mut pointer, step);
        }
        let message = format!(
            "mode {:?} of {}.{} names an entry that is not among the {} there are, counted from 0, \
             and leaves it out",
            array.mode, array.section, array.field, array.total
        );
        let data = DiagnosticData::of(DataKey::Mode, array.mode.as_str())
            .with(DataKey::Section, array.section.as_str())
            .with(DataKey::ItemIndex, array.item)
            .with(DataKey::Field, array.field.as_str())
            .with(DataKey::Count, array.total);
        let diagnostic = warning(codes::STATE_MODE_OUT_OF_RANGE, message, pointer, data);
        if !found.contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
    found
}
