//! A registry under conversion from schema version 2, and the report so far.

use serde_json::{Map, Value, json};

use super::super::{ConversionStatus, Dialect, ReportEntry, detect::TOP_KEYS, pointer::pointer};
use super::token::Token;
use crate::registry::{SCHEMA_VERSION, is_section};

/// One assembly order: the registry's own, or a route's.
pub(super) struct Order {
    /// The keys that lead to it.
    at: Vec<String>,
    /// Its tokens, each with its position in the original.
    pub tokens: Vec<(usize, Token)>,
}

impl Order {
    /// The pointer of the token that stood there in the original.
    pub fn pointer(&self, position: usize) -> String {
        let mut steps: Vec<&str> = self.at.iter().map(String::as_str).collect();
        let position = position.to_string();
        steps.push(&position);
        pointer(&steps)
    }
}

/// A registry under conversion.
pub(super) struct Draft {
    pub registry: Map<String, Value>,
    /// Top-level keys that schema version 2 reserves; they are never sections.
    pub reserved: Map<String, Value>,
    pub dialect: Dialect,
    pub orders: Vec<Order>,
    /// Renamed fields: section, old name, new name.
    renames: Vec<(String, String, String)>,
    lines: Vec<ReportEntry>,
}

impl Draft {
    pub fn new(mut registry: Map<String, Value>, dialect: Dialect) -> Self {
        let reserved = TOP_KEYS
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), registry.shift_remove(*key)?)));
        let reserved = reserved.collect();
        let order = |at: &[&str], list: Option<&Value>| {
            let texts = list?.as_array()?.iter().filter_map(Value::as_str);
            Some(Order {
                at: at.iter().map(|step| (*step).to_owned()).collect(),
                tokens: texts.map(Token::read).enumerate().collect(),
            })
        };
        let mut orders = Vec::new();
        orders.extend(order(&["assembly_order"], registry.get("assembly_order")));
        if let Some(Value::Object(routes)) = registry.get("routes") {
            for (name, route) in routes {
                let list = route.get("assembly_order");
                orders.extend(order(&["routes", name, "assembly_order"], list));
            }
        }
        Self {
            registry,
            reserved,
            dialect,
            orders,
            renames: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The converted registry and the report.
    pub fn finish(mut self) -> (Map<String, Value>, Vec<ReportEntry>) {
        for order in &self.orders {
            let texts: Vec<_> = order
                .tokens
                .iter()
                .map(|(_, token)| token.canonical())
                .collect();
            let texts = json!(texts);
            match order.at.as_slice() {
                [_, route, key] => self.registry["routes"][route][key] = texts,
                _ => {
                    self.registry.insert("assembly_order".to_owned(), texts);
                }
            }
        }
        self.registry
            .insert("version".to_owned(), json!(SCHEMA_VERSION));
        (self.registry, self.lines)
    }

    /// The names of the sections.
    pub fn sections(&self) -> Vec<String> {
        let sections = self
            .registry
            .iter()
            .filter(|(name, value)| is_section(name, value));
        sections.map(|(name, _)| name.clone()).collect()
    }

    pub fn section(&self, name: &str) -> Option<&Map<String, Value>> {
        self.registry.get(name)?.as_object()
    }

    pub fn section_mut(&mut self, name: &str) -> Option<&mut Map<String, Value>> {
        self.registry.get_mut(name)?.as_object_mut()
    }

    /// Whether exactly one item is always chosen.
    pub fn required(&self, name: &str) -> bool {
        self.section(name)
            .is_some_and(|section| section.get("required") != Some(&json!(false)))
    }

    /// The items of a section.
    pub fn items(&self, name: &str) -> impl Iterator<Item = &Map<String, Value>> {
        let items = self.section(name).and_then(|section| section.get("items"));
        items
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
    }

    pub fn items_mut(&mut self, name: &str) -> impl Iterator<Item = &mut Map<String, Value>> {
        let items = self
            .section_mut(name)
            .and_then(|section| section.get_mut("items"));
        items
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
    }

    /// The tokens of all orders that start with a section, each once.
    pub fn tokens_of(&self, section: &str) -> Vec<Token> {
        let mut found: Vec<Token> = Vec::new();
        for (_, token) in self.orders.iter().flat_map(|order| &order.tokens) {
            if token.section() == section && !found.contains(token) {
                found.push(token.clone());
            }
        }
        found
    }

    /// Whether a token names this field.
    pub fn reads(&self, section: &str, field: &str) -> bool {
        let wanted = Token::Field {
            section: section.to_owned(),
            field: field.to_owned(),
        };
        self.tokens_of(section).contains(&wanted)
    }

    /// Replaces every token equal to `old`.
    pub fn replace(&mut self, old: &Token, new: &Token) {
        let tokens = self.orders.iter_mut().flat_map(|order| &mut order.tokens);
        for (_, token) in tokens.filter(|(_, token)| token == old) {
            token.clone_from(new);
        }
    }

    /// Records that a field was renamed.
    pub fn add_field_rename(&mut self, section: &str, old: &str, new: &str) {
        self.renames
            .push((section.to_owned(), old.to_owned(), new.to_owned()));
    }

    /// The current name of a field of the original.
    pub fn name_of<'f>(&'f self, section: &str, field: &'f str) -> &'f str {
        let rename = self
            .renames
            .iter()
            .find(|(of, old, _)| of == section && old == field);
        rename.map_or(field, |(_, _, new)| new)
    }

    /// Whether lists of groups stand in the field `examples`, which carries their heading.
    pub fn groups_in_examples(&self, section: &str) -> bool {
        self.renames
            .iter()
            .any(|(of, old, new)| of == section && old.starts_with("groups") && new == "examples")
    }

    pub fn not_supported(&mut self, at: &[&str], message: String) {
        self.report(ConversionStatus::NotSupported, at, message);
    }

    pub fn ambiguous(&mut self, at: &[&str], message: String) {
        self.report(ConversionStatus::Ambiguous, at, message);
    }

    pub fn converted(&mut self, at: &[&str], message: String) {
        self.report(ConversionStatus::Converted, at, message);
    }

    pub fn unread(&mut self, at: &[&str], message: String) {
        self.report(ConversionStatus::Unread, at, message);
    }

    /// Adds a report entry for a pointer.
    pub fn line(&mut self, status: ConversionStatus, pointer: String, message: String) {
        self.lines.push(ReportEntry {
            status,
            pointer,
            message,
            place: None,
        });
    }

    fn report(&mut self, status: ConversionStatus, at: &[&str], message: String) {
        self.line(status, pointer(at), message);
    }
}

/// What an item is called: its id, else its name.
pub(super) fn identity(item: &Map<String, Value>) -> Option<&str> {
    filled(item, "id").or_else(|| filled(item, "name"))
}

/// A text that is present and not empty.
pub(super) fn filled<'m>(map: &'m Map<String, Value>, key: &str) -> Option<&'m str> {
    map.get(key)?.as_str().filter(|text| !text.is_empty())
}
