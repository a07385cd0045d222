//! What a roll could have printed in place of what it printed: the entries of a rolled list, or the
//! items of a section whose item was rolled.

use serde_json::{Value, json};

use super::{Change, Plan, Prompt, Refusal, Step};
use crate::{
    hydrate::{
        ArrayEvaluation, Call, Engine, Hydration, Mode, Origin, Part, SectionEvaluation, Source,
        variants::odds,
    },
    registry::{Item, Registry, entry_label},
};

/// What is chosen among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlternativeKind {
    /// Entries of a list.
    Entries,
    /// Items of a section.
    Items,
}

/// The entries of a rolled list, or the items of a section whose item was rolled.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternatives {
    /// What is chosen among.
    pub kind: AlternativeKind,
    /// The section.
    pub section: String,
    /// The item's position.
    pub item: usize,
    /// The field that the segment prints.
    pub field: String,
    /// How many are drawn.
    pub drawn: usize,
    /// The position of the one that the segment prints.
    pub current: usize,
    /// All of them, in order.
    pub choices: Vec<Alternative>,
}

/// What a roll can print.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The identity of an item that has one; none for an entry.
    pub id: Option<String>,
    /// Its text, in one line; empty where an item has no such field.
    pub text: String,
    /// Its position among those printed, if it is printed.
    pub position: Option<usize>,
    /// The probability that a roll prints it; none if that depends on another roll.
    pub share: Option<f64>,
}

/// What a roll could have printed in place of a segment; `None` if nothing rolled chose it. An entry
/// of a rolled list has the alternatives of the list, whatever chose its item.
#[must_use]
pub fn alternatives(
    engine: &Engine,
    call: &Call<'_>,
    hydration: &Hydration,
    segment: usize,
) -> Option<Alternatives> {
    let source = hydration.segments.get(segment)?.source.as_ref()?;
    match rolled_list(hydration, source) {
        Some((array, current)) => entries(engine.registry(), source, array, current),
        None => items(engine, call, hydration, source),
    }
}

fn entries(
    registry: &Registry,
    source: &Source,
    array: &ArrayEvaluation,
    current: usize,
) -> Option<Alternatives> {
    let item = registry
        .section(&source.section)?
        .items()
        .get(source.item)?;
    let list = item
        .fields()
        .get(&*source.field)
        .and_then(Value::as_array)?;
    let share = array.selected.len() as f64 / list.len() as f64;
    let choices = list.iter().enumerate().map(|(index, value)| Alternative {
        id: None,
        text: entry_label(value),
        position: array
            .selected
            .iter()
            .position(|selected| *selected == index),
        share: Some(share),
    });
    Some(Alternatives {
        kind: AlternativeKind::Entries,
        section: source.section.to_string(),
        item: source.item,
        field: source.field.to_string(),
        drawn: array.selected.len(),
        current,
        choices: choices.collect(),
    })
}

fn items(
    engine: &Engine,
    call: &Call<'_>,
    hydration: &Hydration,
    source: &Source,
) -> Option<Alternatives> {
    let used = &rolled_item(hydration, source)?.items;
    let odds = odds(engine, call.state)
        .into_iter()
        .find(|odds| odds.section == *source.section);
    let shares = odds.and_then(|odds| odds.items);
    let items = engine.registry().section(&source.section)?.items();
    let choices = items.iter().enumerate().map(|(index, item)| Alternative {
        id: item.identity().map(str::to_owned),
        text: text_of(item, source),
        position: used.iter().position(|used| used.index == index),
        share: shares
            .as_ref()
            .and_then(|shares| shares.get(index).copied()),
    });
    Some(Alternatives {
        kind: AlternativeKind::Items,
        section: source.section.to_string(),
        item: source.item,
        field: source.field.to_string(),
        drawn: used.len(),
        current: source.item,
        choices: choices.collect(),
    })
}

