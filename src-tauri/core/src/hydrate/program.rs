//! Sections compiled for many calls, each item on first use.
//!
//! Items that no call renders are never compiled: ten thousand items cost ten thousand empty cells.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use super::{
    HashedKey,
    item_program::ItemProgram,
    mode::Mode,
    pick::{item_hash, section_hash, slider_hash},
    template::{Template, TemplateNames},
};
use crate::registry::{Item, Section};

/// The sentence of a slider when the section has no `scale_template`.
pub const SCALE_TEMPLATE: &str = "On a scale of 1-10, intensity is {value} on {emotion}.";

/// The names a scale template may use, by number.
pub(crate) const SCALE_NAMES: [&str; 2] = ["value", "emotion"];

/// A section's item positions by some name.
type Positions = HashMap<Box<str>, SmallVec<[u32; 1]>, FixedState>;

/// A declared template variable.
#[derive(Debug)]
pub(super) struct Variable {
    /// Its key in a state: `section::name`.
    pub key: HashedKey,
    /// Its text when the state has none.
    pub default: Option<Box<str>>,
}

/// A section, ready for many calls.
#[derive(Debug)]
pub(super) struct SectionProgram {
    pub section: Arc<Section>,
    /// The section's name.
    pub key: HashedKey,
    /// The field an item without a pool is printed by.
    pub primary: HashedKey,
    /// The field of pools.
    pub pool: HashedKey,
    /// Whether double braces belong to Jinja.
    pub jinja: bool,
    /// Whether its lists never merge with others.
    pub never_merges: bool,
    /// The hashes of its picks: of an item, and of the slider's position.
    pub pick: u64,
    pub slider_pick: u64,
    pub variables: Vec<Variable>,
    pub modes: Vec<(HashedKey, Mode)>,
    /// The weight of each item; none if all weigh the same, so that the draws alone decide.
    pub weights: Option<Box<[f64]>>,
    items: Box<[OnceLock<Box<ItemProgram>>]>,
    identities: OnceLock<Positions>,
    labels: OnceLock<Positions>,
    draws: OnceLock<Box<[u64]>>,
    scale: OnceLock<Template>,
    names: OnceLock<TemplateNames>,
}

impl SectionProgram {
    pub fn new(section: Arc<Section>, jinja: bool) -> Self {
        let defaults = section.defaults();
        let variables = section
            .template_vars()
            .iter()
            .map(|name| Variable {
                key: HashedKey::new(&format!("{}::{name}", section.name())),
                default: defaults
                    .template_var_defaults
                    .get(name)
                    .map(|text| text.as_str().into()),
            })
            .collect();
        let modes = defaults
            .array_modes
            .iter()
            .map(|(field, mode)| (HashedKey::new(field), Mode::parse(mode).0))
            .collect();
        Self {
            key: HashedKey::new(section.name()),
            primary: HashedKey::new(section.primary_field()),
            pool: HashedKey::new("items"),
            items: section.items().iter().map(|_| OnceLock::new()).collect(),
            never_merges: section.name() == "prompt_endings",
            pick: section_hash(section.name()),
            slider_pick: slider_hash(section.name()),
            weights: section.weighted().then(|| {
                let items = section.items().iter();
                items.map(|item| item.weight()).collect()
            }),
            section,
            jinja,
            variables,
            modes,
            identities: OnceLock::new(),
            labels: OnceLock::new(),
            draws: OnceLock::new(),
            scale: OnceLock::new(),
            names: OnceLock::new(),
        }
    }

    pub fn name(&self) -> &str {
        self.section.name()
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// An item, compiled.
    pub fn item(&self, index: u32) -> &ItemProgram {
        self.items[index as usize].get_or_init(|| {
            let item = &self.section.items()[index as usize];
            let names = self
                .names
                .get_or_init(|| TemplateNames::new(self.section.template_vars()));
            Box::new(ItemProgram::new(
                item,
                index,
                &self.section,
                names,
                self.jinja,
            ))
        })
    }

    /// The positions of the items with that identity, in order.
    pub fn find(&self, identity: &str) -> &[u32] {
        let identities = self
            .identities
            .get_or_init(|| self.positions(Item::identity));
        identities.get(identity).map_or(&[], |found| found)
    }

    /// The item that a dotted token names: by its name, or by its id when it has no name.
    pub fn find_label(&self, label: &str) -> Option<u32> {
        let labels = self
            .labels
            .get_or_init(|| self.positions(|item| item.label()));
        labels.get(label).and_then(|found| found.first().copied())
    }

    /// The item that a bracket's text names: as a dotted token would, else by its id.
    pub fn find_bracket(&self, text: &str) -> Option<u32> {
        // Identities are ids first, so they hold every id.
        self.find_label(text)
            .or_else(|| self.find(text).first().copied())
    }

    /// The hash of each item's name, for draws.
    pub fn draws(&self) -> &[u64] {
        self.draws.get_or_init(|| {
            let items = self.section.items().iter().enumerate();
            items
                .map(|(index, item)| item_hash(item.identity(), index))
                .collect()
        })
    }

    /// The sentence of the slider; its variables are [`SCALE_NAMES`].
    pub fn scale(&self) -> &Template {
        self.scale.get_or_init(|| {
            let template = self.section.defaults().scale_template.as_deref();
            let template = template.unwrap_or(SCALE_TEMPLATE);
            Template::new(template, &TemplateNames::new(&SCALE_NAMES), self.jinja)
        })
    }

    fn positions<'s>(&'s self, name: impl Fn(&'s Item) -> Option<&'s str>) -> Positions {
        let mut positions = Positions::default();
        for (index, item) in self.section.items().iter().enumerate() {
            if let Some(name) = name(item) {
                positions.entry(name.into()).or_default().push(index as u32);
            }
        }
        positions
    }
}
