//! The state of one call: selections, modes, sliders, randomness and template variables.

use foldhash::fast::FixedState;
use indexmap::IndexMap;
use promptdeck_json::abridged;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::{HashedKey, StateEntry};
use crate::registry::Selection;

/// Settings by name, in the order they were set. Hashed without randomness and always with the
/// default of the hasher, so that a [`HashedKey`] is hashed once for all tables.
pub type Table<V> = IndexMap<String, V, FixedState>;

/// Everything a caller sets for one call; every part may be missing, null means missing too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Section to what is selected in it.
    #[serde(deserialize_with = "table")]
    pub selections: Table<Selection>,
    /// Section to array field to mode, as written.
    #[serde(deserialize_with = "tables")]
    pub array_modes: Table<Table<String>>,
    /// Section to whether its item is rolled.
    #[serde(deserialize_with = "table")]
    pub section_random: Table<bool>,
    /// Section to slider position.
    #[serde(deserialize_with = "positions")]
    pub sliders: Table<f64>,
    /// Section to whether its slider is rolled.
    #[serde(deserialize_with = "table")]
    pub slider_random: Table<bool>,
    /// `section::variable` to text.
    #[serde(deserialize_with = "table")]
    pub template_vars: Table<String>,
}

/// The settings of a call as the engine reads them, whatever holds them.
pub trait Settings {
    /// The identities selected in a section, when something is set there.
    fn selection(&self, section: &HashedKey) -> Option<impl Iterator<Item = &str>>;
    /// The mode of an array field, as written.
    fn mode(&self, section: &HashedKey, field: &HashedKey) -> Option<&str>;
    /// Whether the section's item is rolled.
    fn section_random(&self, section: &HashedKey) -> Option<bool>;
    /// The slider's position.
    fn slider(&self, section: &HashedKey) -> Option<f64>;
    /// Whether the slider is rolled.
    fn slider_random(&self, section: &HashedKey) -> Option<bool>;
    /// The text of a variable, by its full key `section::variable`.
    fn variable(&self, key: &HashedKey) -> Option<&str>;
}

/// A state as the list of its settings, to be checked against a registry.
pub trait Entries {
    /// Everything that can be at odds with a registry.
    fn entries(&self) -> impl Iterator<Item = StateEntry<'_>>;
}

impl Settings for State {
    fn selection(&self, section: &HashedKey) -> Option<impl Iterator<Item = &str>> {
        let selection = section.lookup(&self.selections)?;
        Some(selection.ids().iter().map(String::as_str))
    }

    fn mode(&self, section: &HashedKey, field: &HashedKey) -> Option<&str> {
        field
            .lookup(section.lookup(&self.array_modes)?)
            .map(String::as_str)
    }

    fn section_random(&self, section: &HashedKey) -> Option<bool> {
        section.lookup(&self.section_random).copied()
    }

    fn slider(&self, section: &HashedKey) -> Option<f64> {
        section.lookup(&self.sliders).copied()
    }

    fn slider_random(&self, section: &HashedKey) -> Option<bool> {
        section.lookup(&self.slider_random).copied()
    }

    fn variable(&self, key: &HashedKey) -> Option<&str> {
        key.lookup(&self.template_vars).map(String::as_str)
    }
}

impl Entries for State {
    fn entries(&self) -> impl Iterator<Item = StateEntry<'_>> {
        let section = |part| move |section| StateEntry::Section { part, section };
        let sections = names(&self.selections).map(section("selections"));
        let sections = sections
            .chain(names(&self.array_modes).map(section("array_modes")))
            .chain(names(&self.section_random).map(section("section_random")))
            .chain(names(&self.sliders).map(section("sliders")))
            .chain(names(&self.slider_random).map(section("slider_random")));
        let items = self.selections.iter().flat_map(|(section, selection)| {
            let item = move |id| StateEntry::Item { section, id };
            let ids = selection.ids();
            let count = StateEntry::count(section, ids.len());
            let items = ids.iter().map(String::as_str).map(item);
            items.chain(count)
        });
        let fields = self.array_modes.iter().flat_map(|(section, modes)| {
            modes.iter().flat_map(move |(field, mode)| {
                let mode = StateEntry::Mode {
                    section,
                    field,
                    mode,
                };
                [StateEntry::Field { section, field }, mode]
            })
        });
        let slider = |part| move |section| StateEntry::Slider { part, section };
        let sliders = names(&self.sliders).map(slider("sliders"));
        let sliders = sliders.chain(names(&self.slider_random).map(slider("slider_random")));
        let positions = self
            .sliders
            .iter()
            .filter_map(|(section, value)| StateEntry::position(section, *value));
        let variables = names(&self.template_vars).map(|key| StateEntry::Variable { key });
        sections
            .chain(items)
            .chain(fields)
            .chain(sliders)
            .chain(positions)
            .chain(variables)
    }
}

fn names<V>(table: &Table<V>) -> impl Iterator<Item = &str> {
    table.keys().map(String::as_str)
}

fn table<'de, D, V>(deserializer: D) -> Result<Table<V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    let members = Option::<Table<Option<V>>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(members
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect())
}

/// Positions of sliders. JSON can write a number that no double holds, such as `1e400`; infinity would
/// be printed, and lost when the state is written.
fn positions<'de, D>(deserializer: D) -> Result<Table<f64>, D::Error>
where
    D: Deserializer<'de>,
{
    let positions: Table<f64> = table(deserializer)?;
    let beyond = positions.iter().find(|(_, value)| !value.is_finite());
    match beyond {
        None => Ok(positions),
        Some((section, _)) => Err(D::Error::custom(format_args!(
            "the slider of {:?}: a number too large for a double",
            abridged(section)
        ))),
    }
}

fn tables<'de, D>(deserializer: D) -> Result<Table<Table<String>>, D::Error>
where
    D: Deserializer<'de>,
{
    let members: Table<Table<Option<String>>> = table(deserializer)?;
    let filled = |modes: Table<Option<String>>| {
        modes
            .into_iter()
            .filter_map(|(field, mode)| Some((field, mode?)))
            .collect()
    };
    Ok(members
        .into_iter()
        .map(|(section, modes)| (section, filled(modes)))
        .collect())
}