/// What an item prints where another one prints a source, in one line.
fn text_of(item: &Item, source: &Source) -> String {
    let text = match source.part {
        Part::Heading => item.heading(),
        _ => None,
    };
    match (text, item.fields().get(&*source.field)) {
        (Some(text), _) => entry_label(&json!(text)),
        (None, Some(Value::Array(list))) => list.first().map(entry_label).unwrap_or_default(),
        (None, Some(value)) => entry_label(value),
        (None, None) => String::new(),
    }
}

/// The roll of entries that chose a source.
fn rolled_list<'h>(
    hydration: &'h Hydration,
    source: &Source,
) -> Option<(&'h ArrayEvaluation, usize)> {
    let current = source.entry.filter(|_| source.part == Part::Entry)?;
    let array = hydration.evaluation.arrays.iter().find(|array| {
        array.origin == Origin::Random
            && array.section == *source.section
            && array.item == source.item
            && array.field == *source.field
            && array.selected.contains(&current)
    });
    Some((array?, current))
}

/// The roll of items that chose a source.
fn rolled_item<'h>(hydration: &'h Hydration, source: &Source) -> Option<&'h SectionEvaluation> {
    let section = hydration.evaluation.sections.get(&*source.section)?;
    let is_used = section.items.iter().any(|used| used.index == source.item);
    (section.origin == Origin::Random && is_used).then_some(section)
}

impl Prompt<'_> {
    /// Sets another entry or item in place of the rolled one that a segment prints.
    pub(super) fn choose(&self, index: usize, choice: usize) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        let source = segment.source.as_ref().ok_or(Refusal::NoEntry)?;
        let changes = match rolled_list(self.hydration, source) {
            Some((array, current)) => vec![self.choose_entry(array, current, choice)?],
            None => self.choose_item(source, choice)?,
        };
        Ok(Plan {
            changes,
            prompts: Vec::new(),
            trims: false,
            spelled: None,
            unprinted: None,
        })
    }

    /// Sets the entries of a rolled list to those printed, with another one in place of one of
    /// them; one that is printed already changes places with it.
    fn choose_entry(
        &self,
        array: &ArrayEvaluation,
        current: usize,
        entry: usize,
    ) -> Result<Change, Refusal> {
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
        let mut indices: Vec<i64> = array
            .selected
            .iter()
            .map(|selected| position(*selected))
            .collect();
        let place = |index: usize| {
            array
                .selected
                .iter()
                .position(|selected| *selected == index)
        };
        let current_position = place(current).ok_or(Refusal::Stale)?;
        match place(entry) {
            Some(entry_position) => indices.swap(current_position, entry_position),
            None => indices[current_position] = position(entry),
        }
        Ok(set(
            ["array_modes", &array.section, &array.field],
            Mode::Indices(indices).to_string().into(),
        ))
    }

    /// Selects an item in place of the rolled one.
    fn choose_item(&self, source: &Source, item: usize) -> Result<Vec<Change>, Refusal> {
        rolled_item(self.hydration, source).ok_or(Refusal::NoEntry)?;
        let name = &*source.section;
        let section = self.registry.section(name).ok_or(Refusal::Stale)?;
        let chosen = section.items().get(item).ok_or(Refusal::Stale)?;
        let identity = chosen.identity().ok_or_else(|| Refusal::NoId {
            section: name.to_owned(),
            item,
        })?;
        let selected = match section.required() {
            true => json!(identity),
            false => json!([identity]),
        };
        let mut changes = vec![set(["selections", name], selected)];
        // A selection alone is not rolled, unless the state says so.
        if self.call.state.section_random.get(name) == Some(&true) {
            changes.push(set(["section_random", name], json!(false)));
        }
        Ok(changes)
    }
}

fn set<const N: usize>(keys: [&str; N], value: Value) -> Change {
    let keys = ["state"].into_iter().chain(keys);
    Change::Set {
        path: keys.map(|name| Step::Key(name.to_owned())).collect(),
        value,
    }
}

/// The position of an entry as a mode holds it.
fn position(entry: usize) -> i64 {
    i64::try_from(entry).unwrap_or(i64::MAX)
}
