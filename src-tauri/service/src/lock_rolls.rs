//! Locking: edits on the state that turn rolled values into selections.
//!
//! A lock changes no output: the same seed gives the same prompt, and the next roll leaves the
//! locked values alone.

use promptdeck_core::hydrate::State;
use promptdeck_core::registry::Registry;
use serde_json::{Value, json};

use crate::preview::{Preview, rolled_in};
use crate::wire::{ArrayEvaluation, Edit, LockFailure, Origin, SectionEvaluation, Slot, Step};

/// The edits of a lock, and the slots it cannot lock.
#[derive(Debug, Default)]
pub struct RollLock {
    /// Edits on the state.
    pub edits: Vec<Edit>,
    /// Slots left unlocked.
    pub unlocked: Vec<LockFailure>,
}

fn path(table: &str, keys: &[&str]) -> Vec<Step> {
    let mut path: Vec<Step> = vec!["state".into(), table.into()];
    path.extend(keys.iter().map(|key| Step::from(*key)));
    path
}

fn set(table: &str, keys: &[&str], value: Value) -> Edit {
    Edit::Set {
        path: path(table, keys),
        value,
    }
}

/// Locks these slots; skips those that were not rolled.
#[must_use]
pub fn lock(preview: &Preview, state: &State, registry: &Registry, slots: &[Slot]) -> RollLock {
    let mut roll_lock = RollLock::default();
    for slot in slots {
        let name = match slot {
            Slot::Item { section } | Slot::Slider { section } | Slot::Array { section, .. } => {
                section
            }
        };
        let Some(section) = preview.sections.iter().find(|known| known.section == *name) else {
            continue;
        };
        match one(section, state, registry, slot) {
            Ok(edits) => roll_lock.edits.extend(edits),
            Err(reason) => roll_lock.unlocked.push(LockFailure {
                slot: slot.clone(),
                reason,
            }),
        }
    }
    roll_lock
}

/// The rolled slots that [`lock`] leaves as they are.
#[must_use]
pub fn unlockable(preview: &Preview, state: &State, registry: &Registry) -> Vec<Slot> {
    let of_section = |section| {
        let rolled = rolled_in(section).into_iter();
        rolled.filter(move |slot| {
            one(section, state, registry, slot).map_or(true, |edits| edits.is_empty())
        })
    };
    preview.sections.iter().flat_map(of_section).collect()
}

fn one(
    section: &SectionEvaluation,
    state: &State,
    registry: &Registry,
    slot: &Slot,
) -> Result<Vec<Edit>, String> {
    match slot {
        Slot::Item { .. } if section.origin == Origin::Random => item(section, state, registry),
        Slot::Slider { .. } => Ok(slider(section, state)),
        Slot::Array { field, .. } => {
            match section.arrays.iter().find(|array| array.field == *field) {
                Some(array) if array.origin == Origin::Random => entries(section, array),
                _ => Ok(Vec::new()),
            }
        }
        Slot::Item { .. } => Ok(Vec::new()),
    }
}

fn item(
    section: &SectionEvaluation,
    state: &State,
    registry: &Registry,
) -> Result<Vec<Edit>, String> {
    let name = section.section.as_str();
    let Some(definition) = registry.section(name) else {
        return Ok(Vec::new());
    };
    let mut ids = Vec::new();
    for item in &section.used {
        let known = definition.items().get(item.index as usize);
        match known.and_then(|known| known.identity()) {
            Some(id) => ids.push(id),
            None => {
                return Err(format!(
                    "{} of {name} has no id; give it one first",
                    item.name
                ));
            }
        }
    }
    let value = match ids.as_slice() {
        [one] if definition.required() => json!(one),
        _ => json!(ids),
    };
    let mut edits = vec![set("selections", &[name], value)];
    if state.section_random.get(name) == Some(&true) {
        edits.push(set("section_random", &[name], json!(false)));
    }
    Ok(edits)
}

fn slider(section: &SectionEvaluation, state: &State) -> Vec<Edit> {
    let name = section.section.as_str();
    let Some(slider) = section
        .slider
        .as_ref()
        .filter(|slider| slider.origin == Origin::Random)
    else {
        return Vec::new();
    };
    // Rolled sliders are integers and are written as such.
    let mut edits = vec![set("sliders", &[name], json!(slider.used.trunc() as i64))];
    if state.slider_random.get(name) == Some(&true) {
        edits.push(set("slider_random", &[name], json!(false)));
    }
    edits
}

fn entries(section: &SectionEvaluation, array: &ArrayEvaluation) -> Result<Vec<Edit>, String> {
    let name = section.section.as_str();
    let Some(first) = array.selected.first() else {
        return Ok(Vec::new());
    };
    if array
        .selected
        .iter()
        .any(|selected| selected.entries != first.entries)
    {
        return Err(format!(
            "the chosen items of {name} rolled different entries of {}, and one mode holds for \
             all of them; choose a single item first",
            array.field
        ));
    }
    let indices: Vec<String> = first.entries.iter().map(ToString::to_string).collect();
    let mode = if indices.is_empty() {
        "none".to_owned()
    } else {
        format!("indices:{}", indices.join(","))
    };
    Ok(vec![set("array_modes", &[name, &array.field], json!(mode))])
}
