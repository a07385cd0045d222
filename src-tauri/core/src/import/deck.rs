//! Builds a registry for formats without sections of their own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{ConversionStatus, ReportEntry};
use crate::{
    hydrate::{Call, Engine, Seed, State},
    lint,
    registry::{Document, SCHEMA_VERSION, canonical, parse, primary_field},
};

/// Names of template variables, and their defaults, if they have one.
pub(super) type Variables = BTreeMap<String, Option<String>>;

/// A registry under construction, with the entries of its report.
#[derive(Debug, Default)]
pub(super) struct Deck {
    registry: Map<String, Value>,
    wrapper: Map<String, Value>,
    order: Vec<String>,
    pub entries: Vec<ReportEntry>,
}

/// A section under construction.
#[derive(Debug, Default)]
pub(super) struct SectionDraft {
    pub items: Vec<Map<String, Value>>,
    /// Template variables and their defaults, if they have one.
    pub variables: Vec<(String, Option<String>)>,
    /// Whether the seed picks the item.
    pub random: bool,
    /// Whether the section prints nothing until something is selected.
    pub optional: bool,
    /// Other keys of the section.
    pub others: Map<String, Value>,
}

impl SectionDraft {
    /// A section of one item.
    pub fn of(item: Map<String, Value>) -> Self {
        Self {
            items: vec![item],
            ..Self::default()
        }
    }

    /// Declares the names in braces that the texts use. One that is not `known` prints as written
    /// until it has a value; returns those.
    pub fn declare_braced(&mut self, known: &Variables) -> Vec<String> {
        let mut names = BTreeSet::new();
        for value in self.items.iter().flat_map(Map::values) {
            braced_names(value, &mut names);
            // What the importer itself made of an expression is a variable, also next to a brace.
            names.extend(
                known
                    .keys()
                    .map(String::as_str)
                    .filter(|name| holds(value, name)),
            );
        }
        let mut unknown = Vec::new();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        for name in names {
            let default = match known.get(&name) {
                Some(default) => default.clone(),
                None => {
                    unknown.push(name.clone());
                    Some(format!("{{{name}}}"))
                }
            };
            self.variables.push((name, default));
        }
        unknown
    }

    fn value(self) -> Value {
        let names: Vec<&String> = self.variables.iter().map(|(name, _)| name).collect();
        let mut section = Map::new();
        section.insert("required".to_owned(), json!(!self.optional));
        section.insert("template_vars".to_owned(), json!(names));
        section.insert("items".to_owned(), json!(self.items));
        if self.random {
            section.insert("section_random".to_owned(), json!(true));
        }
        let defaults: Map<String, Value> = self
            .variables
            .iter()
            .filter_map(|(name, text)| Some((name.clone(), json!(text.as_ref()?))))
            .collect();
        if !defaults.is_empty() {
            section.insert("template_var_defaults".to_owned(), Value::Object(defaults));
        }
        section.extend(self.others);
        Value::Object(section)
    }
}

impl Deck {
    /// A deck without sections.
    pub fn new(title: Option<&str>) -> Self {
        let mut deck = Self::default();
        deck.set("version", json!(SCHEMA_VERSION));
        if let Some(title) = title {
            deck.set("title", json!(title));
        }
        deck
    }

    /// Whether the assembly order is still empty.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Sets a key of the registry that is no section.
    pub fn set(&mut self, key: &str, value: Value) {
        self.registry.insert(key.to_owned(), value);
    }

    /// Sets a key beside the registry: a field of its call document.
    pub fn set_call(&mut self, key: &str, value: Value) {
        self.wrapper.insert(key.to_owned(), value);
    }

    /// Adds a section.
    pub fn section(&mut self, name: &str, section: SectionDraft) {
        self.registry.insert(name.to_owned(), section.value());
    }

    /// Changes the sections; the sum of what `change` returns, or `None` as soon as it does.
    pub fn change_sections(
        &mut self,
        change: impl Fn(&mut Map<String, Value>) -> Option<usize>,
    ) -> Option<usize> {
        let sections = self.registry.values_mut().filter_map(Value::as_object_mut);
        sections
            .filter(|section| section.contains_key("items"))
            .map(change)
            .sum()
    }

    /// Adds a section that prints nothing: a registry has at least one.
    pub fn empty_section(&mut self, name: &str) {
        let mut item = Map::new();
        item.insert("id".to_owned(), json!(name));
        item.insert(primary_field(name).to_owned(), json!(""));
        self.section(name, SectionDraft::of(item));
        self.token(name);
    }

    /// Appends a token to the assembly order.
    pub fn token(&mut self, token: impl Into<String>) {
        self.order.push(token.into());
    }

    /// Adds an entry to the report.
    pub fn report(
        &mut self,
        status: ConversionStatus,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.entries.push(ReportEntry {
            status,
            pointer: pointer.into(),
            message: message.into(),
            place: None,
        });
    }

    /// The registry in canonical form.
    pub fn text(&self) -> String {
        let mut registry = self.registry.clone();
        registry.insert("assembly_order".to_owned(), json!(self.order));
        canonical::format(&Document {
            registry,
            wrapper: Some(self.wrapper.clone()),
        })
    }

    /// The prompt that the registry prints without any settings, if it prints one.
    pub fn prompt(&self) -> Option<String> {
        prompt_of(&self.text())
    }
}

/// The prompt that a registry prints without any settings, if it prints one.
pub(super) fn prompt_of(registry: &str) -> Option<String> {
    let parsed = parse(registry.as_bytes()).ok()?;
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::from_bits(0),
    };
    Engine::new(parsed.registry).hydrate_text(&call).ok()
}

/// Whether a text holds a name in single braces.
fn holds(value: &Value, name: &str) -> bool {
    match value {
        Value::String(text) => text.contains(&format!("{{{name}}}")),
        Value::Array(entries) => entries.iter().any(|entry| holds(entry, name)),
        _ => false,
    }
}

fn braced_names<'v>(value: &'v Value, names: &mut BTreeSet<&'v str>) {
    match value {
        Value::String(text) => names.extend(lint::braced(text).map(|range| &text[range])),
        Value::Array(entries) => entries.iter().for_each(|entry| braced_names(entry, names)),
        _ => {}
    }
}
