//! The entries that a roll of a list could have printed in place of one it printed.

use serde_json::Value;

use super::{Change, Plan, Prompt, Refusal, Step};
use crate::{
    hydrate::{ArrayEvaluation, Hydration, Mode, Origin, Part, Source},
    registry::{Registry, entry_label},
};

/// The entries of a rolled list. Each is printed with the same probability, `drawn` of `total`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// The section.
    pub section: String,
    /// The item's position.
    pub item: usize,
    /// The field.
    pub field: String,
    /// How many entries the roll draws.
    pub drawn: usize,
    /// The entry that the segment prints.
    pub current: usize,
    /// The entries, in the order of the list.
    pub entries: Vec<Alternative>,
}

/// An entry that a roll can print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Its text, in one line.
    pub text: String,
    /// Its position among the printed entries, if it is printed.
    pub position: Option<usize>,
}

/// The entries that a roll could have printed in place of a segment; `None` if its entry was not
/// rolled.
#[must_use]
pub fn alternatives(
    registry: &Registry,
    hydration: &Hydration,
    segment: usize,
) -> Option<Alternatives> {
    let source = hydration.segments.get(segment)?.source.as_ref()?;
    let (array, current) = rolled(hydration, source)?;
    let item = registry
        .section(&source.section)?
        .items()
        .get(source.item)?;
    let list = item.fields().get(&source.field).and_then(Value::as_array)?;
    let entries = list.iter().enumerate().map(|(index, value)| Alternative {
        text: entry_label(value),
        position: array.kept.iter().position(|kept| *kept == index),
    });
    Some(Alternatives {
        section: source.section.clone(),
        item: source.item,
        field: source.field.clone(),
        drawn: array.kept.len(),
        current,
        entries: entries.collect(),
    })
}

/// The roll that chose an entry.
fn rolled<'h>(hydration: &'h Hydration, source: &Source) -> Option<(&'h ArrayEvaluation, usize)> {
    let current = source.entry.filter(|_| source.part == Part::Entry)?;
    let array = hydration.evaluation.arrays.iter().find(|array| {
        array.origin == Origin::Random
            && array.section == source.section
            && array.item == source.item
            && array.field == source.field
            && array.kept.contains(&current)
    });
    Some((array?, current))
}

impl Prompt<'_> {
    /// Sets the entries of a rolled list to those printed, with another one in place of a segment's;
    /// one that is printed already changes places with it.
    pub fn choose(&self, index: usize, entry: usize) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        let source = segment.source.as_ref().ok_or(Refusal::NoEntry)?;
        let (array, current) = rolled(self.hydration, source).ok_or(Refusal::NoEntry)?;
        if entry >= array.total {
            return Err(Refusal::Stale);
        }
        let is_other = |other: &ArrayEvaluation| {
            other.section == array.section && other.field == array.field && other.item != array.item
        };
        if self.hydration.evaluation.arrays.iter().any(is_other) {
            return Err(Refusal::SharedMode {
                section: array.section.clone(),
                field: array.field.clone(),
            });
        }
        let mut kept: Vec<i64> = array.kept.iter().map(|kept| position(*kept)).collect();
        let place = |wanted: usize| array.kept.iter().position(|kept| *kept == wanted);
        let here = place(current).ok_or(Refusal::Stale)?;
        match place(entry) {
            Some(there) => kept.swap(here, there),
            None => kept[here] = position(entry),
        }
        let before = self.hydration.segments[..index].iter();
        let key = |name: &str| Step::Key(name.to_owned());
        let path = ["state", "array_modes", &array.section, &array.field].map(key);
        Ok(Plan {
            changes: vec![Change::Set {
                path: path.to_vec(),
                text: Mode::Indices(kept).to_string(),
            }],
            caret: before.map(|own| own.text.len()).sum(),
            prompts: Vec::new(),
            trims: false,
            spelled: None,
            unprinted: None,
        })
    }
}

/// The position of an entry as a mode holds it.
fn position(entry: usize) -> i64 {
    i64::try_from(entry).unwrap_or(i64::MAX)
}
