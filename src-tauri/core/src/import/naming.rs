//! Names of sections and fields, derived from headings and keys of other formats.

use std::collections::{HashMap, HashSet};

use super::detect::TOP_KEYS;
use crate::registry::{RESERVED_KEYS, name_fault};

/// Maximum length of a name derived from a heading, in characters.
const MAX_CHARS: usize = 40;

/// Reserved names of sections and fields.
const TAKEN: [&str; 16] = [
    "context",
    "examples",
    "excludes",
    "fragments",
    "id",
    "include_sections",
    "items",
    "name",
    "pre_context",
    "registry",
    "requires",
    "runtime_injections",
    "runtime_variables",
    "scale",
    "sentiment",
    "weight",
];

/// Whether a name is reserved.
pub(super) fn is_taken(name: &str) -> bool {
    TAKEN.contains(&name)
        || RESERVED_KEYS.contains(&name)
        || TOP_KEYS.contains(&name)
        || ["scale_emotion", "text"].contains(&name)
}

/// Names, each given once.
#[derive(Debug, Default)]
pub(super) struct Names {
    given: HashSet<String>,
    /// The number to try next for a name that was given before.
    next: HashMap<String, usize>,
}

impl Names {
    /// Marks a name as taken.
    pub fn reserve(&mut self, name: &str) {
        self.given.insert(name.to_owned());
    }

    /// A unique name similar to the wanted one.
    pub fn unique(&mut self, wanted: &str) -> String {
        let base = slug(wanted).unwrap_or_else(|| "section".to_owned());
        let base = if is_taken(&base) {
            format!("{base}_text")
        } else {
            base
        };
        let mut name = base.clone();
        if !self.given.insert(name.clone()) {
            let next = self.next.entry(base.clone()).or_insert(2);
            loop {
                name = format!("{base}_{next}");
                *next += 1;
                if self.given.insert(name.clone()) {
                    break;
                }
            }
        }
        name
    }
}

/// A text as a name: lower case, words joined by underscores; `None` if it has no letter or digit.
pub(super) fn slug(text: &str) -> Option<String> {
    let mut slug = String::new();
    for character in text.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('_') && !matches!(character, '\'' | '’') {
            slug.push('_');
        }
        if slug.chars().count() >= MAX_CHARS {
            break;
        }
    }
    let slug = slug.trim_end_matches('_').to_owned();
    name_fault(&slug).is_none().then_some(slug)
}

#[cfg(test)]
mod tests {
    use super::{Names, slug};

    #[test]
    fn headings_become_names() {
        for (text, expected) in [
            ("Output format", Some("output_format")),
            ("  1. Über uns! ", Some("1_über_uns")),
            ("Don't", Some("dont")),
            ("***", None),
            ("", None),
        ] {
            assert_eq!(slug(text).as_deref(), expected, "{text}");
        }
        assert_eq!(
            slug(&"long ".repeat(40)).expect("a name").chars().count(),
            39
        );
    }

    #[test]
    fn names_are_given_once_and_mean_nothing_else() {
        let mut names = Names::default();
        let unique_names =
            ["Rules", "rules!", "items", "version", "!"].map(|name| names.unique(name));
        assert_eq!(
            unique_names,
            ["rules", "rules_2", "items_text", "version_text", "section"]
        );
    }
}
