//! Labels of rolled values for chips, table cells and tooltips.

use promptdeck_core::registry::{Item, entry_label};
use serde_json::Value;

use super::{Preview, SLIDER};
use crate::wire::{ArrayEvaluation, Origin, ValueLabel, VariantPick};

/// Separator of the entries of one list.
pub(crate) const BETWEEN_ENTRIES: &str = " · ";

/// Separator of the lists of several items.
pub(crate) const BETWEEN_LISTS: &str = " / ";

/// Label of a mode that rolled no entry.
const NONE: &str = "none";

impl ValueLabel {
    /// A label without further detail.
    #[must_use]
    pub fn plain(text: String) -> Self {
        Self {
            detail: text.clone(),
            text,
        }
    }

    fn join(values: impl Iterator<Item = Self>, separator: &str) -> Self {
        let (texts, details): (Vec<_>, Vec<_>) =
            values.map(|value| (value.text, value.detail)).unzip();
        Self {
            text: texts.join(separator),
            detail: details.join("\n"),
        }
    }
}

/// Label of the rolled entries of an item's list.
pub(crate) fn entries(item: Option<&Item>, field: &str, selected: &[usize]) -> ValueLabel {
    let list = item.and_then(|item| item.fields().get(field)?.as_array());
    let label = |index: usize| {
        list.and_then(|list| list.get(index))
            .map_or_else(|| index.to_string(), |entry: &Value| entry_label(entry))
    };
    if selected.is_empty() {
        return ValueLabel::plain(NONE.to_owned());
    }
    let each = selected.iter().map(|&index| {
        let text = label(index);
        ValueLabel {
            detail: format!("{index}: {text}"),
            text,
        }
    });
    ValueLabel::join(each, BETWEEN_ENTRIES)
}

/// Label of the rolled entries of a list in all items of a section; `None` if its mode rolls
/// nothing.
pub(crate) fn of_array(array: &ArrayEvaluation) -> Option<ValueLabel> {
    let rolled = || {
        array
            .selected
            .iter()
            .filter_map(|selected| selected.label.clone())
    };
    (array.origin == Origin::Random).then(|| ValueLabel::join(rolled(), BETWEEN_LISTS))
}

impl Preview {
    /// All rolled values, by section.
    #[must_use]
    pub fn picks(&self) -> Vec<VariantPick> {
        let mut picks = Vec::new();
        for section in &self.sections {
            let mut add = |of: Option<&str>, value| {
                picks.push(VariantPick {
                    section: section.section.clone(),
                    of: of.map(str::to_owned),
                    value,
                });
            };
            if section.origin == Origin::Random {
                let items: Vec<_> = section.used.iter().map(|item| item.name.as_str()).collect();
                add(None, ValueLabel::plain(items.join(", ")));
            }
            let slider = section.slider.as_ref();
            if let Some(slider) = slider.filter(|slider| slider.origin == Origin::Random) {
                add(Some(SLIDER), ValueLabel::plain(slider.used.to_string()));
            }
            for array in &section.arrays {
                if let Some(value) = of_array(array) {
                    add(Some(&array.field), value);
                }
            }
        }
        picks
    }

    /// All rolled values in one line.
    #[must_use]
    pub fn roll_label(&self) -> ValueLabel {
        let picks = self.picks().into_iter();
        let words = picks.map(|VariantPick { section, of, value }| {
            let text = match of.as_deref() {
                None => value.text.clone(),
                Some(SLIDER) => format!("{section} {}", value.text),
                Some(field) => format!("{field} {}", value.text),
            };
            let name = of.map_or(section.clone(), |of| format!("{section} {of}"));
            let below = if value.detail == value.text {
                ' '
            } else {
                '\n'
            };
            ValueLabel {
                text,
                detail: format!("{name}:{below}{}", value.detail),
            }
        });
        ValueLabel::join(words, ", ")
    }
}
