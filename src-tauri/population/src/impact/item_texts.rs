//! Whether two registries are versions of one, by the texts of their items.

use std::collections::HashMap;

use promptdeck_core::registry::{Registry, is_substituted};
use serde_json::{Map, Value};

/// Least share of the texts that makes two registries versions of one: most of them, as for a rename
/// in Git.
const SAME: f64 = 0.5;

/// Keys of a fragment that name a variable.
const VARIABLE_KEYS: [&str; 2] = ["if_var", "var"];

/// The texts of a registry's items, as pairs of neighboring words with their number.
///
/// Names of sections and fields, ids and settings do not count: unrelated registries share them.
/// Single words do not either, since unrelated texts of one language do, and whole texts would
/// differ after an edit of one word, which changes two pairs.
pub struct ItemTexts<'r> {
    pairs: HashMap<(&'r str, &'r str), usize>,
    count: usize,
}

impl<'r> ItemTexts<'r> {
    /// Those of a registry.
    #[must_use]
    pub fn of(registry: &'r Registry) -> Self {
        let mut texts = Self {
            pairs: HashMap::new(),
            count: 0,
        };
        for section in registry.sections().values() {
            for item in section.items() {
                texts.add_members(item.fields());
            }
        }
        texts
    }

    /// The share of the texts that two registries have in common, from 0 to 1; 0 without texts.
    ///
    /// # Examples
    ///
    /// ```
    /// use promptdeck_core::registry;
    /// use promptdeck_population::impact::ItemTexts;
    ///
    /// let registry = |text: &str| {
    ///     let json = format!(r#"{{"task": {{"items": [{{"text": "{text}"}}]}}}}"#);
    ///     registry::parse(json.as_bytes()).map(|parsed| parsed.registry)
    /// };
    /// let (old, new) = (registry("Name the river.")?, registry("Name the lake.")?);
    /// let (old, new) = (ItemTexts::of(&old), ItemTexts::of(&new));
    /// assert_eq!(old.in_common(&new), 0.5);
    /// assert!(old.is_version_of(&new));
    /// # Ok::<(), promptdeck_core::registry::ParseError>(())
    /// ```
    #[must_use]
    pub fn in_common(&self, other: &Self) -> f64 {
        let common = self.pairs.iter().map(|(pair, count)| {
            let others = other.pairs.get(pair).copied().unwrap_or_default();
            (*count).min(others)
        });
        match self.count + other.count {
            0 => 0.0,
            total => 2.0 * common.sum::<usize>() as f64 / total as f64,
        }
    }

    /// Whether two registries are versions of one.
    #[must_use]
    pub fn is_version_of(&self, other: &Self) -> bool {
        self.in_common(other) >= SAME
    }

    fn add_members(&mut self, members: &'r Map<String, Value>) {
        for (key, value) in members {
            if is_substituted(key) && !VARIABLE_KEYS.contains(&key.as_str()) {
                self.add(value);
            }
        }
    }

    fn add(&mut self, value: &'r Value) {
        match value {
            Value::String(text) => self.add_text(text),
            Value::Array(values) => {
                for value in values {
                    self.add(value);
                }
            }
            Value::Object(members) => self.add_members(members),
            _ => {}
        }
    }

    /// The start and the end of a text count as words, so that a text of one word has pairs.
    fn add_text(&mut self, text: &'r str) {
        if text.trim().is_empty() {
            return;
        }
        let mut last = "";
        for word in text.split_whitespace().chain([""]) {
            *self.pairs.entry((last, word)).or_default() += 1;
            self.count += 1;
            last = word;
        }
    }
}

#[cfg(test)]
mod tests {
    use promptdeck_core::registry::{Registry, parse};
    use serde_json::{Value, json};

    use super::ItemTexts;

    fn registry(sections: Value) -> Registry {
        parse(sections.to_string().as_bytes())
            .expect("a registry")
            .registry
    }

    fn check(old: Value, new: Value, share: f64) {
        let (old, new) = (registry(old), registry(new));
        let (old, new) = (ItemTexts::of(&old), ItemTexts::of(&new));
        for found in [old.in_common(&new), new.in_common(&old)] {
            assert!((found - share).abs() < 0.01, "{found} instead of {share}");
        }
    }

    #[test]
    fn names_ids_and_settings_are_no_content() {
        let deck = |id: &str, text: &str| {
            json!({"version": 22, "assembly_order": ["task", "moods.items"], "generation": {"seed": 1},
                "task": {"required": true, "items": [{"id": id, "name": "Task", "text": text,
                    "requires": ["moods=x"], "fragments": [{"if_var": "city", "text": text}]}]}})
        };
        check(deck("a", "Count."), deck("a", "Stop!"), 0.0);
        check(deck("a", "Count."), deck("b", "Count."), 1.0);
        check(
            json!({"a": {"items": []}}),
            json!({"a": {"items": []}}),
            0.0,
        );
    }

    #[test]
    fn an_edit_leaves_most_of_a_text_and_another_text_of_the_language_does_not() {
        let deck = |texts: &[&str]| json!({"list": {"items": [{"id": "a", "items": texts}]}});
        let rules = "You are the host of a quiz. Ask one question, then wait for the answer.";
        let edited = "You are the host of a show. Ask one question, then wait for the answer.";
        let other = "You are a nurse on the night shift. Answer the caller, then ask for a name.";
        check(deck(&[rules]), deck(&[edited]), 14.0 / 16.0);
        check(deck(&[rules]), deck(&[other]), 4.0 / 33.0);
        check(deck(&["red", "blue"]), deck(&["blue", "red"]), 1.0);
        check(deck(&["red", "blue"]), deck(&["blue", "pink", ""]), 0.5);
    }
}
