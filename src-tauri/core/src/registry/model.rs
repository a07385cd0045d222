//! The typed registry: what an author's JSON means once it has been checked.
//!
//! Immutable and cheap to clone; the author's JSON itself stays in [`super::Document`].

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ParseError;

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

/// A conditional piece of an item's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// The variable that must be filled for the text to appear.
    pub if_var: Option<&'a str>,
    /// The text, before substitution.
    pub text: &'a str,
}

/// One item of a section: an open object with some known fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    fields: Map<String, Value>,
}

impl Item {
    /// Every field the author wrote, in order.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// The `id`, when there is one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.fields.get("id").and_then(Value::as_str)
    }

    /// The `name`, when there is one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.fields.get("name").and_then(Value::as_str)
    }

    /// What selections call the item: its id, else its name.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        self.id().or_else(|| self.name())
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
    /// `scale_template`.
    pub scale_template: Option<String>,
    /// `template_var_defaults`: variable (without braces) to text.
    pub template_var_defaults: IndexMap<String, String>,
}

/// One section: a named list of items.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    name: String,
    required: bool,
    template_vars: Vec<String>,
    items: Vec<Arc<Item>>,
    defaults: Defaults,
}

impl Section {
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

    /// The field a bare token prints: `context` for personas and sentiment, `text` elsewhere.
    #[must_use]
    pub fn primary_field(&self) -> &'static str {
        match self.name.as_str() {
            "personas" | "sentiment" => "context",
            _ => "text",
        }
    }
}

/// A named route: what it replaces of the registry's own settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Replaces the registry's `assembly_order` when present.
    pub assembly_order: Option<Arc<[String]>>,
    /// Replaces generation settings key by key.
    pub generation: Map<String, Value>,
    /// Replaces output policy field by field.
    pub output_policy: Map<String, Value>,
}

/// A checked registry. Cloning shares everything.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    assembly_order: Arc<[String]>,
    sections: Arc<IndexMap<String, Arc<Section>>>,
    routes: Arc<IndexMap<String, Route>>,
    generation: Arc<Map<String, Value>>,
    output_policy: Arc<Map<String, Value>>,
}

impl Registry {
    /// Checks a registry object (without its wrapper).
    ///
    /// Errors carry pointers counted from the registry object, and no place.
    pub fn from_map(_map: &Map<String, Value>) -> Result<Self, ParseError> {
        Ok(Self::default())
    }

    /// The same registry with one section replaced or appended; all others are shared.
    pub fn with_section(&self, _name: &str, _value: &Value) -> Result<Self, ParseError> {
        Ok(self.clone())
    }

    /// The tokens of the default route, as written.
    #[must_use]
    pub fn assembly_order(&self) -> &[String] {
        &self.assembly_order
    }

    /// All sections, in file order.
    #[must_use]
    pub fn sections(&self) -> &IndexMap<String, Arc<Section>> {
        &self.sections
    }

    /// The section of that very name (aliases are for tokens only).
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Arc<Section>> {
        self.sections.get(name)
    }

    /// The routes, in file order.
    #[must_use]
    pub fn routes(&self) -> &IndexMap<String, Route> {
        &self.routes
    }

    /// The generation settings as written.
    #[must_use]
    pub fn generation(&self) -> &Map<String, Value> {
        &self.generation
    }

    /// The output policy as written.
    #[must_use]
    pub fn output_policy(&self) -> &Map<String, Value> {
        &self.output_policy
    }
}
