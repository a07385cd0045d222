//! Weights of items: invalid ones, and weights without effect.

use serde_json::Value;

use super::{DataKey, DiagnosticData, Findings, Pointer, Section, codes, item_data, title};
use crate::{
    hydrate::State,
    registry::{MAX_WEIGHT, MIN_WEIGHT, check::kind},
};

/// How many characters of an invalid number a message has.
const MAX_DIGITS: usize = 24;

pub(super) fn check(section: &Section, state: &State, findings: &mut Findings) {
    invalid(section, findings);
    let items = section.items();
    let data = || DiagnosticData::of(DataKey::Section, section.name());
    let pointer = Pointer::to(section.name()).key("items");
    if !items.is_empty() && items.iter().all(|item| item.weight() == 0.0) {
        let message = format!(
            "every item of {:?} has the weight 0, so rolls pick all of them equally often; set the \
             weight of at least one above 0",
            section.name()
        );
        findings.warning(codes::WEIGHTS_ALL_ZERO, &pointer, message, data());
    }
    let rolled = state
        .section_random
        .get(section.name())
        .copied()
        .or(section.defaults().section_random)
        .unwrap_or_default();
    if section.weighted() && !rolled {
        let message = format!(
            "{:?} has weights but is not rolled, so they have no effect; set section_random to true",
            section.name()
        );
        findings.note(codes::WEIGHTS_UNUSED, &pointer, message, data());
    }
}

/// Checks for weights that count as 1 because they are invalid.
pub(super) fn invalid(section: &Section, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let Some(fault) = item.weight_fault() else {
            continue;
        };
        let found = match item.fields().get("weight") {
            Some(Value::Number(number)) => number.to_string().chars().take(MAX_DIGITS).collect(),
            Some(other) => kind(other).to_owned(),
            None => continue,
        };
        let message = format!(
            "weight of {} is {found}, {fault}, and counts as 1; write a number, or remove the field",
            title(section, index)
        );
        let data = item_data(section, index)
            .with(DataKey::Field, "weight")
            .with(DataKey::Found, found)
            .with(DataKey::Minimum, MIN_WEIGHT)
            .with(DataKey::Maximum, MAX_WEIGHT);
        let pointer = Pointer::item(section, index).key("weight");
        findings.warning(codes::WEIGHT_INVALID, &pointer, message, data);
    }
}
