//! A section: a named list of items with its defaults.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Item,
    check::{self, FieldPath, TypeErrors},
    item::bare_name,
};

/// What is selected in a section: one identity, or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Selection {
    /// One item, by identity.
    One(String),
    /// Any number of items, by identity.
    Many(Vec<String>),
}

impl Selection {
    /// The identities named, in the order given.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        match self {
            Self::One(id) => std::slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }
}

/// What an export bakes into a section: defaults below the state of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// `selected`.
    pub selected: Option<Selection>,
    /// `section_random`.
    pub section_random: Option<bool>,
    /// `array_modes`: field to mode, as written.
    pub array_modes: IndexMap<String, String>,
    /// `slider`.
    pub slider: Option<f64>,
    /// `slider_random`.
    pub slider_random: Option<bool>,
    /// `scale_template`; an empty one counts as none.
    pub scale_template: Option<String>,
    /// `template_var_defaults`: variable (without braces) to text.
    pub template_var_defaults: IndexMap<String, String>,
}

/// A named list of items.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    name: String,
    required: bool,
    template_vars: Vec<String>,
    items: Vec<Arc<Item>>,
    defaults: Defaults,
    dependent: bool,
    weighted: bool,
}

impl Section {
    /// Parses one section again; returns the earlier version itself if nothing changed.
    pub(super) fn reparse(
        name: &str,
        value: &Value,
        earlier: Option<&Arc<Self>>,
        errors: &mut TypeErrors,
    ) -> Arc<Self> {
        let section = Self::new(name, value, earlier.map(Arc::as_ref), errors);
        match earlier {
            Some(earlier) if section.equals(earlier) => Arc::clone(earlier),
            _ => Arc::new(section),
        }
    }

    /// Whether it equals another one, whose unchanged items it shares.
    fn equals(&self, other: &Self) -> bool {
        let Self {
            name,
            required,
            template_vars,
            items,
            defaults,
            dependent: _,
            weighted: _,
        } = self;
        *name == other.name
            && *required == other.required
            && *template_vars == other.template_vars
            && *defaults == other.defaults
            && items.len() == other.items.len()
            && items
                .iter()
                .zip(&other.items)
                .all(|(item, other)| Arc::ptr_eq(item, other))
    }

    /// Whether the section itself defines a slider. A state can give a slider to any section.
    #[must_use]
    pub fn has_slider(&self) -> bool {
        self.name == "sentiment"
            || self.defaults.scale_template.is_some()
            || self.defaults.slider.is_some()
            || self.defaults.slider_random.is_some()
    }

    /// Checks one section. Items equal to those of an earlier version at the same position are
    /// shared with it, so that replacing a section costs little more than comparing it.
    fn new(name: &str, value: &Value, earlier: Option<&Self>, errors: &mut TypeErrors) -> Self {
        let path = FieldPath::ROOT.key(name);
        let none = Map::new();
        let map = value.as_object().unwrap_or_else(|| {
            errors.add(path.wrong_type("an object", value));
            &none
        });
        let earlier = earlier.map_or(&[][..], |section| &section.items);
        let items_path = path.key("items");
        let items: Vec<Arc<Item>> = errors
            .or_default(check::list(map, "items", &path))
            .iter()
            .enumerate()
            .map(|(index, value)| match earlier.get(index) {
                Some(item) if value.as_object() == Some(item.fields()) => Arc::clone(item),
                _ => Arc::new(Item::new(value, &items_path.index(index), errors)),
            })
            .collect();
        let variables: Vec<(String, String)> =
            check::text_members(map, "template_var_defaults", &path, errors);
        let defaults = Defaults {
            selected: selection(map, &path, errors),
            section_random: errors.or_default(check::boolean(map, "section_random", &path)),
            array_modes: check::text_members(map, "array_modes", &path, errors),
            slider: errors.or_default(check::number(map, "slider", &path)),
            slider_random: errors.or_default(check::boolean(map, "slider_random", &path)),
            scale_template: errors
                .or_default(check::text(map, "scale_template", &path))
                .filter(|template| !template.is_empty())
                .map(str::to_owned),
            template_var_defaults: variables
                .into_iter()
                .map(|(name, text)| (bare_name(&name).to_owned(), text))
                .collect(),
        };
        let template_vars = check::texts(map, "template_vars", &path, errors);
        let required = errors.or_default(check::boolean(map, "required", &path));
        Self {
            name: name.to_owned(),
            required: required.unwrap_or(true),
            template_vars: template_vars
                .into_iter()
                .map(|name| bare_name(&name).to_owned())
                .collect(),
            dependent: items
                .iter()
                .any(|item| item.requires().next().or(item.excludes().next()).is_some()),
            weighted: items
                .windows(2)
                .any(|pair| matches!(pair, [one, next] if one.weight() != next.weight())),
            items,
            defaults,
        }
    }

    /// The section's name, its key in the registry.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether exactly one item is always chosen.
    #[must_use]
    pub fn required(&self) -> bool {
        self.required
    }

    /// The declared template variables, without braces.
    #[must_use]
    pub fn template_vars(&self) -> &[String] {
        &self.template_vars
    }

    /// The items, in order.
    #[must_use]
    pub fn items(&self) -> &[Arc<Item>] {
        &self.items
    }

    /// What is baked into the section.
    #[must_use]
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// Whether any item requires or excludes something elsewhere.
    #[must_use]
    pub fn dependent(&self) -> bool {
        self.dependent
    }

    /// Whether its items have different weights.
    #[must_use]
    pub fn weighted(&self) -> bool {
        self.weighted
    }

    /// The field a bare token prints: `context` for personas and sentiment, `text` elsewhere.
    #[must_use]
    pub fn primary_field(&self) -> &'static str {
        primary_field(&self.name)
    }
}

/// The field that a bare token prints of a section of that name.
#[must_use]
pub fn primary_field(section: &str) -> &'static str {
    match section {
        "personas" | "sentiment" => "context",
        _ => "text",
    }
}

fn selection(
    map: &Map<String, Value>,
    path: &FieldPath<'_>,
    errors: &mut TypeErrors,
) -> Option<Selection> {
    match check::present(map, "selected")? {
        Value::String(id) => Some(Selection::One(id.clone())),
        Value::Array(_) => {
            let ids = check::texts(map, "selected", path, errors);
            Some(Selection::Many(ids))
        }
        other => {
            let path = path.key("selected");
            errors.add(path.wrong_type("an id or a list of ids", other));
            None
        }
    }
}
