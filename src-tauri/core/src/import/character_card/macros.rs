//! The macros of `SillyTavern` in a text, as template variables.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::{
    ConversionStatus,
    deck::{Deck, SectionDraft},
};

/// The macros that become variables, with their spelling in older cards.
const MACROS: [(&str, &[&str]); 3] = [
    ("char", &["<char>", "<bot>"]),
    ("user", &["<user>"]),
    ("original", &[]),
];

/// The macros of a card with their replacements.
#[derive(Debug)]
pub(super) struct Macros {
    /// Macro, variable, default.
    variables: Vec<(&'static str, String, String)>,
}

/// A text with its macros converted.
#[derive(Debug, Default)]
pub(super) struct MacroText {
    /// The text.
    pub text: String,
    /// Macros that became variables.
    known: BTreeSet<&'static str>,
    /// Macros that are not converted.
    pub unknown: BTreeSet<String>,
}

impl Macros {
    /// The macros of a character of that name. A variable has the name of its macro, unless a text
    /// contains that name in single braces, which it must not replace.
    pub fn new<'t>(name: &str, texts: impl Iterator<Item = &'t str> + Clone) -> Self {
        let variable = |macro_name: &str| {
            // One pass for all spellings: a text may have a great many of them.
            let underscore_counts: BTreeSet<usize> = texts
                .clone()
                .flat_map(|text| single_braces(text, macro_name))
                .collect();
            let free = (0..)
                .zip(&underscore_counts)
                .find(|(count, used)| count != *used);
            let underscores = free.map_or(underscore_counts.len(), |(count, _)| count);
            format!("{macro_name}{}", "_".repeat(underscores))
        };
        let default = |macro_name: &str| match macro_name {
            "char" => name.to_owned(),
            "user" => "User".to_owned(),
            _ => String::new(),
        };
        let variables = MACROS
            .iter()
            .map(|(macro_name, _)| (*macro_name, variable(macro_name), default(macro_name)));
        Self {
            variables: variables.collect(),
        }
    }

    /// Converts a text: macros become variables.
    pub fn convert(&self, text: &str) -> MacroText {
        let mut converted = MacroText::default();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '<']) {
            converted.text.push_str(&rest[..at]);
            rest = &rest[at..];
            let (length, name) = match rest.strip_prefix("{{") {
                Some(inner) => match inner.find(['{', '}', '\n']) {
                    Some(end) if inner[end..].starts_with("}}") => (end + 4, Some(&inner[..end])),
                    _ => (1, None),
                },
                None => bracketed(rest),
            };
            let known = name.and_then(|name| {
                let mut variables = self.variables.iter();
                variables.find(|(macro_name, ..)| macro_name.eq_ignore_ascii_case(name.trim()))
            });
            match (known, name) {
                (Some((macro_name, variable, _)), _) => {
                    converted.known.insert(macro_name);
                    converted.text.push_str(&format!("{{{variable}}}"));
                }
                (None, name) => {
                    if let Some(name) = name {
                        converted.unknown.insert(name.trim().to_owned());
                    }
                    converted.text.push_str(&rest[..length]);
                }
            }
            rest = &rest[length..];
        }
        converted.text.push_str(rest);
        converted
    }

    /// Reports what became of the macros in some texts, each at the first text that has it.
    pub fn report<'t>(&self, deck: &mut Deck, texts: impl Iterator<Item = (String, &'t str)>) {
        let mut first: BTreeMap<&str, String> = BTreeMap::new();
        for (pointer, text) in texts {
            for macro_name in self.convert(text).known {
                first.entry(macro_name).or_insert_with(|| pointer.clone());
            }
        }
        for (macro_name, variable, default) in &self.variables {
            let Some(pointer) = first.remove(macro_name) else {
                continue;
            };
            let (status, note) = match *macro_name {
                "original" => (
                    ConversionStatus::NotSupported,
                    format!(
                        "the macro {{{{original}}}} is SillyTavern's own prompt, which a card does not \
                         have; the template variable {variable:?} in its place prints nothing until it \
                         has a value"
                    ),
                ),
                "user" => (
                    ConversionStatus::Converted,
                    format!(
                        "the macro {{{{user}}}}, the name of SillyTavern's user, is the template \
                         variable {variable:?} with the default {default:?}"
                    ),
                ),
                _ => (
                    ConversionStatus::Converted,
                    format!(
                        "the macro {{{{{macro_name}}}}} is the template variable {variable:?} with the default \
                         {default:?}"
                    ),
                ),
            };
            deck.report(status, pointer, note);
        }
    }

    /// Declares the variables that the texts of a section use.
    pub fn declare(&self, section: &mut SectionDraft) {
        let known = self.variables.iter();
        let known = known.map(|(_, name, value)| (name.clone(), Some(value.clone())));
        section.declare_braced(&known.collect());
    }
}

/// The length of an older macro, and its name; or one byte and none.
fn bracketed(text: &str) -> (usize, Option<&'static str>) {
    for (name, spellings) in MACROS {
        for spelling in spellings {
            let found = text.get(..spelling.len());
            if found.is_some_and(|found| found.eq_ignore_ascii_case(spelling)) {
                return (spelling.len(), Some(name));
            }
        }
    }
    (1, None)
}

/// How many underscores follow a name in single braces, at each place where a text has it so.
fn single_braces(text: &str, name: &str) -> impl Iterator<Item = usize> {
    let opening = format!("{{{name}");
    let found: Vec<usize> = text.match_indices(&opening).map(|(at, _)| at).collect();
    let length = opening.len();
    found.into_iter().filter_map(move |at| {
        let rest = &text[at + length..];
        let underscores = rest.bytes().take_while(|byte| *byte == b'_').count();
        let after = rest[underscores..].strip_prefix('}')?;
        let doubled = text[..at].ends_with('{') && after.starts_with('}');
        (!doubled).then_some(underscores)
    })
}

#[cfg(test)]
mod tests {
    use super::Macros;

    #[test]
    fn macros_become_variables() {
        let check = |text: &str, converted: &str, unknown: &[&str]| {
            let macros = Macros::new("Ada", [text].into_iter());
            let made = macros.convert(text);
            assert_eq!(made.text, converted);
            assert!(made.unknown.iter().eq(unknown), "{text}");
        };
        check("{{char}} and {{User}}", "{char} and {user}", &[]);
        check("<USER>, <BOT> <b>", "{user}, {char} <b>", &[]);
        check("{{ char }}{{original}}.", "{char}{original}.", &[]);
        check("{{roll:d6}} {{", "{{roll:d6}} {{", &["roll:d6"]);
        check("{char} {{char}}", "{char} {char_}", &[]);
        check("{char_} {char}{{char}}", "{char_} {char}{char__}", &[]);
        check("{char_} {{char}}", "{char_} {char}", &[]);
        check("{{{char}}}", "{{char}}", &[]);
    }
}
