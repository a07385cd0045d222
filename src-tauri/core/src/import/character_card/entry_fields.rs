//! The fields of a lorebook's entries that a registry has no place for: each is reported once, with
//! the number of entries that set it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    import::{ConversionStatus, deck::Deck},
    plural::plural,
};

/// Maximum number of fields that are reported by name.
const MAX_LISTED: usize = 60;

/// Fields that become part of the registry.
const READ: [&str; 9] = [
    "constant",
    "content",
    "disable",
    "enabled",
    "extensions",
    "key",
    "keys",
    "name",
    "position",
];

/// Numbers and marks of the program that wrote the book; no prompt depends on them.
const BOOKKEEPING: [&str; 6] = [
    "addMemo",
    "displayIndex",
    "display_index",
    "id",
    "uid",
    "useProbability",
];

/// Fields whose default is neither nothing, `false` nor 0.
const DEFAULTS: [(&str, u64); 4] = [
    ("depth", 4),
    ("groupWeight", 100),
    ("group_weight", 100),
    ("probability", 100),
];

/// The spellings of the field that orders the entries.
const ORDERS: [&str; 2] = ["insertion_order", "order"];

/// The spellings of the second list of keys, without which `selective` has no effect.
const SECOND_KEYS: [&str; 2] = ["secondary_keys", "keysecondary"];

/// The fields of some entries that are not read, with the number of entries that set them.
#[derive(Debug, Default)]
pub(super) struct EntryFields<'v> {
    counts: BTreeMap<(&'static str, &'v str), usize>,
    orders: Vec<&'v Value>,
    titles: usize,
}

impl<'v> EntryFields<'v> {
    /// Counts the fields of an entry, except those that were reported as `misspelled`.
    pub fn add(&mut self, entry: &'v Map<String, Value>, misspelled: &[String]) {
        self.orders
            .extend(ORDERS.iter().find_map(|key| entry.get(*key)));
        let filled = |key: &str| entry.get(key).filter(|value| !is_nothing(value));
        let comment = filled("comment");
        self.titles += usize::from(comment.or(filled("name")).is_some());
        if let (Some(comment), Some(name)) = (comment, filled("name"))
            && comment != name
        {
            *self.counts.entry(("", "name")).or_default() += 1;
        }
        let selects = SECOND_KEYS.iter().any(|key| filled(key).is_some());
        let members = entry.get("extensions").and_then(Value::as_object);
        let top_level = entry.iter().map(|(key, value)| ("", key, value));
        let extensions = members.into_iter().flatten();
        let extensions = extensions.map(|(key, value)| ("extensions.", key, value));
        for (prefix, key, value) in top_level.chain(extensions) {
            let name = key.as_str();
            let is_read = READ.contains(&name) || ORDERS.contains(&name) || name == "comment";
            let unsupported = match name {
                _ if BOOKKEEPING.contains(&name) || misspelled.contains(key) => false,
                _ if is_read => false,
                "selective" | "selectiveLogic" => selects && !is_default(name, value),
                "probability" => is_used(entry) && !is_default(name, value),
                _ => !is_default(name, value),
            };
            if unsupported {
                *self.counts.entry((prefix, name)).or_default() += 1;
            }
        }
    }

    /// Reports the fields at the pointer of the entries.
    pub fn report(&self, deck: &mut Deck, at: &str) {
        let fields = self.counts.iter();
        for ((prefix, name), count) in fields.take(MAX_LISTED) {
            let note = format!(
                "{}: {prefix}{name} is left out{}",
                plural(*count, "entry"),
                effect(name)
            );
            deck.report(ConversionStatus::NotSupported, at, note);
        }
        if let Some(more) = self.counts.len().checked_sub(MAX_LISTED + 1) {
            let note = format!("{} are left out", plural(more + 1, "more field"));
            deck.report(ConversionStatus::NotSupported, at, note);
        }
        if self.orders.windows(2).any(|pair| pair[0] != pair[1]) {
            let note =
                "the order of the entries (insertion_order or order) is the order of the items";
            deck.report(ConversionStatus::Converted, at, note);
        }
        if self.titles > 0 {
            let note = format!(
                "{}: the title (comment or name) is the id of the item",
                plural(self.titles, "entry")
            );
            deck.report(ConversionStatus::Converted, at, note);
        }
    }
}

/// What the original program does with a field.
fn effect(name: &str) -> &'static str {
    match name {
        "secondary_keys" | "keysecondary" | "selective" | "selectiveLogic" => {
            ": the entry was sent only when these keys occur, too"
        }
        "probability" => ": the entry was sent with that chance",
        "group" | "group_weight" | "groupWeight" | "group_override" | "groupOverride" => {
            ": one entry of a group was sent"
        }
        "sticky" | "cooldown" | "delay" => ": it counts messages, which a prompt does not",
        "priority" | "ignoreBudget" | "ignore_budget" => {
            ": a registry has no token budget for entries"
        }
        "depth" | "role" => ": the entry is no message of the conversation",
        _ => "",
    }
}

/// Whether a chance is applied.
fn is_used(entry: &Map<String, Value>) -> bool {
    let extension = entry
        .get("extensions")
        .and_then(|extensions| extensions.get("useProbability"));
    entry.get("useProbability").or(extension) != Some(&json!(false))
}

/// Whether a field says what its absence says.
fn is_default(name: &str, value: &Value) -> bool {
    match DEFAULTS.iter().find(|(key, _)| *key == name) {
        Some((_, default)) => value.is_null() || value.as_f64() == Some(*default as f64),
        None => is_nothing(value),
    }
}

/// Whether a value is empty, `false` or 0.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.trim().is_empty(),
        Value::Array(entries) => entries.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}
