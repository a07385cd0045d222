//! The evaluation of a call: what is used, and why.

use indexmap::IndexMap;
use serde::Serialize;

/// Why a value is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The state of the call sets it.
    Selection,
    /// It is baked into the section.
    Baked,
    /// Nothing sets it.
    Default,
    /// It was rolled.
    Random,
}

/// What one call uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// Every section, in canonical order.
    pub sections: IndexMap<String, SectionEvaluation>,
    /// Every array rendered, in the order of rendering.
    pub arrays: Vec<ArrayEvaluation>,
    /// The identities of the active runtime injections; none means that nothing is filtered.
    pub injections: Vec<String>,
}

impl Evaluation {
    /// Whether anything of it was rolled, so that another seed may give another prompt.
    #[must_use]
    pub fn is_rolled(&self) -> bool {
        let mut sections = self.sections.values();
        sections.any(|section| {
            section.origin == Origin::Random || section.slider.origin == Origin::Random
        }) || self
            .arrays
            .iter()
            .any(|array| array.origin == Origin::Random)
    }
}

/// What one call uses of one section.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SectionEvaluation {
    /// The chosen items, in item order.
    pub items: Vec<ChosenItem>,
    /// Why these.
    pub origin: Origin,
    /// The slider.
    pub slider: SliderEvaluation,
    /// Whether active injections leave the section out.
    pub filtered: bool,
}

/// A chosen item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChosenItem {
    /// Its position in the section.
    pub index: usize,
    /// Its identity, when it has one.
    pub id: Option<String>,
}

/// A slider's position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SliderEvaluation {
    /// The position, before truncation.
    pub value: f64,
    /// Why this.
    pub origin: Origin,
}

/// What one call uses of one array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArrayEvaluation {
    /// The section.
    pub section: String,
    /// The item's position in its section.
    pub item: usize,
    /// The item's identity, when it has one.
    pub id: Option<String>,
    /// The field.
    pub field: String,
    /// The mode in force, in its canonical spelling.
    pub mode: String,
    /// Why this mode; `random` when the mode rolled.
    pub origin: Origin,
    /// The selected entries, by their position in the array, in the order printed.
    #[serde(rename = "kept")]
    pub selected: Vec<usize>,
    /// How many entries the array has.
    pub total: usize,
}

/// What a call sets in a section, whatever the dice say.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionSettings {
    /// The items used without dice, by position.
    pub selected: Vec<usize>,
    /// Whether the section's item is rolled instead.
    pub rolled: bool,
    /// The slider, if the section has one.
    pub slider: Option<SliderSetting>,
}

/// What a call sets of a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliderSetting {
    /// The position without dice, 1 to 10 unless the author chose another.
    pub selected: f64,
    /// Whether the position is rolled instead.
    pub rolled: bool,
}
