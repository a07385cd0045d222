//! The state of one call: selections, modes, sliders, randomness and template variables.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::registry::Selection;

/// Settings by name, in the order they were set.
pub type Table<V> = IndexMap<String, V>;

/// Everything a caller sets for one call; every part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Section to what is selected in it.
    pub selections: Table<Selection>,
    /// Section to array field to mode, as written.
    pub array_modes: Table<Table<String>>,
    /// Section to whether its item is rolled.
    pub section_random: Table<bool>,
    /// Section to slider position.
    pub sliders: Table<f64>,
    /// Section to whether its slider is rolled.
    pub slider_random: Table<bool>,
    /// `section::variable` to text.
    pub template_vars: Table<String>,
}
